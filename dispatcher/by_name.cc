// Calls by name: the packet, the overload, the arguments left out.

#include <algorithm>
#include <new>

#include "dispatcher/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/dispatcher/call.h"

namespace sy {
namespace {

using internal::ConvertedArguments;

// Built-in names carry no namespace; ATen's is accepted.
std::string_view WithoutATen(std::string_view name) {
  if (name.starts_with("aten::")) name.remove_prefix(6);
  return name;
}

// The arguments of a call laid out for one overload.
struct Match {
  const OperatorEntry* op = nullptr;
  std::vector<Value> values;
  ConvertedArguments converted;
  int cost = 0;         // of conversions, the lower the better
  int filled = 0;       // arguments left out
  std::string refusal;  // why the overload does not take the arguments; empty if it does

  void Try(const OperatorEntry& entry, std::span<const Value> args,
           std::span<const Keyword> keywords) {
    op = &entry;
    const std::vector<Argument>& arguments = entry.schema().arguments;
    values.assign(entry.defaults().begin(), entry.defaults().end());
    std::vector<bool> given(arguments.size(), false);
    if (!SetByPosition(args, given)) return;
    for (const Keyword& k : keywords) {
      const int at = entry.schema().Find(k.name);
      if (at < 0) {
        refusal = Join({"has no argument '", k.name, "'"});
        return;
      }
      if (given[at]) {
        refusal = Join({"argument '", k.name, "' is given twice"});
        return;
      }
      if (!Set(at, k.value, given)) return;
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (given[i]) continue;
      ++filled;
      if (!arguments[i].has_default) {
        refusal = Join({"argument '", arguments[i].name, "' is missing"});
        return;
      }
    }
  }

  // Whether args[i] is argument i, for all of them: what a plan of later calls takes for granted.
  bool as_given() const { return converted.empty() && !moved_; }

 private:
  static constexpr TagMask kOptions = Bit(Tag::kDType) | Bit(Tag::kDevice) | Bit(Tag::kLayout) |
                                      Bit(Tag::kMemoryFormat) | Bit(Tag::kString);

  bool SetByPosition(std::span<const Value> args, std::vector<bool>& given) {
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
        list_.clear();
        for (size_t k = 0; k < n; ++k) list_.push_back(args[i + k].i);
        if (!Set(static_cast<int>(at), IntSpan(list_), given)) return false;
        moved_ = true;
        ++cost;
        i += n;
      } else if (Set(static_cast<int>(at), args[i], given)) {
        ++i;
      } else if (a.kwarg_only && a.has_default && (kOptions & Bit(args[i].tag)) != 0) {
        values[at] = op->defaults()[at];
        given[at] = false;
        moved_ = true;
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

  bool Set(int i, const Value& v, std::vector<bool>& given) {
    const Argument& a = op->schema().arguments[i];
    values[i] = v;
    given[i] = true;
    int c = -1;
    try {
      c = converted.Convert(a.type, values[i]);
    } catch (const Error& e) {
      if (e.code() == ErrorCode::kOutOfMemory) throw;
      refusal = e.message();  // a text that is no device
    }
    if (c < 0) {
      if (refusal.empty())
        refusal = Join({"argument '", a.name, "' must be ", a.type.str(), ", got ", v.str()});
      return false;
    }
    cost += c;
    return true;
  }

  std::vector<int64_t> list_;  // made of integers that stand alone
  std::string refusal_here_;   // of the first argument that an option was not
  bool moved_ = false;
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
  if (const size_t dot = name.find('.'); dot != name.npos) {
    OperatorEntry* op = registry.Find(name);
    if (op == nullptr) FailUnknown(name);
    overloads.push_back(op);
  } else {
    OverloadPacket* f = registry.FindPacket(name);
    if (f != nullptr) overloads = registry.Overloads(*f);
    if (overloads.empty()) FailUnknown(name);
  }
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
  name = WithoutATen(name);
  try {
    return FindBestMatch(name, args, keywords);
  } catch (const std::bad_alloc&) {
    Fail(ErrorCode::kOutOfMemory, name, {"out of memory"});
  }
}

}  // namespace

namespace internal {

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

}  // namespace

void CallPacket(std::string_view name, uint64_t hash, uint64_t signature, Value* args, int n,
                int room, Results& results) {
  // The global registry exists once any plan does, so the look-up need not ask for pending
  // registrations.
  static Registry& registry = Registry::Global();
  if (OverloadPacket* f = registry.FindPacket(name, hash); f != nullptr && signature != 0)
      [[likely]] {
    for (const auto& p : f->plans) {
      const CallPlan* plan = p.load(std::memory_order_acquire);
      if (plan == nullptr) break;
      if (plan->signature != signature) continue;
      const OperatorEntry& op = *plan->op;
      const Value* defaults = op.defaults().data();
      for (int i = n; i < op.num_arguments; ++i) args[i] = defaults[i];
      // Plans are of calls whose arguments needed no conversion: these fit, being of the same
      // types.
      KeyWord bits = 0;
      for (int i = 0; i < n; ++i) bits |= LayerBits(args[i]);
      return CallFitting(op, args, results.Reset(op.num_results).data(), bits);
    }
    const std::unique_ptr<Match> m = BestMatch(name, {args, static_cast<size_t>(n)}, {});
    // Only what needs no conversion is remembered, and only where defaults find room behind the
    // arguments.
    if (m->op->num_arguments <= room && m->as_given()) registry.AddPlan(*f, signature, *m->op);
    return CallBoxed(*m->op, m->values, results.Reset(m->op->num_results));
  }
  results = CallByName(name, {args, static_cast<size_t>(n)});
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
  const std::unique_ptr<Match> m = BestMatch(name, args, keywords);
  Results results;
  CallBoxed(*m->op, m->values, results.Reset(m->op->num_results));
  return results;
}

const OperatorEntry& FindOverload(std::string_view name, std::span<const Value> args,
                                  std::span<const Keyword> keywords) {
  return *BestMatch(name, args, keywords)->op;
}

}  // namespace sy
