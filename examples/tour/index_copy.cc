// The examples of both articles on index_copy_.

#include "tour.h"

namespace tour {

void IndexCopy() {
  Print("# index_copy_");
  sy::Tensor input = sy::zeros({3, 3});
  Print("Input Tensor:\n ", input);
  sy::index_copy_(input, 0, sy::tensor({0, 2}), sy::tensor({{1., 1., 1.}, {3., 3., 3.}}));
  Print("\nResult Tensor (Row Copy):\n ", input);
  input = sy::zeros({3, 3});
  sy::index_copy_(input, 1, sy::tensor({0, 2}), sy::tensor({{1., 3.}, {1., 3.}, {1., 3.}}));
  Print("\nResult Tensor (Column Copy):\n ", input);

  const sy::Tensor x = sy::zeros({5, 3});
  const sy::Tensor t = sy::tensor({{1., 2., 3.}, {4., 5., 6.}, {7., 8., 9.}});
  const sy::Tensor index = sy::tensor({0, 4, 2});
  Print(sy::index_copy_(x, 0, index, t));
  try {
    sy::index_copy_(x, 0, sy::tensor({0, 5, 2}), t);
  } catch (const sy::Error& e) {
    Print("error: ", e.what());
  }
}

}  // namespace tour
