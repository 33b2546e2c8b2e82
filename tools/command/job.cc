#include "tools/command/job.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::command {
namespace {

constexpr std::chrono::milliseconds kPoll{10};
// Between asking a process to end, ending it, and ending what has started it on another machine.
constexpr std::chrono::seconds kTerminate{2};
constexpr size_t kLastLines = 20;
constexpr int kNotRun = 127, kSignalled = 128, kSshFailed = 255;

std::atomic<int> interrupted{0};
void OnSignal(int signal) { interrupted = signal; }

[[noreturn]] void Become(const Process& p, int in, int out, int err) {
  setpgid(0, 0);  // with all that it starts
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (in >= 0) dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : p.variables)
    setenv(name.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  std::vector<char*> argv;
  argv.reserve(p.argv.size() + 1);
  for (const std::string& a : p.argv) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  _exit(kNotRun);
}

void Show(std::ostream& to, int rank, const std::string& line) {
  to << (rank < 0 ? line + "\n" : fmt::format("[{}] {}\n", rank, line)) << std::flush;
}

// A number that the text begins with.
std::optional<int> LeadingNumber(std::string_view text) {
  int n = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), n).ec != std::errc())
    return std::nullopt;
  return n;
}
// The number behind `mark`, where the line has it.
std::optional<int> NumberBehind(std::string_view line, std::string_view mark) {
  const size_t at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return LeadingNumber(line.substr(at + mark.size()));
}

// "[1,3]<stderr>:text", of mpirun: the rank; the tag is taken away.
std::optional<int> TakeTag(std::string& line, bool* is_error) {
  const size_t comma = line.find(','), close = line.find("]<std"), end = line.find(">:");
  if (line.empty() || line[0] != '[' || comma > close || close > end || end == std::string::npos)
    return std::nullopt;
  const std::optional<int> rank = LeadingNumber(std::string_view(line).substr(comma + 1));
  if (!rank) return std::nullopt;
  *is_error = line.compare(close, end - close, "]<stderr") == 0;
  line.erase(0, end + 2);
  return rank;
}

std::string SignalName(int signal) {
  return fmt::format("was killed by signal {} ({})", signal,
                     strsignal(signal));  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

bool Interrupted() { return interrupted != 0; }
void NoticeInterrupts() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  std::signal(SIGPIPE, SIG_IGN);  // orders to who has ended
}

Job::Job(const std::vector<Process>& processes, std::chrono::duration<double> grace, bool by_mpirun)
    : processes_(processes),
      last_(std::max<size_t>(processes.size(), 1)),
      grace_(grace),
      by_mpirun_(by_mpirun) {
  running_.reserve(processes.size());
  for (const Process& p : processes_) {
    int in[2] = {-1, -1}, out[2], err[2];
    if ((p.is_remote && pipe2(in, O_CLOEXEC) != 0) || pipe2(out, O_CLOEXEC) != 0 ||
        pipe2(err, O_CLOEXEC) != 0)
      Fail(ErrorCode::kUnavailable, {"launch: no pipe is to be had"});
    Running r;
    r.pid = fork();
    if (r.pid < 0) Fail(ErrorCode::kUnavailable, {"launch: no process is to be had"});
    if (r.pid == 0) {
      // What is ignored here would be ignored there.
      std::signal(SIGPIPE, SIG_DFL);
      Become(p, in[0], out[1], err[1]);
    }
    if (in[0] >= 0) close(in[0]);
    close(out[1]);
    close(err[1]);
    r.runs = true;
    r.orders = in[1];
    r.out.fd = out[0];
    r.err.fd = err[0];
    running_.push_back(r);
  }
}

bool Job::Run() {
  while (Step()) {
  }
  for (Running& r : running_) {
    if (r.orders >= 0) close(r.orders);
    r.orders = -1;
  }
  return first_ < 0;
}

