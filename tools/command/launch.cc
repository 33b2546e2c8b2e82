// switchyard launch: a program as several ranks on this machine (switchyard/collective/group.h).
//
// Each rank gets RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, and its share of the
// cores in OMP_NUM_THREADS where that is not set. What it writes appears line by line behind
// "[RANK] ". When a rank fails the others have some time to see it themselves, and are then ended;
// what the first one that failed has said last is shown again at the end.

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"

namespace sy::command {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPoll{10}, kTerminate{2000};
constexpr size_t kLastLines = 20;
constexpr int kNotRun = 127;

struct Options {
  int ranks = 2;
  int restarts = 0;
  double grace = 5;  // seconds
};

std::atomic<int> interrupted{0};
void OnSignal(int signal) { interrupted = signal; }

// One of a rank's two streams.
struct Stream {
  int fd = -1;
  std::string line;  // begun
};
struct Rank {
  pid_t pid = -1;
  bool runs = false;
  int status = 0;
  Stream out, err;
  std::deque<std::string> last;  // lines of stderr
};

int FreePort() {
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t n = sizeof at;
  const bool found = bind(s, reinterpret_cast<sockaddr*>(&at), n) == 0 &&
                     getsockname(s, reinterpret_cast<sockaddr*>(&at), &n) == 0;
  close(s);
  if (!found) Fail(ErrorCode::kUnavailable, {"launch: no port is free"});
  return ntohs(at.sin_port);
}

[[noreturn]] void Become(const std::vector<std::string>& program, const Options& o, int rank,
                         int port, int out, int err) {
  setpgid(0, 0);  // with all that it starts
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  const auto set = [](const char* name, const std::string& value, bool over = true) {
    setenv(name, value.c_str(), over ? 1 : 0);  // NOLINT(concurrency-mt-unsafe): one thread
  };
  set("RANK", std::to_string(rank));
  set("LOCAL_RANK", std::to_string(rank));
  set("WORLD_SIZE", std::to_string(o.ranks));
  set("MASTER_ADDR", "127.0.0.1");
  set("MASTER_PORT", std::to_string(port));
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  set("OMP_NUM_THREADS", std::to_string(std::max(1, cores / o.ranks)), false);
  std::vector<char*> argv;
  argv.reserve(program.size() + 1);
  for (const std::string& a : program) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  _exit(kNotRun);
}

Rank Start(const std::vector<std::string>& program, const Options& o, int rank, int port) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    Fail(ErrorCode::kUnavailable, {"launch: no pipe is to be had"});
  Rank r;
  r.pid = fork();
  if (r.pid < 0) Fail(ErrorCode::kUnavailable, {"launch: no process is to be had"});
  if (r.pid == 0) Become(program, o, rank, port, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  r.runs = true;
  r.out.fd = out[0];
  r.err.fd = err[0];
  return r;
}

void Show(std::ostream& to, int rank, const std::string& line) {
  to << fmt::format("[{}] {}\n", rank, line) << std::flush;
}
// Takes what has arrived; at its end, the line that was begun.
void Read(Rank& r, int rank, bool is_error) {
  Stream& s = is_error ? r.err : r.out;
  std::ostream& to = is_error ? std::cerr : std::cout;
  const auto show = [&](const std::string& line) {
    Show(to, rank, line);
    if (!is_error) return;
    r.last.push_back(line);
    if (r.last.size() > kLastLines) r.last.pop_front();
  };
  char buffer[4096];
  const ssize_t n = read(s.fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    if (!s.line.empty()) show(s.line);
    close(s.fd);
    s.fd = -1;
    return;
  }
  s.line.append(buffer, static_cast<size_t>(n));
  size_t begin = 0;
  for (size_t end; (end = s.line.find('\n', begin)) != std::string::npos; begin = end + 1)
    show(s.line.substr(begin, end - begin));
  s.line.erase(0, begin);
}

bool Failed(int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; }
std::string HowItEnded(int status) {
  if (WIFEXITED(status)) return fmt::format("has ended with status {}", WEXITSTATUS(status));
  return fmt::format("was killed by signal {} ({})", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));  // NOLINT(concurrency-mt-unsafe)
}

