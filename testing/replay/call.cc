#include "testing/replay/call.h"

#include <cctype>
#include <map>
#include <new>
#include <nlohmann/json.hpp>

#include "core/format/format.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/fallback.h"
#include "testing/replay/arguments.h"
#include "testing/replay/compare.h"
#include "testing/replay/layouts.h"
#include "testing/replay/special.h"

namespace sy::replay {
namespace {

const Json kNoKeywords = Json::object();

const Json& Keywords(const Json& call) {
  const auto found = call.find("kwargs");
  return found == call.end() ? kNoKeywords : *found;
}

std::string FirstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// What became of the call itself.
struct Attempt {
  bool threw = false;
  bool late = false;              // by what the device found when it ran
  std::optional<ErrorCode> code;  // of an sy::Error
  std::string message;
};

Attempt Try(const OperatorEntry& op, const Arguments& arguments, Results* results, Device device) {
  Attempt a;
  try {
    CallBoxed(op, arguments.values(), results->Reset(op.num_results));
    a.late = true;
    Synchronize(device);
    return a;
  } catch (const Error& e) {
    a.code = e.code();
    a.message = fmt::format("{}: {}", e.code(), FirstLine(e.message()));
  } catch (const std::exception& e) {
    a.message = fmt::format("an exception that is no sy::Error: {}", e.what());
  }
  a.threw = true;
  return a;
}

// Whether anything could serve the operator on this device, for whatever dtype.
bool HasKernel(const OperatorEntry& op, Device device) {
  if (op.kind == Variant::kView || op.kind == Variant::kViewInPlace) return true;
  for (int d = 0; d < kNumDTypes; ++d) {
    const KeyWord key = MakeKey(device.type.row, static_cast<DType>(d));
    for (const Candidate& c : op.registry().Candidates(op, key)) {
      if (c.usable) return true;
    }
    std::string why;
    if (FallbackServes(op, key, &why)) return true;
  }
  const OperatorEntry* base = op.kernels->derived_from;
  return base != nullptr && HasKernel(*base, device);
}

class CallReplay {
 public:
  CallReplay(const OperatorEntry& op, const Json& call, Blob blob, Device device,
             std::optional<uint64_t> seed, KernelCalls kernel_calls)
      : op_(op),
        call_(call),
        blob_(blob),
        device_(device),
        seed_(seed),
        kernel_calls_(kernel_calls) {}

  // "" or why it failed.
  std::string Run() { return call_.contains("error") ? RunFailing() : RunSucceeding(); }
  // Whether the call, or one that it made, fell back on the host.
  bool fell_back() const { return fell_back_; }
  // Whether a kernel of the device has served it, or a call that it made.
  bool called_kernels() const { return called_kernels_; }

 private:
  std::string RunFailing() {
    std::optional<Arguments> arguments;
    try {
      arguments.emplace(op_, call_.at("args"), Keywords(call_), blob_, device_);
    } catch (const Malformed&) {
      throw;
    } catch (const Error&) {
      return "";  // refused before the call
    }
    Results results;
    const Attempt a = Call(*arguments, &results);
    if (!a.threw) return Unrefused();
    if (!a.code) return "expected an error, got " + a.message;
    if (*a.code == ErrorCode::kInternal) return "expected a clear error, got " + a.message;
    if (*a.code == ErrorCode::kNotImplemented && !HasKernel(op_, device_)) return a.message;
    if (*a.code == ErrorCode::kUnavailable && a.late) return "the device is lost: " + a.message;
    if (a.late) return "";  // what it found right it may have written
    for (const TensorArgument& t : arguments->tensors()) {
      if (std::string why = t.Changed(); !why.empty())
        return fmt::format("the failing call changed argument {}: {}", t.position, why);
    }
    return "";
  }

  // The call was to fail and did not.
  std::string Unrefused() {
    const std::string text = call_.at("error").get<std::string>();
    const std::string expected = "expected an error like '" + FirstLine(text) + "', got none";
    if (HasData(device_)) return expected;
    const Arguments arguments(op_, call_.at("args"), Keywords(call_), blob_, Device{kHost});
    Results results;
    const Attempt a = Try(op_, arguments, &results, Device{kHost});
    if (a.code == ErrorCode::kInvalidValue || a.code == ErrorCode::kIndexOutOfRange) return "";
    return fmt::format("{}; on the host: {}", expected, a.threw ? a.message : "none either");
  }