std::string Job::HowItEnded() const {
  const int status = running_[static_cast<size_t>(first_)].status;
  if (by_mpirun_) return "has failed";
  if (!WIFEXITED(status)) return SignalName(WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  const bool is_remote = processes_[static_cast<size_t>(first_)].is_remote;
  if (is_remote && code == kSshFailed) return "could not be started, or its connection was lost";
  if (is_remote && code > kSignalled && code < kSignalled + NSIG)
    return SignalName(code - kSignalled);
  return fmt::format("has ended with status {}", code);
}

void Job::ShowFailure() const {
  const bool known = first_rank_ >= 0;
  const std::string who =
      known ? fmt::format("rank {}{}", first_rank_, processes_[static_cast<size_t>(first_)].where)
            : "mpirun";
  // mpirun does not always say which rank it was: then that which complained last.
  const int shown = known ? first_rank_ : last_rank_;
  const auto rank = static_cast<size_t>(std::max(shown, 0));
  static const std::deque<std::string> kNothing;
  const std::deque<std::string>& said = shown >= 0 && rank < last_.size() ? last_[rank] : kNothing;
  const std::string had_said = known ? "; it had said:" : fmt::format("; rank {} had said:", shown);
  std::cerr << fmt::format("switchyard: {} {}{}\n", who, HowItEnded(),
                           said.empty() ? "" : had_said);
  for (const std::string& line : said) Show(std::cerr, shown, line);
}

void Job::Take(size_t process, std::string line, bool is_error) {
  int rank = static_cast<int>(process);
  if (by_mpirun_) {
    const std::optional<int> tagged = TakeTag(line, &is_error);
    rank = tagged.value_or(-1);
    if (!tagged && first_rank_ < 0) {
      // "Process name: [[63247,1],2]", "mpirun noticed that process rank 2 with PID …".
      std::optional<int> failed = NumberBehind(line, "that process rank ");
      if (!failed && line.find("Process name:") != std::string::npos)
        failed = NumberBehind(line, "],");
      first_rank_ = failed.value_or(-1);
    }
  }
  Show(is_error ? std::cerr : std::cout, rank, line);
  if (!is_error || rank < 0) return;
  last_rank_ = rank;
  if (last_.size() <= static_cast<size_t>(rank)) last_.resize(static_cast<size_t>(rank) + 1);
  std::deque<std::string>& last = last_[static_cast<size_t>(rank)];
  last.push_back(std::move(line));
  if (last.size() > kLastLines) last.pop_front();
}

// Takes what has arrived; at its end, the line that was begun.
void Job::Read(size_t process, bool is_error) {
  Stream& s = is_error ? running_[process].err : running_[process].out;
  char buffer[4096];
  const ssize_t n = read(s.fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    if (!s.line.empty()) Take(process, std::exchange(s.line, ""), is_error);
    close(s.fd);
    s.fd = -1;
    return;
  }
  s.line.append(buffer, static_cast<size_t>(n));
  size_t begin = 0;
  for (size_t end; (end = s.line.find('\n', begin)) != std::string::npos; begin = end + 1)
    Take(process, s.line.substr(begin, end - begin), is_error);
  s.line.erase(0, begin);
}

bool Job::Step() {
  std::vector<pollfd> fds;
  std::vector<std::pair<size_t, bool>> whose;
  for (size_t i = 0; i < running_.size(); ++i) {
    for (const bool is_error : {false, true}) {
      const int fd = (is_error ? running_[i].err : running_[i].out).fd;
      if (fd < 0) continue;
      fds.push_back({fd, POLLIN, 0});
      whose.emplace_back(i, is_error);
    }
  }
  poll(fds.data(), fds.size(), static_cast<int>(kPoll.count()));
  for (size_t i = 0; i < fds.size(); ++i) {
    if (fds[i].revents != 0) Read(whose[i].first, whose[i].second);
  }
  bool any = false;
  for (size_t i = 0; i < running_.size(); ++i) {
    Running& r = running_[i];
    if (r.runs && waitpid(r.pid, &r.status, WNOHANG) == r.pid) {
      r.runs = false;
      any = true;  // what it has written since the poll is read by the next step
      const bool failed = !WIFEXITED(r.status) || WEXITSTATUS(r.status) != 0;
      if (failed && first_ < 0) {
        first_ = static_cast<int>(i);
        if (!by_mpirun_) first_rank_ = first_;
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

void Job::EndOthers() {
  const bool stops = Interrupted();
  if (stops && !stopping_) since_ = Clock::now();
  stopping_ = stopping_ || stops;
  if (first_ < 0 && !stopping_) return;
  const std::chrono::duration<double> passed =
      Clock::now() - since_ - (stopping_ ? std::chrono::duration<double>(0) : grace_);
  if (passed.count() < 0) return;
  if (passed < kTerminate) {
    Signal(SIGTERM);
  } else {
    Signal(passed < 2 * kTerminate ? SIGKILL : SIGQUIT);
  }
}

// SIGQUIT: what has started ranks elsewhere does not answer, and is itself killed.
void Job::Signal(int signal) {
  if (signal == signalled_) return;
  signalled_ = signal;
  for (const Running& r : running_) {
    if (!r.runs) continue;
    if (r.orders >= 0 && signal != SIGQUIT) {
      const std::string_view order = signal == SIGTERM ? "TERM\n" : "KILL\n";
      // Where nobody reads it, the connection is gone.
      [[maybe_unused]] const ssize_t n = write(r.orders, order.data(), order.size());
      continue;
    }
    kill(-r.pid, signal == SIGTERM ? SIGTERM : SIGKILL);
    kill(-r.pid, SIGCONT);  // one that is stopped takes no other
  }
}

}  // namespace sy::command
