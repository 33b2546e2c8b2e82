#include "elementwise.h"

#include <algorithm>

#include "layout.h"
#include "programs.h"

namespace opencl {
namespace {

using sy::abi::Call;

const Type& TypeOf(const Operand& o) {
  const auto* a = std::get_if<Array>(&o);
  return a != nullptr ? *a->type : *std::get<Number>(o).type;
}
bool IsNumber(const Operand& o) { return std::holds_alternative<Number>(o); }

// "add.Tensor f32 f32 f32 f32 number": with a number the program is another one. A kernel that
// chose while it runs would not be vectorized.
std::string KeyOf(const Formula& f, const std::vector<Operand>& in) {
  std::string key = f.name + " " + f.compute->name + " " + f.out->name;
  for (const Operand& o : in)
    key += std::string(" ") + TypeOf(o).name + (IsNumber(o) ? " number" : "");
  return key;
}

// "a", "b", …
std::string NameOf(size_t input) { return std::string(1, static_cast<char>('a' + input)); }

// "__global const float* a_, ulong a_at" or "float a_".
std::string Parameters(const Formula& f, const std::vector<Operand>& in) {
  std::string text = "ulong n, __global " + std::string(f.out->storage) + "* out, ulong out_at";
  for (size_t k = 0; k < in.size(); ++k) {
    const Type& t = TypeOf(in[k]);
    const std::string name = NameOf(k);
    text += IsNumber(in[k]) ? std::string(", ") + t.value + " " + name + "_"
                            : std::string(", __global const ") + t.storage + "* " + name +
                                  "_, ulong " + name + "_at";
  }
  return text;
}

// at(k): where the output (0) and the arrays among the inputs have their element.
template <class F>
std::string Body(const Formula& f, const std::vector<Operand>& in, F&& at) {
  std::string text;
  size_t arrays = 1;
  for (size_t k = 0; k < in.size(); ++k) {
    const Type& t = TypeOf(in[k]);
    const std::string name = NameOf(k);
    std::string value = name + "_";
    if (!IsNumber(in[k])) {
      value = t.Load(value, name + "_at + " + at(arrays++));
    } else if (t.is_half() && f.rounds_numbers) {
      value = std::string("round_") + t.name + "(" + value + ")";
    }
    text += std::string("  const ") + t.value + " " + name + " = " + value + ";\n";
  }
  return text + "  " + f.out->Store("out", "out_at + " + at(0), f.expression) + ";\n";
}

std::string SourceOf(const Device& device, const Formula& f, const std::vector<Operand>& in) {
  const std::string parameters = Parameters(f, in);
  const auto arrays =
      in.size() - static_cast<size_t>(std::count_if(in.begin(), in.end(), IsNumber));
  std::string text = Prelude(device) + Layout::Declaration(1 + arrays);
  text += std::string("typedef ") + f.compute->value + " T;\n";
  text += std::string("typedef ") + f.compute->wrapping + " U;\n";
  text += std::string("#define FLOATS ") + (f.compute->is_float() ? "1\n" : "0\n") + f.helpers;
  text += "__kernel void dense(" + parameters + ") {\n  const ulong i = get_global_id(0);\n";
  text += "  if (i >= n) return;\n" + Body(f, in, [](size_t) { return std::string("i"); }) + "}\n";
  text += "__kernel void strided(" + parameters + ", const Layout layout) {\n";
  text += "  const ulong i = get_global_id(0);\n  if (i >= n) return;\n";
  text += "  const LayoutOffsets at = offsets(&layout, i);\n";
  text += Body(f, in, [](size_t k) { return "at.of[" + std::to_string(k) + "]"; }) + "}\n";
  return text;
}

}  // namespace

void RunElementwise(Call call, const Formula& f, const Array& out, const std::vector<Operand>& in) {
  const uint64_t n = static_cast<uint64_t>(out.numel());
  if (n == 0) return;
  std::vector<Dims> strides = {out.strides};
  for (const Operand& o : in) {
    if (const auto* a = std::get_if<Array>(&o)) strides.push_back(a->Broadcast(out.sizes).strides);
  }
  const Layout layout(out.sizes, std::move(strides));
  Device& device = call.device<Device>();
  Program& program = device.programs().Get(KeyOf(f, in), [&] { return SourceOf(device, f, in); });
  Launch launch(program, layout.IsDense() ? "dense" : "strided");
  launch.Value(n).Buffer(out.memory).Value(out.offset);
  for (const Operand& o : in) {
    if (const auto* a = std::get_if<Array>(&o)) {
      launch.Buffer(a->memory).Value(a->offset);
    } else {
      const auto& number = std::get<Number>(o);
      launch.Bytes(number.bytes, number.size);
    }
  }
  if (!layout.IsDense()) launch.Struct(layout.Packed());
  launch.Run(call, n);
}

}  // namespace opencl
