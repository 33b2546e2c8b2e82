// Recorded calls with sharded tensors: each is made once as it is, and by 2 and by 4 ranks with its
// tensors placed at random, and must give the same: results, what is written, errors. Operators
// that give others are those that sharded_missing.txt names, each with its reason. The list only
// shrinks: what it names needlessly fails too.
//
// A sample by default, so many calls of each operator; all with SWITCHYARD_SHARDED_CALLS=all. Of
// these every N-th, from the K-th on, with SWITCHYARD_SHARDED_PART=K/N: parts may run side by side.

#include "switchyard/collective/sharded/sharded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "switchyard/collective/group.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"
#include "testing/replay/arguments.h"
#include "testing/replay/call.h"
#include "testing/replay/compare.h"
#include "testing/replay/special.h"
#include "tests/conformance/recorded_case.h"
#include "tests/faults/recorded/recorded.h"

namespace sy::replay {
namespace {

using sharded::MeshRef;

struct Recorded {
  const OperatorEntry* op;
  testing::RecordedLine line;
};

// How many calls of each operator: SWITCHYARD_SHARDED_CALLS, or 1.
size_t CallsOfOne() {
  const char* text = std::getenv("SWITCHYARD_SHARDED_CALLS");
  if (text == nullptr) return 1;
  return std::string_view(text) == "all" ? SIZE_MAX : std::stoul(text);
}

// Which calls: those whose number leaves `remainder`.
struct Part {
  size_t remainder = 0, of = 1;
  static Part FromEnvironment() {
    const char* text = std::getenv("SWITCHYARD_SHARDED_PART");
    if (text == nullptr) return {};
    const std::string s(text);
    return {std::stoul(s), std::stoul(s.substr(s.find('/') + 1))};
  }
  bool Has(size_t number) const { return number % of == remainder; }
};

std::vector<Recorded> ReadCalls() {
  std::vector<Recorded> all;
  std::map<std::string, size_t> made;
  const size_t calls_of_one = CallsOfOne();
  const char* only = std::getenv("SWITCHYARD_SHARDED_ONLY");
  testing::ForEachLine({"opinfo", "edge", "leaves", "names", "overloads", "kinds"},
                       [&](testing::RecordedLine& line) {
                         const std::string name = OpOf(line.call);
                         const OperatorEntry* op = Registry::Global().Find(name);
                         if (op == nullptr || (only != nullptr && name != only)) return;
                         if (calls_of_one != SIZE_MAX && made[name]++ >= calls_of_one) return;
                         all.push_back({op, std::move(line)});
                       });
  return all;
}

struct Outcome {
  bool threw = false;
  ErrorCode code = ErrorCode::kOk;
  std::string message;
  std::vector<Value> numbers;   // results that are no tensors; texts are not kept
  std::vector<Tensor> results;  // usual tensors
  std::vector<Tensor> written;  // arguments, after the call
};

template <class F>
void ForEachTensor(const Value& v, F f) {
  if (v.tag == Tag::kTensor) f(v.tensor());
  if (v.tag != Tag::kTensorList) return;
  for (const Tensor& t : v.list<Tensor>()) {
    if (t.defined()) f(t);
  }
}

void Call(const OperatorEntry& op, std::span<const Value> args, Results* results, Outcome* o) {
  try {
    CallBoxed(op, args, results->Reset(op.num_results));
  } catch (const Error& e) {
    *o = {true, e.code(), e.message(), {}, {}, {}};
  } catch (const std::exception& e) {
    *o = {true, ErrorCode::kInternal, e.what(), {}, {}, {}};
  }
}

// What a call has given, on the host and whole.
void Collect(const OperatorEntry& op, std::span<const Value> args, Results& results, Outcome* o) {
  for (int k = 0; k < results.size(); ++k) {
    const Value& v = results[k].value();
    if (v.tag == Tag::kTensor || v.tag == Tag::kTensorList) {
      ForEachTensor(v, [&](const Tensor& t) { o->results.push_back(sharded::FullTensor(t)); });
    } else if (v.tag == Tag::kInt || v.tag == Tag::kBool || v.tag == Tag::kDouble) {
      o->numbers.push_back(v);
    }
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (!op.schema().arguments[i].type.alias.write) continue;
    ForEachTensor(args[i], [&](const Tensor& t) { o->written.push_back(sharded::FullTensor(t)); });
  }
}

// Parts of a product and terms of a sum have been rounded to 16 bits before they are added: what is
// lost is a rounding of a term for each rank, and one of each addition, by what the result's
// largest element says of how large terms are.
double LostByParts(const Tensor& expected, int ranks) {
  const DType dtype = expected.dtype();
  if (dtype != DType::kFloat16 && dtype != DType::kBFloat16) return 0;
  const Tensor y = contiguous(to(expected, DType::kFloat64));
  double largest = 0;
  for (int64_t i = 0; i < y.numel(); ++i) {
    const double x = std::abs(y.data<double>()[i]);
    if (std::isfinite(x)) largest = std::max(largest, x);
  }
  return 2 * ranks * std::ldexp(largest, dtype == DType::kFloat16 ? -11 : -8);
}

std::string Compare(const OperatorEntry& op, const Tensor& got, const Tensor& expected, bool values,
                    int ranks) {
  if (got.dtype() != expected.dtype() || !std::ranges::equal(got.sizes(), expected.sizes()) ||
      got.layout() != expected.layout())
    return "got " + Describe(got) + ", expected " + Describe(expected);
  if (!values || !got.is_strided() || got.is_quantized()) return "";
  const Tolerance t = ToleranceOf(expected.dtype());
  const Tolerance least = LeastTolerance(op.name(), expected.dtype(), Device{kHost});
  const Tensor x = resolve_neg(resolve_conj(got)), y = resolve_neg(resolve_conj(expected));
  const double rtol = std::max(t.rtol * 10, least.rtol);
  const double atol = std::max({t.atol * 10, least.atol, LostByParts(y, ranks)});
  const bool same = t.rtol == 0 ? equal(x, y) : allclose(x, y, rtol, atol, true);
  return same ? "" : "other values, of " + Describe(expected);
}

std::string Compare(const OperatorEntry& op, const Outcome& got, const Outcome& expected,
                    bool values, int ranks) {
  if (got.results.size() != expected.results.size()) return "another number of results";
  for (size_t k = 0; k < got.results.size(); ++k) {
    if (std::string why = Compare(op, got.results[k], expected.results[k], values, ranks);
        !why.empty())
      return "result " + std::to_string(k) + ": " + why;
  }
  for (size_t k = 0; k < got.written.size(); ++k) {
    if (std::string why = Compare(op, got.written[k], expected.written[k], values, ranks);
        !why.empty())
      return "written " + std::to_string(k) + ": " + why;
  }
  if (got.numbers.size() != expected.numbers.size()) return "another number of numbers";
  for (size_t k = 0; k < got.numbers.size(); ++k) {
    const double x = got.numbers[k].scalar().To<double>(),
                 y = expected.numbers[k].scalar().To<double>();
    if (x != y && !(x != x && y != y) && std::abs(x - y) > 1e-4 * std::abs(y))
      return "number " + got.numbers[k].str() + ", expected " + expected.numbers[k].str();
  }
  return "";
}

// The arguments with some of their tensors sharded.
class ShardedArguments {
 public:
  ShardedArguments(const OperatorEntry& op, std::span<const Value> given, const MeshRef& mesh,
                   std::mt19937& random)
      : values_(given.begin(), given.end()), mesh_(mesh), random_(random) {
    for (size_t i = 0; i < values_.size(); ++i) {
      Value& v = values_[i];
      const bool written = op.schema().arguments[i].type.alias.write;
      written_ = written;
      if (v.tag == Tag::kTensor) {
        v = Value(tensors_.emplace_back(Placed(v.tensor())));
      } else if (v.tag == Tag::kTensorList) {
        std::vector<Tensor>& list = lists_.emplace_back();
        for (const Tensor& t : v.list<Tensor>()) list.push_back(Placed(t));
        v = Value(list);
      }
    }
  }
  std::span<const Value> values() const { return values_; }
  std::string shown;
  bool any = false;

