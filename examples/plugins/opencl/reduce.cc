#include "reduce.h"

#include <algorithm>

#include "layout.h"
#include "programs.h"

namespace opencl {
namespace {

using sy::abi::Call;

// Rows up to this length are reduced by one item; longer ones by a group of 256.
constexpr int64_t kShortRow = 32;
// Elements that each item of a group takes before the row is cut into chunks.
constexpr int64_t kElementsPerItem = 64;

std::string KeyOf(const Reduction& f, const Type& out) {
  std::string key = f.name + " reduce " + f.accumulate->name + " " + out.name;
  for (const Type* t : f.in) key += std::string(" ") + t->name;
  return key;
}

std::string NameOf(size_t input) { return std::string(1, static_cast<char>('a' + input)); }

// rows, length: of the reduction; chunk: elements of a row that one result takes.
std::string Parameters(const Reduction& f, const Type& out) {
  std::string text = "ulong rows, ulong length, ulong chunk, __global " + std::string(out.storage) +
                     "* out, ulong out_at";
  for (size_t k = 0; k < f.in.size(); ++k) {
    const std::string name = NameOf(k);
    text += std::string(",\n    __global const ") + f.in[k]->storage + "* " + name + "_, ulong " +
            name + "_at";
  }
  return text + ",\n    const Rows row_layout, const Columns column_layout";
}

// The function that gives what the j-th element of a row contributes.
std::string Element(const Reduction& f) {
  std::string text =
      "#define ELEMENT(j, x) { \\\n  const ColumnsOffsets c = "
      "offsets(&column_layout, j); \\\n";
  for (size_t k = 0; k < f.in.size(); ++k) {
    const std::string name = NameOf(k), at = "of[" + std::to_string(k);
    text += std::string("  const ") + f.in[k]->value + " " + name + " = " +
            f.in[k]->Load(name + "_",
                          name + "_at + r." + "of[" + std::to_string(k + 1) + "] + c." + at + "]") +
            "; \\\n";
  }
  return text + "  x = COMBINE(x, (T)(" + f.expression + ")); }\n";
}

constexpr const char* kByItem = R"cl({
  const ulong row = get_global_id(0);
  if (row >= rows) return;
  const RowsOffsets r = offsets(&row_layout, row);
  T x = IDENTITY;
  for (ulong j = 0; j < length; ++j) ELEMENT(j, x)
  STORE(out_at + r.of[0], x);
}
)cl";

// A group for each chunk of each row. Results of a row's chunks are beside each other.
constexpr const char* kByGroup = R"cl({
  __local T partial[256];
  const uint item = get_local_id(0);
  const ulong chunks = (length + chunk - 1) / chunk;
  const ulong row = get_group_id(0) / chunks, part = get_group_id(0) % chunks;
  const RowsOffsets r = offsets(&row_layout, row);
  const ulong end = min((part + 1) * chunk, length);
  T x = IDENTITY;
  for (ulong j = part * chunk + item; j < end; j += 256) ELEMENT(j, x)
  partial[item] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = 128; half_size > 0; half_size /= 2) {
    if (item < half_size) partial[item] = COMBINE(partial[item], partial[item + half_size]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) STORE(out_at + r.of[0] + part, partial[0]);
}
)cl";
static_assert(Launch::kGroup == 256);

std::string SourceOf(const Device& device, const Reduction& f, const Type& out) {
  std::string text = Prelude(device) + Layout::Declaration(1 + f.in.size(), "Rows") +
                     Layout::Declaration(f.in.size(), "Columns");
  text += std::string("typedef ") + f.accumulate->value + " T;\n#define IDENTITY (T)(" +
          f.identity + ")\nstatic T COMBINE(T x, T y) { return " + f.combine +
          "; }\n#define STORE(at, x) " +
          out.Store("out", "(at)", Converted(*f.accumulate, out, "(x)")) + "\n" + Element(f);
  text += "__kernel void by_item(" + Parameters(f, out) + ")" + kByItem;
  text += "__kernel void by_group(" + Parameters(f, out) + ")" + kByGroup;
  return text;
}

// The sizes or strides that are kept, or those that are reduced.
Dims First(const Dims& all, size_t n) { return Dims(all.begin(), all.begin() + n); }
Dims Last(const Dims& all, size_t n) { return Dims(all.end() - n, all.end()); }

struct Rows {
  Layout layout;
  Layout columns;
};
Rows Split(const Array& out, const std::vector<Array>& in, size_t reduced) {
  const size_t kept = in[0].sizes.size() - reduced;
  std::vector<Dims> row_strides = {First(out.strides, kept)}, column_strides;
  for (const Array& a : in) {
    row_strides.push_back(First(a.strides, kept));
    column_strides.push_back(Last(a.strides, reduced));
  }
  return {Layout(First(in[0].sizes, kept), std::move(row_strides)),
          Layout(Last(in[0].sizes, reduced), std::move(column_strides))};
}

void RunOnce(Call call, const Reduction& f, const Array& out, const std::vector<Array>& in,
             const Rows& split, int64_t chunk) {
  Device& device = call.device<Device>();
  Program& program =
      device.programs().Get(KeyOf(f, *out.type), [&] { return SourceOf(device, f, *out.type); });
  const int64_t rows = split.layout.numel(), length = split.columns.numel();
  const bool by_item = length <= kShortRow;
  Launch launch(program, by_item ? "by_item" : "by_group");
  launch.Value(rows).Value(length).Value(chunk).Buffer(out.memory).Value(out.offset);
  for (const Array& a : in) launch.Buffer(a.memory).Value(a.offset);
  launch.Struct(split.layout.Packed()).Struct(split.columns.Packed());
  if (by_item) return launch.Run(call, static_cast<uint64_t>(rows));
  const size_t groups = static_cast<size_t>(rows * ((length + chunk - 1) / chunk));
  launch.RunGroups(call, 1, &groups, &Launch::kGroup);
}

}  // namespace

void RunReduction(Call call, const Reduction& f, const Array& out, const std::vector<Array>& in,
                  size_t reduced_dims) {
  if (out.numel() == 0) return;
  const Rows split = Split(out, in, reduced_dims);
  const int64_t length = split.columns.numel(), rows = split.layout.numel();
  constexpr int64_t kGroup = Launch::kGroup;
  constexpr int64_t kChunk = kGroup * kElementsPerItem;
  // Many rows keep the device busy by themselves.
  const int64_t chunks = rows >= kGroup ? 1 : (length + kChunk - 1) / kChunk;
  if (chunks <= 1) return RunOnce(call, f, out, in, split, std::max<int64_t>(length, 1));
  Dims sizes = out.sizes;
  sizes.push_back(chunks);
  const Array partial = Array::Workspace(call, *f.accumulate, sizes);
  RunOnce(call, f, partial, in, Split(partial, in, reduced_dims), (length + chunks - 1) / chunks);
  Reduction again = f;
  again.name += " again";
  again.in = {f.accumulate};
  again.expression = "a";
  RunReduction(call, again, out, {partial}, 1);
}

}  // namespace opencl