class Job {
 public:
  Job(const std::vector<std::string>& program, const Options& o) : grace_(o.grace) {
    const int port = FreePort();
    ranks_.reserve(static_cast<size_t>(o.ranks));
    for (int r = 0; r < o.ranks; ++r) ranks_.push_back(Start(program, o, r, port));
  }
  // Until all have ended: the first rank that has failed, or -1.
  int Run() {
    while (Step()) {
    }
    return first_;
  }
  void ShowFailure() const {
    const Rank& r = ranks_[static_cast<size_t>(first_)];
    std::cerr << fmt::format("switchyard: rank {} {}{}\n", first_, HowItEnded(r.status),
                             r.last.empty() ? "" : "; it had said:");
    for (const std::string& line : r.last) Show(std::cerr, first_, line);
  }
  const Rank& rank(int i) const { return ranks_[static_cast<size_t>(i)]; }

 private:
  // False at the end.
  bool Step() {
    std::vector<pollfd> fds;
    std::vector<std::pair<int, bool>> whose;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      for (const bool is_error : {false, true}) {
        const int fd = (is_error ? ranks_[i].err : ranks_[i].out).fd;
        if (fd < 0) continue;
        fds.push_back({fd, POLLIN, 0});
        whose.emplace_back(static_cast<int>(i), is_error);
      }
    }
    poll(fds.data(), fds.size(), static_cast<int>(kPoll.count()));
    for (size_t i = 0; i < fds.size(); ++i) {
      const auto [rank, is_error] = whose[i];
      if (fds[i].revents != 0) Read(ranks_[static_cast<size_t>(rank)], rank, is_error);
    }
    bool any = false;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      Rank& r = ranks_[i];
      if (r.runs && waitpid(r.pid, &r.status, WNOHANG) == r.pid) {
        r.runs = false;
        if (Failed(r.status) && first_ < 0) {
          first_ = static_cast<int>(i);
          since_ = Clock::now();
        }
      }
      any = any || r.runs;
    }
    EndOthers();
    // What those leave behind that it has started itself may hold a stream open: not waited for.
    return any || (!fds.empty() && std::any_of(fds.begin(), fds.end(), [](const pollfd& p) {
             return (p.revents & POLLIN) != 0;
           }));
  }
  void EndOthers() {
    const bool stops = interrupted != 0;
    if (stops && !stopping_) since_ = Clock::now();
    stopping_ = stopping_ || stops;
    if (first_ < 0 && !stopping_) return;
    const auto passed = Clock::now() - since_;
    const auto grace =
        stopping_ ? std::chrono::duration<double>(0) : std::chrono::duration<double>(grace_);
    if (passed < grace) return;
    Signal(passed < grace + kTerminate ? SIGTERM : SIGKILL);
  }
  void Signal(int signal) {
    if (signal == signalled_) return;
    signalled_ = signal;
    for (const Rank& r : ranks_) {
      if (!r.runs) continue;
      kill(-r.pid, signal);
      kill(-r.pid, SIGCONT);  // one that is stopped takes no other
    }
  }

  std::vector<Rank> ranks_;
  const double grace_;
  int first_ = -1, signalled_ = 0;
  bool stopping_ = false;
  Clock::time_point since_;
};

int Launch(const std::vector<std::string>& program, const Options& o) {
  if (program.empty()) Fail(ErrorCode::kInvalidArgument, {"launch: which program?"});
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  for (int left = o.restarts;; --left) {
    Job job(program, o);
    if (job.Run() < 0) return interrupted != 0 ? 1 : 0;
    job.ShowFailure();
    if (left <= 0 || interrupted != 0) return 1;
    std::cerr << fmt::format("switchyard: all ranks start again; {} more times if need be\n",
                             left - 1);
  }
}

}  // namespace

void AddLaunch(CLI::App& app, int* status) {
  auto* command = app.add_subcommand("launch", "Run a program as several ranks on this machine");
  static Options o;
  command->add_option("-n,--ranks", o.ranks, "How many")->check(CLI::Range(1, 4096));
  command->add_option("--restarts", o.restarts, "How often all start again when one fails")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--grace", o.grace, "Seconds that the others have once a rank has failed")
      ->check(CLI::NonNegativeNumber);
  command->prefix_command();
  command->footer("What stands behind the options is the program and its arguments.");
  command->callback([command, status] { *status = Launch(command->remaining(), o); });
}

}  // namespace sy::command
