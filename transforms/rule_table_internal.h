// The rules of a transform by operators' names, what operators have been found to be, and how often
// those without a rule were called. Vmap and forward mode have one each.
#ifndef TRANSFORMS_RULE_TABLE_INTERNAL_H_
#define TRANSFORMS_RULE_TABLE_INTERNAL_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "switchyard/registry/entry.h"

namespace sy::transforms {

template <class Rule, class OpClass>
struct RuleTable {
  std::shared_mutex mutex;
  std::map<std::string, std::vector<const Rule*>, std::less<>> by_name;
  std::unordered_map<const OperatorEntry*, OpClass> classes;
  std::map<std::string, int64_t> fallbacks;

  static RuleTable& Get() {
    static RuleTable& r = *new RuleTable;  // used until the last registration goes
    return r;
  }
  // Of several the one that was registered last, or null. Under the mutex.
  const Rule* Find(std::string_view name) const {
    const auto it = by_name.find(name);
    return it == by_name.end() || it->second.empty() ? nullptr : it->second.back();
  }
  // As `classify` says, which is asked once for an operator and set of rules.
  OpClass ClassOf(const OperatorEntry& op,
                  OpClass (*classify)(const RuleTable&, const OperatorEntry&)) {
    {
      std::shared_lock lock(mutex);
      const auto it = classes.find(&op);
      if (it != classes.end()) return it->second;
    }
    std::unique_lock lock(mutex);
    return classes[&op] = classify(*this, op);
  }
  void Add(const std::vector<const char*>& ops, const Rule* rule) {
    std::unique_lock lock(mutex);
    for (const char* op : ops) by_name[op].push_back(rule);
    classes.clear();
  }
  void Remove(const std::vector<const char*>& ops, const Rule* rule) {
    std::unique_lock lock(mutex);
    for (const char* op : ops) std::erase(by_name[op], rule);
    classes.clear();
  }
  void CountFallback(std::string_view op) {
    std::unique_lock lock(mutex);
    ++fallbacks[std::string(op)];
  }
  std::map<std::string, int64_t> Fallbacks() {
    std::shared_lock lock(mutex);
    return fallbacks;
  }
  void ResetFallbacks() {
    std::unique_lock lock(mutex);
    fallbacks.clear();
  }
};

// In place, they give a tensor other memory or sizes.
inline constexpr std::string_view kMoves[] = {"set_", "resize_", "resize_as_", "set_data"};

}  // namespace sy::transforms

#endif  // TRANSFORMS_RULE_TABLE_INTERNAL_H_