 private:
  size_t Draw(size_t n) { return random_() % n; }
  Tensor Placed(const Tensor& t) {
    if (!t.defined() || !t.is_strided() || t.is_quantized() || t.is_wrapped_number() ||
        Draw(8) == 0) {
      shown += " usual";
      return t;
    }
    const bool terms = IsFloating(t.dtype()) && ItemSize(t.dtype()) >= 4;
    sharded::Placements placements;
    for (int i = 0; i < mesh_->ndim(); ++i) {
      const size_t kind = Draw(6);
      if (kind < 4 && t.dim() != 0) {
        placements.push_back(sharded::Shard(static_cast<int64_t>(Draw(t.sizes().size()))));
      } else if (kind == 4 && terms && !written_) {
        placements.push_back(sharded::Partial());
      } else {
        placements.push_back(sharded::Replicate());
      }
    }
    any = true;
    const Tensor s = sharded::Distribute(t, mesh_, placements);
    shown += " " + Describe(t) + sharded::DescribePlacement(s);
    return s;
  }
  std::vector<Value> values_;
  std::deque<Tensor> tensors_;
  std::deque<std::vector<Tensor>> lists_;
  MeshRef mesh_;
  std::mt19937& random_;
  bool written_ = false;
};

// One run of calls by n ranks; a call that breaks the group ends it.
class Replay {
 public:
  Replay(const std::vector<Recorded>& calls, int n, const Part& part)
      : calls_(calls), n_(n), part_(part) {}

