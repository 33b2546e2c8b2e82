// Benchmark cases: one line of work each, shared by the program that times them and the one that
// counts their instructions.
//
//   const Case add{"add", [] {
//     return [a = sy::ones({1}), b = sy::ones({1})] { Keep(sy::add(a, b)); };
//   }};
//
// The outer function prepares, once per thread; the inner one is what is measured.
// Threads: a body is used by the thread that made it.
#ifndef SWITCHYARD_BENCH_CASE_H_
#define SWITCHYARD_BENCH_CASE_H_

#include <cstdint>
#include <memory>

namespace bench {

// A prepared body in its loop, so that calling it is not part of the measure.
class Loop {
 public:
  virtual ~Loop() = default;
  virtual void Run(int64_t iterations) = 0;
};

class Case {
 public:
  template <class Prepare>
  Case(const char* name, Prepare) : name_(name), make_(&Make<Prepare>) {
    *end = this;
    end = &next_;
  }
  const char* name() const { return name_; }
  std::unique_ptr<Loop> NewLoop() const { return make_(); }
  const Case* next() const { return next_; }

  static inline constinit const Case* first = nullptr;

 private:
  template <class Body>
  struct LoopOf final : Loop {
    explicit LoopOf(Body b) : body(std::move(b)) {}
    void Run(int64_t iterations) override {
      for (int64_t i = 0; i < iterations; ++i) body();
    }
    Body body;
  };
  template <class Prepare>
  static std::unique_ptr<Loop> Make() {
    auto body = Prepare()();
    return std::make_unique<LoopOf<decltype(body)>>(std::move(body));
  }

  const char* name_;
  std::unique_ptr<Loop> (*make_)();
  const Case* next_ = nullptr;
  static inline constinit const Case** end = &first;
};

// The compiler must assume that the value is used.
template <class T>
inline void Keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace bench

#endif  // SWITCHYARD_BENCH_CASE_H_
