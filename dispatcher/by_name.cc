// Calls by name: the packet, the overload, the arguments left out.

#include <algorithm>
#include <new>

#include "dispatcher/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/dispatcher/call.h"

namespace sy {

namespace internal {
extern SY_API std::atomic<void (*)(std::string_view op)> no_memory_to_call;  // op/variants.cc
}

namespace {

using internal::ConvertedArguments;

// The arguments of a call laid out for one overload.
struct Match {
  const OperatorEntry* op = nullptr;
  std::vector<Value> values;
  ConvertedArguments converted;
  int cost = 0;         // of conversions, the lower the better
  int filled = 0;       // arguments left out
  std::string refusal;  // why the overload does not take the arguments; empty if it does
  std::vector<PlannedArgument> planned;

  void Try(const OperatorEntry& entry, std::span<const Value> args,
           std::span<const Keyword> keywords) {
    op = &entry;
    const std::vector<Argument>& arguments = entry.schema().arguments;
    values.assign(entry.defaults().begin(), entry.defaults().end());
    planned.reserve(args.size() + keywords.size());
    given_.assign(arguments.size(), false);
    if (!SetByPosition(args)) return;
    for (const Keyword& k : keywords) {
      const int at = entry.schema().Find(k.name);
      if (at < 0) {
        refusal = Join({"has no argument '", k.name, "'"});
        return;
      }
      if (given_[at]) {
        refusal = Join({"argument '", k.name, "' is given twice"});
        return;
      }
      if (!Set(at, k.value, arguments[at].name)) return;
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (given_[i]) continue;
      ++filled;
      if (!arguments[i].has_default) {
        refusal = Join({"argument '", arguments[i].name, "' is missing"});
        return;
      }
    }
  }

  // For later calls with arguments of the same types.
  CallPlan Plan(uint64_t signature) const {
    const auto straight = [this](const PlannedArgument& a) {
      return a.keyword.empty() && a.how == Conversion::kAsGiven && a.to == &a - planned.data();
    };
    const bool all = std::all_of(planned.begin(), planned.end(), straight) &&
                     op->num_arguments <= planned.size() + internal::kDefaultsRoom;
    return {signature, op, all ? std::vector<PlannedArgument>() : planned};
  }

 private:
  static constexpr TagMask kOptions = Bit(Tag::kDType) | Bit(Tag::kDevice) | Bit(Tag::kLayout) |
                                      Bit(Tag::kMemoryFormat) | Bit(Tag::kString);

  bool SetByPosition(std::span<const Value> args) {
    const std::vector<Argument>& arguments = op->schema().arguments;
    size_t at = 0;  // the argument that comes next
    for (size_t i = 0; i < args.size(); ++at) {
      if (at == arguments.size()) {
        refusal = refusal_here_.empty()
                      ? Join({"takes ", arguments.size(), " arguments, got ", args.size()})
                      : std::move(refusal_here_);
        return false;
      }
      const Argument& a = arguments[at];
      if (const size_t n = ListLength(args.subspan(i), at); n > 0) {
        values[at] = converted.Row(&args[i], n);
        given_[at] = true;
        planned.push_back(
            {{}, static_cast<uint8_t>(at), static_cast<uint8_t>(n), Conversion::kRow});
        ++cost;
        i += n;
      } else if (Set(at, args[i], {})) {
        ++i;
      } else if (a.kwarg_only && a.has_default && (kOptions & Bit(args[i].tag)) != 0) {
        values[at] = op->defaults()[at];
        given_[at] = false;
        if (refusal_here_.empty()) refusal_here_ = std::move(refusal);
        refusal.clear();
      } else {
        return false;
      }
    }
    return true;
  }

