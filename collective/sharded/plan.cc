#include <algorithm>
#include <array>
#include <map>

#include "collective/sharded/plan_internal.h"
#include "switchyard/core/error.h"

namespace sy::sharded {
namespace {

constexpr double kLatency = 1000;  // of a collective, in bytes that could have been sent instead

std::map<std::string_view, Rule>& Rules() {
  static auto* const rules = new std::map<std::string_view, Rule>;
  return *rules;
}

std::string WithoutUnderscore(std::string_view name) {
  const bool in_place = !name.empty() && name.back() == '_' && !name.ends_with("__");
  return std::string(in_place ? name.substr(0, name.size() - 1) : name);
}

double BytesOf(const Tensor& t) { return static_cast<double>(t.nbytes()); }

}  // namespace

RuleFor::RuleFor(Rule rule, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) Rules()[name] = rule;
}

Rule FindRule(std::string_view name) {
  const auto it = Rules().find(WithoutUnderscore(name));
  return it == Rules().end() ? nullptr : it->second;
}

double CostOf(const Placement& from, const Placement& to, double bytes, int64_t n) {
  if (from == to || n == 1) return 0;
  const auto ranks = static_cast<double>(n);
  const double part = bytes / ranks;
  if (from.replicated()) return to.partial() ? 0.01 * bytes : 0;
  if (from.sharded()) return (to.sharded() ? part : bytes - part) + kLatency;
  return (to.sharded() ? bytes : 2 * bytes) + kLatency;
}

Plan::Plan(const OperatorEntry& o, std::span<const Value> a) : op(o), args(a) {
  const std::vector<sy::Argument>& arguments = o.schema().arguments;
  operands.reserve(args.size());
  int result = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    const bool written = arguments[i].type.alias.write;
    const bool list = args[i].tag == Tag::kTensorList;
    const int mine = written && op.returns_written && !list ? result++ : -1;
    const auto add = [&](const Tensor& t, size_t element) {
      const Sharded* s = ShardedOf(t);
      operands.push_back(
          {&t, s, i, element, list, written, mine, written && arguments[i].kwarg_only, {}});
      if (s == nullptr) return;
      if (s->moved_view) {
        if (t.impl()->storage->writes() != s->writes) {
          Fail(ErrorCode::kInvalidArgument, op.name(),
               {"argument '", arguments[i].name, "', ", Describe(t),
                ", is a view that had to be gathered, and what it is a view of was written since"});
        }
        if (written) {
          Fail(ErrorCode::kNotImplemented, op.name(),
               {"argument '", arguments[i].name, "', ", Describe(t),
                ", is a view that had to be gathered: writing it would not write what it is a "
                "view of. Clone it, or shard what it is a view of along another dimension"});
        }
      }
      if (mesh == nullptr) {
        mesh = s->mesh;
      } else if (mesh != s->mesh && mesh->str() != s->mesh->str()) {
        Fail(ErrorCode::kInvalidArgument, op.name(),
             {"argument '", arguments[i].name, "', ", Describe(t), ", lies on mesh ",
              s->mesh->str(), ", others on ", mesh->str()});
      }
    };
    if (args[i].tag == Tag::kTensor) add(args[i].tensor(), 0);
    if (!list) continue;
    const TensorList all = args[i].list<Tensor>();
    for (size_t k = 0; k < all.size(); ++k) {
      if (all[k].defined()) add(all[k], k);
    }
  }
}

const Value* Plan::Argument(std::string_view name) const {
  const int at = op.schema().Find(name);
  return at < 0 ? nullptr : &args[static_cast<size_t>(at)];
}

int Plan::Find(std::string_view name) const {
  const int at = op.schema().Find(name);
  for (size_t k = 0; k < operands.size() && at >= 0; ++k) {
    if (operands[k].argument == static_cast<size_t>(at)) return static_cast<int>(k);
  }
  return -1;
}

int64_t Plan::Int(std::string_view name, int64_t otherwise) const {
  const Value* v = Argument(name);
  return v == nullptr || v->tag != Tag::kInt ? otherwise : v->i;
}

bool Plan::Flag(std::string_view name) const {
  const Value* v = Argument(name);
  return v != nullptr && v->tag == Tag::kBool && v->i != 0;
}

uint64_t Plan::Dims(std::string_view name, int64_t rank) const {
  const uint64_t all = rank >= 64 ? ~uint64_t{0} : (uint64_t{1} << rank) - 1;
  const Value* v = Argument(name);
  if (v == nullptr || v->is_none()) return all;
  const auto bit = [&](int64_t d) {
    return uint64_t{1} << std::clamp<int64_t>(d < 0 ? d + rank : d, 0, 63);
  };
  if (v->tag == Tag::kInt) return bit(v->i);
  if (v->tag != Tag::kIntList || v->len == 0) return all;
  uint64_t dims = 0;
  for (const int64_t d : v->list<int64_t>()) dims |= bit(d);
  return dims;
}

