#include "examples/sentences/word_piece.h"

#include <utf8proc.h>

#include <array>
#include <fstream>

#include "switchyard/core/error.h"

namespace sentences {
namespace {

constexpr size_t kMostCharacters = 100;  // of a word; longer ones are unknown

// The next character from `at` on, which goes on behind it; -1 for bytes that are none.
utf8proc_int32_t NextCharacter(std::string_view text, size_t& at) {
  utf8proc_int32_t c = -1;
  const utf8proc_ssize_t n =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                       static_cast<utf8proc_ssize_t>(text.size() - at), &c);
  at += n > 0 ? static_cast<size_t>(n) : 1;
  return n > 0 ? c : -1;
}

void Append(std::string& text, utf8proc_int32_t c) {
  std::array<utf8proc_uint8_t, 4> bytes;
  const utf8proc_ssize_t n = utf8proc_encode_char(c, bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(n));
}

bool IsSpace(utf8proc_int32_t c) {
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0x85) return true;
  const utf8proc_category_t k = utf8proc_category(c);
  return k == UTF8PROC_CATEGORY_ZS || k == UTF8PROC_CATEGORY_ZL || k == UTF8PROC_CATEGORY_ZP;
}

// Controls, formats, what is for private use or not assigned: none of them is text.
bool IsControl(utf8proc_int32_t c) {
  const utf8proc_category_t k = utf8proc_category(c);
  return c == 0 || c == 0xfffd || k == UTF8PROC_CATEGORY_CC || k == UTF8PROC_CATEGORY_CF ||
         k == UTF8PROC_CATEGORY_CO || k == UTF8PROC_CATEGORY_CN || k == UTF8PROC_CATEGORY_CS;
}

// All that is printable ASCII and no letter or digit counts, "$" and "^" too.
bool IsPunctuation(utf8proc_int32_t c) {
  if (c < 0x80) {
    return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
           (c >= 123 && c <= 126);
  }
  const utf8proc_category_t k = utf8proc_category(c);
  return k >= UTF8PROC_CATEGORY_PC && k <= UTF8PROC_CATEGORY_PO;
}

bool IsChinese(utf8proc_int32_t c) {
  struct Range {
    utf8proc_int32_t first, last;
  };
  static constexpr std::array kRanges = {Range{0x4e00, 0x9fff},   Range{0x3400, 0x4dbf},
                                         Range{0x20000, 0x2a6df}, Range{0x2a700, 0x2b73f},
                                         Range{0x2b740, 0x2b81f}, Range{0x2b920, 0x2ceaf},
                                         Range{0xf900, 0xfaff},   Range{0x2f800, 0x2fa1f}};
  for (const Range& r : kRanges) {
    if (c >= r.first && c <= r.last) return true;
  }
  return false;
}

// Without accents, lowered: "É" is e.
std::string Plain(const std::string& text) {
  std::vector<utf8proc_int32_t> parts(text.size() * 4 + 16);
  utf8proc_ssize_t n = utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                          static_cast<utf8proc_ssize_t>(text.size()), parts.data(),
                                          static_cast<utf8proc_ssize_t>(parts.size()),
                                          static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE));
  if (n < 0) return {};
  if (static_cast<size_t>(n) > parts.size()) {  // it said how much room it takes
    parts.resize(static_cast<size_t>(n));
    n = utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                           static_cast<utf8proc_ssize_t>(text.size()), parts.data(), n,
                           static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE));
  }
  std::string plain;
  for (utf8proc_ssize_t i = 0; i < n; ++i) {
    const utf8proc_int32_t c = parts[static_cast<size_t>(i)];
    if (utf8proc_category(c) != UTF8PROC_CATEGORY_MN) Append(plain, utf8proc_tolower(c));
  }
  return plain;
}

}  // namespace

std::vector<std::string> WordPiece::Words(std::string_view text) {
  std::string clean;
  for (size_t at = 0; at < text.size();) {
    const utf8proc_int32_t c = NextCharacter(text, at);
    if (c < 0 || IsSpace(c)) {
      clean += ' ';
    } else if (IsChinese(c)) {
      clean += ' ';
      Append(clean, c);
      clean += ' ';
    } else if (!IsControl(c)) {
      Append(clean, c);
    }
  }
  clean = Plain(clean);
  std::vector<std::string> words;
  bool inside = false;  // of a word that may go on
  for (size_t at = 0; at < clean.size();) {
    const utf8proc_int32_t c = NextCharacter(clean, at);
    if (IsSpace(c)) {
      inside = false;
      continue;
    }
    const bool mark = IsPunctuation(c);
    if (!inside || mark) words.emplace_back();
    Append(words.back(), c);
    inside = !mark;
  }
  return words;
}

WordPiece::WordPiece(const std::string& vocabulary) {
  std::ifstream file(vocabulary);
  if (!file) sy::Fail(sy::ErrorCode::kNotFound, {"cannot open the vocabulary '", vocabulary, "'"});
  std::string line;
  for (int64_t n = 0; std::getline(file, line); ++n) {
    if (line.ends_with('\r')) line.pop_back();
    numbers_.emplace(line, n);
  }
  begin_ = Special("[CLS]");
  end_ = Special("[SEP]");
  unknown_ = Special("[UNK]");
  padding_ = Special("[PAD]");
}

int64_t WordPiece::Special(const std::string& name) const {
  const auto at = numbers_.find(name);
  if (at == numbers_.end())
    sy::Fail(sy::ErrorCode::kInvalidArgument, {"the vocabulary lacks ", name});
  return at->second;
}

void WordPiece::AddPieces(const std::string& word, std::vector<int64_t>& ids) const {
  // Where each character begins.
  std::vector<size_t> starts;
  for (size_t at = 0; at < word.size(); NextCharacter(word, at)) starts.push_back(at);
  starts.push_back(word.size());
  const size_t count = starts.size() - 1;
  if (count > kMostCharacters) return ids.push_back(unknown_);
  std::vector<int64_t> pieces;
  for (size_t from = 0; from < count;) {
    size_t to = count;
    for (; to > from; --to) {
      const std::string piece =
          (from == 0 ? "" : "##") + word.substr(starts[from], starts[to] - starts[from]);
      const auto at = numbers_.find(piece);
      if (at == numbers_.end()) continue;
      pieces.push_back(at->second);
      break;
    }
    if (to == from) return ids.push_back(unknown_);
    from = to;
  }
  ids.insert(ids.end(), pieces.begin(), pieces.end());
}

std::vector<int64_t> WordPiece::Encode(std::string_view text, size_t most) const {
  std::vector<int64_t> ids = {begin_};
  for (const std::string& word : Words(text)) AddPieces(word, ids);
  if (ids.size() + 1 > most) ids.resize(most > 0 ? most - 1 : 0);
  ids.push_back(end_);
  return ids;
}

}  // namespace sentences
