#include "elementwise.h"

#include "layout.h"
#include "programs.h"

namespace opencl {
namespace {

using sy::abi::Call;

std::string KeyOf(const Formula& f) {
  std::string key = f.name + " " + f.compute->name + " " + f.out->name;
  for (const Type* t : f.in) key += std::string(" ") + t->name;
  return key;
}

// "a", "b", …
std::string NameOf(size_t input) { return std::string(1, static_cast<char>('a' + input)); }

// An input is memory, or a number where that is null: "__global const float* a_, ulong a_at, float
// a_number".
std::string Parameters(const Formula& f) {
  std::string text = "ulong n, __global " + std::string(f.out->storage) + "* out, ulong out_at";
  for (size_t k = 0; k < f.in.size(); ++k) {
    const std::string name = NameOf(k);
    text += std::string(",\n    __global const ") + f.in[k]->storage + "* " + name + "_, ulong " +
            name + "_at, " + f.in[k]->value + " " + name + "_number";
  }
  return text;
}

// at(k): where array k has its element.
template <class F>
std::string Body(const Formula& f, F&& at) {
  std::string text;
  for (size_t k = 0; k < f.in.size(); ++k) {
    const std::string name = NameOf(k), number = name + "_number";
    const bool rounds = f.in[k]->is_half() && f.rounds_numbers;
    text += std::string("  const ") + f.in[k]->value + " " + name + " = " + name + "_ ? " +
            f.in[k]->Load(name + "_", name + "_at + " + at(k + 1)) + " : " +
            (rounds ? std::string("round_") + f.in[k]->name + "(" + number + ")" : number) + ";\n";
  }
  text += "  " + f.out->Store("out", "out_at + " + at(0), f.expression) + ";\n";
  return text;
}

std::string SourceOf(const Device& device, const Formula& f) {
  const std::string parameters = Parameters(f);
  std::string text = Prelude(device) + Layout::Declaration(1 + f.in.size());
  text += std::string("typedef ") + f.compute->value + " T;\n";
  text += std::string("typedef ") + f.compute->wrapping + " U;\n";
  text += std::string("#define FLOATS ") + (f.compute->is_float() ? "1\n" : "0\n") + f.helpers;
  text += "__kernel void dense(" + parameters + ") {\n  const ulong i = get_global_id(0);\n";
  text += "  if (i >= n) return;\n" + Body(f, [](size_t) { return std::string("i"); }) + "}\n";
  text += "__kernel void strided(" + parameters + ",\n    const Layout layout) {\n";
  text += "  const ulong i = get_global_id(0);\n  if (i >= n) return;\n";
  text += "  const LayoutOffsets at = offsets(&layout, i);\n";
  text += Body(f, [](size_t k) { return "at.of[" + std::to_string(k) + "]"; }) + "}\n";
  return text;
}

}  // namespace

void RunElementwise(Call call, const Formula& f, const Array& out, const std::vector<Operand>& in) {
  const uint64_t n = static_cast<uint64_t>(out.numel());
  if (n == 0) return;
  std::vector<Dims> strides = {out.strides};
  for (const Operand& o : in) {
    const auto* a = std::get_if<Array>(&o);
    strides.push_back(a != nullptr ? a->Broadcast(out.sizes).strides : out.strides);
  }
  const Layout layout(out.sizes, std::move(strides));
  Device& device = call.device<Device>();
  Program& program = device.programs().Get(KeyOf(f), [&] { return SourceOf(device, f); });
  Launch launch(program, layout.IsDense() ? "dense" : "strided");
  launch.Value(n).Buffer(out.memory).Value(out.offset);
  for (size_t k = 0; k < in.size(); ++k) {
    const auto* a = std::get_if<Array>(&in[k]);
    Number number{.bytes = {}, .size = f.in[k]->value_bytes()};
    if (a == nullptr) number = std::get<Number>(in[k]);
    launch.Buffer(a != nullptr ? a->memory : nullptr).Value(a != nullptr ? a->offset : uint64_t{0});
    launch.Bytes(number.bytes, number.size);
  }
  if (!layout.IsDense()) launch.Struct(layout.Packed());
  launch.Run(call, n);
}

}  // namespace opencl
