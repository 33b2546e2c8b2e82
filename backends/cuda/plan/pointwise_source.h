// Sources of pointwise kernels, made from what they are specialised to.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_POINTWISE_SOURCE_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_POINTWISE_SOURCE_H_

#include <array>
#include <string>

#include "backends/cuda/plan/layout.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/registry/formula.h"

namespace sy::cuda {

class FormulaKernel;
// Puts it in front of all others (FormulaKernel::First); next: its own.
void LinkFormula(const FormulaKernel* kernel, const FormulaKernel*& next);

// The dtypes of an operand's elements on their way.
struct OperandTypes {
  DType memory, common, loop;  // common: in which operands meet, and round
};

// A kernel: operand 0 is the output, inputs follow.
struct PointwiseSpec {
  const FormulaDef* formula;  // null: elements are moved, and converted
  int num_operands;
  std::array<OperandTypes, kMaxOperands> types;
  bool bits;  // elements are moved or chosen, whatever they mean: all have one size
  Layout layout;

  std::array<uint64_t, 3> Words() const;  // differ where two specs of one formula do
};

// The dtypes of a computation in `dtype`; `memory` those of the operands, null for numbers, which
// come in the common dtype. keep_last: the last input meets the others as float32, not as the
// 16-bit float `dtype`.
PointwiseSpec SpecOf(const FormulaDef& formula, DType dtype, const DType* const* memory,
                     bool keep_last);
// Of a copy.
PointwiseSpec MoveSpec(DType to, DType from);
// What a parameter of a computation in `dtype` is.
DType ParamTypeOf(const FormulaDef& formula, DType dtype);

// Defines the kernel `name`; the headers it needs are included by PointwiseHeader.
std::string PointwiseKernelText(const PointwiseSpec& spec, const std::string& name);
std::string PointwiseHeader(const FormulaDef* formula);
// A whole source, whose kernel has the formula's name.
std::string PointwiseSource(const PointwiseSpec& spec);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_POINTWISE_SOURCE_H_
