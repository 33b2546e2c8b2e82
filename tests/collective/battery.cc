#include "tests/collective/battery.h"

#include <string>
#include <vector>

#include "switchyard/collective/group.h"
#include "switchyard/collective/reduce.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy::collective {
namespace {

constexpr DType kDTypes[] = {DType::kBool,    DType::kUInt8,     DType::kInt8,      DType::kInt16,
                             DType::kInt32,   DType::kInt64,     DType::kUInt16,    DType::kUInt32,
                             DType::kUInt64,  DType::kFloat16,   DType::kBFloat16,  DType::kFloat32,
                             DType::kFloat64, DType::kComplex64, DType::kComplex128};

class Battery {
 public:
  Battery() : rank_(RankIn(GroupOf("world"))), size_(SizeOf(GroupOf("world"))) {}

  int Run() {
    for (const DType dtype : kDTypes) {
      for (const int64_t n : {0, 1, 3, 1000, 20'001}) {
        Reductions(dtype, n);
        Moves(dtype, n);
      }
    }
    Messages();
    SubGroups();
    Pending();
    return compared_;
  }

 private:
  // Small whole numbers: every order of adding gives the same.
  static Tensor Of(int rank, int64_t n, DType dtype) {
    const Tensor x = add(remainder(arange(n), 3), rank % 2 + (dtype == DType::kBool ? 0 : 1));
    return to(x, dtype);
  }
  // inexact: up to the rounding of a division.
  void Compare(const std::string& what, const Tensor& got, const Tensor& expected,
               bool inexact = false) {
    ++compared_;
    if (equal(got, expected) || (inexact && allclose(got, expected))) return;
    Fail(ErrorCode::kInternal,
         {what, " on rank ", rank_, ": got ", ToString(got), ", expected ", ToString(expected)});
  }
  static Tensor Reduced(SyReduceOp op, const Tensor& a, const Tensor& b) {
    const bool is_bool = a.dtype() == DType::kBool;
    switch (op) {
      case SY_SUM:
      case SY_AVG:
        return is_bool ? logical_or(a, b) : to(add(a, b), a.dtype());
      case SY_PRODUCT:
        return is_bool ? logical_and(a, b) : to(mul(a, b), a.dtype());
      case SY_MIN:
        return minimum(a, b);
      case SY_MAX:
        return maximum(a, b);
      case SY_BAND:
        return bitwise_and(a, b);
      case SY_BOR:
        return bitwise_or(a, b);
      case SY_BXOR:
        return bitwise_xor(a, b);
    }
    return a;
  }
  void Reductions(DType dtype, int64_t n) {
    for (int k = SY_SUM; k <= SY_AVG; ++k) {
      const auto op = static_cast<SyReduceOp>(k);
      if (!Contains(ReducibleTypes(op), dtype)) continue;
      // Wide unsigned integers have few operators: worked out in int64.
      const DType wide = Contains(kWideUnsignedTypes, dtype) ? DType::kInt64 : dtype;
      Tensor expected = Of(0, n, wide);
      for (int r = 1; r < size_; ++r) expected = Reduced(op, expected, Of(r, n, wide));
      if (op == SY_AVG) expected = to(div(expected, size_), dtype);
      expected = to(expected, dtype);
      const std::string what = Join({Name(op), " of ", dtype, "[", n, "]"});
      const Tensor x = Of(rank_, n, dtype);
      Compare(what, call("_c10d_functional::all_reduce", x, Name(op), "world"), expected,
              op == SY_AVG);
      const Tensor whole = cat(std::vector<Tensor>(static_cast<size_t>(size_), x));
      Compare("scattered " + what,
              call("_c10d_functional::reduce_scatter_tensor", whole, Name(op), size_, "world"),
              expected, op == SY_AVG);
      call("_c10d_functional::all_reduce_", x, Name(op), "world");
      Compare("in place " + what, x, expected, op == SY_AVG);
    }
  }
  void Moves(DType dtype, int64_t n) {
    const std::string what = Join({" of ", dtype, "[", n, "]"});
    const Tensor x = Of(rank_, n, dtype);
    std::vector<Tensor> all;
    all.reserve(static_cast<size_t>(size_));
    for (int r = 0; r < size_; ++r) all.push_back(Of(r, n, dtype));
    const Tensor whole = cat(all);
    Compare("all_gather" + what,
            call("_c10d_functional::all_gather_into_tensor", x, size_, "world"), whole);
    Compare("broadcast" + what, call("_c10d_functional::broadcast", x, size_ - 1, "world"),
            all.back());
    Compare("scatter" + what, call("c10d::scatter", whole, 0, size_, "world"), x);
    const Tensor gathered = call("c10d::gather", x, size_ - 1, size_, "world");
    Compare("gather" + what, gathered, rank_ == size_ - 1 ? whole : narrow(x, 0, 0, 0));
    // Rank r sends n - r elements, if it has them, to each; all of one pair of ranks is one size.
    std::vector<int64_t> sent(static_cast<size_t>(size_), std::max<int64_t>(n - rank_, 0)), taken;
    std::vector<Tensor> parts, expected;
    taken.reserve(sent.size());
    parts.reserve(sent.size());
    expected.reserve(sent.size());
    for (int r = 0; r < size_; ++r) {
      taken.push_back(std::max<int64_t>(n - r, 0));
      parts.push_back(narrow(x, 0, 0, sent[0]));
      expected.push_back(narrow(all[static_cast<size_t>(r)], 0, 0, taken.back()));
    }
    Compare("all_to_all" + what,
            call("_c10d_functional::all_to_all_single", cat(parts), taken, sent, "world"),
            cat(expected));
    const Tensor there = empty_like(cat(expected)), gathered_there = empty_like(whole);
    call("c10d::alltoall_base_", there, cat(parts), taken, sent, "world");
    Compare("all_to_all there" + what, there, cat(expected));
    call("_c10d_functional::all_gather_into_tensor_out", x, size_, "world",
         kw("out", gathered_there));
    Compare("all_gather there" + what, gathered_there, whole);
  }
  void Messages() {
    if (size_ == 1) return;
    call("c10d::barrier", "world");
    const int next = (rank_ + 1) % size_, before = (rank_ + size_ - 1) % size_;
    const Tensor mine = full({3, 3}, rank_ + 0.5);
    // Not all send first: an engine may wait for the other side.
    if (rank_ % 2 == 0) call("c10d::send", t(mine), next, 5, "world");
    const Tensor got = call("c10d::recv", mine, before, 5, "world");
    if (rank_ % 2 == 1) call("c10d::send", t(mine), next, 5, "world");
    Compare("recv", got, full({3, 3}, before + 0.5));
  }
  void SubGroups() {
    if (size_ == 1) return;
    const std::vector<int> last = {size_ - 1, 0};
    if (NewGroup("pair", last) != nullptr) {
      const Tensor order =
          call("_c10d_functional::all_gather_into_tensor", tensor({rank_}), 2, "pair");
      Compare("order", order, tensor({size_ - 1, 0}));
      DestroyGroup("pair");
    }
  }
  // Many under way, used in another order.
  void Pending() {
    std::vector<Tensor> all;
    all.reserve(20);
    for (int i = 0; i < 20; ++i)
      all.push_back(
          call("_c10d_functional::all_reduce", full({100'000}, i + rank_), "sum", "world"));
    for (int i = 19; i >= 0; --i) {
      Compare("pending", all[static_cast<size_t>(i)],
              full({100'000}, size_ * i + size_ * (size_ - 1) / 2));
    }
  }

  const int rank_, size_;
  int compared_ = 0;
};

}  // namespace

int RunBattery() { return Battery().Run(); }

}  // namespace sy::collective
