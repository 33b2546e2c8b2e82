#include "testing/conform/trial.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/format/format.h"
#include "switchyard/registry/registry.h"

namespace sy::conform {

std::string Trial::name() const { return fmt::format("{} on {}", op->name(), dtype); }

std::vector<Trial> TrialsOf(const Session& s) {
  std::vector<Trial> trials;
  const std::string source = "plugin '" + s.plugin().name + "': ";
  Registry& registry = Registry::Global();
  for (const OperatorEntry* op : registry.Entries()) {
    if (&op->kernels->entry() != op) continue;
    DTypeMask served = 0;
    for (const KernelDef* k : registry.KernelsOf(*op)) {
      const bool its = k->device != nullptr && s.device().type.name() == k->device &&
                       k->source().starts_with(source);
      if (its) served |= k->dtypes;
    }
    for (int d = 0; d < kNumDTypes; ++d) {
      if (!Contains(served, static_cast<DType>(d))) continue;
      trials.push_back({op, static_cast<DType>(d)});
      Counted(std::string(op->name()), std::string(Name(static_cast<DType>(d))));
    }
  }
  return trials;
}

bool IsOwn(const Session& s, const Trial& t) {
  const std::vector<std::string>& own = s.plugin().operators;
  return std::find(own.begin(), own.end(), t.op->name()) != own.end();
}

const OperatorEntry* VariantOf(const OperatorEntry& op, Variant kind) {
  for (const OperatorEntry* form : op.registry().Entries()) {
    // add.Scalar shares add.Tensor's kernels, but not its registration: its arguments are others.
    if (form->def() != op.def() || form == &op) continue;
    if (form->kernels == op.kernels && form->kind == kind) return form;
    // Variants of a plugin's operator have kernels of their own, which call its.
    const bool in_place = form->schema().arguments.size() == op.schema().arguments.size();
    if (form->kernels->derived_from == &op && in_place == (kind == Variant::kInPlace)) return form;
  }
  return nullptr;
}

std::string_view Name(Layout l) {
  constexpr std::string_view kNames[] = {
      "plain", "transposed", "with gaps and an offset", "with stride 0", "broadcast",
      "0-dim", "empty",      "of 12 dimensions",        "large",         "overlapping"};
  return kNames[static_cast<int>(l)];
}

namespace {

bool IsIndex(const Argument& a) {
  return a.name.find("index") != a.name.npos || a.name.find("indices") != a.name.npos;
}
bool IsMask(const Argument& a) { return a.name == "mask" || a.name == "condition"; }

}  // namespace

TrialArguments::TrialArguments(const OperatorEntry& op, DType dtype, Layout layout, Indices indices,
                               const Session* there)
    : op_(op), dtype_(dtype), layout_(layout), indices_(indices), there_(there) {
  const std::vector<Argument>& arguments = op.schema().arguments;
  for (size_t i = 0; i < arguments.size(); ++i)
    values_.push_back(Make(arguments[i], static_cast<int>(i)));
}

void TrialArguments::SetOuts(const std::vector<Tensor>& like) {
  const std::vector<Argument>& arguments = op_.schema().arguments;
  size_t next = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].type.alias.write || next == like.size()) continue;
    const Tensor& model = like[next++];
    const Tensor host = Tensor::Empty(model.sizes(), model.dtype());
    std::memset(host.data(), 7, host.nbytes());
    outs_.push_back(Send(host));
    values_[i] = Value(tensors_.emplace_back(outs_.back()));
  }
}

Tensor TrialArguments::Send(const Tensor& host) const {
  return there_ == nullptr ? host : there_->There(host);
}

// 1 … 5 again and again; bool: by turns. Indices: 0 … 3, or far outside.
Tensor TrialArguments::MakeBase(int64_t elements, DType dtype, bool indices) const {
  const Tensor numbers = Tensor::Empty({elements}, DType::kInt64);
  for (int64_t i = 0; i < elements; ++i) {
    int64_t n = i * 7 % 5 + 1;
    if (indices) n = indices_ == Indices::kOutside ? 1'000'000 : i % 4;
    if (dtype == DType::kBool) n = i % 2;
    numbers.data<int64_t>()[i] = n;
  }
  if (dtype == DType::kInt64) return numbers;
  const Tensor base = Tensor::Empty({elements}, dtype);
  call("copy_", base, numbers);
  return base;
}

Tensor TrialArguments::View(IntSpan sizes, IntSpan strides, int64_t offset, DType dtype,
                            bool indices) const {
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) last += std::max<int64_t>(sizes[i] - 1, 0) * strides[i];
  return Send(MakeBase(last + 1, dtype, indices)).AsStrided(sizes, strides, offset);
}

