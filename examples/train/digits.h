// Pictures of digits, drawn by the program: letters of a small font somewhere in a noisy square.
//
//   const Digits d = DrawDigits(2048, /*seed=*/0);   // the same ones for the same seed
//
// The numbers come from Switchyard's generator, whose streams are PyTorch's: record.py draws the
// same pictures.
#ifndef EXAMPLES_TRAIN_DIGITS_H_
#define EXAMPLES_TRAIN_DIGITS_H_

#include "switchyard/core/tensor.h"

namespace train {

constexpr int64_t kSide = 16;  // of a picture

struct Digits {
  sy::Tensor images;  // [n, 1, kSide, kSide], float32, about 0 … 1
  sy::Tensor labels;  // [n], int64, 0 … 9
};

Digits DrawDigits(int64_t n, uint64_t seed);

}  // namespace train

#endif  // EXAMPLES_TRAIN_DIGITS_H_
