// A program that links every operator and kernel of the tree, and makes one call.

#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

int main() {
  const sy::Tensor a = sy::empty({1});
  return sy::call("add", a, a).tensor().numel() == 1 ? 0 : 1;
}
