#include "backends/cuda/kernels/pointwise_source.h"

#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// The dtype in which a computation in `d` is done where it has no kernel of its own: one that holds
// it exactly.
DType Widened(DType d) {
  if (Contains(kHalfTypes | kFloat8Types, d)) return DType::kFloat32;
  if (d == DType::kComplex32) return DType::kComplex64;
  const bool small = d == DType::kBool || (Contains(kIntegerTypes, d) && ItemSize(d) < 4);
  return small ? DType::kInt32 : DType::kInt64;
}

DType RunsIn(const FormulaDef& f, DType d) { return Contains(f.widened, d) ? Widened(d) : d; }

DType OutputOf(Signature s, DType t) {
  switch (s) {
    case Signature::kTruth:
      return DType::kBool;
    case Signature::kReal:
      return RealType(t);
    case Signature::kComplex:
      return ComplexType(t);
    default:
      return t;
  }
}

const char* LieName(HostLie lie) {
  constexpr const char* kNames[] = {"kFull", "kSame", "kNumber", "kStrided"};
  return kNames[static_cast<int>(lie)];
}

std::string OperandText(const PointwiseSpec& spec, int k) {
  const OperandTypes& t = spec.types[static_cast<size_t>(k)];
  std::string types = ElementName(t.memory) + ", " + ElementName(t.common) + ", ";
  const bool choice =
      spec.formula != nullptr && spec.formula->arity.signature == Signature::kSelect;
  if (spec.bits && !(choice && k == 1)) {
    const std::string bits = BitsName(ItemSize(t.memory));
    types = bits + ", " + bits + ", " + bits;
  } else if (choice && k != 1 && t.loop == DType::kBool) {
    types += "unsigned char";  // a Bool is a condition
  } else {
    types += ElementName(t.loop);
  }
  return Join({"Operand<", k, ", ", LieName(spec.layout.lies[k]), ", ", types, ">"});
}

}  // namespace

std::array<uint64_t, 3> PointwiseSpec::Words() const {
  uint64_t dtypes = 0, loops = 0;
  for (int k = 0; k < num_operands; ++k) {
    const OperandTypes& t = types[static_cast<size_t>(k)];
    dtypes = dtypes << 12 | static_cast<uint64_t>(t.memory) << 6 | static_cast<uint64_t>(t.common);
    loops = loops << 8 | static_cast<uint64_t>(t.loop) << 2 | static_cast<uint64_t>(layout.lies[k]);
  }
  const uint64_t rest = static_cast<uint64_t>(layout.each) << 8 |
                        static_cast<uint64_t>(num_operands) << 4 | uint64_t{bits} << 2 |
                        uint64_t{layout.flat} << 1 | uint64_t{layout.wide};
  return {dtypes, loops, rest};
}

PointwiseSpec SpecOf(const FormulaDef& f, DType dtype, const DType* const* memory, bool keep_last) {
  PointwiseSpec spec{};
  spec.formula = &f;
  spec.num_operands = f.arity.inputs + 1;
  const DType loop = keep_last ? DType::kFloat32 : RunsIn(f, dtype);
  const bool choice = f.arity.signature == Signature::kSelect;
  for (int k = 0; k < spec.num_operands; ++k) {
    OperandTypes& t = spec.types[static_cast<size_t>(k)];
    t.common = dtype;
    t.loop = loop;
    if (k == 0) {
      t.common = OutputOf(f.arity.signature, dtype);
      t.loop = OutputOf(f.arity.signature, loop);
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

DType ParamTypeOf(const FormulaDef& f, DType dtype) {
  const DType loop = RunsIn(f, dtype);
  return Contains(kHalfTypes, loop) ? DType::kFloat32 : loop;
}

std::string PointwiseKernelText(const PointwiseSpec& spec, const std::string& name) {
  std::string op = "Move<";
  if (spec.formula != nullptr)
    op = Join({"Elementwise<f::", spec.formula->type, ", ", spec.formula->arity.params, ", "});
  for (int k = 0; k < spec.num_operands; ++k) op += (k == 0 ? "" : ", ") + OperandText(spec, k);
  op += ">";
  const std::string walk = spec.layout.flat ? Join({"Flat<", op, ", ", spec.layout.each, ">"})
                                            : Join({"Strided<", op, ", ", spec.layout.each, ", ",
                                                    spec.layout.wide ? "UInt64" : "unsigned", ">"});
  const char* args = spec.layout.flat ? "FlatArgs" : "StridedArgs";
  return Join({"SY_CUDA_KERNEL(", name, ", ", args, ", (", walk, "(args)))\n"});
}

std::string PointwiseHeader(const FormulaDef* formula) {
  std::string text = "#include \"switchyard/backends/cuda/device/pointwise.h\"\n";
  if (formula == nullptr) return text;
  const char* folder = formula->is_of_device ? "backends/cuda/device/" : "ops/formulas/";
  return text + Join({"#include \"switchyard/", folder, formula->header, ".h\"\n"});
}

std::string PointwiseSource(const PointwiseSpec& spec) {
  return PointwiseHeader(spec.formula) + "namespace sy::cuda {\n" + PointwiseKernelText(spec, "k") +
         "}\n";
}

}  // namespace sy::cuda
