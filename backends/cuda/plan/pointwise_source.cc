#include "backends/cuda/plan/pointwise_source.h"

#include <cctype>
#include <string>
#include <string_view>

#include "switchyard/backends/cuda/formula.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Functions whose arithmetic the device has apart.
constexpr std::string_view kLibrary = "switchyard/ops/formulas/library.h";
constexpr const char* kDeviceLibrary = "switchyard/backends/cuda/device/special.h";

const char* StrideKindName(HostStrideKind lie) {
  constexpr const char* kNames[] = {"kFull", "kSame", "kNumber", "kStrided"};
  return kNames[static_cast<int>(lie)];
}

std::string OperandText(const PointwiseSpec& spec, int k) {
  const OperandTypes& t = spec.types[static_cast<size_t>(k)];
  std::string types = ElementName(t.memory) + ", " + ElementName(t.common) + ", ";
  const bool choice =
      spec.formula != nullptr && spec.formula->facts.signature == Signature::kSelect;
  if (spec.bits && !(choice && k == 1)) {
    const std::string bits = BitsName(ItemSize(t.memory));
    types = bits + ", " + bits + ", " + bits;
  } else if (choice && k != 1 && t.loop == DType::kBool) {
    types += "unsigned char";  // a Bool is a condition
  } else {
    types += ElementName(t.loop);
  }
  return fmt::format("Operand<{}, {}, {}>", k, StrideKindName(spec.layout.stride_kinds[k]), types);
}

}  // namespace

std::array<uint64_t, 3> PointwiseSpec::Words() const {
  uint64_t dtypes = 0, loops = 0;
  for (int k = 0; k < num_operands; ++k) {
    const OperandTypes& t = types[static_cast<size_t>(k)];
    dtypes = dtypes << 12 | static_cast<uint64_t>(t.memory) << 6 | static_cast<uint64_t>(t.common);
    loops = loops << 8 | static_cast<uint64_t>(t.loop) << 2 |
            static_cast<uint64_t>(layout.stride_kinds[k]);
  }
  const uint64_t rest = static_cast<uint64_t>(layout.each) << 8 |
                        static_cast<uint64_t>(num_operands) << 4 | uint64_t{bits} << 2 |
                        uint64_t{layout.rows} << 3 | uint64_t{layout.flat} << 1 |
                        uint64_t{layout.wide && !layout.rows};
  return {dtypes, loops, rest};
}

PointwiseSpec SpecOf(const FormulaDef& f, DType dtype, const DType* const* memory, bool keep_last) {
  PointwiseSpec spec{};
  spec.formula = &f;
  spec.num_operands = f.facts.inputs + 1;
  const DType loop = keep_last ? DType::kFloat32 : f.RunsIn(dtype);
  const bool choice = f.facts.signature == Signature::kSelect;
  for (int k = 0; k < spec.num_operands; ++k) {
    OperandTypes& t = spec.types[static_cast<size_t>(k)];
    t.common = dtype;
    t.loop = loop;
    if (k == 0) {
      t.common = OutputOf(f.facts.signature, dtype);
      t.loop = OutputOf(f.facts.signature, loop);
    } else if (choice && k == 1) {
      t.common = t.loop = DType::kBool;
    } else if (keep_last && k + 1 == spec.num_operands) {
      t.common = DType::kFloat32;
    }
    t.memory = memory[k] == nullptr ? t.common : *memory[k];
  }
  const auto unconverted = [&](int k) {
    return spec.types[static_cast<size_t>(k)].memory == dtype;
  };
  spec.bits = choice && unconverted(0) && unconverted(2) && unconverted(3);
  return spec;
}

PointwiseSpec MoveSpec(DType to, DType from) {
  PointwiseSpec spec{};
  spec.num_operands = 2;
  spec.types[0] = {to, to, to};
  spec.types[1] = {from, from, from};
  spec.bits = to == from;
  return spec;
}

DType ParamTypeOf(const FormulaDef& f, DType dtype) { return ParamType(f.RunsIn(dtype)); }

std::string PointwiseKernelText(const PointwiseSpec& spec, const std::string& name) {
  std::string op = "Move<";
  if (spec.formula != nullptr)
    op = fmt::format("Elementwise<::{}, {}, ", spec.formula->type(),
                     int{spec.formula->facts.params});
  for (int k = 0; k < spec.num_operands; ++k) op += (k == 0 ? "" : ", ") + OperandText(spec, k);
  op += ">";
  const std::string body = spec.layout.flat ? fmt::format("Flat<{}, {}>", op, spec.layout.each)
                           : spec.layout.rows
                               ? fmt::format("Rows<{}, {}>", op, spec.layout.each)
                               : fmt::format("Strided<{}, {}, {}>", op, spec.layout.each,
                                             spec.layout.wide ? "UInt64" : "unsigned");
  const char* args = spec.layout.flat ? "FlatArgs" : "StridedArgs";
  return fmt::format("SY_CUDA_KERNEL({}, {}, ({}(args)))\n", name, args, body);
}

std::string PointwiseHeader(const FormulaDef* formula) {
  std::string text = "#include \"switchyard/backends/cuda/device/pointwise.h\"\n";
  if (formula == nullptr) return text;
  for (const FormulaKernel* k = FormulaKernel::First(); k != nullptr; k = k->next()) {
    if (std::string_view(k->formula().name) != formula->name) continue;
    const char* header = k->header() == kLibrary ? kDeviceLibrary : k->header();
    return text + fmt::format("#include \"{}\"\n", header);
  }
  Fail(ErrorCode::kInternal, {"the header of ", formula->name, " is not known"});
}

namespace {

// Of a formula its operator's, as far as that is a name: AddKernel.
std::string KernelName(const PointwiseSpec& spec) {
  std::string name = spec.formula == nullptr ? "Move" : spec.formula->type();
  name = name.substr(name.rfind(':') + 1);  // without its namespace
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + "Kernel";
}

}  // namespace

std::string PointwiseSource(const PointwiseSpec& spec) {
  return PointwiseHeader(spec.formula) + "namespace sy::cuda {\n" +
         PointwiseKernelText(spec, KernelName(spec)) + "}\n";
}

}  // namespace sy::cuda
