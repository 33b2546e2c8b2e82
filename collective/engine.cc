#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "collective/engine_internal.h"
#include "switchyard/collective/reduce.h"
#include "switchyard/core/error.h"
#include "switchyard/core/private_library.h"

namespace sy::collective {
namespace {

constexpr size_t kMessage = 1024;

// What an engine's `store` is.
struct StoreOfGroup {
  Store& store;
  const std::string key_failed;
};
int SetInStore(void* store, const char* key, const void* bytes, int64_t n) {
  try {
    static_cast<StoreOfGroup*>(store)->store.Set(
        key, std::string(static_cast<const char*>(bytes), static_cast<size_t>(n)));
    return 0;
  } catch (...) {
    return 1;
  }
}
constexpr std::chrono::seconds kStorePatience{30};
constexpr std::chrono::milliseconds kStoreLook{100};  // how often whether the group is made at all
int64_t GetFromStore(void* of_group, const char* key, void* bytes, int64_t room) {
  try {
    const StoreOfGroup& of = *static_cast<StoreOfGroup*>(of_group);
    std::optional<std::string> found;
    for (auto waited = 0 * kStoreLook; !found && waited < kStorePatience; waited += kStoreLook) {
      found = of.store.Get(key, kStoreLook);
      if (!found && of.store.Get(of.key_failed, Store::Milliseconds(0))) break;
    }
    if (!found) return -1;
    found->copy(static_cast<char*>(bytes), static_cast<size_t>(room));
    return static_cast<int64_t>(found->size());
  } catch (...) {
    return -1;
  }
}
int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
void Pause() { std::this_thread::sleep_for(std::chrono::microseconds(100)); }
void ReduceFor(int32_t op, int32_t dtype, void* to, const void* from, int64_t n) {
  Reduce(static_cast<SyReduceOp>(op), static_cast<DType>(dtype), to, from, n);
}

// An engine behind its library's functions.
class LibraryEngine final : public Engine {
 public:
  LibraryEngine(const SyEngine& library, const GroupPlan& plan)
      : library_(library), store_{*plan.store, plan.key_failed} {
    SyEngineGroup g = {};
    g.size_of_this = sizeof g;
    g.rank = plan.rank;
    g.size = static_cast<int32_t>(plan.ranks.size());
    g.timeout_ms = plan.timeout.count();
    g.name = plan.key.c_str();
    g.host = plan.host.c_str();
    g.world_ranks = plan.ranks.data();
    g.store = &store_;
    g.set = SetInStore;
    g.get = GetFromStore;
    g.device = plan.device;
    g.now_ms = NowMs;
    g.pause = Pause;
    g.reduce = ReduceFor;
    char error[kMessage] = "";
    engine_ = library.make(&g, error, sizeof error);
    if (engine_ == nullptr)
      Fail(ErrorCode::kUnavailable, {"engine '", library.name, "' does not start: ", error});
  }
  ~LibraryEngine() override { library_.end(engine_); }
  bool Run(const SyCollective& call) override {
    char error[kMessage];
    error[0] = '\0';
    const int failed = library_.run(engine_, &call, error, sizeof error);
    if (failed == SY_NOT_DONE) return false;
    if (failed == SY_NO_MEMORY) Fail(ErrorCode::kOutOfMemory, {std::string_view(error)});
    if (failed != 0) Fail(ErrorCode::kUnavailable, {std::string_view(error)});
    return true;
  }
  void Poll() override {
    char error[kMessage];
    error[0] = '\0';
    if (library_.poll != nullptr && library_.poll(engine_, error, sizeof error) != 0)
      Fail(ErrorCode::kUnavailable, {std::string_view(error)});
  }
  void Abort(std::string_view why) noexcept override {
    char text[kMessage];
    text[why.copy(text, kMessage - 1)] = '\0';
    library_.abort(engine_, text);
  }

