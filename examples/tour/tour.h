// The tour: what PyTorch's introduction to tensors and two articles on index_copy_ do, in C++.
//
// Each part prints what the documents print; the last ones show what is ours: calls by string, the
// meta device, the registry, and why a call goes where it goes.
#ifndef SWITCHYARD_EXAMPLES_TOUR_TOUR_H_
#define SWITCHYARD_EXAMPLES_TOUR_TOUR_H_

#include <iostream>
#include <numbers>

#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/ops.h"

namespace tour {

void Creation();
void Arithmetic();
void MoreMath();
void InPlace();
void Devices();
void Shapes();
void IndexCopy();
void Dispatch();

template <class... T>
void Print(const T&... values) {
  ((std::cout << values), ...);
  std::cout << "\n";
}
// As Python prints a tensor's shape.
inline void PrintShape(const sy::Tensor& t) {
  std::cout << "torch.Size([";
  for (int64_t i = 0; i < t.dim(); ++i) std::cout << (i == 0 ? "" : ", ") << t.sizes()[i];
  std::cout << "])\n";
}

}  // namespace tour

#endif  // SWITCHYARD_EXAMPLES_TOUR_TOUR_H_
