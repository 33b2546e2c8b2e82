#include "backends/cuda/emulator/cubin.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// A struct that lies somewhere in the image.
template <class T>
T ReadAt(std::string_view image, uint64_t at) {
  if (at > image.size() || image.size() - at < sizeof(T))
    Fail(ErrorCode::kInternal, {"a kernel's image ends within ", at, " bytes"});
  T x;
  std::memcpy(&x, image.data() + at, sizeof x);
  return x;
}

// f(kind, the first two words of the record) of a section of such records.
template <class F>
void ForEachRecord(std::string_view image, const Elf64_Shdr& section, F f) {
  constexpr unsigned char kWithBytes = 4;  // others have their value where the size would be
  struct Head {
    unsigned char format, kind;
    uint16_t size;
  };
  for (uint64_t at = section.sh_offset; at < section.sh_offset + section.sh_size;) {
    const auto head = ReadAt<Head>(image, at);
    at += sizeof head;
    if (head.format != kWithBytes) continue;
    if (head.size >= 8) f(head.kind, ReadAt<uint32_t>(image, at), ReadAt<uint32_t>(image, at + 4));
    at += head.size;
  }
}

}  // namespace

KernelNeeds NeedsOf(std::string_view image, std::string_view kernel) {
  constexpr unsigned char kRegisters = 0x2f;  // symbol, registers
  constexpr unsigned char kArgs = 0x0a;       // symbol, place, and in the upper half: bytes
  constexpr unsigned char kFrame = 0x11;      // symbol, bytes of stack
  constexpr unsigned char kThreads = 0x05;    // along three dimensions of a block
  const auto head = ReadAt<Elf64_Ehdr>(image, 0);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    Fail(ErrorCode::kInternal, {"a kernel's image is no ELF file"});
  const auto section = [&](unsigned i) {
    return ReadAt<Elf64_Shdr>(image, head.e_shoff + uint64_t{i} * head.e_shentsize);
  };
  const Elf64_Shdr names = section(head.e_shstrndx);
  const std::string shared = ".nv.shared." + std::string(kernel);
  const std::string info = ".nv.info." + std::string(kernel);
  KernelNeeds needs;
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    const std::string_view name = image.data() + names.sh_offset + s.sh_name;
    if (name == shared) needs.shared_bytes = static_cast<unsigned>(s.sh_size);
    if (name != ".nv.info" && name != info) continue;
    ForEachRecord(image, s, [&](unsigned char kind, uint32_t first, uint32_t value) {
      if (kind == kRegisters) needs.registers = value;
      if (kind == kArgs) needs.args_bytes = value >> 16;
      if (kind == kFrame) needs.stack_bytes = value;
      if (kind == kThreads) needs.most_threads = first;
    });
  }
  if (needs.registers == 0 || needs.args_bytes == 0)
    Fail(ErrorCode::kInternal, {"a kernel's image does not say what it needs"});
  return needs;
}

// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and its
// occupancy calculator: 65536 registers, given to warps in units of 256.
bool BlockFits(const KernelNeeds& needs, unsigned threads) {
  constexpr unsigned kAll = 65536, kUnit = 256, kWarp = 32;
  if (threads > needs.most_threads) return false;
  const unsigned of_warp = (needs.registers * kWarp + kUnit - 1) / kUnit * kUnit;
  return (threads + kWarp - 1) / kWarp * of_warp <= kAll;
}

}  // namespace sy::cuda
