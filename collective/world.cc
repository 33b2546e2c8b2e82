// The world: who this rank is, and the groups that it is in.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>

#include "collective/making_internal.h"
#include "collective/work_internal.h"
#include "switchyard/registry/name.h"

namespace sy::collective {
namespace {

constexpr std::string_view kWorld = "world";
constexpr int kPort = 29400;
constexpr std::chrono::milliseconds kTimeout = std::chrono::minutes(10);
constexpr std::chrono::milliseconds kWatch{100};

// Changes with every group that is made or destroyed, of any world.
std::atomic<uint64_t> changes{1};

struct World {
  int rank = 0, size = 1;
  std::string engine, host;
  std::chrono::milliseconds timeout = kTimeout;
  bool check = false;
  std::shared_ptr<Store> store;

  std::mutex mutex;  // of what follows
  std::vector<std::unique_ptr<Group>> groups;
  uint64_t made = 0;  // groups that were to be made so far, the same number on every rank
  std::condition_variable changed;
  std::thread watch;
  bool ends = false;
};

std::mutex process_mutex;  // of InitWorld and EndWorld
std::atomic<World*> process_world{nullptr};
thread_local World* this_world = nullptr;

World* CurrentWorld() {
  return this_world != nullptr ? this_world : process_world.load(std::memory_order_acquire);
}
World& RequireWorld() {
  World* w = CurrentWorld();
  if (w == nullptr) Fail(ErrorCode::kUnavailable, {"there is no world: InitWorld makes it"});
  return *w;
}

std::string_view WithoutAlias(std::string_view name) { return name == "0" ? kWorld : name; }

Group* Find(World& w, std::string_view name) {
  for (const auto& g : w.groups) {
    if (g->name == name) return g.get();
  }
  return nullptr;
}

// "'tp' of ranks [0, 2]"
std::string Describe(std::string_view name, std::span<const int> ranks) {
  std::string s = Join({"'", name, "' of ranks ["});
  for (size_t i = 0; i < ranks.size(); ++i) s += Join({i == 0 ? "" : ", ", ranks[i]});
  return s + "]";
}

// Takes all memory before the last meeting: where all have come to that, all have the group.
Group& Make(World& w, Making& making, std::string_view name, std::span<const int> ranks,
            int my_rank, const GroupOptions& options, uint64_t number) {
  GroupPlan plan;
  plan.rank = my_rank;
  plan.ranks.assign(ranks.begin(), ranks.end());
  plan.timeout = options.timeout.value_or(w.timeout);
  plan.store = w.store.get();
  plan.host = w.host;
  plan.key = Join({name, "#", number});
  plan.key_failed = making.KeyOfFailure();
  const std::string what = Describe(name, ranks);
  auto group = std::make_unique<Group>(std::string(name), plan,
                                       options.engine.empty() ? w.engine : options.engine, options,
                                       options.check.value_or(w.check), &w);
  {
    std::lock_guard lock(w.mutex);
    w.groups.reserve(w.groups.size() + 1);
  }
  // Other engines wait for all ranks, and so start where all have come.
  const bool waits = group->engine_name != "local";
  if (waits) making.Meet(plan, 1, what);
  try {
    group->Start();
    making.Meet(plan, 2, what);
  } catch (const std::exception&) {
    group->Discard();
    throw;
  }
  std::lock_guard lock(w.mutex);
  changes.fetch_add(1);
  return *w.groups.emplace_back(std::move(group));
}

Group& MakeWorldGroup(World& w, std::string_view op, const GroupOptions& options) {
  WatchCallsWithoutMemory();
  Making making(*w.store, 0, op, kWorld, w.rank);
  try {
    w.store->MakeRoom(w.rank);
    std::vector<int> all(static_cast<size_t>(w.size));
    for (int r = 0; r < w.size; ++r) all[static_cast<size_t>(r)] = r;
    return Make(w, making, kWorld, all, w.rank, options, 0);
  } catch (const std::exception&) {
    making.FailHere(/*tells=*/true);
  }
}

// lock: of w, held. unheard: lines of groups that are just being made here.
void LookAround(World& w, std::unique_lock<std::mutex>& lock, std::vector<std::string>& unheard) {
  std::string progress;
  for (const auto& g : w.groups) progress += g->Progress() + "\n";
  lock.unlock();
  News news = w.store->Exchange(progress);
  lock.lock();
  constexpr size_t kKept = 256;
  unheard.insert(unheard.end(), news.told.begin(), news.told.end());
  std::erase_if(unheard, [&](const std::string& line) {
    return std::any_of(w.groups.begin(), w.groups.end(),
                       [&](const auto& g) { return g->Hear(line); });
  });
  if (unheard.size() > kKept)
    unheard.erase(unheard.begin(), unheard.end() - static_cast<std::ptrdiff_t>(kKept));
  for (const auto& g : w.groups) g->Watch(news.ended);
}
void WatchOver(World& w) {
  std::vector<std::string> unheard;
  std::unique_lock lock(w.mutex);
  while (!w.changed.wait_for(lock, kWatch, [&] { return w.ends; })) {
    try {
      LookAround(w, lock, unheard);
    } catch (const std::bad_alloc&) {  // there may be some the next time
      if (!lock.owns_lock()) lock.lock();
    }
  }
}

void EndWatch(World& w) {
  {
    std::lock_guard lock(w.mutex);
    w.ends = true;
  }
  w.changed.notify_all();
  if (w.watch.joinable()) w.watch.join();
}

std::string Environment(const char* name) {
  const char* text = secure_getenv(name);
  return text == nullptr ? "" : text;
}
// Errors: kInvalidArgument for a text that is no number.
std::optional<int> NumberIn(const char* name) {
  const std::string text = Environment(name);
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const long n = std::strtol(text.c_str(), &end, 10);
  if (*end != '\0' || n < 0 || n > 1'000'000)
    Fail(ErrorCode::kInvalidArgument, {name, " is '", text, "', expected a number"});
  return static_cast<int>(n);
}
std::optional<int> FirstOf(std::optional<int> given, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (given) break;
    given = NumberIn(name);
  }
  return given;
}

// Where all ranks' first meeting is. Launchers of MPI set none: of those on one machine the port
// follows from the job's number.
void FindAddress(const WorldOptions& o, std::string& address, int& port) {
  address = o.address.empty() ? Environment("MASTER_ADDR") : o.address;
  port = o.port != 0 ? o.port : NumberIn("MASTER_PORT").value_or(0);
  if (port == 0) {
    const std::string job = Environment("PMIX_NAMESPACE");
    constexpr size_t kFirst = 20000, kPorts = 10000;
    port = job.empty() ? kPort : static_cast<int>(kFirst + std::hash<std::string>()(job) % kPorts);
  }
  if (!address.empty()) return;
  const std::optional<int> here = NumberIn("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (here && here != NumberIn("OMPI_COMM_WORLD_SIZE")) {
    Fail(ErrorCode::kInvalidArgument,
         {"ranks are on several machines: MASTER_ADDR must say where rank 0 is"});
  }
  address = "127.0.0.1";
}

}  // namespace

