// Loading, unloading, forks, exits, and a second plugin beside this one.

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "testing/conform/trial.h"

namespace sy::conform {
namespace {

// Bytes that so many cycles lose.
int64_t Lost(const Subject& subject, int64_t cycles) {
  const int64_t before = BytesInUse();
  for (int64_t i = 0; i < cycles; ++i) Session(subject).UseAndUnload();
  return BytesInUse() - before;
}

// Malloc counts as in use what threads keep of freed blocks for themselves, a quarter of a megabyte
// each at most: threads of a driver's fill that up at some time, and then it is full. What is lost
// is lost again in as many cycles as there were before, also what grows by doubling.
void Cycles(const Subject& subject) {
  constexpr int64_t kWarm = 100;
  constexpr int kWindows = 4;
  Lost(subject, kWarm);
  int64_t cycles = subject.cycles, lost = 0;
  for (int window = 0; window < kWindows; ++window) {
    if (window > 1) cycles *= 2;
    lost = Lost(subject, cycles);
    // Less than 16 bytes, the smallest block of malloc, for each cycle.
    if (lost < 16 * cycles + 4096) return;
  }
  Broken({cycles, " times loaded and unloaded, ", lost, " bytes are lost, and as many before"});
}

void Unmapped(const Subject& subject) {
  const Session s(subject);
  s.UseAndUnload();
  void* still = dlopen(subject.plugin.c_str(), RTLD_NOW | RTLD_NOLOAD);
  Require(still == nullptr,
          {"the object stays in memory after unloading: build it with -fno-gnu-unique and state "
           "SY_NOTE_UNMAP_OK"});
}

void BusyWhileAlive(const Subject& subject) {
  const Session s(subject);
  {
    const Tensor alive = s.Empty({1000}, DType::kUInt8);
    const UnloadAnswer a = unload_plugin(s.plugin().name);
    Require(!a.unloaded && a.tensors == 1,
            {"with a tensor alive, unloading answers '", a.text, "', expected 'busy: 1 tensor …'"});
    const std::string why = Differ({s.There(PatternTensor(9, 1))}, {PatternTensor(9, 1)});
    Require(why.empty(), {"after a busy answer it no longer works: ", why});
  }
  s.Unload();
}

void TwiceIsAnError(const Subject& subject) {
  const Session s(subject);
  try {
    load_plugin(subject.plugin);
  } catch (const Error&) {
    return s.UseAndUnload();
  }
  Broken({"it can be loaded twice"});
}

// In the child of a fork a device works, or says that it does not; frees do nothing or work.
void Fork(const Subject& subject) {
  const Session s(subject);
  Tensor t = s.There(PatternTensor(100, 1));
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    int status = 0;
    try {
      status = Differ({s.There(PatternTensor(100, 2))}, {PatternTensor(100, 2)}).empty() ? 0 : 1;
    } catch (const Error& e) {
      status = e.code() == ErrorCode::kUnavailable ? 0 : 2;
    }
    t = Tensor();
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Require(WIFEXITED(status), {"the child of a fork dies (signal ", WTERMSIG(status), ")"});
  Require(WEXITSTATUS(status) != 1, {"in the child of a fork copies come back changed"});
  Require(WEXITSTATUS(status) == 0, {"in the child of a fork its error is not 'unavailable'"});
  const std::string why = Differ({t}, {PatternTensor(100, 1)});
  Require(why.empty(), {"after a fork the parent's memory has changed: ", why});
  t = Tensor();
  s.Unload();
}

// Ends the process by std::exit while tensors live in static variables.
void ExitWithLiveTensors(const Subject& subject) {
  static std::vector<Tensor> alive;
  const Session s(subject);
  alive.reserve(3);
  for (int i = 0; i < 3; ++i) alive.push_back(s.There(PatternTensor(100, i)));
  alarm(20);
  std::exit(0);
}

// Others copy and call while it is loaded and unloaded: each of them works or says why not.
void UnloadDuringCalls(const Subject& subject) {
  constexpr int kTimes = 100;
  { Session(subject).UseAndUnload(); }
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.reserve(2);
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      const Tensor host = PatternTensor(1000, t);
      while (!stop.load()) {
        try {
          const Tensor there = FromHost(host, ParseDevice(subject.device));
          if (!Differ({there}, {host}).empty()) wrong.fetch_add(1);
          call("add", there, there);
        } catch (const Error&) {  // not loaded just now, or no such kernel
        }
      }
    });
  }
  for (int i = 0; i < kTimes; ++i) {
    const std::string name = load_plugin(subject.plugin).name;
    std::this_thread::yield();
    for (int tries = 0; tries < 1000 && !unload_plugin(name).unloaded; ++tries) usleep(100);
    if (!loaded_plugins().empty()) {
      stop.store(true);
      break;
    }
  }
  stop.store(true);
  for (std::thread& t : threads) t.join();
  for (const PluginInfo& p : loaded_plugins())
    Require(unload_plugin(p.name).unloaded, {"it cannot be unloaded when the calls have ended"});
  Require(wrong.load() == 0, {wrong.load(), " copies came back changed"});
}

// Tensors go from each device to the other, as copy_ does it.
void TwoPlugins(const Subject& subject) {
  if (subject.other.empty()) NotApplicable({"no second plugin is given: --with FILE"});
  const Session s(subject);
  const PluginInfo other = load_plugin(subject.other);
  Require(!other.devices.empty(), {"plugin '", other.name, "' has no device"});
  const Device elsewhere = ParseDevice(other.devices[0]);
  const Tensor host = PatternTensor(1000, 1);
  {
    const Tensor here = s.There(host), there = Tensor::Empty({1000}, DType::kUInt8, elsewhere);
    call("copy_", there, here);
    std::string why = Differ({there}, {host});
    Require(why.empty(), {"copied to '", elsewhere.str(), "': ", why});
    const Tensor back = s.Empty({1000}, DType::kUInt8);
    call("copy_", back, there);
    why = Differ({back}, {host});
    Require(why.empty(), {"copied from '", elsewhere.str(), "': ", why});
    Require(try_call("add", here, there).code != ErrorCode::kOk,
            {"add of tensors of two devices gives no error"});
  }
  const UnloadAnswer a = unload_plugin(other.name);
  Require(a.unloaded, {"the other plugin stays: ", a.text});
  s.UseAndUnload();
}

constexpr Check kChecks[] = {
    {"lifecycle.cycles", "loading, using and unloading many times loses no memory", Cycles},
    {"lifecycle.unmapped", "after unloading the object is out of memory", Unmapped},
    {"lifecycle.busy", "unloading with a tensor alive answers busy and changes nothing",
     BusyWhileAlive},
    {"lifecycle.twice", "loading it twice is an error and changes nothing", TwiceIsAnError},
    {"lifecycle.fork", "after a fork it works in the child or says that it does not", Fork},
    {"lifecycle.exit", "the process may exit with tensors alive", ExitWithLiveTensors, true},
    {"lifecycle.unload_during_calls", "unloading while others call", UnloadDuringCalls},
    {"lifecycle.two_plugins", "tensors move to a second plugin's device and back", TwoPlugins},
};

}  // namespace

std::span<const Check> LifecycleChecks() { return kChecks; }

}  // namespace sy::conform
