// cuFFT as KISS FFT, on the host, in the emulated device's memory. As strict as the library's
// documentation: numbers are aligned as complex ones are, input of transforms to real numbers has
// the symmetry and is lost, memory to work in is the caller's. A process has so many plans at a
// time.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_FOURIER_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_FOURIER_H_

namespace sy::cuda {

void EmulateFourier();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_FOURIER_H_