  std::string RunSucceeding() {
    const Arguments arguments(op_, call_.at("args"), Keywords(call_), blob_, device_);
    comparison_ = ComparisonOf(op_, arguments.values());
    Results results;
    const Attempt a = Call(arguments, &results);
    if (a.code == ErrorCode::kDataDependent && !HasData(device_)) return "";
    if (a.threw) return "expected success, got " + a.message;
    if (std::string why = CompareResults(arguments, results); !why.empty()) return why;
    return CompareArguments(arguments, results);
  }

  Attempt Call(const Arguments& arguments, Results* results) {
    if (seed_) SeedDefaultGenerator(device_, *seed_);
    const int64_t before = FallbackCalls(), served = kernel_calls_ == nullptr ? 0 : kernel_calls_();
    Attempt a = Try(op_, arguments, results, device_);
    fell_back_ = FallbackCalls() != before;
    called_kernels_ = kernel_calls_ == nullptr || kernel_calls_() != served;
    return a;
  }

  // Whether contents decide, and one by one.
  bool ComparesElements() const {
    if (!HasData(device_)) return false;
    return comparison_ == Comparison::kValues ||
           (comparison_ == Comparison::kRandom && device_.type == kHost);
  }

  std::string CompareResults(const Arguments& arguments, const Results& results) {
    std::vector<Value> got;
    if (op_.num_results == 1 && results[0].value().tag == Tag::kTensorList) {
      for (const Tensor& t : results[0].value().list<Tensor>()) got.push_back(Value(t));
    } else {
      for (int i = 0; i < results.size(); ++i) got.push_back(results[i].value());
    }
    const Json& out = call_.at("out");
    if (op_.num_results == 0 && out == Json::array({nullptr})) return "";  // Python's None
    if (got.size() != out.size())
      return fmt::format("expected {} results, got {}", out.size(), got.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (std::string why = CompareValue(got[i], out[i]); !why.empty())
        return fmt::format("result {}: {}", i, why);
    }
    return HasData(device_) && !ComparesElements() ? CheckSpecial(arguments, got) : "";
  }

  std::string CompareValue(const Value& got, const Json& expected) {
    if (expected.is_array()) return CompareList(got, expected);
    if (!IsTensor(expected) && !HasLayout(expected)) return CompareNumber(got, expected);
    if (got.tag != Tag::kTensor) return "expected a tensor, got " + got.str();
    return CompareOne(got.tensor(), expected);
  }
  std::string CompareList(const Value& got, const Json& expected) {
    if (got.tag != Tag::kTensorList || got.len != expected.size())
      return fmt::format("expected a list of {}, got {}", expected.size(), got.str());
    for (size_t i = 0; i < expected.size(); ++i) {
      if (std::string why = CompareOne(got.list<Tensor>()[i], expected[i]); !why.empty())
        return fmt::format("[{}]: {}", i, why);
    }
    return "";
  }
  std::string CompareOne(const Tensor& got, const Json& expected) {
    if (PlaceOfKey(got.key()) != PlaceOf(device_))
      return fmt::format("expected a tensor on {}, got one on {}", device_, got.device());
    if (HasLayout(expected)) return CompareLayout(got, expected, blob_);
    const RecordedTensor r = ParseTensor(expected, blob_);
    if (!got.is_strided() || got.is_quantized())
      return fmt::format("expected {}, got {}", Describe(r), Describe(got));
    return ComparesElements() ? CompareTensor(got, r, LeastTolerance(op_.name(), r.dtype, device_))
                              : CompareMetadata(got, r);
  }

  std::string CheckSpecial(const Arguments& arguments, const std::vector<Value>& got) {
    std::vector<Tensor> results;
    std::vector<RecordedTensor> expected;
    for (size_t i = 0; i < got.size(); ++i) {
      if (got[i].tag != Tag::kTensor) continue;
      results.push_back(ToHost(got[i].tensor()));
      expected.push_back(ParseTensor(call_.at("out").at(i), blob_));
    }
    const SpecialCall special{op_, arguments.values(), results, expected};
    switch (comparison_) {
      case Comparison::kTies:
        return CheckTies(special);
      case Comparison::kFactorization:
        return CheckFactorization(special);
      case Comparison::kRandom:
        return CheckRandomRange(special);
      default:
        return "";
    }
  }

