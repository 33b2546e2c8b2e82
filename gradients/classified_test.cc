// Every operator is decided: it has formulas, or it is made of other operators, or it is said to
// have no gradient. What is refused is listed here with the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "switchyard/autograd/gradient.h"

namespace sy {
namespace {

TEST(Gradients, AreDecided) {
  for (const std::string& op : RefusedGradients()) std::printf("REFUSED %s\n", op.c_str());
}

}  // namespace
}  // namespace sy