const Placement& Plan::from(size_t k) const {
  static constexpr Placement kWhole;
  const Sharded* s = operands[k].sharded;
  return s == nullptr ? kWhole : s->placed[mesh_dim_];
}

namespace {
// Of `size` parted by one number after the other.
bool Some(int64_t size, std::span<const int64_t> by) {
  if (by.empty() || size == 0) return size != 0;
  const int64_t chunk = (size + by[0] - 1) / by[0], last = size - (by[0] - 1) * chunk;
  return last > 0 && Some(chunk, by.subspan(1)) && Some(last, by.subspan(1));
}
}  // namespace

bool Plan::AllHaveSome(size_t k, int64_t d) const {
  std::array<int64_t, kMaxMeshDims> by;
  size_t parts = 0;
  for (int i = 0; i < mesh_dim_; ++i) {
    if (operands[k].to[i].shards(d)) by[parts++] = mesh->size(i);
  }
  by[parts++] = n();
  return Some(sizes(k)[static_cast<size_t>(d)], {by.data(), parts});
}

void Plan::Offer() {
  double cost = 0;
  bool possible = true;
  for (size_t k = 0; k < operands.size(); ++k) {
    Operand& o = operands[k];
    if (o.written) {
      const Placement after = o.result >= 0 && static_cast<size_t>(o.result) < out.size()
                                  ? out[static_cast<size_t>(o.result)]
                                  : in[k];
      if (o.out) in[k] = after;
      possible = possible && in[k] == after;
      cost += CostOf(after, from(k), BytesOf(*o.tensor), n());
      if (o.out) continue;  // what was there does not count
    }
    cost += CostOf(from(k), in[k], BytesOf(*o.tensor), n());
  }
  if (possible && (best_ < 0 || cost < best_)) {
    best_ = cost;
    best_in_ = in;
    best_out_ = out;
  }
  std::fill(in.begin(), in.end(), Placement{});
  std::fill(out.begin(), out.end(), Placement{});
}

void Plan::Choose(void (*rule)(Plan&)) {
  const size_t results = placed.size();
  bool offered = true;
  for (mesh_dim_ = 0; mesh_dim_ < mesh->ndim(); ++mesh_dim_) {
    bool whole = true;
    for (size_t k = 0; k < operands.size(); ++k) whole = whole && from(k).replicated();
    if (whole) continue;
    best_ = -1;
    in.assign(operands.size(), {});
    out.assign(results, {});
    rule(*this);
    const bool any = best_ >= 0;
    in.assign(operands.size(), {});
    out.assign(results, {});
    Offer();  // and all of it, everywhere
    offered = offered && any;
    for (size_t k = 0; k < operands.size(); ++k) operands[k].to[mesh_dim_] = best_in_[k];
    for (size_t r = 0; r < results; ++r) placed[r][mesh_dim_] = best_out_[r];
  }
  mesh_dim_ = 0;
  if (!offered) reason = "its rule has no way for tensors that lie so";
}

void Plan::GatherAll(const char* why) {
  for (Operand& o : operands) o.to = {};
  for (Placed& p : placed) p = {};
  body = nullptr;
  reason = why;
}

bool Plan::Moves(const Operand& o) const {
  return o.sharded == nullptr ? !AllReplicated(o.to) : o.sharded->placed != o.to;
}

int64_t Plan::BytesGathered() const {
  int64_t bytes = 0;
  for (const Operand& o : operands) {
    if (o.sharded == nullptr) continue;
    bool gathered = false;
    for (int i = 0; i < mesh->ndim(); ++i)
      gathered = gathered || (!o.sharded->placed[i].replicated() && o.to[i].replicated());
    if (gathered) bytes += static_cast<int64_t>(o.tensor->nbytes());
  }
  return bytes;
}

void Plan::Count() const {
  if (reason == nullptr) return;
  if (const int64_t bytes = BytesGathered(); bytes != 0) CountGathered(op.name(), reason, bytes);
}

std::string Plan::str() const {
  std::string s(op.name());
  s += mesh == nullptr ? ": no tensor is sharded\n" : " on mesh " + mesh->str() + "\n";
  if (mesh == nullptr) return s;
  for (const Operand& o : operands) {
    const Placed from = o.sharded == nullptr ? Placed{} : o.sharded->placed;
    s += "  " + op.schema().arguments[o.argument].name;
    if (o.in_list) s += "[" + std::to_string(o.element) + "]";
    s += " " + Describe(*o.tensor) + " " +
         (o.sharded == nullptr ? "usual" : PlacedText(from, *mesh));
    if (Moves(o)) s += " -> " + PlacedText(o.to, *mesh);
    s += "\n";
  }
  for (size_t r = 0; r < placed.size(); ++r) {
    s += "  result" + (placed.size() == 1 ? "" : " " + std::to_string(r)) + " " +
         PlacedText(placed[r], *mesh) + "\n";
  }
  if (reason != nullptr && BytesGathered() != 0) {
    s += "  gathers " + std::to_string(BytesGathered()) + " bytes: " + reason + "\n";
  }
  return s;
}

}  // namespace sy::sharded
