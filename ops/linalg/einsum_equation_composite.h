// What einsum's equation says: which dimension of which operand is which of the common dimensions.
//
//   const EinsumEquation e = ReadEquation(call, "ij,jk->ik", 2);
//   e.operands[0]    {'i', 'j'}          e.output    {'i', 'k'}
//
// Owns: its labels. Threads: any.
// Errors: kInvalidArgument, in the name of the call.
#ifndef SWITCHYARD_OPS_LINALG_EINSUM_EQUATION_COMPOSITE_H_
#define SWITCHYARD_OPS_LINALG_EINSUM_EQUATION_COMPOSITE_H_

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "switchyard/op/kernel.h"

namespace sy {

// A letter, or '.' for the dimensions of an ellipsis.
using EinsumLabels = std::vector<char>;

struct EinsumEquation {
  std::vector<EinsumLabels> operands;
  EinsumLabels output;
};

namespace internal {

inline bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The labels of one operand or of the output. at: where they start in the equation, for messages.
inline EinsumLabels ReadLabels(Call call, std::string_view text, size_t at) {
  EinsumLabels labels;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (text.substr(i, 3) != "...") {
        Fail(ErrorCode::kInvalidArgument, call.op(),
             {"'.' at position ", at + i, " of the equation is no part of an ellipsis '...'"});
      }
      if (std::find(labels.begin(), labels.end(), '.') != labels.end()) {
        Fail(ErrorCode::kInvalidArgument, call.op(),
             {"expected at most one ellipsis, got another at position ", at + i,
              " of the equation"});
      }
      i += 2;
    } else if (!IsLetter(c)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"subscripts must be letters from a to z or A to Z, got '", std::string_view(&c, 1),
            "' at position ", at + i, " of the equation"});
    }
    labels.push_back(c);
  }
  return labels;
}

// The ellipsis, and letters that come once, upper case first.
inline EinsumLabels ImplicitOutput(const std::vector<EinsumLabels>& operands) {
  std::array<int, 128> counts{};
  for (const EinsumLabels& labels : operands) {
    for (const char c : labels) ++counts[static_cast<size_t>(c)];
  }
  EinsumLabels output;
  for (size_t c = 0; c < counts.size(); ++c) {
    if (c == '.' ? counts[c] > 0 : counts[c] == 1) output.push_back(static_cast<char>(c));
  }
  return output;
}

inline void RequireOutput(Call call, const EinsumEquation& e) {
  for (size_t i = 0; i < e.output.size(); ++i) {
    const char c = e.output[i];
    const auto has = [c](const EinsumLabels& labels) {
      return std::find(labels.begin(), labels.end(), c) != labels.end();
    };
    if (std::find(e.output.begin() + static_cast<std::ptrdiff_t>(i) + 1, e.output.end(), c) !=
        e.output.end()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"output subscript ", std::string_view(&c, 1), " appears more than once"});
    }
    if (c != '.' && std::none_of(e.operands.begin(), e.operands.end(), has)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"output subscript ", std::string_view(&c, 1), " appears in no operand"});
    }
  }
}

}  // namespace internal

inline EinsumEquation ReadEquation(Call call, std::string_view equation, size_t num_operands) {
  const size_t arrow = equation.find("->");
  const std::string_view inputs = equation.substr(0, arrow);
  EinsumEquation e;
  for (size_t start = 0; start <= inputs.size();) {
    const size_t comma = std::min(inputs.find(',', start), inputs.size());
    e.operands.push_back(internal::ReadLabels(call, inputs.substr(start, comma - start), start));
    start = comma + 1;
  }
  if (e.operands.size() != num_operands) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected ", e.operands.size(), " operands as in equation '", equation, "', got ",
          num_operands});
  }
  e.output = arrow == std::string_view::npos
                 ? internal::ImplicitOutput(e.operands)
                 : internal::ReadLabels(call, equation.substr(arrow + 2), arrow + 2);
  internal::RequireOutput(call, e);
  return e;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_LINALG_EINSUM_EQUATION_COMPOSITE_H_