  // How many integers, from the first of `args` on, stand for the list that argument `at` is: of
  // any length, and by position the only one that is no tensor, as in Python. 0: it is none, or is
  // given as a list.
  size_t ListLength(std::span<const Value> args, size_t at) const {
    const std::vector<Argument>& arguments = op->schema().arguments;
    const Type& type = arguments[at].type;
    const bool last = at + 1 == arguments.size() || arguments[at + 1].kwarg_only;
    const bool first = std::all_of(arguments.begin(), arguments.begin() + static_cast<int64_t>(at),
                                   [](const Argument& a) { return a.type.is_tensor(); });
    const bool ints = type.kind == TypeKind::kInt || type.kind == TypeKind::kSymInt;
    if (!ints || !type.list || type.list_size != 0 || !first || !last) return 0;
    size_t n = 0;
    while (n < args.size() && args[n].tag == Tag::kInt) ++n;
    return n;
  }

  // keyword: of the schema; empty for one by position.
  bool Set(size_t i, const Value& v, std::string_view keyword) {
    const Argument& a = op->schema().arguments[i];
    values[i] = v;
    given_[i] = true;
    const Conversion how = internal::ConversionOf(a.type, v);
    if (!converted.Convert(how, a.type.list_size, values[i])) {
      refusal = how == Conversion::kDevice ? WhyNoDevice(v.text()) : "";
      if (refusal.empty())
        refusal = Join({"argument '", a.name, "' must be ", a.type.str(), ", got ", v.str()});
      return false;
    }
    cost += internal::CostOf(how, a.type, v);
    planned.push_back(
        {keyword, static_cast<uint8_t>(i), static_cast<uint8_t>(a.type.list_size), how});
    return true;
  }

  static std::string WhyNoDevice(std::string_view text) {
    try {
      ParseDevice(text);
      return "";
    } catch (const Error& e) {
      if (e.code() == ErrorCode::kOutOfMemory) throw;
      return e.message();
    }
  }

