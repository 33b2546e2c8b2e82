// The structs of DLPack, including those of version 1 where the system's dlpack.h is older.
//
// What is added is the binary interface that DLPack 1 fixes: everything up to `flags` stays for all
// versions, so that `version` and `deleter` can always be read.
// Source: DLPack 1.1, include/dlpack/dlpack.h.
#ifndef THIRD_PARTY_DLPACK_DLPACK_V1_H_
#define THIRD_PARTY_DLPACK_DLPACK_V1_H_

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>

#ifndef DLPACK_MAJOR_VERSION
struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
};

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
};
#endif

static_assert(offsetof(DLManagedTensorVersioned, deleter) == 16 &&
              offsetof(DLManagedTensorVersioned, flags) == 24 &&
              offsetof(DLManagedTensorVersioned, dl_tensor) == 32 && sizeof(DLTensor) == 48);

#endif  // THIRD_PARTY_DLPACK_DLPACK_V1_H_