Group& InitWorld(const WorldOptions& options) {
  std::lock_guard lock(process_mutex);
  if (process_world.load() != nullptr)
    Fail(ErrorCode::kBusy, {"the process is in a world already: EndWorld leaves it"});
  const bool launched = !Environment("OMPI_COMM_WORLD_SIZE").empty();
  auto w = std::make_unique<World>();
  w->rank = FirstOf(options.rank, {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"}).value_or(0);
  w->size = FirstOf(options.size, {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}).value_or(1);
  if (w->size < 1 || w->rank < 0 || w->rank >= w->size)
    Fail(ErrorCode::kInvalidArgument, {"no rank ", w->rank, " in a world of ", w->size});
  w->engine =
      options.group.engine.empty() ? Environment("SWITCHYARD_ENGINE") : options.group.engine;
  if (w->engine.empty()) w->engine = launched ? "mpi" : "gloo";
  const std::optional<int> seconds = NumberIn("SWITCHYARD_COLLECTIVE_TIMEOUT");
  w->timeout = options.group.timeout.value_or(
      seconds ? std::chrono::milliseconds(std::chrono::seconds(*seconds)) : kTimeout);
  w->check = options.group.check.value_or(Environment("SWITCHYARD_COLLECTIVE_CHECK") == "1");
  if (w->size == 1) {
    w->store = std::make_shared<LocalStore>(1);
  } else {
    std::string address;
    int port = 0;
    FindAddress(options, address, port);
    w->store = MakeTcpStore(address, port, w->rank, w->size, w->timeout);
    w->host = Environment("SWITCHYARD_HOST");
    if (w->host.empty()) w->host = address == "127.0.0.1" ? address : "";
  }
  if (w->size > 1) w->watch = std::thread([&w = *w] { WatchOver(w); });
  try {
    Group& world = MakeWorldGroup(*w, "InitWorld", options.group);
    process_world.store(w.release(), std::memory_order_release);
    return world;
  } catch (const std::exception&) {
    EndWatch(*w);
    w->store->TellRoom();
    throw;
  }
}

void EndWorld() {
  std::lock_guard lock(process_mutex);
  World* w = process_world.load();
  if (w == nullptr) return;
  {
    std::lock_guard inner(w->mutex);
    for (const auto& g : w->groups) {
      if (g->busy()) Fail(ErrorCode::kBusy, {"group '", g->name, "' has calls under way"});
    }
  }
  EndWatch(*w);
  process_world.store(nullptr);
  changes.fetch_add(1);
  w->groups.clear();
  w->store->Leave();
  delete w;
}

void RunRanks(int n, const std::function<void(int)>& f, const GroupOptions& options) {
  if (n < 1) Fail(ErrorCode::kInvalidArgument, {"RunRanks: expected at least one rank, got ", n});
  const auto store = std::make_shared<LocalStore>(n);
  std::mutex mutex;
  std::exception_ptr first;
  const auto run = [&](int rank) {
    World w;
    w.rank = rank;
    w.size = n;
    w.engine = "local";
    w.timeout = options.timeout.value_or(kTimeout);
    w.check = options.check.value_or(false);
    w.store = store;
    this_world = &w;
    try {
      MakeWorldGroup(w, "RunRanks", options);
      f(rank);
    } catch (...) {
      std::lock_guard lock(mutex);
      if (first == nullptr) first = std::current_exception();
      EndLocalRank(*store, rank);
    }
    w.groups.clear();  // once their queues are empty
    EndLocalRank(*store, rank);
    this_world = nullptr;
    changes.fetch_add(1);
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(n));
  try {
    for (int r = 0; r < n; ++r) threads.emplace_back(run, r);
  } catch (const std::exception&) {  // those that there are do not wait for the others
    {
      std::lock_guard lock(mutex);
      first = std::make_exception_ptr(CurrentError());
    }
    for (int r = static_cast<int>(threads.size()); r < n; ++r) EndLocalRank(*store, r);
  }
  for (std::thread& t : threads) t.join();
  if (first != nullptr) std::rethrow_exception(first);
}

void ReportToAllGroups(std::string_view what) noexcept {
  World* w = CurrentWorld();
  for (size_t i = 0; w != nullptr; ++i) {  // takes no memory
    Group* g = nullptr;
    {
      std::lock_guard lock(w->mutex);
      if (i >= w->groups.size()) return;
      g = w->groups[i].get();
    }
    g->NoteFailure(what);
  }
}

void FinishOnDevice(const Device& device) {
  World* w = CurrentWorld();
  if (w == nullptr) return;
  std::vector<Group*> groups;  // outside the lock, which their watch needs
  {
    std::lock_guard lock(w->mutex);
    for (const auto& g : w->groups) groups.push_back(g.get());
  }
  for (Group* g : groups) g->FinishOnDevice(device);
}

AsRank::AsRank(const Group& group) : saved_(this_world) {
  this_world = static_cast<World*>(group.world);
}
AsRank::~AsRank() { this_world = static_cast<World*>(saved_); }

namespace {
// This rank's position, or -1. Errors: kInvalidArgument for what no group is called, or has.
int PositionIn(World& w, std::string_view name, std::span<const int> ranks) {
  const bool odd = name.empty() || name.find_first_of(" \n/#") != std::string_view::npos;
  if (odd || WithoutAlias(name) == kWorld)
    Fail(ErrorCode::kInvalidArgument, {"this is no name for a group"});
  int mine = -1;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] < 0 || ranks[i] >= w.size)
      Fail(ErrorCode::kInvalidArgument, {"no rank ", ranks[i], " in a world of ", w.size});
    if (std::find(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(i), ranks[i]) !=
        ranks.begin() + static_cast<std::ptrdiff_t>(i))
      Fail(ErrorCode::kInvalidArgument, {"rank ", ranks[i], " is there twice"});
    if (ranks[i] == w.rank) mine = static_cast<int>(i);
  }
  if (ranks.empty()) Fail(ErrorCode::kInvalidArgument, {"it has no ranks"});
  std::lock_guard lock(w.mutex);
  if (Find(w, name) != nullptr)
    Fail(ErrorCode::kInvalidArgument, {"there is such a group already"});
  return mine;
}
}  // namespace