Tensor TrialArguments::MakeTensor(const Argument& argument) {
  using L = std::vector<int64_t>;
  const bool index = IsIndex(argument);
  const DType dtype = index ? DType::kInt64 : IsMask(argument) ? DType::kBool : dtype_;
  const auto view = [&](const L& sizes, const L& strides, int64_t offset = 0) {
    return View(sizes, strides, offset, dtype, index);
  };
  const bool first = tensors_made_++ == 0;
  if (index && indices_ != Indices::kLikeSelf) return view({4}, {1});
  switch (layout_) {
    case Layout::kTransposed:
      return first ? view({4, 4}, {1, 4}) : view({4, 4}, {4, 1});
    case Layout::kGaps:
      return view({4, 4}, {10, 2}, 3);
    case Layout::kStrideZero:
      return view({4, 4}, {0, 1});
    case Layout::kBroadcast:
      return first ? view({4, 4}, {4, 1}) : view({4}, {1});
    case Layout::kNumberLike:
      return view({}, {});
    case Layout::kEmpty:
      return view({0, 4}, {4, 1});
    case Layout::kHighRank:
      return view({1, 2, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1}, {16, 8, 8, 4, 4, 4, 2, 2, 2, 1, 1, 1});
    case Layout::kLarge:
      return view({1027, 1031}, {1031, 1});
    case Layout::kOverlap:
      if (!overlapping_.defined()) overlapping_ = view({20}, {1});
      return overlapping_.AsStrided(L{4, 4}, L{4, 1}, first ? 4 : 0);
    default:
      return view({4, 4}, {4, 1});
  }
}

Value TrialArguments::Make(const Argument& a, int position) {
  const Value given = op_.defaults()[static_cast<size_t>(position)];
  if (a.type.is_tensor()) {
    if (a.has_default || (a.kwarg_only && a.type.alias.write)) return given;
    return Value(tensors_.emplace_back(MakeTensor(a)));
  }
  if (a.has_default || a.type.optional) return given;
  if (a.type.is_tensor_list()) {
    auto& list = lists_.emplace_back();
    for (int i = 0; i < 2; ++i) list.push_back(MakeTensor(a));
    return Value(list);
  }
  const bool integer = a.type.kind == TypeKind::kInt || a.type.kind == TypeKind::kSymInt;
  if (a.type.list && integer) {
    auto& list = ints_.emplace_back(static_cast<size_t>(std::max(a.type.list_size, 1)), 0);
    return Value(list);
  }
  if (a.type.list) return can_be_made_ = false, Value();
  switch (a.type.kind) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return Value(int64_t{0});
    case TypeKind::kFloat:
      return Value(0.5);
    case TypeKind::kBool:
      return Value(false);
    case TypeKind::kScalar:
      return Value(int64_t{2});
    case TypeKind::kScalarType:
      return Value(dtype_);
    default:
      can_be_made_ = false;
      return {};
  }
}

Given Try(const OperatorEntry& op, std::span<const Value> arguments) {
  Given g;
  try {
    Results results;
    CallBoxed(op, arguments, results.Reset(op.num_results));
    for (int i = 0; i < results.size(); ++i) {
      const Value& v = results[i].value();
      if (v.tag == Tag::kTensor) g.tensors.push_back(v.tensor());
      if (v.tag != Tag::kTensorList) continue;
      for (const Tensor& t : v.list<Tensor>()) g.tensors.push_back(t);
    }
  } catch (const Error& e) {
    g.threw = true;
    g.code = e.code();
    g.message = e.message();
  }
  return g;
}

namespace {

// Row-major, without gaps.
Tensor Dense(const Tensor& t) {
  const Tensor host = ToHost(t);
  if (host.is_contiguous()) return host;
  const Tensor dense = Tensor::Empty(host.sizes(), host.dtype());
  call("copy_", dense, host);
  return dense;
}

}  // namespace

void Count(const Trial& t, bool served, bool second_run) {
  Exercise& e = Counted(std::string(t.op->name()), std::string(Name(t.dtype)));
  ++(served ? e.calls : e.declined);
  e.second_run |= second_run;
}

std::string Differ(const std::vector<Tensor>& got, const std::vector<Tensor>& expected,
                   replay::Tolerance least) {
  if (got.size() != expected.size())
    return fmt::format("expected {} results, got {}", expected.size(), got.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i].dtype() != expected[i].dtype() ||
        !std::ranges::equal(got[i].sizes(), expected[i].sizes())) {
      return fmt::format("expected {}, got {}", Describe(expected[i]), Describe(got[i]));
    }
    const Tensor dense = Dense(expected[i]);
    replay::RecordedTensor recorded;
    recorded.dtype = dense.dtype();
    recorded.sizes.assign(dense.sizes().begin(), dense.sizes().end());
    recorded.bytes = {static_cast<const char*>(dense.data()), dense.nbytes()};
    if (std::string why = replay::CompareContents(got[i], recorded, least); !why.empty())
      return why;
  }
  return "";
}

}  // namespace sy::conform