  void Run() {
    for (size_t at = 0; at < calls_.size();) {
      next_ = calls_.size();
      first_ = at;
      threw_.assign(static_cast<size_t>(n_), false);
      std::barrier<> all(n_);
      all_ = &all;
      broken_ = false;
      using namespace std::chrono_literals;
      collective::RunRanks(n_, [&](int rank) { Rank(rank); }, {.timeout = 20000ms});
      at = next_;
    }
  }
  std::map<std::string, std::string> failed;  // the first reason, by operator
  int made = 0;

 private:
  void Rank(int rank) {
    const MeshRef line = sharded::MakeMesh("line", {{"x", n_}});
    const MeshRef grid = n_ == 4 ? sharded::MakeMesh("grid", {{"x", 2}, {"y", 2}}) : line;
    for (size_t i = first_; i < calls_.size(); ++i) {
      if (!part_.Has(i)) continue;
      One(rank, i, i % 2 == 0 ? line : grid);
      if (broken_) {
        if (rank == 0) next_ = i + 1;
        return;
      }
    }
  }

  void Fail(const Recorded& r, const std::string& why, const std::string& shown) {
    std::string text = why.substr(0, 500);
    failed.emplace(std::string(r.op->name()), std::to_string(n_) + " ranks, " + r.line.place +
                                                  ": " + text + "\n    of" + shown);
    if (std::getenv("SWITCHYARD_SHARDED_VERBOSE") != nullptr)
      std::printf("%s %s: %s\n   of%s\n", std::string(r.op->name()).c_str(), r.line.place.c_str(),
                  text.c_str(), shown.c_str());
  }