Group* NewGroup(std::string_view name, std::span<const int> ranks, const GroupOptions& options) {
  World& w = RequireWorld();
  uint64_t number = 0;
  {
    std::lock_guard lock(w.mutex);
    number = ++w.made;
  }
  Making making(*w.store, number, "NewGroup", name, w.rank);
  try {
    const int mine = PositionIn(w, name, ranks);
    if (mine < 0) return nullptr;
    w.store->MakeRoom(w.rank);
    return &Make(w, making, name, ranks, mine, options, number);
  } catch (const std::exception&) {
    // Whoever is not one of the group's is not waited for.
    making.FailHere(std::find(ranks.begin(), ranks.end(), w.rank) != ranks.end());
  }
}

void DestroyGroup(std::string_view name) {
  World& w = RequireWorld();
  std::unique_ptr<Group> gone;  // outside the lock: its thread ends
  std::lock_guard lock(w.mutex);
  const auto it = std::find_if(w.groups.begin(), w.groups.end(),
                               [&](const auto& g) { return g->name == WithoutAlias(name); });
  if (it == w.groups.end()) Fail(ErrorCode::kNotFound, {"there is no group '", name, "'"});
  if ((*it)->busy()) Fail(ErrorCode::kBusy, {"group '", name, "' has calls under way"});
  gone = std::move(*it);
  w.groups.erase(it);
  changes.fetch_add(1);
}

