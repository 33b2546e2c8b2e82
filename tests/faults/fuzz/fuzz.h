// What fuzz targets are made of.
//
//   int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
//     Bytes in(data, size);
//     MustKeepTheRules([&] { ParseSchema(in.Text()); });
//     return 0;
//   }
//
// A target is one function of this name, libFuzzer's, which takes any bytes. What must never happen
// ends the process: the fuzzer then has the input. tools/fuzz.sh builds targets with clang's
// libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer; //tests/faults/fuzz/... runs each
// over its corpus and some mutations of it.
#ifndef TESTS_FAULTS_FUZZ_FUZZ_H_
#define TESTS_FAULTS_FUZZ_FUZZ_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace sy::fuzz {

// The input, taken from its front; zeros behind its end.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : rest_(data, size) {}

  bool empty() const { return rest_.empty(); }
  template <class T = uint8_t>
  T Take() {
    T value{};
    const size_t n = std::min(sizeof(T), rest_.size());
    if (n != 0) std::memcpy(&value, rest_.data(), n);  // of nothing there is no address
    rest_ = rest_.subspan(n);
    return value;
  }
  // 0 … n - 1, n <= 256.
  size_t Below(size_t n) { return Take() % n; }
  template <class List>
  auto& Pick(const List& list) {
    return std::begin(list)[Below(std::size(list))];
  }
  // All that is left.
  std::string_view Text() {
    const std::string_view text(reinterpret_cast<const char*>(rest_.data()), rest_.size());
    rest_ = {};
    return text;
  }
  // Up to the next byte of 0, which goes.
  std::string_view Line() {
    const std::string_view all(reinterpret_cast<const char*>(rest_.data()), rest_.size());
    const std::string_view line = all.substr(0, all.find('\0'));
    rest_ = rest_.subspan(std::min(line.size() + 1, rest_.size()));
    return line;
  }

 private:
  std::span<const uint8_t> rest_;
};

// Says what is wrong and ends the process.
[[noreturn]] void Break(std::string_view what);

// Runs f, which may refuse its input with an sy::Error that has words and is no bug of ours.
// Returns what was said, empty where nothing was refused. Memory is short: allocations of which one
// run has made many are refused (memory.h); and so is time (time_limit.h).
std::string MustKeepTheRules(void (*f)(void*), void* context);
template <class F>
std::string MustKeepTheRules(F f) {
  return MustKeepTheRules([](void* g) { (*static_cast<F*>(g))(); }, &f);
}

// The bytes as a file that nobody else may write; the next one takes its place.
const std::string& AsFile(std::string_view bytes);
// The bytes, while they live, as a file for those who open(2) it by the very string that this
// returns and map or pread it, as //io does; no system call is made for it, and no page mapped.
// Threads: one.
const std::string& InMemory(std::string_view bytes);
// What //io writes by this name it may read again by it, in memory as well. Threads: one.
const std::string& Written();

}  // namespace sy::fuzz

#endif  // TESTS_FAULTS_FUZZ_FUZZ_H_
