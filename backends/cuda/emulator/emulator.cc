#include "backends/cuda/emulator/emulator.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "backends/cuda/driver/switches.h"
#include "backends/cuda/emulator/devices.h"
#include "backends/cuda/emulator/dnn.h"
#include "backends/cuda/emulator/fourier.h"
#include "backends/cuda/emulator/memory.h"
#include "backends/cuda/emulator/modules.h"
#include "backends/cuda/emulator/products.h"
#include "backends/cuda/emulator/solver.h"
#include "backends/cuda/emulator/streams.h"

namespace sy::cuda {

void QueueOnHost(CUstream stream, std::function<void()> work) {
  // Some of OpenBLAS's functions read a number past a matrix.
  emulated::Do(stream,
               {emulated::Of(stream)->device, std::move(work), {}, {}, /*looks_behind=*/true});
}

bool LiesOnDevice(CUstream stream, const void* p, size_t bytes) {
  return emulated::LiesOn(emulated::Of(stream)->device, p, bytes);
}

const DriverTable& EmulatedDriver() {
  static const DriverTable table = [] {
    DriverTable t{};
    emulated::AddDevices(t);
    emulated::AddMemory(t);
    emulated::AddStreams(t);
    emulated::AddModules(t);
    return t;
  }();
  return table;
}

void EmulateCuda(const DriverTable& table) {
  // Kernels are kept, and looked for, only where somebody says so: they are not the user's GPU's.
  setenv("SWITCHYARD_CUDA_CACHE", "", 0);
  setenv("SWITCHYARD_CUDA_PACKAGE", "", 0);
  setenv("SWITCHYARD_CUDA_LIBRARIES", "0", 1);  // which need a device
  UseDriver(table);
  UseCompiler(emulated::CompileForHost, emulated::HostCompilerIdentity);
  EmulateSolver();
  EmulateFourier();
  if (SwitchedOn("SWITCHYARD_EMULATOR_CUDNN")) EmulateDnn();
  if (SwitchedOn("SWITCHYARD_EMULATOR_CUBLASLT")) EmulateProducts();
}

std::string CompileForEmulator(const Source& source) { return emulated::CompileForHost(source); }

bool UseDeviceOrEmulator() {
  std::string why = "NVIDIA's driver finds no device";
  int count = 0;
  const DriverTable* driver = FindDriver(&why);
  if (driver != nullptr && driver->DeviceGetCount(&count) == CUDA_SUCCESS && count > 0) return true;
  if (SwitchedOn("SWITCHYARD_REQUIRE_GPU")) {
    std::fprintf(stderr, "SWITCHYARD_REQUIRE_GPU is 1 and there is no GPU: %s\n", why.c_str());
    std::exit(3);
  }
  EmulateCuda();
  return false;
}

void EmulateFailure(int device, CUresult result) { emulated::devices[device].failed = result; }

void DestroyEmulatedStream(CUstream s) { emulated::Of(s)->gone = true; }

}  // namespace sy::cuda
