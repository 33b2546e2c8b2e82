/* Switchyard inside a C program: tensors are made, operators called by name, results read.
 *
 *   SyTensor x;
 *   const int64_t sizes[] = {2, 2};
 *   sy_empty(SY_FLOAT32, 2, sizes, sy_host(), &x, NULL);
 *   sy_write(&x, numbers, sizeof(numbers), NULL);
 *   const SyValue args[] = {sy_tensor(&x), sy_int(1)};
 *   SyValue y;
 *   uint32_t n = 1;
 *   if (sy_call("add", args, 2, NULL, 0, &y, &n, &error) != SY_OK) puts(error.text);
 *   sy_read(y.u.tensor, numbers, sizeof(numbers), NULL);
 *   sy_free_results(&y, n);
 *   sy_release(&x);
 *
 * C11; what lies behind it is linked as for any program (docs/packaging.md), and no C++ exception
 * crosses. Values, tensors, dtypes and codes are those of plugins, switchyard/c/values.h.
 * Owns: an SyTensor that a function here has filled holds a reference, in `ref`; whoever has it
 *   gives it back once by sy_release, or by sy_free_results where it is a result. Its sizes and
 *   data are valid until then, unless an operator gives the tensor others (resize_). Arguments are
 *   borrowed for the call.
 * Threads: any, at the same time. A tensor that one thread writes no other may use.
 * Errors: SY_OK or SY_E_*; the text goes to *error, which may be null. Nothing is given then. */
#ifndef SWITCHYARD_C_RUNTIME_H_
#define SWITCHYARD_C_RUNTIME_H_

#include <string.h>

#include "switchyard/c/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, "0.1.0". Static. [any], as all functions here are. */
SY_EXPORT const char* sy_version(void) SY_NOEXCEPT;

/* --- Devices */

/* "cpu", "cuda:1"; an index that is left open is the current one when a tensor is made.
 * SY_E_NOT_FOUND for a type that no backend has, SY_E_INVALID_ARGUMENT for a malformed text. */
SY_EXPORT int32_t sy_find_device(const char* text, SyDevice* out, SyError* error) SY_NOEXCEPT;
/* The host itself, which every program has. */
static inline SyDevice sy_host(void) {
  SyDevice d = {SY_DEVICE_HOST, -1};
  return d;
}

/* --- Tensors */

/* A new tensor, row-major, uninitialised, of SY_* element type. sizes: ndim entries, not
 * negative; ndim 0 is one element. *owned is filled, and holds a reference.
 * SY_E_INVALID_ARGUMENT, SY_E_OUT_OF_MEMORY, SY_E_DEVICE_LOST where the device is not there. */
SY_EXPORT int32_t sy_empty(uint32_t dtype, uint32_t ndim, const int64_t* sizes, SyDevice device,
                           SyTensor* owned, SyError* error) SY_NOEXCEPT;
/* Another reference on the same tensor: both are released. Nothing is copied; *t itself stays
 * one view. */
SY_EXPORT void sy_retain(const SyTensor* t) SY_NOEXCEPT;
/* Gives the reference back, also of a struct that holds none. *t is not to be read afterwards. */
SY_EXPORT void sy_release(SyTensor* t) SY_NOEXCEPT;
/* All elements from or to memory of the program, row-major without gaps, whatever the tensor's
 * strides and device. bytes: exactly those of the elements, SY_E_INVALID_ARGUMENT otherwise.
 * They return when the bytes have been copied; reading waits for work that is queued. */
SY_EXPORT int32_t sy_write(const SyTensor* t, const void* from, uint64_t bytes,
                           SyError* error) SY_NOEXCEPT;
SY_EXPORT int32_t sy_read(const SyTensor* t, void* to, uint64_t bytes, SyError* error) SY_NOEXCEPT;
/* The tensor as text, at most `capacity` bytes with the closing zero; what does not fit is cut
 * off. */
SY_EXPORT int32_t sy_print(const SyTensor* t, char* text, uint64_t capacity,
                           SyError* error) SY_NOEXCEPT;

/* --- Arguments. What they point to stays the caller's. */

/* What the makers below are made of: a value of tag SY_V_*, all else zero. */
static inline SyValue sy_value(uint32_t tag, uint32_t length) {
  SyValue v;
  memset(&v, 0, sizeof(v));
  v.tag = tag;
  v.length = length;
  return v;
}
/* An absent optional argument. One that is to take its default is not given at all. */
static inline SyValue sy_none(void) { return sy_value(SY_V_NONE, 0); }
static inline SyValue sy_bool(int b) {
  SyValue v = sy_value(SY_V_BOOL, 0);
  v.u.i = b != 0;
  return v;
}
static inline SyValue sy_int(int64_t i) {
  SyValue v = sy_value(SY_V_INT, 0);
  v.u.i = i;
  return v;
}
static inline SyValue sy_double(double d) {
  SyValue v = sy_value(SY_V_DOUBLE, 0);
  v.u.d = d;
  return v;
}
/* A text with a closing zero: an str, a dtype by name, a device. */
static inline SyValue sy_text(const char* text) {
  SyValue v = sy_value(SY_V_STRING, (uint32_t)strlen(text));
  v.u.text = text;
  return v;
}
/* Sizes, strides, dimensions. */
static inline SyValue sy_ints(const int64_t* ints, uint32_t n) {
  SyValue v = sy_value(SY_V_INTS, n);
  v.u.list = ints;
  return v;
}
static inline SyValue sy_dtype(uint32_t dtype) {
  SyValue v = sy_value(SY_V_DTYPE, 0);
  v.u.i = dtype;
  return v;
}
static inline SyValue sy_device(SyDevice device) {
  SyValue v = sy_value(SY_V_DEVICE, 0);
  v.u.device = device;
  return v;
}
/* A null pointer is an absent tensor. */
static inline SyValue sy_tensor(const SyTensor* t) {
  SyValue v = sy_value(SY_V_TENSOR, 0);
  v.u.tensor = t;
  return v;
}
/* A list of tensors, null where undefined. */
static inline SyValue sy_tensors(const SyTensor* const* tensors, uint32_t n) {
  SyValue v = sy_value(SY_V_TENSORS, n);
  v.u.list = tensors;
  return v;
}

/* --- Calls */

/* An argument by name; the name has a closing zero. */
typedef struct SyKeyword {
  const char* name;
  SyValue value;
} SyKeyword;

/* Calls an operator as Python would: "add", or one overload, "add.Tensor"; arguments by
 * position, then by name; those left out take their defaults. *n: room for results, then how
 * many there are. Of an operator that writes its arguments the results are these again.
 * SY_E_NOT_FOUND for an unknown name, SY_E_INVALID_ARGUMENT where no overload takes the
 * arguments, or, after the call, where there is no room for the results; else what the operator
 * says. */
SY_EXPORT int32_t sy_call(const char* name, const SyValue* args, uint32_t n_args,
                          const SyKeyword* keywords, uint32_t n_keywords, SyValue* results,
                          uint32_t* n, SyError* error) SY_NOEXCEPT;
/* Releases what sy_call has filled, n of them: tensors, lists, texts. */
SY_EXPORT void sy_free_results(SyValue* results, uint32_t n) SY_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* SWITCHYARD_C_RUNTIME_H_ */
