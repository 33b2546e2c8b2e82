// Writing tensors in place and into given ones; copies.

#include "tour.h"

namespace tour {

void InPlace() {
  using std::numbers::pi;
  Print("# Altering tensors in place");
  const sy::Tensor angles = sy::tensor({0, pi / 4, pi / 2, 3 * pi / 4});
  Print("a:");
  Print(angles);
  Print(sy::sin(angles));  // a new tensor
  Print(angles);           // which has not changed
  const sy::Tensor changed = sy::tensor({0, pi / 4, pi / 2, 3 * pi / 4});
  Print("\nb:");
  Print(changed);
  Print(sy::sin_(changed));
  Print(changed);

  const sy::Tensor a = sy::ones({2, 2}), b = sy::rand({2, 2});
  Print("Before:");
  Print(a);
  Print(b);
  Print("\nAfter adding:");
  Print(sy::add_(a, b));
  Print(a);
  Print(b);
  Print("\nAfter multiplying");
  Print(sy::mul_(b, b));
  Print(b);

  const sy::Tensor left = sy::rand({2, 2}), right = sy::rand({2, 2});
  const sy::Tensor c = sy::zeros({2, 2});
  const void* data = c.data();
  Print(c);
  const sy::Tensor& d = sy::matmul_out(c, left, right);
  Print(c);
  sy::rand_out(c, {2, 2});
  Print(c);
  if (!d.is_same(c) || c.data() != data) Print("out= made a new tensor");

  Print("# Copying tensors");
  const sy::Tensor label = sy::ones({2, 2});
  const sy::Tensor same = label;
  label[0][1] = 561;
  Print(same);
  const sy::Tensor base = sy::ones({2, 2});
  const sy::Tensor copy = sy::clone(base);
  Print(base == copy);
  base[0][1] = 561;
  Print(copy);
  const sy::Tensor random = sy::rand({2, 2});
  Print(sy::clone(sy::detach(random)));
}

}  // namespace tour
