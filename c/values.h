/* What crosses between a program and what it loads or is embedded in: errors, tensors, values, as
 * structs of C11. Plugins meet them in switchyard/c/plugin.h, programs in C in
 * switchyard/c/runtime.h; kernels of C++ that take views, in switchyard/op/viewed.h.
 *
 *   SyTensor t;   t.data, t.sizes[0] … t.sizes[t.ndim - 1], t.dtype == SY_FLOAT32
 *   SyValue v = {SY_V_INT, 0, {3}};
 *
 * Sizes: SyError and SyBuffer say theirs; SyTensor is filled by the host as its own version has it,
 *   SyValue and SyDevice never grow.
 * Errors: int32_t, SY_OK or SY_E_*. Text goes into the caller's SyError.
 * Owns: views own nothing; a SyTensorRef is counted.
 * Threads: plain data; retain and release of a SyTensorRef from any thread. */
#ifndef SWITCHYARD_C_VALUES_H_
#define SWITCHYARD_C_VALUES_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define SY_NOEXCEPT noexcept
#else
#define SY_NOEXCEPT
#endif

/* --- Errors ---------------------------------------------------------------------------------- */

enum {
  /* Codes for programs; the text of an SyError is for people. */
  SY_OK = 0,
  SY_DECLINED = 1, /* kernels only: nothing written or queued; the next candidate is tried. The
                      text, which may be empty, says why */
  SY_E_INVALID_ARGUMENT = 2, /* shapes, dtypes, options that do not fit */
  SY_E_INVALID_VALUE = 3,    /* a value inside a tensor is unacceptable */
  SY_E_OUT_OF_MEMORY = 4,
  SY_E_UNSUPPORTED = 5, /* not by this device, kernel or program */
  SY_E_DEVICE_LOST = 6, /* what is on it is gone */
  SY_E_ASYNC = 7,       /* work that was queued before has failed */
  SY_E_BUSY = 8,
  SY_E_NOT_READY = 9, /* an event that has not happened yet; not a failure */
  SY_E_FORKED = 10,   /* the device does not work in the child of a fork */
  SY_E_SHUTDOWN = 11, /* the host no longer serves this plugin */
  SY_E_INTERNAL = 12, /* a bug of whoever returns it */
  SY_E_NOT_FOUND = 13 /* no operator or device of that name */
};

/* Where an error's text goes: at most `capacity` bytes with the closing zero; what does not fit
 * is cut off. Whoever calls gives the room. */
typedef struct SyError {
  uint32_t size;
  uint32_t capacity;
  char* text;
} SyError;

/* --- Values ---------------------------------------------------------------------------------- */

/* Element types. A set of them is a word with the bit of each. */
enum {
  SY_BOOL = 0,
  SY_UINT8 = 1,
  SY_INT8 = 2,
  SY_INT16 = 3,
  SY_INT32 = 4,
  SY_INT64 = 5,
  SY_UINT16 = 6,
  SY_UINT32 = 7,
  SY_UINT64 = 8,
  SY_FLOAT16 = 9,   /* IEEE 754 binary16 */
  SY_BFLOAT16 = 10, /* the upper half of a float32 */
  SY_FLOAT32 = 11,
  SY_FLOAT64 = 12,
  SY_COMPLEX32 = 13, /* pairs, the real part first */
  SY_COMPLEX64 = 14,
  SY_COMPLEX128 = 15,
  SY_FLOAT8_E4M3FN = 16, /* OCP 8-bit; finite and NaN */
  SY_FLOAT8_E5M2 = 17
};
#define SY_BIT(dtype) (UINT64_C(1) << (dtype))
#define SY_ANY_DTYPE UINT64_MAX /* every one, present and future */

/* Memory of a device, filled by its `allocate`. A handle need not be an address. The host copies
 * the struct and never computes with `handle`. */
typedef struct SyBuffer {
  uint32_t size;
  uint32_t reserved;
  void* handle;
  uint64_t bytes;
  void* context; /* the plugin's own */
} SyBuffer;

/* A counted tensor of the host: retain and release [any]. */
typedef struct SyTensorRef_* SyTensorRef;

enum {
  /* Bits of SyTensor::flags. */
  SY_TENSOR_CONTIGUOUS = 1,     /* row-major without gaps */
  SY_TENSOR_WRAPPED_NUMBER = 2, /* made from a number */
  SY_TENSOR_CONSTANT = 4        /* since 1.3: its elements never change again (sy::freeze) */
};

/* Rows of devices that every host has. */
enum { SY_DEVICE_NONE = 0, SY_DEVICE_HOST = 1 };

/* A borrowed view, filled by the host as its own minor version says. */
typedef struct SyTensor {
  void* data; /* first element; null unless kernels of this device may compute with it */
  const SyBuffer* buffer; /* of the called plugin's own devices; null elsewhere and when empty */
  uint64_t byte_offset;   /* of the first element in the buffer */
  const int64_t* sizes;   /* ndim entries */
  const int64_t* strides; /* ndim entries, in elements, may be 0 */
  int64_t numel;          /* the product of the sizes */
  uint32_t ndim;
  uint32_t dtype;  /* SY_FLOAT32 and so on */
  int32_t device;  /* SY_DEVICE_HOST, or the row of another device */
  int32_t index;   /* of the device; -1 where it has none */
  uint64_t flags;  /* SY_TENSOR_*; unknown bits are ignored */
  SyTensorRef ref; /* borrowed */
} SyTensor;

/* A device of the program, by the row that its name has got there. */
typedef struct SyDevice {
  uint16_t row;
  int16_t index; /* -1: the current one */
} SyDevice;

enum {
  /* Tags of values: which member of the union is meant, and what `length` counts. */
  SY_V_NONE = 0, /* an absent optional, an undefined tensor */
  SY_V_BOOL = 1,
  SY_V_INT = 2,
  SY_V_UINT = 3, /* a number past int64 */
  SY_V_DOUBLE = 4,
  SY_V_COMPLEX = 5,  /* list: double[2] */
  SY_V_STRING = 6,   /* text, length; no closing zero */
  SY_V_TENSOR = 7,   /* tensor */
  SY_V_INTS = 8,     /* list: int64_t[length] */
  SY_V_DOUBLES = 9,  /* list: double[length] */
  SY_V_BOOLS = 10,   /* list: uint8_t[length] */
  SY_V_TENSORS = 11, /* list: const SyTensor*[length], null where undefined */
  SY_V_SCALARS = 12, /* list: SyValue[length] */
  SY_V_DTYPE = 13,   /* i: SY_*; so have layouts and formats theirs */
  SY_V_DEVICE = 14,
  SY_V_LAYOUT = 15,
  SY_V_MEMORY_FORMAT = 16,
  SY_V_GENERATOR = 17 /* for SyHost::philox alone */
};

/* One argument of any schema type. Never grows. */
typedef struct SyValue {
  uint32_t tag;
  uint32_t length;
  union {
    int64_t i;
    double d;
    const void* list;
    const char* text;
    const SyTensor* tensor;
    SyDevice device;
  } u;
} SyValue;

#define SY_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
}
#endif

#endif /* SWITCHYARD_C_VALUES_H_ */
