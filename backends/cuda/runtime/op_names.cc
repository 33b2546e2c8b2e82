#include "backends/cuda/runtime/op_names.h"

#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace sy::cuda {
namespace {

struct Names {
  std::mutex mutex;
  std::deque<std::string> texts;  // which stay where they are
  std::map<std::string_view, int> numbers;
};
Names& All() {
  static Names* names = new Names;
  return *names;
}

}  // namespace

int NumberOfOp(std::string_view op) {
  Names& n = All();
  std::lock_guard lock(n.mutex);
  if (const auto it = n.numbers.find(op); it != n.numbers.end()) return it->second;
  const int number = static_cast<int>(n.texts.size());
  n.numbers.emplace(n.texts.emplace_back(op), number);
  return number;
}

std::string_view OpOfNumber(int number) {
  Names& n = All();
  std::lock_guard lock(n.mutex);
  const bool known = number >= 0 && static_cast<size_t>(number) < n.texts.size();
  if (!known) return "an unknown operator";
  return n.texts[static_cast<size_t>(number)];
}

}  // namespace sy::cuda
