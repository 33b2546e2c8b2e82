// How formulas come to the cuda device: kernels are compiled, when first called, from the text of
// the header that a formula stands in.
//
//   const FormulaKernel kernel{kFormula<f::Sin>, "switchyard/ops/formulas/trigonometric.h"};
//   const HeaderText header{"demo/softsign.h", R"(…)"};
//
// Files with these are made of headers (backends/cuda/formula_kernels.h). In a program built
// without NVIDIA's toolkit they do nothing.
// No header of the standard library, for the sake of those files.
// Owns: room for the registration's node, which must live as long as the program calls operators;
// texts stay the caller's.
// Threads: constructed before main, or while a shared object is opened.
// Errors: none here; a header that does not compile is kInternal at the first call that needs it.
#ifndef SWITCHYARD_BACKENDS_CUDA_FORMULA_H_
#define SWITCHYARD_BACKENDS_CUDA_FORMULA_H_

#include "switchyard/core/macros.h"
#include "switchyard/registry/formula.h"

namespace sy::cuda {

// The kernel of every operator that names the formula.
// Its address is registered: a static object.
class FormulaKernel {
 public:
  // header: as sources include it.
  SY_API FormulaKernel(const FormulaDef& formula, const char* header);
  FormulaKernel(const FormulaKernel&) = delete;

  // All of them: for what compiles or tests every formula.
  SY_API static const FormulaKernel* First();
  const FormulaKernel* next() const { return next_; }
  const FormulaDef& formula() const { return formula_; }
  const char* header() const { return header_; }

 private:
  const FormulaDef& formula_;
  const char* header_;
  const FormulaKernel* next_ = nullptr;
  alignas(8) unsigned char node_[160];  // a KernelDef
};

// A header that sources of kernels may include, besides this tree's own.
// Its address is kept: a static object.
class HeaderText {
 public:
  // name: as sources include it.
  SY_API HeaderText(const char* name, const char* text);
  HeaderText(const HeaderText&) = delete;

  SY_API static const HeaderText* First();
  const HeaderText* next() const { return next_; }
  const char* name() const { return name_; }
  const char* text() const { return text_; }

 private:
  const char* name_;
  const char* text_;
  const HeaderText* next_ = nullptr;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_FORMULA_H_
