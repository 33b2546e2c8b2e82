// A program that links add and matmul and what these need: groups of operators and of cpu kernels,
// chosen in its BUILD rule.

#include "switchyard/dispatcher/call.h"

int main() {
  const sy::Tensor a = sy::call("ones", 2, 2);
  const sy::Tensor b = sy::call("add", a, sy::call("matmul", a, a));
  return sy::call("item", b).scalar().To<double>() == 3 ? 0 : 1;
}
