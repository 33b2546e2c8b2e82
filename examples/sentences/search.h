// What the program prints: which sentences are alike, and which lines of a file answer a question.
//
// Owns: nothing.
// Threads: any.
// Errors: those of the model; kNotFound for a file that cannot be opened.
#ifndef EXAMPLES_SENTENCES_SEARCH_H_
#define EXAMPLES_SENTENCES_SEARCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "examples/sentences/model.h"

namespace sentences {

// Cosines of all pairs: [n, n].
sy::Tensor Similarities(const Model& model, const std::vector<std::string>& texts);

struct Hit {
  int64_t line;  // from 1
  float score;   // a cosine
  std::string text;
};
// Lines of a file that hold more than spaces, encoded once.
class Index {
 public:
  Index(const Model& model, const std::string& path);
  // The `most` nearest, the nearest first.
  std::vector<Hit> Search(const std::string& question, int64_t most) const;
  size_t size() const { return texts_.size(); }

 private:
  const Model& model_;
  std::vector<std::string> texts_;
  std::vector<int64_t> lines_;
  sy::Tensor encoded_;
};

}  // namespace sentences

#endif  // EXAMPLES_SENTENCES_SEARCH_H_
