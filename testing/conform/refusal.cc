#include "testing/conform/refusal.h"

#include <fnmatch.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include "switchyard/core/error.h"

namespace sy::conform {
namespace {

// Of this thread: plain numbers, which no constructor makes.
constinit thread_local bool watched = false;
constinit thread_local int64_t called = 0;
constinit thread_local int64_t first_refused = 0, last_refused = 0;
constinit thread_local const char* name_refused = nullptr;

bool Refuses(const char* name) {
  if (!watched) return false;
  ++called;
  if (called < first_refused || called > last_refused) return false;
  if (name_refused == nullptr) name_refused = name;
  return true;
}

// --- Memory

void* Nothing() {
  errno = ENOMEM;
  return nullptr;
}
void* Malloc(size_t bytes) { return Refuses("malloc") ? Nothing() : std::malloc(bytes); }
void* Calloc(size_t n, size_t bytes) {
  return Refuses("calloc") ? Nothing() : std::calloc(n, bytes);
}
void* Realloc(void* p, size_t bytes) {
  return Refuses("realloc") ? Nothing() : std::realloc(p, bytes);
}
void* AlignedAlloc(size_t alignment, size_t bytes) {
  return Refuses("aligned_alloc") ? Nothing() : std::aligned_alloc(alignment, bytes);
}
int PosixMemalign(void** out, size_t alignment, size_t bytes) {
  return Refuses("posix_memalign") ? ENOMEM : posix_memalign(out, alignment, bytes);
}
void* New(size_t bytes) {
  if (Refuses("operator new")) throw std::bad_alloc();
  return ::operator new(bytes);
}
void* NewArray(size_t bytes) {
  if (Refuses("operator new[]")) throw std::bad_alloc();
  return ::operator new[](bytes);
}
void* NewAligned(size_t bytes, std::align_val_t alignment) {
  if (Refuses("operator new")) throw std::bad_alloc();
  return ::operator new(bytes, alignment);
}
void* NewArrayAligned(size_t bytes, std::align_val_t alignment) {
  if (Refuses("operator new[]")) throw std::bad_alloc();
  return ::operator new[](bytes, alignment);
}
void* NewOrNull(size_t bytes, const std::nothrow_t& tag) {
  return Refuses("operator new") ? nullptr : ::operator new(bytes, tag);
}
void* NewArrayOrNull(size_t bytes, const std::nothrow_t& tag) {
  return Refuses("operator new[]") ? nullptr : ::operator new[](bytes, tag);
}

struct Known {
  std::string_view name;
  void* function;
};
template <class F>
Known Of(std::string_view name, F* function) {
  return {name, reinterpret_cast<void*>(function)};
}
// Names of C, and of C++ as the Itanium ABI writes them.
const Known kMemory[] = {Of("malloc", &Malloc),
                         Of("calloc", &Calloc),
                         Of("realloc", &Realloc),
                         Of("aligned_alloc", &AlignedAlloc),
                         Of("posix_memalign", &PosixMemalign),
                         Of("_Znwm", &New),
                         Of("_Znam", &NewArray),
                         Of("_ZnwmSt11align_val_t", &NewAligned),
                         Of("_ZnamSt11align_val_t", &NewArrayAligned),
                         Of("_ZnwmRKSt9nothrow_t", &NewOrNull),
                         Of("_ZnamRKSt9nothrow_t", &NewArrayOrNull)};

// --- Any function

struct Refused {
  std::string name;
  void* function = nullptr;  // that is called else
  int64_t result = 0;
  int argument = 0;
  int32_t code = 0;
};
constexpr size_t kMost = 128;
std::array<Refused, kMost> all_refused;
size_t num_refused = 0;

// Stands for a function of any type that takes numbers and addresses, and floats in registers, and
// gives a number, an address or nothing. By the calling conventions (System V on x86-64, AAPCS64)
// the first integers and the first floats lie in registers of their own, what is left on the stack:
// all of it is handed on, with what lies behind the last argument.
using Word = int64_t;
template <size_t>
using WordOf = Word;
template <size_t>
using FloatOf = double;
#if defined(__x86_64__)
using Integers = std::make_index_sequence<6>;
#elif defined(__aarch64__)
using Integers = std::make_index_sequence<8>;
#endif
using Floats = std::make_index_sequence<8>;
using Stacked = std::make_index_sequence<32>;  // more than any driver's function takes

template <size_t kNumber, class I, class F, class S>
struct Stub;
template <size_t kNumber, size_t... I, size_t... F, size_t... S>
struct Stub<kNumber, std::index_sequence<I...>, std::index_sequence<F...>,
            std::index_sequence<S...>> {
  __attribute__((no_sanitize("address", "undefined"))) static Word Call(WordOf<I>... integers,
                                                                        FloatOf<F>... floats,
                                                                        WordOf<S>... stacked) {
    const Refused& r = all_refused[kNumber];
    if (!Refuses(r.name.c_str())) {
      using Function = Word (*)(WordOf<I>..., FloatOf<F>..., WordOf<S>...);
      return reinterpret_cast<Function>(r.function)(integers..., floats..., stacked...);
    }
    const Word words[] = {integers..., stacked...};
    if (r.argument > 0) {
      if (auto* code = reinterpret_cast<int32_t*>(words[r.argument - 1]); code != nullptr)
        *code = r.code;
    }
    return r.result;
  }
};
constexpr int kMostArguments = Integers::size() + Stacked::size();

template <size_t... kNumber>
std::array<void*, sizeof...(kNumber)> Stubs(std::index_sequence<kNumber...>) {
  return {reinterpret_cast<void*>(&Stub<kNumber, Integers, Floats, Stacked>::Call)...};
}

template <class T>
bool TakeNumber(std::string_view* text, T* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc{}) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}
bool Take(std::string_view* text, char c) {
  if (!text->starts_with(c)) return false;
  text->remove_prefix(1);
  return true;
}

}  // namespace