  std::vector<bool> given_;
  std::string refusal_here_;  // of the first argument that an option was not
};

[[noreturn]] SY_COLD void FailUnknown(std::string_view name) {
  Fail(ErrorCode::kNotFound,
       {"no operator named '", name, "'", internal::NearestName(Registry::Global(), name)});
}

[[noreturn]] SY_COLD void FailNoOverload(std::string_view name,
                                         const std::vector<std::unique_ptr<Match>>& tried) {
  std::string text = "no overload takes these arguments";
  for (const auto& m : tried) {
    text += Join({"\n  ", m->op->schema().str(), "\n    ", m->refusal});
  }
  Fail(ErrorCode::kNoOverload, name, {text});
}

std::unique_ptr<Match> FindBestMatch(std::string_view name, std::span<const Value> args,
                                     std::span<const Keyword> keywords) {
  Registry& registry = Registry::Global();
  std::vector<OperatorEntry*> overloads;
  if (OverloadPacket* f = registry.FindPacket(name)) overloads = registry.Overloads(*f);
  name = WithoutATen(name);
  if (overloads.empty()) FailUnknown(name);
  std::unique_ptr<Match> best;
  std::vector<std::unique_ptr<Match>> refused;
  for (const OperatorEntry* op : overloads) {
    auto m = std::make_unique<Match>();
    m->Try(*op, args, keywords);
    if (!m->refusal.empty()) {
      refused.push_back(std::move(m));
    } else if (best == nullptr ||
               std::pair(m->cost, m->filled) < std::pair(best->cost, best->filled)) {
      best = std::move(m);
    }
  }
  if (best == nullptr) FailNoOverload(name, refused);
  return best;
}

std::unique_ptr<Match> BestMatch(std::string_view name, std::span<const Value> args,
                                 std::span<const Keyword> keywords) {
  try {
    return FindBestMatch(name, args, keywords);
  } catch (const std::bad_alloc&) {
    internal::FailMemory(WithoutATen(name));
  }
}

}  // namespace

namespace internal {

SY_COLD void FailMemory(std::string_view name) {
  if (auto* const told = no_memory_to_call.load(std::memory_order_acquire); told != nullptr)
    told(name);
  Fail(ErrorCode::kOutOfMemory, name, {"out of memory"});
}

void SetFailure(Outcome& o, const std::exception* thrown) noexcept {
  const char* text = thrown == nullptr ? "an exception of unknown type was thrown" : thrown->what();
  o.code = ErrorCode::kInternal;
  if (const auto* ours = dynamic_cast<const Error*>(thrown)) {
    o.code = ours->code();
  } else if (dynamic_cast<const std::bad_alloc*>(thrown) != nullptr) {
    o.code = ErrorCode::kOutOfMemory;
    text = "out of memory";
  }
  try {
    o.message = text;
  } catch (const std::bad_alloc&) {
    o.code = ErrorCode::kOutOfMemory;
    o.message = "out of memory";  // short enough to lie in the string itself
  }
}

}  // namespace internal

void Results::FailNotOne() const {
  Fail(ErrorCode::kInvalidArgument,
       {"the call returned ", size_, " results, expected one: a Tensor"});
}

void Results::FailNoResult() { Fail(ErrorCode::kInvalidArgument, "the call returned nothing"); }

namespace internal {
namespace {

SY_INLINE KeyWord LayerBits(const Value& v) {
  if (v.tag == Tag::kTensor) [[likely]]
    return v.t->key;
  KeyWord bits = 0;
  if (v.tag == Tag::kTensorList) {
    for (const Tensor& t : v.list<Tensor>()) bits |= t.key();
  }
  return bits;
}

SY_INLINE OverloadPacket* PacketOf(std::string_view name, uint64_t hash) {
  try {
    // The global registry exists once any plan does, so the look-up need not ask for pending
    // registrations.
    static Registry& registry = Registry::Global();
    return registry.FindPacket(name, hash);
  } catch (const std::bad_alloc&) {
    FailMemory(WithoutATen(name));
  }
}

// Operators with more arguments are matched each time.
constexpr int kMostPlanned = 32;

// A call of a new kind, or of one that plans do not say.
SY_COLD void CallNew(std::string_view name, uint64_t hash, uint64_t signature,
                     std::span<const Value> args, std::span<const Keyword> keywords,
                     Results& results) {
  Registry& registry = Registry::Global();
  const uint64_t seen = registry.changes();
  const std::unique_ptr<Match> m = BestMatch(name, args, keywords);
  if (signature != 0 && m->op->num_arguments <= kMostPlanned) {
    try {
      registry.AddPlan(*registry.FindPacket(name, hash), m->Plan(signature), seen);
    } catch (const std::bad_alloc&) {  // the next call is matched again
    }
  }
  CallBoxed(*m->op, m->values, results.Reset(m->op->num_results));
}

}  // namespace

bool CallByPlan(const CallPlan& plan, const Value* args, int n, const Keyword* keywords,
                Results& results) {
  const OperatorEntry& op = *plan.op;
  alignas(Value) char storage[kMostPlanned * sizeof(Value)];  // not initialised
  auto* values = reinterpret_cast<Value*>(storage);
  std::copy_n(op.defaults().data(), op.num_arguments, values);
  ConvertedArguments converted;
  KeyWord bits = 0;
  const auto put = [&](const PlannedArgument& a, const Value& v) {
    bits |= LayerBits(v);
    values[a.to] = v;
    return a.how == Conversion::kAsGiven || converted.Convert(a.how, a.count, values[a.to]);
  };
  try {
    if (plan.arguments.empty()) {
      for (int i = 0; i < n; ++i) bits |= LayerBits(values[i] = args[i]);
    }
    for (const PlannedArgument& a : plan.arguments) {
      if (a.how == Conversion::kRow) {
        values[a.to] = converted.Row(args, a.count);
        args += a.count;
      } else if (a.keyword.empty()) {
        if (!put(a, *args++)) return false;
      } else {
        const Keyword& k = *keywords++;
        if (k.name.size() != a.keyword.size() ||
            !SameText(k.name.data(), a.keyword.data(), k.name.size()) || !put(a, k.value)) {
          return false;
        }
      }
    }
  } catch (const std::bad_alloc&) {
    FailMemory(WithoutATen(op.name()));
  }
  CallFitting(op, values, results.Reset(op.num_results).data(), bits);
  return true;
}

void CallPacket(std::string_view name, uint64_t hash, uint64_t signature, Value* args, int n,
                Results& results) {
  if (OverloadPacket* f = PacketOf(name, hash); f != nullptr && signature != 0) [[likely]] {
    for (const auto& p : f->plans) {
      const CallPlan* plan = p.load(std::memory_order_acquire);
      if (plan == nullptr) break;
      if (plan->signature != signature) continue;
      const OperatorEntry& op = *plan->op;
      // Of a call without arguments nothing is planned, and its defaults may be more than there is
      // room for.
      if (!plan->arguments.empty() || op.num_arguments > n + kDefaultsRoom) {
        if (CallByPlan(*plan, args, n, nullptr, results)) return;
        continue;
      }
      const Value* defaults = op.defaults().data();
      for (int i = n; i < op.num_arguments; ++i) args[i] = defaults[i];
      KeyWord bits = 0;
      for (int i = 0; i < n; ++i) bits |= LayerBits(args[i]);
      return CallFitting(op, args, results.Reset(op.num_results).data(), bits);
    }
  }
  CallNew(name, hash, signature, {args, static_cast<size_t>(n)}, {}, results);
}

void CallWithKeywords(std::string_view name, uint64_t hash, uint64_t signature, const Value* args,
                      int n, const Keyword* keywords, int num_keywords, Results& results) {
  if (OverloadPacket* f = PacketOf(name, hash); f != nullptr && signature != 0) [[likely]] {
    for (const auto& p : f->plans) {
      const CallPlan* plan = p.load(std::memory_order_acquire);
      if (plan == nullptr) break;
      if (plan->signature == signature && CallByPlan(*plan, args, n, keywords, results)) return;
    }
  }
  CallNew(name, hash, signature, {args, static_cast<size_t>(n)},
          {keywords, static_cast<size_t>(num_keywords)}, results);
}

SY_COLD std::string NearestName(Registry& registry, std::string_view name) {
  const size_t dot = name.find('.');
  if (dot != name.npos) {
    OverloadPacket* f = registry.FindPacket(name.substr(0, dot));
    std::string overloads;
    if (f != nullptr) {
      for (const OperatorEntry* op : registry.Overloads(*f))
        overloads += Join({overloads.empty() ? "; its overloads: " : ", ", op->name()});
    }
    if (!overloads.empty()) return overloads;
    name = name.substr(0, dot);
  }
  // That many edits make another word: two of four letters, three of eight.
  size_t best = 2 + (std::max<size_t>(name.size(), 1) - 1) / 4;
  std::string nearest;
  for (const std::string& other : registry.PacketNames()) {
    // Edit distance (Levenshtein), one row at a time.
    std::vector<size_t> row(other.size() + 1);
    for (size_t j = 0; j <= other.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= name.size(); ++i) {
      size_t diagonal = std::exchange(row[0], i);
      for (size_t j = 1; j <= other.size(); ++j) {
        const size_t change = diagonal + (name[i - 1] == other[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
      }
    }
    if (row.back() < best) {
      best = row.back();
      nearest = other;
    }
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace internal

Results CallByName(std::string_view name, std::span<const Value> args,
                   std::span<const Keyword> keywords) {
  const int n = static_cast<int>(args.size()), num_keywords = static_cast<int>(keywords.size());
  Results results;
  internal::CallWithKeywords(name, HashName(name),
                             internal::SignatureOf(args.data(), n, keywords.data(), num_keywords),
                             args.data(), n, keywords.data(), num_keywords, results);
  return results;
}

const OperatorEntry& FindOverload(std::string_view name, std::span<const Value> args,
                                  std::span<const Keyword> keywords) {
  return *BestMatch(name, args, keywords)->op;
}

}  // namespace sy
