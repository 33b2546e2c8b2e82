// Creating tensors, seeding, shapes and dtypes.

#include "tour.h"

namespace tour {

void Creation() {
  Print("# Creating tensors");
  Print(sy::zeros({2, 3}));
  Print(sy::ones({2, 3}));
  sy::manual_seed(1729);
  Print(sy::rand({2, 3}));

  Print("# Random tensors and seeding");
  sy::manual_seed(1729);
  Print(sy::rand({2, 3}));
  Print(sy::rand({2, 3}));
  sy::manual_seed(1729);
  Print(sy::rand({2, 3}));
  Print(sy::rand({2, 3}));

  Print("# Tensor shapes");
  const sy::Tensor x = sy::empty({2, 2, 3});
  PrintShape(x);
  PrintShape(sy::empty_like(x));
  const sy::Tensor zeros_like_x = sy::zeros_like(x), ones_like_x = sy::ones_like(x);
  PrintShape(zeros_like_x);
  Print(zeros_like_x);
  PrintShape(ones_like_x);
  Print(ones_like_x);
  const sy::Tensor rand_like_x = sy::rand_like(x);
  PrintShape(rand_like_x);
  Print(rand_like_x);
  Print(sy::tensor({{3.1415926, 2.71828}, {1.61803, 0.0072897}}));
  Print(sy::tensor({2, 3, 5, 7, 11, 13, 17, 19}));
  Print(sy::tensor({{2, 4, 6}, {3, 6, 9}}));

  Print("# Tensor data types");
  Print(sy::ones({2, 3}, sy::DType::kInt16));
  const sy::Tensor b = sy::rand({2, 3}, sy::DType::kFloat64) * 20.;
  Print(b);
  Print(b.to(sy::DType::kInt32));
}

}  // namespace tour
