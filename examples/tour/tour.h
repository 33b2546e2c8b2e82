// The tour: what PyTorch's introduction to tensors and two articles on index_copy_ do, in C++.
//
// Each part prints what the documents print; the last ones show what is ours: calls by string, the
// meta device, the registry, and why a call goes where it goes. Where a program needs one header:
// switchyard/switchyard.h.
#ifndef SWITCHYARD_EXAMPLES_TOUR_TOUR_H_
#define SWITCHYARD_EXAMPLES_TOUR_TOUR_H_

#include <iostream>
#include <numbers>

#include "switchyard/switchyard.h"

namespace tour {

void Creation();
void Arithmetic();
void MoreMath();
void InPlace();
void Devices();
void Accelerator();
void Shapes();
void IndexCopy();
void Dispatch();

template <class... T>
void Print(const T&... values) {
  ((std::cout << values), ...);
  std::cout << "\n";
}
// As Python prints a tensor's shape.
inline void PrintShape(const sy::Tensor& t) { Print("torch.Size(", t.sizes(), ")"); }

}  // namespace tour

#endif  // SWITCHYARD_EXAMPLES_TOUR_TOUR_H_
