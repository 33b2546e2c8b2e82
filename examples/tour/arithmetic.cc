// Arithmetic with numbers and tensors, and broadcasting.

#include "tour.h"

namespace tour {
namespace {

void PrintError(const auto& f) {
  try {
    f();
  } catch (const sy::Error& e) {
    Print("error: ", e.what());
  }
}

}  // namespace

void Arithmetic() {
  Print("# Math and logic");
  const sy::Tensor ones = sy::zeros({2, 2}) + 1;
  const sy::Tensor twos = sy::ones({2, 2}) * 2;
  const sy::Tensor threes = (sy::ones({2, 2}) * 7 - 1) / 2;
  const sy::Tensor fours = sy::pow(twos, 2);
  const sy::Tensor sqrt2s = sy::pow(twos, 0.5);
  Print(ones);
  Print(twos);
  Print(threes);
  Print(fours);
  Print(sqrt2s);
  Print(sy::pow(twos, sy::tensor({{1, 2}, {3, 4}})));
  Print(ones + fours);
  Print(threes * fours);
  PrintError([] { return sy::zeros({2, 3}) * sy::zeros({3, 2}); });

  Print("# Broadcasting");
  const sy::Tensor rand = sy::rand({2, 4});
  const sy::Tensor doubled = rand * (sy::ones({1, 4}) * 2);
  Print(rand);
  Print(doubled);
  const sy::Tensor a = sy::ones({4, 3, 2});
  Print(a * sy::rand({3, 2}));
  Print(a * sy::rand({3, 1}));
  Print(a * sy::rand({1, 2}));
  PrintError([&] { return a * sy::zeros({4, 3}); });
  PrintError([&] { return a * sy::zeros({2, 3}); });
  PrintError([&] { return a * sy::zeros({0}); });
}

}  // namespace tour