namespace {

// The group that this thread has asked for last, whose name is not looked up again.
struct LastGroup {
  const World* world = nullptr;
  uint64_t changes = 0;
  Group* group = nullptr;
  size_t size = 0;
  char name[40] = {};
};
thread_local constinit LastGroup last;

SY_NOINLINE Group* LookUpGroup(World& w, std::string_view name, uint64_t now) {
  std::lock_guard lock(w.mutex);
  Group* found = Find(w, WithoutAlias(name));
  if (found != nullptr && name.size() <= sizeof last.name) {
    last.world = &w;
    last.changes = now;
    last.group = found;
    last.size = name.copy(last.name, sizeof last.name);
  }
  return found;
}

}  // namespace

Group* FindGroup(std::string_view name) {
  World* w = CurrentWorld();
  if (w == nullptr) return nullptr;
  const uint64_t now = changes.load(std::memory_order_acquire);
  if (last.world == w && last.changes == now && last.size == name.size() &&
      SameText(last.name, name.data(), name.size())) [[likely]]
    return last.group;
  return LookUpGroup(*w, name, now);
}

Group& GroupOf(std::string_view name) {
  if (Group* g = FindGroup(name); g != nullptr) [[likely]]
    return *g;
  World* w = CurrentWorld();
  if (w == nullptr) {
    Fail(ErrorCode::kNotFound,
         {"there is no group '", name, "': InitWorld or RunRanks make the world"});
  }
  std::string all;
  std::lock_guard lock(w->mutex);
  for (const auto& g : w->groups) all += Join({all.empty() ? "'" : ", '", g->name, "'"});
  Fail(ErrorCode::kNotFound, {"rank ", w->rank, " is in no group '", name, "'; it is in ", all});
}

}  // namespace sy::collective
