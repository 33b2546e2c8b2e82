// The key word: everything that dispatch needs to know of a tensor, in one word that each tensor
// carries.
//
//   bits 0-5 dtype · 6-15 row (device type) · 16-31 device index · 32-62 layers it switches on ·
//   63 undefined
//
//   KeyWord k = MakeKey(kHostRow, DType::kFloat32);  DTypeOfKey(k) == DType::kFloat32;
//
// The low 16 bits are the slot: an index into an operator's table of kernels. ATen spreads the same
// over a DispatchKeySet, a ScalarType and a Device.
// Owns: nothing.
// Threads: any.
// Errors: none; what is put in fits.
#ifndef SWITCHYARD_CORE_KEY_WORD_H_
#define SWITCHYARD_CORE_KEY_WORD_H_

#include <cstdint>

#include "switchyard/core/device.h"
#include "switchyard/core/dtype.h"

namespace sy {

// Row below 1024, index -1 … 32767: -1, of devices without an index, is stored as 0xffff; the
// host's is 0.
using KeyWord = uint64_t;
using Slot = uint16_t;

inline constexpr int kLayerShift = 32;
inline constexpr KeyWord kSlotMask = 0xffff;
inline constexpr KeyWord kPlaceMask = 0xffffffff;  // slot and device index

// Without layers.
constexpr KeyWord MakeKey(Row row, DType dtype, int index = 0) {
  return static_cast<KeyWord>(dtype) | KeyWord{row} << kDTypeBits |
         KeyWord{static_cast<uint16_t>(index)} << 16;
}
constexpr DType DTypeOfKey(KeyWord k) { return static_cast<DType>(k & (kMaxDTypes - 1)); }
constexpr Row RowOfKey(KeyWord k) { return static_cast<Row>((k >> kDTypeBits) & 0x3ff); }
constexpr int IndexOfKey(KeyWord k) { return static_cast<int16_t>(k >> 16); }
// One bit per layer id, 0 … 30; bit 31 is kUndefinedBit. The last five ids are taken: two say that
// elements are the conjugates, or the negatives, of what lies in memory (dispatcher/conjugates.h),
// one that a tensor may matter to gradients (autograd/autograd.h), one that it is sparse
// (core/sparse.h), one that its elements are quantised (core/quantizer.h).
constexpr uint32_t LayersOfKey(KeyWord k) { return static_cast<uint32_t>(k >> kLayerShift); }
// Among the layers, what undefined tensors carry: a call with one leaves its usual way, where
// nobody asks whether tensors are defined, as calls with layers do.
inline constexpr uint32_t kUndefinedBit = uint32_t{1} << 31;
inline constexpr int kConjLayer = 30, kNegLayer = 29, kSparseLayer = 28, kQuantizedLayer = 27,
                     kGradLayer = 26;
inline constexpr KeyWord kConjBit = KeyWord{1} << (kLayerShift + kConjLayer);
inline constexpr KeyWord kNegBit = KeyWord{1} << (kLayerShift + kNegLayer);
inline constexpr KeyWord kSparseBit = KeyWord{1} << (kLayerShift + kSparseLayer);
inline constexpr KeyWord kQuantizedBit = KeyWord{1} << (kLayerShift + kQuantizedLayer);
inline constexpr KeyWord kGradBit = KeyWord{1} << (kLayerShift + kGradLayer);
constexpr KeyWord WithDType(KeyWord k, DType d) {
  return (k & ~KeyWord{kMaxDTypes - 1}) | static_cast<KeyWord>(d);
}
// Row and device index, without dtype and layers: equal for tensors of one device.
constexpr KeyWord PlaceOfKey(KeyWord k) { return k & kPlaceMask & ~KeyWord{kMaxDTypes - 1}; }

}  // namespace sy

#endif  // SWITCHYARD_CORE_KEY_WORD_H_
