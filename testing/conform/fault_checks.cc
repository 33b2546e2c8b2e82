// A plugin whose memory runs out, whose driver fails, which is loaded and unloaded by many at once:
// an error each time, nothing lost, and it works when that is over.

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

#include "switchyard/c/plugin.h"
#include "testing/conform/refusal.h"
#include "testing/conform/script.h"
#include "testing/conform/trial.h"
#include "third_party/fmt/format.h"

namespace sy::conform {
namespace {

// The object in memory before it is loaded: it stays there, with what its slots were given.
void* Opened(const Subject& subject) {
  void* object = dlopen(subject.plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) Fail(ErrorCode::kUnavailable, {"it cannot be opened: ", dlerror()});
  return object;
}

void OwnMemory(const Subject& subject) {
  void* object = Opened(subject);
  Script script(subject);
  RefuseMemory(ImportsOf(object));
  script.RefuseEach("refused: allocation");
}

void DeviceFunctions(const Subject& subject) {
  void* object = Opened(subject);
  Script script(subject);
  const std::string device = subject.device.substr(0, subject.device.find(':'));
  const Refusal all{.pattern = "*"};
  RefuseCalls(DeviceFunctionsOf(object, device), {&all, 1});
  for (const int32_t code : {SY_E_INTERNAL, SY_E_OUT_OF_MEMORY, SY_E_DEVICE_LOST}) {
    AnswerWith(code);
    script.RefuseEach(fmt::format("refused with code {}: device call", code));
  }
}

void Driver(const Subject& subject) {
  if (subject.driver.empty())
    NotApplicable({"no functions of its driver are named: --driver FUNCTION=RESULT"});
  std::vector<Refusal> refusals;
  refusals.reserve(subject.driver.size());
  for (const std::string& text : subject.driver) refusals.push_back(ParseRefusal(text));
  void* object = Opened(subject);
  Script script(subject);
  Require(RefuseCalls(ImportsOf(object), refusals) != 0,
          {"it calls no function that is named by --driver"});
  script.RefuseEach("refused: driver call");
}

// What a crowd of threads must not meet.
class Wrong {
 public:
  // Errors that say that it is not loaded, or that it is already, are as they should be.
  template <class F>
  void Try(F f) {
    try {
      f();
      worked_.fetch_add(1);
    } catch (const Error& e) {
      const bool gone = e.code() == ErrorCode::kUnavailable || e.code() == ErrorCode::kNotFound ||
                        e.code() == ErrorCode::kNotImplemented;
      if (!gone && e.message().find("is loaded already") == std::string::npos) Say(e.message());
    }
  }
  void Say(const std::string& what) {
    std::lock_guard lock(mutex_);
    if (first_.empty()) first_ = what;
  }
  const std::string& first() const { return first_; }
  int64_t worked() const { return worked_; }

 private:
  std::mutex mutex_;
  std::string first_;
  std::atomic<int64_t> worked_{0};
};

void LoadOrUnload(const Subject& subject, const std::string& name, unsigned choice, Wrong& wrong) {
  if (choice % 5 < 2) {
    wrong.Try([&] { load_plugin(subject.plugin); });
  } else if (choice % 5 < 4) {
    wrong.Try([&] { unload_plugin(name); });
  } else {
    wrong.Try([] { loaded_plugins(); });
  }
}

void CopyAndCall(const Subject& subject, const Tensor& host, Wrong& wrong) {
  wrong.Try([&] {
    const Tensor there = FromHost(host, ParseDevice(subject.device));
    const Tensor back = ToHost(there);
    if (std::memcmp(back.data(), host.data(), host.nbytes()) != 0)
      wrong.Say("copies come back changed");
    const sy::Outcome sum = try_call("add", there, there);
    if (!sum) return;  // it has no such kernel, or has gone meanwhile
    if (!Differ({sum.results.tensor()}, {call("add", host, host).take()}).empty())
      wrong.Say("add gives other numbers");
  });
}

void ManyLoadAndUnload(const Subject& subject) {
  std::string name;
  {
    const Session s(subject);
    name = s.plugin().name;
    s.UseAndUnload();
  }
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(subject.places == 0 ? 60 : 3);
  constexpr unsigned kLoaders = 4, kThreads = 8;
  Wrong wrong;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      const Tensor host = PatternTensor(1000, static_cast<int>(t));
      while (std::chrono::steady_clock::now() < end) {
        if (t < kLoaders) {
          LoadOrUnload(subject, name, static_cast<unsigned>(random()), wrong);
        } else {
          CopyAndCall(subject, host, wrong);
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  Require(wrong.first().empty(), {"loaded and unloaded by ", kLoaders, " threads while ",
                                  kThreads - kLoaders, " call: ", wrong.first()});
  for (const PluginInfo& p : loaded_plugins()) {
    const UnloadAnswer a = unload_plugin(p.name);
    Require(a.unloaded, {"when all threads have ended, unloading answers '", a.text, "'"});
  }
  Session(subject).UseAndUnload();
}

constexpr Check kChecks[] = {
    {"faults.memory", "memory that its own code asks for runs out, at any place", OwnMemory},
    {"faults.device", "its device's functions fail, at any call", DeviceFunctions},
    {"faults.driver", "functions of its driver fail, at any call", Driver},
    {"faults.threads", "four threads load and unload it while four copy and call",
     ManyLoadAndUnload},
};

}  // namespace

std::span<const Check> FaultChecks() { return kChecks; }

}  // namespace sy::conform
