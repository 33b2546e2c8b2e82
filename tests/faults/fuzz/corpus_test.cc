// Runs a target over its corpus and over mutations of it, the same ones each time. What breaks ends
// the process; the input that did it is printed in hexadecimal: `xxd -r -p` makes a file of it.
//   SWITCHYARD_LONG=1: a hundred times as many mutations.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/faults/fuzz/fuzz.h"
#include "tests/faults/long.h"

// Where a sanitizer is linked in, what it calls before it ends the process.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using Input = std::vector<uint8_t>;

std::string corpus;    // its folder
const Input* running;  // what a target has been given

void Show() {
  if (running == nullptr) return;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "\nthe input, in hexadecimal:\n";
  for (const uint8_t b : *running) {
    text += kDigits[b >> 4];
    text += kDigits[b & 15];
  }
  text += "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  running = nullptr;
}

void ShowAtTheEnd() {
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(Show);
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) {
    std::signal(number, [](int caught) {
      Show();
      std::signal(caught, SIG_DFL);
      std::raise(caught);
    });
  }
}

void Give(const Input& input) {
  constexpr unsigned kSeconds = 120;  // no input takes one; a test that hangs says why
  running = &input;
  alarm(kSeconds);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  alarm(0);
  running = nullptr;
}

std::vector<Input> Corpus() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(corpus))
    names.push_back(file.path().string());
  std::sort(names.begin(), names.end());
  std::vector<Input> all;
  for (const std::string& name : names) {
    std::ifstream file(name, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return all;
}

class Mutations {
 public:
  explicit Mutations(const std::vector<Input>& from) : from_(from) {}

  Input Next() {
    Input x = Any();
    for (size_t i = 0, n = 1 + Below(4); i < n; ++i) Change(x);
    return x;
  }

 private:
  static constexpr size_t kMost = 4096;  // bytes

  size_t Below(size_t n) { return random_() % n; }
  const Input& Any() { return from_[Below(from_.size())]; }
  void Change(Input& x) {
    const size_t at = Below(x.size() + 1);
    const auto here = x.begin() + static_cast<int64_t>(at);
    switch (Below(6)) {
      case 0:
        x.insert(here, static_cast<uint8_t>(random_()));
        break;
      case 1:
        if (at < x.size()) x.erase(here);
        break;
      case 2:
        if (at < x.size()) *here = static_cast<uint8_t>(random_());
        break;
      case 3:
        if (at < x.size()) *here ^= static_cast<uint8_t>(1 << Below(8));
        break;
      case 4: {  // another one behind it
        const Input& other = Any();
        x.resize(at);
        x.insert(x.end(), other.begin(), other.end());
        if (x.size() > kMost) x.resize(kMost);
        break;
      }
      default: {  // a part once more
        const size_t n = std::min(Below(8) + 1, x.size() - at);
        const Input part(here, here + static_cast<int64_t>(n));
        x.insert(x.begin() + static_cast<int64_t>(Below(x.size() + 1)), part.begin(), part.end());
      }
    }
  }

  const std::vector<Input>& from_;
  std::mt19937_64 random_{1};
};

TEST(Fuzz, TheCorpusKeepsTheRules) {
  const std::vector<Input> all = Corpus();
  ASSERT_FALSE(all.empty()) << "there is no corpus in " << corpus;
  Give({});
  for (const Input& x : all) Give(x);
}

TEST(Fuzz, MutationsOfTheCorpusKeepTheRules) {
  const std::vector<Input> all = Corpus();
  ASSERT_FALSE(all.empty());
  Mutations mutations(all);
  const int64_t n = sy::testing::IsLong() ? 1'000'000 : 10'000;
  for (int64_t i = 0; i < n; ++i) Give(mutations.Next());
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) corpus = argv[1];
  ShowAtTheEnd();
  return RUN_ALL_TESTS();
}