  void One(int rank, size_t i, const MeshRef& mesh) {
    const Recorded& r = calls_[i];
    const OperatorEntry& op = *r.op;
    std::optional<Arguments> usual, mine;
    try {
      const Json& call = r.line.call;
      const Json& kwargs = call.contains("kwargs") ? call["kwargs"] : none_;
      usual.emplace(op, call["args"], kwargs, *r.line.bytes, Device{kHost});
      mine.emplace(op, call["args"], kwargs, *r.line.bytes, Device{kHost});
    } catch (const Error&) {
      return;  // no arguments of it, for all ranks
    }
    if (rank == 0) {
      SeedDefaultGenerator(Device{kHost}, i);
      expected_ = {};
      Results results;
      Call(op, usual->values(), &results, &expected_);
      if (!expected_.threw) Collect(op, usual->values(), results, &expected_);
      SeedDefaultGenerator(Device{kHost}, i);
    }
    std::mt19937 random(static_cast<uint32_t>(i * 7919 + static_cast<size_t>(n_)));
    ShardedArguments args(op, mine->values(), mesh, random);
    all_->arrive_and_wait();
    if (!args.any) return;
    Outcome got;
    Results results;
    Call(op, args.values(), &results, &got);
    threw_[static_cast<size_t>(rank)] = got.threw;
    if (got.threw) {
      // Others see the end of the one that failed first.
      std::lock_guard lock(mutex_);
      if (code_ == ErrorCode::kOk || code_ == ErrorCode::kUnavailable) {
        message_ = got.message;
        code_ = got.code;
      }
      if (got.code == ErrorCode::kUnavailable) broken_ = true;
    }
    all_->arrive_and_wait();
    const auto count = std::count(threw_.begin(), threw_.end(), true);
    if (count != 0 && count != n_) broken_ = true;  // the others hear of it at their next call
    std::string why;
    if (count == 0) {
      try {
        Collect(op, args.values(), results, &got);
      } catch (const std::exception& e) {
        why = std::string("collecting results throws ") + e.what();
        broken_ = true;
      }
    }
    const Comparison kind = ComparisonOf(op, usual->values());
    const bool values = !op.Has(OperatorTag::kUninitializedOutput) &&
                        kind != Comparison::kMetadata && kind != Comparison::kFactorization;
    if (rank == 0) {
      ++made;
      if (count != 0) {
        const bool clear = code_ != ErrorCode::kInternal && code_ != ErrorCode::kUnavailable;
        if (!expected_.threw || !clear) why = "throws " + message_;
      } else if (expected_.threw) {
        why = "expected an error like " + expected_.message + ", got none";
      } else if (why.empty()) {
        why = Compare(op, got, expected_, values, n_);
      }
      if (!why.empty()) Fail(r, why, args.shown);
      code_ = ErrorCode::kOk;
    }
    all_->arrive_and_wait();
  }

  const std::vector<Recorded>& calls_;
  const int n_;
  const Part part_;
  const Json none_ = Json::object();
  size_t first_ = 0, next_ = 0;
  std::barrier<>* all_ = nullptr;
  std::vector<char> threw_;
  std::mutex mutex_;
  std::string message_;
  ErrorCode code_ = ErrorCode::kOk;
  std::atomic<bool> broken_{false};
  Outcome expected_;
};

TEST(RecordedCalls, AreTheSameSharded) {
  SetLogLevel(LogLevel::kError);
  const std::map<std::string, std::string> listed = ReadList("sharded_missing.txt");
  const std::vector<Recorded> calls = ReadCalls();
  const Part part = Part::FromEnvironment();
  std::map<std::string, std::string> failed;
  int made = 0;
  for (const int n : {2, 4}) {
    Replay replay(calls, n, part);
    replay.Run();
    made += replay.made;
    failed.insert(replay.failed.begin(), replay.failed.end());
  }
  std::printf("%d calls, %zu operators are not the same\n", made, failed.size());
  for (const auto& [op, why] : failed) EXPECT_TRUE(listed.contains(op)) << op << ": " << why;
  if (CallsOfOne() != SIZE_MAX || part.of > 1) return;  // a sample may pass by chance
  EXPECT_GT(made, 30'000);
  for (const auto& [op, reason] : listed) {
    EXPECT_TRUE(failed.contains(op)) << op << " is the same: take it off sharded_missing.txt";
  }
}

}  // namespace
}  // namespace sy::replay
