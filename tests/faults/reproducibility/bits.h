// The bits that a call gives, to be compared with those of the same call made otherwise.
//
//   EXPECT_EQ(BitsOf(c), BitsOf(c));
//
// Threads: one.
#ifndef TESTS_FAULTS_REPRODUCIBILITY_BITS_H_
#define TESTS_FAULTS_REPRODUCIBILITY_BITS_H_

#include <nlohmann/json.hpp>
#include <string>

#include "switchyard/core/generator.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "testing/replay/arguments.h"
#include "tests/faults/recorded/recorded.h"

namespace sy {

inline void Append(std::string& bits, const Tensor& t) {
  if (!t.defined()) return;
  const Tensor dense = contiguous(t);
  bits.append(static_cast<const char*>(dense.data()), dense.nbytes());
}
inline std::string BitsOf(const Tensor& t) {
  std::string bits;
  Append(bits, t);
  return bits;
}

// Of the results and of every argument afterwards; or the error's code.
inline std::string BitsOf(const testing::RecordedCase& c) {
  const auto keywords = c.call.find("kwargs");
  const replay::Json none = replay::Json::object();
  try {
    const replay::Arguments arguments(c.op, c.call.at("args"),
                                      keywords == c.call.end() ? none : *keywords, c.blob,
                                      Device{kHost});
    manual_seed(0);
    Results results;
    CallBoxed(c.op, arguments.values(), results.Reset(c.op.num_results));
    std::string bits;
    for (int i = 0; i < results.size(); ++i) {
      const Value& v = results[i].value();
      if (v.tag == Tag::kTensor) {
        Append(bits, v.tensor());
      } else if (v.tag == Tag::kTensorList) {
        for (const Tensor& t : v.list<Tensor>()) Append(bits, t);
      } else {
        bits += v.str();
      }
    }
    for (const replay::TensorArgument& t : arguments.tensors()) Append(bits, t.tensor);
    return bits;
  } catch (const Error& e) {
    return std::string(Name(e.code()));
  }
}

}  // namespace sy

#endif  // TESTS_FAULTS_REPRODUCIBILITY_BITS_H_
