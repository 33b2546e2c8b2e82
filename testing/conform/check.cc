#include "testing/conform/check.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "third_party/fmt/format.h"

namespace sy::conform {
namespace {

struct Left {  // thrown: a check that leaves early
  Outcome outcome;
};

std::map<std::pair<std::string, std::string>, Exercise> counts;  // of this process
const char* running = "";                                        // in it

// What the child called last, in memory of both.
constexpr size_t kCalledRoom = 4096;
char* Called() {
  static char* const page = static_cast<char*>(
      mmap(nullptr, kCalledRoom, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return page == MAP_FAILED ? nullptr : page;
}
std::string InCall() {
  const char* called = Called();
  return called == nullptr || *called == 0 ? "" : fmt::format(", in {}", called);
}

// The verdict in one letter, then the text; then, a line each, what was exercised.
constexpr char kSection = '\x1d';
void Tell(int fd, const Outcome& o) {
  std::string message = std::string(1, static_cast<char>('0' + int(o.verdict))) + o.why + kSection;
  for (const auto& [key, e] : counts)
    message += fmt::format("{} {} {} {} {:d}\n", e.op, e.dtype, e.calls, e.declined, e.second_run);
  for (size_t done = 0; done < message.size();) {
    const ssize_t n = write(fd, message.data() + done, message.size() - done);
    if (n < 0 && errno != EINTR) break;  // nobody listens any more
    if (n > 0) done += static_cast<size_t>(n);
  }
}

[[noreturn]] void RunChild(const Check& check, const Subject& subject, int fd) {
  // The device's own memory is looked at, block by block: nothing is kept between.
  setenv("SWITCHYARD_PLUGIN_CACHING", "0", 1);
  running = check.name;
  Outcome o;
  try {
    check.run(subject);
    if (check.exits) o = {Verdict::kFailed, "its process went on"};
  } catch (const Left& left) {
    o = left.outcome;
  } catch (const Error& e) {
    o = {Verdict::kFailed, e.message()};
  } catch (const std::exception& e) {
    o = {Verdict::kFailed, fmt::format("an exception that is no sy::Error: {}", e.what())};
  }
  Tell(fd, o);
  _exit(0);  // without the parent's destructors
}

// What the child tells until it closes its end; false when it takes too long.
bool Listen(int fd, std::chrono::milliseconds limit, std::string* message) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd p{fd, POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : poll(&p, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    char chunk[4096];
    const ssize_t n = read(fd, chunk, sizeof(chunk));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    message->append(chunk, static_cast<size_t>(n));
  }
}

Outcome Read(const std::string& message) {
  const size_t end = std::min(message.rfind(kSection), message.size());
  Outcome o{static_cast<Verdict>(message[0] - '0'), message.substr(1, end - 1)};
  std::istringstream lines(message.substr(std::min(end + 1, message.size())));
  for (Exercise e; lines >> e.op >> e.dtype >> e.calls >> e.declined >> e.second_run;)
    o.exercised.push_back(e);
  return o;
}

Outcome Judge(const Check& check, const std::string& message, int status) {
  if (WIFSIGNALED(status))
    return {Verdict::kFailed,
            fmt::format("the process died: {}{}", strsignal(WTERMSIG(status)), InCall())};
  const bool ended_well = WEXITSTATUS(status) == 0;
  if (!message.empty() && ended_well) return Read(message);
  if (check.exits && ended_well) return {};
  return {Verdict::kFailed, fmt::format("the process ended with status {}", WEXITSTATUS(status))};
}

}  // namespace

std::string_view RunningCheck() { return running; }

void SayCalled(std::string_view call) {
  char* const to = Called();
  if (to == nullptr) return;
  const size_t n = std::min(call.size(), kCalledRoom - 1);
  std::memcpy(to, call.data(), n);
  to[n] = 0;
}

Exercise& Counted(const std::string& op, const std::string& dtype) {
  return counts.try_emplace({op, dtype}, Exercise{op, dtype}).first->second;
}

std::string_view Name(Verdict v) {
  constexpr std::string_view kNames[] = {"pass", "fail", "n/a"};
  return kNames[static_cast<int>(v)];
}

void Broken(std::initializer_list<Piece> why) { throw Left{{Verdict::kFailed, Join(why)}}; }
void NotApplicable(std::initializer_list<Piece> why) {
  throw Left{{Verdict::kNotApplicable, Join(why)}};
}

Outcome RunApart(const Check& check, const Subject& subject, std::chrono::milliseconds limit) {
  int fds[2];
  if (pipe(fds) != 0) Fail(ErrorCode::kUnavailable, {"no pipe: ", std::strerror(errno)});
  SayCalled("");
  const pid_t child = fork();
  if (child < 0) Fail(ErrorCode::kUnavailable, {"no process: ", std::strerror(errno)});
  if (child == 0) {
    close(fds[0]);
    setpgid(0, 0);  // so that what the plugin starts ends with it
    RunChild(check, subject, fds[1]);
  }
  setpgid(child, child);
  close(fds[1]);
  std::string message;
  const bool hung = !Listen(fds[0], limit, &message);
  close(fds[0]);
  if (hung) kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (hung) return {Verdict::kFailed, fmt::format("no end after {} ms{}", limit.count(), InCall())};
  return Judge(check, message, status);
}

std::vector<const Check*> AllChecks() {
  std::vector<const Check*> all;
  for (const auto group :
       {MemoryChecks(), OrderChecks(), StreamChecks(), KernelChecks(), DrawnChecks(),
        QueuedChecks(), RandomChecks(), HygieneChecks(), DlpackChecks(), FailureChecks(),
        LifecycleChecks(), FaultChecks(), FileChecks()}) {
    for (const Check& c : group) all.push_back(&c);
  }
  return all;
}

}  // namespace sy::conform
