// Text as the numbers of words and their parts that BERT's models are given.
//
//   const WordPiece tokens("model/vocab.txt");
//   tokens.Encode("Unaffable!");          // [CLS] una ##ffa ##ble ! [SEP], as numbers
//
// Text is lowered, loses its accents, and is split at spaces, punctuation and Chinese characters;
// of each word the longest beginning that the vocabulary has is taken, then of the rest the longest
// continuation, which is written with ## before it. A word that cannot be made so is [UNK].
// Source: google-research/bert, tokenization.py; huggingface/tokenizers, normalizers/bert.rs.
// Owns: the vocabulary.
// Threads: any.
// Errors: kNotFound for a vocabulary that cannot be read, kInvalidArgument for one without [CLS],
// [SEP], [UNK] and [PAD].
#ifndef EXAMPLES_SENTENCES_WORD_PIECE_H_
#define EXAMPLES_SENTENCES_WORD_PIECE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sentences {

class WordPiece {
 public:
  // A file of one entry a line, whose number is the line's, from 0.
  explicit WordPiece(const std::string& vocabulary);
  // With [CLS] before and [SEP] behind; at most `most` numbers, the rest of a text is dropped.
  // Bytes that are no UTF-8 count as a space.
  std::vector<int64_t> Encode(std::string_view text, size_t most = 256) const;
  int64_t padding() const { return padding_; }

  // The words and marks of a text as they are looked up.
  static std::vector<std::string> Words(std::string_view text);

 private:
  int64_t Special(const std::string& name) const;
  void AddPieces(const std::string& word, std::vector<int64_t>& ids) const;

  std::unordered_map<std::string, int64_t> numbers_;
  int64_t begin_, end_, unknown_, padding_;
};

}  // namespace sentences

#endif  // EXAMPLES_SENTENCES_WORD_PIECE_H_
