// In the handler there is only what a signal may interrupt: no memory, no locks, no C++ runtime.
#include "tools/command/crash.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace sy::command {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
constexpr const char* kNames[] = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP"};

char during[512];  // "" while nothing is done
alignas(16) char handler_stack[32 * 1024];
uintptr_t stack_end = 0;  // of the main thread

struct Range {
  uintptr_t begin, end;
};
std::array<Range, 256> known;  // what was there when the command began
size_t num_known = 0;

bool IsKnown(uintptr_t at) {
  return std::any_of(known.begin(), known.begin() + num_known,
                     [at](const Range& r) { return r.begin <= at && at < r.end; });
}

// A buffer of text that is cut off where it ends.
struct Line {
  char text[4096 + 1024];
  size_t size = 0;
  void Add(const char* s) {
    for (; *s != 0 && size + 1 < sizeof(text); ++s) text[size++] = *s;
  }
};

uintptr_t Hex(const char*& s) {
  uintptr_t n = 0;
  for (;; ++s) {
    if (*s >= '0' && *s <= '9') {
      n = n * 16 + static_cast<uintptr_t>(*s - '0');
    } else if (*s >= 'a' && *s <= 'f') {
      n = n * 16 + static_cast<uintptr_t>(*s - 'a' + 10);
    } else {
      return n;
    }
  }
}

// A plugin's code in memory: lines of /proc/self/maps that can be run, are files, and were not
// there before.
struct Code {
  Range range;
  char path[512];
};
std::array<Code, 64> loaded;
size_t num_loaded = 0;

void ReadLine(const char* line) {
  const char* s = line;
  const uintptr_t begin = Hex(s);
  if (*s++ != '-') return;
  const uintptr_t end = Hex(s);
  const char* path = std::strchr(s, '/');
  if (path == nullptr || std::strlen(s) < 4 || s[3] != 'x' || IsKnown(begin)) return;
  if (num_loaded == loaded.size()) return;
  Code& c = loaded[num_loaded++];
  c.range = {begin, end};
  std::strncpy(c.path, path, sizeof(c.path) - 1);
}

void ReadMaps() {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  static char line[1024], buffer[4096];
  size_t n = 0;
  for (ssize_t got = 0; (got = read(file, buffer, sizeof(buffer))) > 0;) {
    for (ssize_t i = 0; i < got; ++i) {
      if (buffer[i] != '\n') {
        if (n + 1 < sizeof(line)) line[n++] = buffer[i];
        continue;
      }
      line[n] = 0;
      ReadLine(line);
      n = 0;
    }
  }
  close(file);
}

const Code* CodeAt(uintptr_t at) {
  for (size_t i = 0; i < num_loaded; ++i) {
    if (loaded[i].range.begin <= at && at < loaded[i].range.end) return &loaded[i];
  }
  return nullptr;
}

// Where it was interrupted, else whoever called that: the first return address of a plugin's.
const Code* Culprit(const ucontext_t& at) {
#if defined(__x86_64__)
  const auto pc = static_cast<uintptr_t>(at.uc_mcontext.gregs[REG_RIP]);
  const auto sp = static_cast<uintptr_t>(at.uc_mcontext.gregs[REG_RSP]);
#else
  const auto pc = static_cast<uintptr_t>(at.uc_mcontext.pc);
  const auto sp = static_cast<uintptr_t>(at.uc_mcontext.sp);
#endif
  if (const Code* c = CodeAt(pc); c != nullptr) return c;
  constexpr uintptr_t kFar = 64 * 1024;
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  if (sp % kWord != 0 || sp > stack_end || stack_end - sp > uintptr_t{8} << 20) return nullptr;
  for (uintptr_t a = sp; a < std::min(stack_end, sp + kFar); a += kWord) {
    uintptr_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(a),
                kWord);  // NOLINT(performance-no-int-to-ptr)
    if (const Code* c = CodeAt(word); c != nullptr) return c;
  }
  return nullptr;
}

void OnCrash(int signal, siginfo_t*, void* context) {
  static Line line;
  line.Add("switchyard: ");
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (kSignals[i] == signal) line.Add(kNames[i]);
  }
  ReadMaps();
  const Code* c = Culprit(*static_cast<const ucontext_t*>(context));
  if (c != nullptr) {
    line.Add(" in ");
    line.Add(c->path);
  }
  if (during[0] != 0) {
    line.Add(c != nullptr ? ", during " : " during ");
    line.Add(during);
  }
  line.Add("\n");
  // A line that cannot be written has no other place to go to.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.text, line.size);
  raise(signal);  // whose handler is the default one again
}

}  // namespace

void ReportCrashes() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void*) {
        for (int i = 0; i < info->dlpi_phnum && num_known < known.size(); ++i) {
          const auto& h = info->dlpi_phdr[i];
          if (h.p_type != PT_LOAD || (h.p_flags & PF_X) == 0) continue;
          const uintptr_t page = static_cast<uintptr_t>(getpagesize());
          const uintptr_t begin = info->dlpi_addr + h.p_vaddr;
          known[num_known++] = {begin / page * page, begin + h.p_memsz};
        }
        return 0;
      },
      nullptr);
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
      stack_end = reinterpret_cast<uintptr_t>(low) + size;
    }
    pthread_attr_destroy(&attributes);
  }
  stack_t other{};
  other.ss_sp = handler_stack;  // of this thread, for stacks that are full
  other.ss_size = sizeof(handler_stack);
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int s : kSignals) sigaction(s, &action, nullptr);
}

namespace {
void Put(std::string_view what) {
  const size_t n = std::min(what.size(), sizeof(during) - 1);
  std::memcpy(during, what.data(), n);
  during[n] = 0;
}
}  // namespace

During::During(std::string_view what) : before_(during) { Put(what); }
During::~During() { Put(before_); }

}  // namespace sy::command
