// Cases in a process of their own, which tells of them through a pipe.

#include <absl/functional/function_ref.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "testing/replay/sink.h"
#include "third_party/fmt/format.h"

namespace sy::replay {
namespace {

constexpr int kLost = 75;  // how a process ends that has lost the device

// Messages: a kind, then texts that each have their length in front.
enum class Message : char { kBegin, kEnd, kError, kDone };

class PipeSink : public Sink {
 public:
  explicit PipeSink(int fd) : fd_(fd) {}

  void Begin(std::string_view op, std::string_view place) override {
    Add(Message::kBegin, {op, place});
    Flush();  // what follows may never return
  }
  void End(std::string_view op, const Ending& e) override {
    const char bytes[] = {static_cast<char>(e.verdict), static_cast<char>(e.fallback),
                          static_cast<char>(e.kernels)};
    Add(Message::kEnd, {op, {bytes, sizeof(bytes)}, e.what, e.why});
  }
  void Lost() override {
    Flush();
    _exit(kLost);
  }
  void Finish(Message kind, std::initializer_list<std::string_view> texts) {
    Add(kind, texts);
    Flush();
  }

 private:
  void Add(Message kind, std::initializer_list<std::string_view> texts) {
    buffer_.push_back(static_cast<char>(kind));
    buffer_.push_back(static_cast<char>(texts.size()));
    for (std::string_view text : texts) {
      const size_t size = text.size();
      buffer_.append(reinterpret_cast<const char*>(&size), sizeof(size));
      buffer_.append(text);
    }
  }
  void Flush() {
    for (size_t done = 0; done < buffer_.size();) {
      const ssize_t n = write(fd_, buffer_.data() + done, buffer_.size() - done);
      if (n < 0 && errno != EINTR) _exit(1);  // nobody listens any more
      if (n > 0) done += static_cast<size_t>(n);
    }
    buffer_.clear();
  }

  int fd_;
  std::string buffer_;
};

[[noreturn]] void RunChild(absl::FunctionRef<void(Sink&, int64_t)> replay, int64_t skip, int fd) {
  PipeSink sink(fd);
  try {
    replay(sink, skip);
    sink.Finish(Message::kDone, {});
  } catch (const Error& e) {
    const char code = static_cast<char>(e.code());
    sink.Finish(Message::kError, {std::string_view(&code, 1), e.message()});
  } catch (const std::exception& e) {
    const char code = static_cast<char>(ErrorCode::kInternal);
    sink.Finish(Message::kError, {std::string_view(&code, 1), e.what()});
  }
  _exit(0);  // without the parent's destructors
}

class Parent {
 public:
  Parent(absl::FunctionRef<void(Sink&, int64_t)> replay, Sink& sink,
         std::chrono::milliseconds limit)
      : replay_(replay), sink_(sink), limit_(limit) {}

  void Run() {
    while (!done_) RunOnce();
  }

 private:
  void RunOnce() {
    int fds[2];
    if (pipe(fds) != 0) Fail(ErrorCode::kUnavailable, {"no pipe: ", std::strerror(errno)});
    const pid_t child = fork();
    if (child < 0) Fail(ErrorCode::kUnavailable, {"no process: ", std::strerror(errno)});
    if (child == 0) {
      close(fds[0]);
      RunChild(replay_, begun_, fds[1]);
    }
    close(fds[1]);
    const bool hung = !Listen(fds[0]);
    close(fds[0]);
    if (hung) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (error_) throw Error(*error_);
    const bool lost = WIFEXITED(status) && WEXITSTATUS(status) == kLost && !in_case_;
    if (!done_ && !lost)
      Died(hung ? fmt::format("no end after {} ms", limit_.count()) : Describe(status));
  }

  static std::string Describe(int status) {
    if (WIFSIGNALED(status))
      return fmt::format("the process died: {}", strsignal(WTERMSIG(status)));
    return fmt::format("the process ended with status {}", WEXITSTATUS(status));
  }

  void Died(const std::string& how) {
    buffer_.clear();
    if (!in_case_) Fail(ErrorCode::kInternal, {"replay: ", how, ", after ", begun_, " cases"});
    in_case_ = false;
    sink_.End(op_, {.verdict = Verdict::kFailed, .what = op_, .why = how});
  }

  // Until the child closes its end; false when it is silent too long.
  bool Listen(int fd) {
    for (;;) {
      pollfd p{fd, POLLIN, 0};
      const int ready = poll(&p, 1, static_cast<int>(limit_.count()));
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) return false;
      char chunk[1 << 16];
      const ssize_t n = read(fd, chunk, sizeof(chunk));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return true;
      buffer_.append(chunk, static_cast<size_t>(n));
      size_t used = 0;
      while (Take(&used)) continue;
      buffer_.erase(0, used);
    }
  }

  // One whole message from *at on; false if there is none yet.
  bool Take(size_t* at) {
    const std::string_view all(buffer_);
    size_t i = *at;
    if (all.size() - i < 2) return false;
    const auto kind = static_cast<Message>(all[i]);
    std::vector<std::string_view> texts(static_cast<size_t>(all[i + 1]));
    i += 2;
    for (std::string_view& text : texts) {
      size_t size = 0;
      if (all.size() - i < sizeof(size)) return false;
      std::memcpy(&size, all.data() + i, sizeof(size));
      i += sizeof(size);
      if (all.size() - i < size) return false;
      text = all.substr(i, size);
      i += size;
    }
    *at = i;
    Handle(kind, texts);
    return true;
  }

  void Handle(Message kind, const std::vector<std::string_view>& texts) {
    switch (kind) {
      case Message::kBegin:
        ++begun_;
        in_case_ = true;
        op_ = texts[0];
        sink_.Begin(texts[0], texts[1]);
        break;
      case Message::kEnd:
        in_case_ = false;
        sink_.End(texts[0], {static_cast<Verdict>(texts[1][0]), texts[1][1] != 0, texts[1][2] != 0,
                             texts[2], texts[3]});
        break;
      case Message::kError:
        done_ = true;
        error_.emplace(static_cast<ErrorCode>(texts[0][0]), std::string(texts[1]));
        break;
      case Message::kDone:
        done_ = true;
        break;
    }
  }

  absl::FunctionRef<void(Sink&, int64_t)> replay_;
  Sink& sink_;
  const std::chrono::milliseconds limit_;
  std::string buffer_;  // what was read and is no whole message yet
  int64_t begun_ = 0;
  bool in_case_ = false, done_ = false;
  std::string op_;
  std::optional<Error> error_;
};

}  // namespace

void ReplayApart(absl::FunctionRef<void(Sink&, int64_t skip)> replay, Sink& sink,
                 std::chrono::milliseconds limit) {
  Parent(replay, sink, limit).Run();
}

}  // namespace sy::replay