 private:
  const SyEngine& library_;
  StoreOfGroup store_;
  void* engine_ = nullptr;
};

// Beside the program and this library, and where the environment says.
std::vector<std::string> Folders() {
  std::vector<std::string> all;
  if (const char* given = secure_getenv("SWITCHYARD_ENGINE_PATH"); given != nullptr) {
    std::string_view rest = given;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(':'), rest.size());
      if (rest.front() == '/') all.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (const std::string folder = OwnFolder(); !folder.empty()) {
    for (const char* at : {"", "/switchyard", "/../lib/switchyard", "/../lib"})
      all.push_back(folder + at);
  }
  return all;
}

}  // namespace

const SyEngine* OpenEngine(std::string_view engine, std::string* why) {
  static std::mutex mutex;
  static auto* const opened = new std::map<std::string, const SyEngine*, std::less<>>;
  std::lock_guard lock(mutex);
  if (const auto it = opened->find(engine); it != opened->end()) return it->second;
  const std::string file = Join({"libswitchyard_", engine, ".so"});
  std::string path = file;
  for (const std::string& folder : Folders()) {
    std::error_code ignored;
    if (std::filesystem::exists(folder + "/" + file, ignored)) {
      path = folder + "/" + file;
      break;
    }
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    *why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc's is a thread's own
    return nullptr;
  }
  const auto get = reinterpret_cast<SyEngineFn>(dlsym(handle, SY_ENGINE_SYMBOL));
  const SyEngine* found = get == nullptr ? nullptr : get();
  char missing[kMessage] = "";
  if (found == nullptr || found->size_of_this < sizeof(SyEngine)) {
    *why = path + " is no engine of this version";
    return nullptr;
  }
  if (found->available != nullptr && found->available(missing, sizeof missing) != 0) {
    *why = missing;
    return nullptr;
  }
  opened->emplace(engine, found);
  return found;
}

std::unique_ptr<Engine> MakeEngine(std::string_view engine, const GroupPlan& plan) {
  if (engine == "local") return MakeLocalEngine(plan);
  std::string why;
  const SyEngine* library = OpenEngine(engine, &why);
  if (library == nullptr)
    Fail(ErrorCode::kUnavailable, {"engine '", engine, "' is not there: ", why});
  return std::make_unique<LibraryEngine>(*library, plan);
}

std::string_view KindName(int kind) {
  constexpr std::array<std::string_view, SY_RECV + 1> kNames = {
      "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast",
      "scatter",    "gather",     "barrier",        "send",       "recv"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view OperatorName(int kind) {
  constexpr std::array<std::string_view, SY_RECV + 1> kNames = {
      "_c10d_functional::all_reduce",
      "_c10d_functional::all_gather_into_tensor",
      "_c10d_functional::reduce_scatter_tensor",
      "_c10d_functional::all_to_all_single",
      "_c10d_functional::broadcast",
      "c10d::scatter",
      "c10d::gather",
      "c10d::barrier",
      "c10d::send",
      "c10d::recv"};
  return kNames[static_cast<size_t>(kind)];
}

std::string Describe(const SyCollective& c) {
  std::string s(KindName(c.kind));
  if (c.kind == SY_BARRIER) return s;
  s += Join({" of ", static_cast<DType>(c.dtype)});
  if (c.kind != SY_ALL_TO_ALL) s += Join({"[", c.count, "]"});
  if (Reduces(c.kind)) s += Join({", ", Name(static_cast<SyReduceOp>(c.op))});
  if (c.kind == SY_SEND) return s + Join({" to rank ", c.peer, ", tag ", c.tag});
  if (c.kind == SY_RECV) return s + Join({" from rank ", c.peer, ", tag ", c.tag});
  if (c.kind == SY_BROADCAST || c.kind == SY_SCATTER) s += Join({", from rank ", c.peer});
  if (c.kind == SY_GATHER) s += Join({", to rank ", c.peer});
  return s;
}

namespace {
int64_t SumOf(const int64_t* counts, int n) {
  int64_t sum = 0;
  for (int i = 0; i < n; ++i) sum += counts[i];
  return sum;
}
}  // namespace

int64_t InBytes(const SyCollective& c, int size) {
  if (c.kind == SY_ALL_TO_ALL) return SumOf(c.in_counts, size) * c.item_size;
  const bool all = c.kind == SY_REDUCE_SCATTER || c.kind == SY_SCATTER;
  return c.count * c.item_size * (all ? size : 1);
}
int64_t OutBytes(const SyCollective& c, int size) {
  if (c.kind == SY_ALL_TO_ALL) return SumOf(c.out_counts, size) * c.item_size;
  const bool all = c.kind == SY_ALL_GATHER || c.kind == SY_GATHER;
  return c.count * c.item_size * (all ? size : 1);
}

}  // namespace sy::collective
