// Operator names with their hashes, computed by the compiler for names known to it.
//
//   constexpr OpName n = "add.Tensor";  n.text, n.hash
//   HashName("add") == HashName(std::string_view("add"));    // at run time the same
//
// Hashes are of this process: they are not stored, and may change with the library.
//
// Cost: a name of up to 8 letters is one multiplication.
// Owns: nothing; a name refers to a text that outlives it.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_REGISTRY_NAME_H_
#define SWITCHYARD_REGISTRY_NAME_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "switchyard/core/macros.h"

namespace sy {
namespace internal {

// Up to 8 bytes as a word: two overlapping loads instead of a loop. n: 0 … 8. Different texts of
// one length give different words.
constexpr uint64_t LoadWord(const char* s, size_t n) {
  const auto load4 = [](const char* p) -> uint64_t {
    if (std::is_constant_evaluated()) {
      uint32_t v = 0;
      for (int i = 0; i < 4; ++i) v |= uint32_t{static_cast<uint8_t>(p[i])} << 8 * i;
      return v;
    }
    uint32_t v = 0;
    std::memcpy(&v, p, 4);
    return v;
  };
  const auto byte = [&](size_t i) -> uint64_t { return static_cast<uint8_t>(s[i]); };
  if (n >= 4) return load4(s) | load4(s + n - 4) << 32;
  if (n == 0) return 0;
  return byte(0) << 16 | byte(n >> 1) << 8 | byte(n - 1);
}

}  // namespace internal

// 128-bit multiply, folded, over 8-byte words: the mixing step of wyhash (Wang Yi,
// github.com/wangyi-fudan/wyhash). Equal hashes are no proof: who looks up compares the texts too.
constexpr uint64_t HashName(std::string_view s) {
  uint64_t h = s.size() * 0x9E3779B97F4A7C15u;
  const char* p = s.data();
  size_t n = s.size();
  const auto mix = [&](uint64_t word) {
    const auto m = static_cast<unsigned __int128>(h ^ word) * 0xD6E8FEB86659FD93u;
    h = static_cast<uint64_t>(m) ^ static_cast<uint64_t>(m >> 64);
  };
  for (; n > 8; p += 8, n -= 8) mix(internal::LoadWord(p, 8));
  mix(internal::LoadWord(p, n));
  return h;
}

// Whether two texts of n bytes are equal; names are short, so no call into the C library.
// n: of both, which is compared before.
SY_INLINE bool SameText(const char* a, const char* b, size_t n) {
  for (; n > 8; a += 8, b += 8, n -= 8) {
    if (internal::LoadWord(a, 8) != internal::LoadWord(b, 8)) return false;
  }
  return internal::LoadWord(a, n) == internal::LoadWord(b, n);
}

// Built-in names carry no namespace; ATen's is accepted: "aten::add" is "add".
constexpr std::string_view WithoutATen(std::string_view name) {
  if (name.starts_with("aten::")) name.remove_prefix(6);
  return name;
}

// A name that the compiler has hashed: made of a literal alone.
struct OpName {
  std::string_view text;
  uint64_t hash;
  template <size_t N>
  consteval OpName(const char (&s)[N]) : text(s, N - 1), hash(HashName(text)) {}
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_NAME_H_
