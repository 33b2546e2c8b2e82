// What formulas use of the compiler and NVRTC lacks.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_BUILTINS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_BUILTINS_H_

#if !defined(SY_EMULATED)
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000ll)
#endif

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_BUILTINS_H_
