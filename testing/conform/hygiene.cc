// What a plugin leaves behind in the process that uses it: nothing.

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <new>

#include "plugin/elf.h"
#include "switchyard/c/plugin.h"
#include "testing/conform/trial.h"
#include "third_party/fmt/format.h"

extern char** environ;

namespace sy::conform {
namespace {

// Memory, copies and once every kernel whose operator the host computes too: what others are made
// to do, to fail for instance, nobody knows.
void Use(const Session& s) {
  const Tensor t = s.There(PatternTensor(1000, 1));
  ToHost(t);
  for (const Trial& trial : TrialsOf(s)) {
    const TrialArguments host(*trial.op, trial.dtype, Layout::kPlain, Indices::kLikeSelf, nullptr);
    if (!host.can_be_made() || Try(*trial.op, host).threw) continue;
    Try(*trial.op, TrialArguments(*trial.op, trial.dtype, Layout::kPlain, Indices::kLikeSelf, &s));
  }
  s.backend().Synchronize(s.index());
}

// The host's own first use of things: threads, those of its libraries too, files, generators.
void WarmUp() {
  const Tensor a = PatternTensor(1000, 1);
  call("add", a, a);
  const Tensor m = call("ones", {512, 512});
  call("mm", m, m);
}

// f(): what must be the same before loading, after use, and after unloading.
template <class F>
void RequireSame(const Subject& subject, std::string_view what, F f) {
  WarmUp();
  const auto before = f();
  const Session s(subject);
  Require(f() == before, {"loading it changes ", what});
  Use(s);
  Require(f() == before, {"using it changes ", what});
  s.Unload();
  Require(f() == before, {"unloading it changes ", what});
}

std::string FloatingPointEnvironment() {
  std::fenv_t environment;
  std::fegetenv(&environment);
  // Which exceptions have happened is not part of what must be kept.
#if defined(__x86_64__)
  const unsigned modes = environment.__mxcsr & ~0x3fu;
#elif defined(__aarch64__)
  const unsigned modes = environment.__fpcr;
#endif
  return fmt::format("{} {}", std::fegetround(), modes);
}

void Rounding(const Subject& subject) {
  const std::string before = FloatingPointEnvironment();
  // Opened without the loader, which puts right what this changes.
  void* object = dlopen(subject.plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string opened = FloatingPointEnvironment();
  Require(object != nullptr && opened == before,
          {"opening the object changes rounding (is it linked with -ffast-math?)"});
  dlclose(object);
  RequireSame(subject, "rounding", FloatingPointEnvironment);
}

void SignalHandlers(const Subject& subject) {
  RequireSame(subject, "signal handlers", [] {
    std::vector<std::pair<uintptr_t, int>> all;
    for (int n = 1; n < NSIG; ++n) {
      struct sigaction action {};
      sigaction(n, nullptr, &action);
      // The C library sets this one with every handler that is set, put back ones too.
      constexpr int kRestorer = 0x04000000;  // SA_RESTORER of Linux
      all.emplace_back(reinterpret_cast<uintptr_t>(action.sa_sigaction),
                       action.sa_flags & ~kRestorer);
    }
    return all;
  });
}

void TerminateHandlers(const Subject& subject) {
  RequireSame(subject, "the terminate or new handler",
              [] { return std::pair(std::get_terminate(), std::get_new_handler()); });
}

size_t Entries(const char* folder) {
  DIR* d = opendir(folder);
  size_t n = 0;
  while (readdir(d) != nullptr) ++n;
  closedir(d);
  return n;
}

// While it is loaded it may have threads and files; afterwards none. Threads take a while to go.
void RequireBack(const Subject& subject, const char* folder, const char* what) {
  WarmUp();
  {
    const Session warm(subject);  // what the host itself keeps after its first plugin
    Use(warm);
    warm.Unload();
  }
  const size_t before = Entries(folder);
  const Session s(subject);
  Use(s);
  s.Unload();
  size_t after = Entries(folder);
  for (int i = 0; i < 100 && after != before; ++i) {
    usleep(10'000);
    after = Entries(folder);
  }
  Require(after <= before, {"after unloading there are ", after, " ", what, ", before ", before});
}

void Threads(const Subject& subject) { RequireBack(subject, "/proc/self/task", "threads"); }
void Files(const Subject& subject) { RequireBack(subject, "/proc/self/fd", "open files"); }

void ThreadsOfTheFirstUse(const Subject& subject) {
  WarmUp();
  const size_t before = Entries("/proc/self/task");
  {
    const Session s(subject);
    Use(s);
    s.Unload();
  }
  for (int i = 0; i < 100 && Entries("/proc/self/task") > before; ++i) usleep(10'000);
  const size_t after = Entries("/proc/self/task");
  Require(after <= before, {after - before, " threads go on after unloading"});
}

void Locale(const Subject& subject) {
  RequireSame(subject, "locale, working directory, file mode or environment", [] {
    std::string all = std::setlocale(LC_ALL, nullptr);
    all += std::filesystem::current_path().string();
    const mode_t mode = umask(0);
    umask(mode);
    all += std::to_string(mode);
    for (char** variable = environ; *variable != nullptr; ++variable) all += *variable;
    return all;
  });
}

// What -fvisibility=hidden does not reach: templates of the C++ library, with what is static in
// them, and marks of the linker.
bool MayBeExported(std::string_view name) {
  if (name.starts_with("_Z")) {
    name.remove_prefix(2);
    // Guards, what is local to a function, type information, names in namespaces, const.
    for (const std::string_view mark : {"GV", "Z", "TI", "TS", "TV", "N", "K"}) {
      if (name.starts_with(mark)) name.remove_prefix(mark.size());
    }
    return name.starts_with("St") || name.starts_with("9__gnu_cxx");
  }
  constexpr std::string_view kNames[] = {
      SY_PLUGIN_ENTRY_NAME, "__bss_start", "_edata", "_end", "_init", "_fini"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

void OneSymbol(const Subject& subject) {
  std::string others;
  bool entry = false;
  for (const std::string& name : plugin::ElfFile(subject.plugin).Exported()) {
    entry |= name == SY_PLUGIN_ENTRY_NAME;
    if (!MayBeExported(name)) others += " " + name;
  }
  constexpr size_t kRoom = 500;  // characters: enough to see whose they are
  Require(entry, {"it does not export ", SY_PLUGIN_ENTRY_NAME});
  Require(others.empty(), {"it exports more than ", SY_PLUGIN_ENTRY_NAME, ":",
                           others.substr(0, kRoom), "; build it with -fvisibility=hidden"});
}

void NothingOfTheHost(const Subject& subject) {
  for (const std::string& library : plugin::ElfFile(subject.plugin).Needed()) {
    Require(library.find("switchyard") == library.npos,
            {"it is linked with '", library, "': plugins use the header alone"});
  }
}

constexpr Check kChecks[] = {
    {"hygiene.rounding", "rounding and flush-to-zero stay as they are", Rounding},
    {"hygiene.signals", "signal handlers stay as they are", SignalHandlers},
    {"hygiene.terminate", "the terminate and the new handler stay as they are", TerminateHandlers},
    {"hygiene.threads", "no thread goes on after unloading", ThreadsOfTheFirstUse},
    {"hygiene.threads_again", "loading again adds no thread", Threads},
    {"hygiene.files", "loading again leaves no file open", Files},
    {"hygiene.locale", "locale, working directory, file mode and environment stay", Locale},
    {"hygiene.one_symbol", "the object exports its entry point alone", OneSymbol},
    {"hygiene.nothing_of_the_host", "the object needs no library of ours", NothingOfTheHost},
};

}  // namespace

std::span<const Check> HygieneChecks() { return kChecks; }

}  // namespace sy::conform
