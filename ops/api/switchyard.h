// All that a program writes with, in one header: tensors, operators and their C++ operators, calls
// by string, printing, devices and random numbers.
//
//   #include "switchyard/switchyard.h"
//
//   sy::Tensor x = sy::rand({5, 3}, {.dtype = sy::DType::kFloat64});
//   x[0] = 1;
//   std::cout << x.to("cuda:0") << sy::Tensor(sy::call("add", x, 1));
//
// What writes operators, kernels, layers or plugins includes what it needs of registry/,
// dispatcher/ and plugin/ besides.
// Threads, errors: as each header says.
#ifndef SWITCHYARD_SWITCHYARD_H_
#define SWITCHYARD_SWITCHYARD_H_

#include "switchyard/core/accelerator.h"
#include "switchyard/core/constant.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/dtype_info.h"
#include "switchyard/core/flush_denormal.h"
#include "switchyard/core/from_buffer.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/matmul_precision.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/version.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/ops.h"
#include "switchyard/ops/api/lobpcg.h"
#include "switchyard/ops/api/lowrank.h"
#include "switchyard/ops/quantized/qscheme.h"

#endif  // SWITCHYARD_SWITCHYARD_H_