Refusing::Refusing(int64_t nth, How how) {
  called = 0;
  name_refused = nullptr;
  first_refused = nth;
  last_refused = how == kOnce ? nth : kNever;
  watched = true;
}
Refusing::~Refusing() { watched = false; }
int64_t Refusing::calls() { return called; }
const char* Refusing::refused() { return name_refused; }

void RefuseMemory(const std::vector<Slot>& slots) {
  for (const Slot& slot : slots) {
    for (const Known& known : kMemory) {
      if (slot.name == known.name) slot.Set(known.function);
    }
  }
}

Refusal ParseRefusal(const std::string& text) {
  Refusal r;
  const size_t equals = text.find('=');
  std::string_view rest = equals == text.npos ? "" : std::string_view(text).substr(equals + 1);
  r.pattern = text.substr(0, equals);
  bool right = !r.pattern.empty() && TakeNumber(&rest, &r.result);
  if (right && Take(&rest, '@')) {
    right = TakeNumber(&rest, &r.argument) && Take(&rest, ':') && TakeNumber(&rest, &r.code) &&
            r.argument >= 1 && r.argument <= kMostArguments;
  }
  if (!right || !rest.empty()) {
    Fail(ErrorCode::kInvalidArgument,
         {"expected FUNCTION=RESULT or FUNCTION=RESULT@ARGUMENT:CODE, with numbers, got '", text,
          "'"});
  }
  return r;
}

size_t RefuseCalls(const std::vector<Slot>& slots, std::span<const Refusal> refusals) {
  static const auto stubs = Stubs(std::make_index_sequence<kMost>());
  size_t n = 0;
  for (const Slot& slot : slots) {
    for (const Refusal& r : refusals) {
      if (fnmatch(r.pattern.c_str(), slot.name.c_str(), 0) != 0) continue;
      if (num_refused == kMost)
        Fail(ErrorCode::kInvalidArgument, {"more than ", kMost, " functions are to be refused"});
      all_refused[num_refused] = {slot.name, *slot.at, r.result, r.argument, r.code};
      slot.Set(stubs[num_refused++]);
      ++n;
      break;
    }
  }
  return n;
}

void AnswerWith(int64_t result) {
  for (size_t i = 0; i < num_refused; ++i) all_refused[i].result = result;
}

}  // namespace sy::conform
