#include "plugin/state.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugin/calls.h"
#include "plugin/kernel.h"
#include "switchyard/core/constant.h"
#include "switchyard/core/fork.h"

namespace sy::plugin {
namespace {

// One thing that is kept. The last one to let go of it has it destroyed.
class Kept {
 public:
  Kept(int slot, void* state, void (*destroy)(void*) noexcept)
      : slot_(slot), state_(state), destroy_(destroy) {}
  Kept(const Kept&) = delete;
  ~Kept() {
    const CallScope scope(slot_);
    if (destroy_ != nullptr) destroy_(state_);
  }
  void* state() const { return state_; }

 private:
  const int slot_;
  void* const state_;
  void (*const destroy_)(void*) noexcept;
};

struct Entry {
  std::shared_ptr<Kept> kept;
  std::vector<const StorageImpl*> constants;
  uint64_t used = 0;  // when, by the count of look-ups
};

// Looks up what is no std::string, without making one.
struct TextHash : std::hash<std::string_view> {
  using is_transparent = void;
};

// The states of one kernel, by everything that tells them apart.
struct States {
  std::unordered_map<std::string, Entry, TextHash, std::equal_to<>> by_key;
  size_t without_constants = 0;
};

using Dropped = std::vector<std::shared_ptr<Kept>>;

struct All {
  std::mutex mutex;
  std::unordered_map<const KernelRecord*, States> of;
  uint64_t lookups = 0;
};
All& all() {
  static All* a = new All;
  return *a;
}

const internal::AtFork at_fork{internal::ForkRank::kRecords, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, all().mutex);
                               }};

// Takes what `goes` says out, to be destroyed without the lock.
template <class F>
void TakeOut(States& states, Dropped& dropped, F goes) {
  std::erase_if(states.by_key, [&](const auto& item) {
    const Entry& e = item.second;
    if (!goes(e)) return false;
    if (e.constants.empty()) --states.without_constants;
    dropped.push_back(e.kept);
    return true;
  });
}

void DropConstant(const StorageImpl* storage) noexcept {
  Dropped dropped;  // ends after the lock
  std::lock_guard lock(all().mutex);
  for (auto& [kernel, states] : all().of) {
    TakeOut(states, dropped, [&](const Entry& e) {
      return std::find(e.constants.begin(), e.constants.end(), storage) != e.constants.end();
    });
  }
}

// The one that was not used for longest makes room.
void MakeRoom(States& states, Dropped& dropped) {
  uint64_t oldest = UINT64_MAX;
  for (const auto& [key, e] : states.by_key) {
    if (e.constants.empty()) oldest = std::min(oldest, e.used);
  }
  TakeOut(states, dropped, [&](const Entry& e) { return e.constants.empty() && e.used == oldest; });
}

// All of a key in a row of bytes, and the constants it names.
struct Key {
  absl::InlinedVector<char, 512> bytes;
  absl::InlinedVector<const StorageImpl*, 4> constants;
  bool known = true;      // that all of them are constant
  uint32_t changing = 0;  // the first argument that is none

  template <class T>
  void Add(const T* first, size_t n) {
    const char* begin = reinterpret_cast<const char*>(first);
    bytes.insert(bytes.end(), begin, begin + n * sizeof(T));
  }
  void AddConstant(const SyTensor& t) {
    const TensorImpl* impl = ImplOf(t.ref);
    constants.push_back(impl->storage);
    const uint64_t words[] = {reinterpret_cast<uint64_t>(impl->storage), t.byte_offset, t.dtype,
                              t.ndim};
    Add(words, std::size(words));
    Add(t.sizes, t.ndim);
    Add(t.strides, t.ndim);
  }
  std::string_view text() const { return {bytes.data(), bytes.size()}; }
};

Key KeyOf(const Frame& f, const SyStateKey& given) {
  Key key;
  for (uint32_t i = 0; i < 64; ++i) {
    if ((given.constants >> i & 1) == 0) continue;
    const SyValue* v = i < f.n_in ? &f.in[i] : nullptr;
    if (v == nullptr || v->tag != SY_V_TENSOR || (v->u.tensor->flags & SY_TENSOR_CONSTANT) == 0) {
      key.known = false;
      key.changing = i;
      return key;
    }
    key.AddConstant(*v->u.tensor);
  }
  const uint64_t place[] = {f.key, given.constants};
  key.Add(place, std::size(place));
  key.Add(static_cast<const char*>(given.data), given.bytes);
  return key;
}

void* Hold(Frame& f, const std::shared_ptr<Kept>& kept) {
  f.Ask().held.push_back(kept);
  return kept->state();
}

}  // namespace

void* FindState(Frame& f, const SyStateKey& given) {
  const Key key = KeyOf(f, given);
  if (!key.known) return nullptr;
  All& a = all();
  std::lock_guard lock(a.mutex);
  const auto states = a.of.find(&f.record());
  if (states == a.of.end()) return nullptr;
  const auto it = states->second.by_key.find(key.text());
  if (it == states->second.by_key.end()) return nullptr;
  it->second.used = ++a.lookups;
  return Hold(f, it->second.kept);
}

void* KeepState(Frame& f, const SyStateKey& given, void* state, void (*destroy)(void*) noexcept) {
  const Key key = KeyOf(f, given);
  if (!key.known) {
    Fail(ErrorCode::kInvalidArgument, f.record().op,
         {"state is kept by argument ", key.changing, ", which is no constant"});
  }
  static const bool watched = (sy::internal::OnConstantDeath(DropConstant), true);
  static_cast<void>(watched);
  Dropped dropped;
  All& a = all();
  std::lock_guard lock(a.mutex);
  States& states = a.of[&f.record()];
  auto [it, is_new] = states.by_key.try_emplace(std::string(key.text()));
  Entry& e = it->second;
  if (is_new) {
    try {
      e.constants.assign(key.constants.begin(), key.constants.end());
      e.kept = std::make_shared<Kept>(f.record().slot, state, destroy);
    } catch (...) {
      states.by_key.erase(it);
      throw;
    }
  } else {
    dropped.push_back(std::make_shared<Kept>(f.record().slot, state, destroy));
  }
  e.used = ++a.lookups;
  void* kept = Hold(f, e.kept);
  if (is_new && key.constants.empty() && ++states.without_constants > SY_MOST_STATES)
    MakeRoom(states, dropped);
  return kept;
}

void DropStates(const KernelRecord& kernel) noexcept {
  States dropped;  // ends after the lock
  std::lock_guard lock(all().mutex);
  const auto it = all().of.find(&kernel);
  if (it == all().of.end()) return;
  std::swap(dropped, it->second);
  all().of.erase(it);
}

}  // namespace sy::plugin
