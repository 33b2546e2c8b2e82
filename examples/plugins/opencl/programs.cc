#include "programs.h"

#include <cstring>
#include <optional>

#include "error.h"
#include "process.h"
#include "queue.h"

namespace opencl {
namespace {

std::string BuildLog(cl_program program, cl_device_id id) {
  size_t n = 0;
  clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &n);
  std::string log(n, '\0');
  clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, n, log.data(), nullptr);
  log.resize(std::strlen(log.c_str()));  // without the closing zero
  return log;
}

}  // namespace

CompiledKernel& Program::Get(const char* name) {
  std::lock_guard lock(mutex_);
  CompiledKernel& k = kernels_[name];
  if (!k.kernel) {
    cl_int code = CL_SUCCESS;
    k.kernel = Handle(clCreateKernel(program_.get(), name, &code));
    Check(code, "clCreateKernel");
  }
  return k;
}

std::unique_ptr<Program> ProgramCache::Build(const std::string& key, const std::string& source) {
  const ProcessGuard guard;
  const char* text = source.c_str();
  cl_int code = CL_SUCCESS;
  Handle program(clCreateProgramWithSource(context_, 1, &text, nullptr, &code));
  Check(code, "clCreateProgramWithSource");
  code = clBuildProgram(program.get(), 1, &id_, options_.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    throw sy::abi::Error(ToAbi(code), "clBuildProgram of '" + key + "': " + NameOf(code) + "\n" +
                                          BuildLog(program.get(), id_));
  }
  return std::make_unique<Program>(std::move(program));
}

Launch::Launch(Program& program, const char* kernel)
    : kernel_(program.Get(kernel)), lock_(kernel_.mutex) {}

Launch& Launch::Buffer(cl_mem memory) { return Bytes(&memory, sizeof(memory)); }

Launch& Launch::Bytes(const void* value, size_t size) {
  Check(clSetKernelArg(kernel_.kernel.get(), next_++, size, value), "clSetKernelArg");
  return *this;
}

void Launch::Run(sy::abi::Call call, uint64_t n) {
  const size_t groups = (n + kGroup - 1) / kGroup;
  RunGroups(call, 1, &groups, &kGroup);
}

void Launch::RunGroups(sy::abi::Call call, int dims, const size_t* groups, const size_t* group) {
  size_t items[3] = {};
  for (int d = 0; d < dims; ++d) items[d] = groups[d] * group[d];
  std::optional<ProcessGuard> guard;  // some drivers compile at the first launch
  if (!std::exchange(kernel_.launched, true)) guard.emplace();
  Queue& queue = QueueOf(call);
  queue.Submit(call.abi()->sequence, "clEnqueueNDRangeKernel", [&](cl_event* done) {
    return clEnqueueNDRangeKernel(queue.get(), kernel_.kernel.get(), static_cast<cl_uint>(dims),
                                  nullptr, items, group, 0, nullptr, done);
  });
}

}  // namespace opencl
