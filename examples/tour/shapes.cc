// Other shapes of the same elements.

#include "tour.h"

namespace tour {

void Shapes() {
  Print("# Changing the number of dimensions");
  sy::Tensor a = sy::rand({3, 226, 226});
  PrintShape(a);
  PrintShape(sy::unsqueeze(a, 0));
  Print(sy::rand({1, 1, 1, 1, 1}));
  a = sy::rand({1, 20});
  PrintShape(a);
  Print(a);
  const sy::Tensor b = sy::squeeze(a, 0);
  PrintShape(b);
  Print(b);
  const sy::Tensor c = sy::rand({2, 2});
  PrintShape(c);
  PrintShape(sy::squeeze(c, 0));

  a = sy::ones({4, 3, 2});
  const sy::Tensor column = sy::unsqueeze(sy::rand({3}), 1);
  PrintShape(column);
  Print(a * column);

  const sy::Tensor batch_me = sy::rand({3, 226, 226});
  PrintShape(batch_me);
  sy::unsqueeze_(batch_me, 0);
  PrintShape(batch_me);

  const sy::Tensor output3d = sy::rand({6, 20, 20});
  PrintShape(output3d);
  const sy::Tensor input1d = sy::reshape(output3d, {6 * 20 * 20});
  PrintShape(input1d);
  if (!input1d.shares_storage_with(output3d)) Print("reshape copied");

  const sy::Tensor numpy = sy::ones({2, 3}, sy::DType::kFloat64);
  Print(numpy);
  Print(sy::rand({2, 3}));
  numpy(1, 1) = 23;
  Print(numpy);
}

}  // namespace tour
