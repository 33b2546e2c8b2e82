// Errors of OpenCL calls, by the names that OpenCL gives them.
//
//   Check(clFinish(queue), "clFinish");   throws "clFinish: CL_OUT_OF_RESOURCES"
//
// Threads: any.
#ifndef OPENCL_ERROR_H_
#define OPENCL_ERROR_H_

#include <CL/cl.h>

#include <string>

#include "switchyard/c/plugin.hpp"

namespace opencl {

// "CL_OUT_OF_RESOURCES"; "OpenCL error -9999" for codes that OpenCL 1.2 does not have.
std::string NameOf(cl_int code);
// The ABI's code that comes nearest.
int32_t ToAbi(cl_int code);

[[noreturn]] void Fail(cl_int code, const char* call);
inline void Check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) Fail(code, call);
}

}  // namespace opencl

#endif  // OPENCL_ERROR_H_
