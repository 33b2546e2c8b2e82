// How one call is made: where its tensors are moved, and how its results lie. Rules offer
// placements for which ranks can work by themselves; the cheapest offer counts.
#ifndef COLLECTIVE_SHARDED_PLAN_INTERNAL_H_
#define COLLECTIVE_SHARDED_PLAN_INTERNAL_H_

#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collective/sharded/state_internal.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy::sharded {

struct OpClass;

// One tensor of a call; undefined ones are left out.
struct Operand {
  const Tensor* tensor;
  const Sharded* sharded;  // null of a usual one, which counts as replicated
  size_t argument, element;
  bool in_list, written;
  int result = -1;   // which result it is once it is written
  bool out = false;  // written without being read
  Placed to;         // where it is wanted
};

class Plan {
 private:
  // What a call needs for itself lies here: it is the price of every call.
  std::array<std::byte, 2048> bytes_;
  mutable std::pmr::monotonic_buffer_resource room_{bytes_.data(), bytes_.size()};

 public:
  Plan(const OperatorEntry& o, std::span<const Value> a);
  Plan(const Plan&) = delete;
  // Memory until the plan goes.
  std::pmr::memory_resource* room() const { return &room_; }
  const OperatorEntry& op;
  std::span<const Value> args;
  MeshRef mesh;  // null where no tensor is sharded
  std::pmr::vector<Operand> operands{&room_};
  // Results of the whole, on meta; empty where that was not asked.
  std::pmr::vector<Tensor> metas{&room_};
  // Of results; of a list one for each tensor, or one for all.
  std::pmr::vector<Placed> placed{&room_};
  const char* reason = nullptr;  // why tensors are gathered
  // Whether what is whole on every rank must have the strides that the tensor itself has: they say
  // which element is drawn first, and what as_strided's numbers mean.
  bool as_they_lie = false;
  // Whether what is written and keeps its sizes must have a place for each element.
  bool places_wanted = false;

  // --- What rules read.
  int64_t dim(size_t k) const { return operands[k].tensor->dim(); }
  IntSpan sizes(size_t k) const { return operands[k].tensor->sizes(); }
  DType dtype(size_t k) const { return operands[k].tensor->dtype(); }
  // The operand that is argument `name`, or -1.
  int Find(std::string_view name) const;
  const Value* Argument(std::string_view name) const;  // null where there is no such argument
  // An integer argument, `otherwise` where there is none.
  int64_t Int(std::string_view name, int64_t otherwise) const;
  bool Flag(std::string_view name) const;
  // Dimensions among `rank` that an argument names: an integer or a list; bit d. All where it names
  // none.
  uint64_t Dims(std::string_view name, int64_t rank) const;

  // --- One dimension of the mesh at a time.
  int64_t n() const { return mesh->size(mesh_dim_); }
  const Placement& from(size_t k) const;
  // Whether every rank would have some of dimension d of operand k, parted along this dimension of
  // the mesh and along those before, as was chosen for them.
  bool AllHaveSome(size_t k, int64_t d) const;
  // Filled by the rule, then offered; all Replicate at the beginning, and again after an offer.
  std::pmr::vector<Placement> in{&room_}, out{&room_};
  void Offer();
  // Set by a rule to call the operator otherwise than with parts in place of tensors.
  using Body = std::function<void(std::span<const Value>, std::span<Result>)>;
  std::function<void(const Plan&, std::span<const Value>, std::span<Result>, const Body&)> body;

  // Asks the rule for each dimension of the mesh. Where it has no way, `reason` says so.
  void Choose(void (*rule)(Plan&));
  void GatherAll(const char* why);
  bool Moves(const Operand& o) const;
  int64_t BytesGathered() const;
  void Count() const;       // what is gathered, where there is a reason (GatheredCalls)
  std::string str() const;  // for ExplainSharding

 private:
  int mesh_dim_ = 0;
  double best_ = 0;
  std::pmr::vector<Placement> best_in_{&room_}, best_out_{&room_};
};

// The operand that is argument `name`, which is there.
inline size_t At(const Plan& p, std::string_view name) { return static_cast<size_t>(p.Find(name)); }
// Terms of a sum, or of a mean.
inline bool IsSum(const Placement& a) {
  return a.partial() && (a.op == PartialOp::kSum || a.op == PartialOp::kAvg);
}

double CostOf(const Placement& from, const Placement& to, double bytes, int64_t n);

using Rule = void (*)(Plan&);
// By the operator's name without overload and without the underscore of what works in place.
Rule FindRule(std::string_view name);

// Registers a rule for operators; static objects.
class RuleFor {
 public:
  RuleFor(Rule rule, std::initializer_list<std::string_view> names);
};

// Element by element, broadcasting. Linear ones in rules/pointwise.cc.
void Pointwise(Plan& p);

}  // namespace sy::sharded

#endif  // COLLECTIVE_SHARDED_PLAN_INTERNAL_H_