  // Arguments that were recorded as written are as recorded; all others are as before the call.
  std::string CompareArguments(const Arguments& arguments, const Results& results) {
    const auto mutated = call_.find("mutated");
    std::map<int, size_t> nth;  // of the tensors of a list, by its position
    for (const TensorArgument& t : arguments.tensors()) {
      const std::string key = std::to_string(t.position);
      // Seeded sequences record results alone.
      const bool recorded = mutated != call_.end() && mutated->contains(key);
      const bool written = recorded || (mutated == call_.end() && IsResult(t.tensor, results)) ||
                           WritesList(t) || WritesUndeclared(op_, static_cast<size_t>(t.position));
      std::string why;
      if (!written) {
        why = t.Changed();
      } else if (recorded && !IsResult(t.tensor, results)) {
        const Json& after = (*mutated)[key];
        if (after.is_array()) {
          const size_t i = nth[t.position]++;
          if (i >= after.size()) return fmt::format("argument {}: recorded are {}", key, i);
          why = CompareOne(t.tensor, after[i]);
        } else if (after.is_object()) {
          why = CompareOne(t.tensor, after);
        }
      }
      if (why.empty() && written && t.GapsTouched()) why = "the gaps between elements changed";
      if (!why.empty()) return fmt::format("argument {}: {}", t.position, why);
    }
    return "";
  }
  // Of a list that the schema says is written, Tensor(a!)[], older recordings hold no more.
  bool WritesList(const TensorArgument& t) const {
    const Type& type = op_.schema().arguments[static_cast<size_t>(t.position)].type;
    return type.is_tensor_list() && type.alias.write;
  }
  // Then it is compared already.
  bool IsResult(const Tensor& t, const Results& results) const {
    for (int i = 0; i < results.size(); ++i) {
      const Value& v = results[i].value();
      if (v.tag == Tag::kTensor && v.tensor().is_same(t)) return true;
    }
    return false;
  }

  const OperatorEntry& op_;
  const Json& call_;
  Blob blob_;
  Device device_;
  std::optional<uint64_t> seed_;
  Comparison comparison_ = Comparison::kValues;
  const KernelCalls kernel_calls_;
  bool fell_back_ = false, called_kernels_ = false;
};

std::string Shorten(std::string text, size_t room) {
  if (text.size() > room) text = text.substr(0, room) + "…";
  return text;
}

std::string DescribeArgument(const Json& j, Blob blob) {
  if (IsTensor(j)) return Describe(ParseTensor(j, blob));
  if (HasLayout(j)) return Describe(RebuildLayout(j, blob));
  if (j.is_array() && !j.empty() && (IsTensor(j[0]) || HasLayout(j[0]) || j[0].is_null())) {
    std::string s;
    for (const Json& x : j) s += (s.empty() ? "" : ", ") + DescribeArgument(x, blob);
    return "[" + s + "]";
  }
  if (j.is_null()) return "None";
  if (j.is_object() && j.size() == 1 && j.begin()->is_string())
    return j.begin()->get<std::string>();
  return j.dump();
}

}  // namespace

int64_t FallbackCalls() {
  int64_t n = 0;
  for (const FallbackCount& c : FallbackCounts()) n += c.calls;
  return n;
}

bool HasData(Device device) { return BackendOf(device.type).allocator() != nullptr; }

std::string OpOf(const Json& call) {
  const auto& name = call.at("op").get_ref<const std::string&>();
  return name.starts_with("aten::") ? name.substr(6) : name;
}

std::string DescribeCall(const Json& call, Blob blob) {
  constexpr size_t kRoom = 300;
  std::string s;
  for (const Json& j : call.at("args")) s += (s.empty() ? "" : ", ") + DescribeArgument(j, blob);
  for (const auto& [name, j] : Keywords(call).items())
    s += (s.empty() ? "" : ", ") + name + "=" + DescribeArgument(j, blob);
  return Shorten(OpOf(call) + "(" + s + ")", kRoom);
}

Outcome ReplayCall(const Json& call, Blob blob, Device device, std::optional<uint64_t> seed,
                   KernelCalls kernel_calls) {
  Outcome o;
  try {
    const OperatorEntry* op = Registry::Global().Find(OpOf(call));
    if (op == nullptr) return {.verdict = Verdict::kMissing};
    CallReplay replay(*op, call, blob, device, seed, kernel_calls);
    o.why = replay.Run();
    o.fallback = replay.fell_back();
    o.kernels = replay.called_kernels();
  } catch (const Malformed&) {
    throw;
  } catch (const Error& e) {
    o.why = fmt::format("{}: {}", e.code(), e.message());
  }
  if (!o.why.empty()) o.verdict = Verdict::kFailed;
  return o;
}

}  // namespace sy::replay
