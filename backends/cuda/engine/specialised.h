// A device function and what it is specialised to, as a key and as a source.
//
//   Launch(call, Specialised("sort", "SortArgs", "SortTile").Element(d).Flag(descending), grid,
//          args);
//
// launches SortTile<float, true>(args) of device/sort.h. The text is made when the kernel is first
// needed.
// Owns: nothing; names are literals. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_SPECIALISED_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_SPECIALISED_H_

#include <array>
#include <string>

#include "backends/cuda/engine/launch.h"
#include "backends/cuda/plan/kernel_source.h"
#include "backends/cuda/plan/types.h"

namespace sy::cuda {

class Specialised {
 public:
  Specialised(const char* header, const char* args, const char* function)
      : header_(header), args_(args), function_(function) {}

  Specialised& Element(DType d) { return Add(kElement, static_cast<uint64_t>(d)); }
  // An unsigned integer of so many bytes: what is moved as such.
  Specialised& Bits(size_t bytes) { return Add(kBits, bytes); }
  Specialised& Flag(bool flag) { return Add(kFlag, uint64_t{flag}); }
  Specialised& Number(int number) { return Add(kNumber, static_cast<uint64_t>(number)); }
  // 64 bits for offsets and counts, or 32.
  Specialised& Index(bool wide) { return Add(kIndex, uint64_t{wide}); }
  // Says nothing to the key: they follow from the rest.
  Specialised& Bound(Bounds bounds) {
    bounds_ = bounds;
    return *this;
  }
  // A type of the header; two at most.
  Specialised& Type(const char* name);

  KernelKey key() const;
  std::string Text() const;

 private:
  enum Kind : uint8_t { kElement, kBits, kFlag, kNumber, kIndex, kName };
  static constexpr size_t kMost = 8, kMostNames = 2;

  Specialised& Add(Kind kind, uint64_t value);

  struct Parameter {
    Kind kind;
    uint16_t value;
  };
  const char *header_, *args_, *function_;
  std::array<const char*, kMostNames> names_{};
  std::array<Parameter, kMost> parameters_{};
  size_t count_ = 0, num_names_ = 0;
  Bounds bounds_;
};

template <class Args>
void Launch(const Call& call, const Specialised& s, const Grid& grid, Args& args) {
  Launch(
      call, s.key(), [&] { return s.Text(); }, grid, args);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_SPECIALISED_H_
