// cuBLASLt on the host, in the emulated device's memory. As strict as its reference: types that go
// together, leading dimensions, 8-bit factors only as rows by columns of multiples of 16 and not
// both e5m2, biases of the types that a result takes. It offers two algorithms, which compute the
// same.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_PRODUCTS_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_PRODUCTS_H_

namespace sy::cuda {

void EmulateProducts();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_PRODUCTS_H_
