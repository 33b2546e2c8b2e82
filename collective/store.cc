// The store of processes: rank 0 serves texts to all over TCP. Each rank has two connections: one
// for texts; one over which it says every now and then how far it is, and whose end is its end.
//
// A message is its length, 4 bytes, a letter, and the rest; each has an answer, with a length too:
//
//   S key 0 text    set                          → nothing
//   G key           get                          → 1 text, or 0
//   T line          for every rank to hear       → nothing
//   H rank          this connection is the rank's watch → nothing
//   P text          how far the rank is          → how many ranks have ended, and which, 4 bytes
//                   each; lines that were told since the last answer, each with a 0 behind it
//   B               the rank leaves as it should → nothing

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include "collective/engine_internal.h"
#include "switchyard/core/error.h"

namespace sy::collective {

void LocalStore::Set(const std::string& key, const std::string& bytes) {
  std::string text = bytes;  // where there is no memory for it, nobody finds a part of it
  std::lock_guard lock(mutex);
  texts_[key] = std::move(text);
  changed_.notify_all();
}
std::optional<std::string> LocalStore::Get(const std::string& key, Milliseconds patience) {
  std::unique_lock lock(mutex);
  if (!changed_.wait_for(lock, patience, [&] { return texts_.contains(key); })) return std::nullopt;
  return texts_[key];
}

bool LocalStore::HasEnded(int rank) {
  std::lock_guard lock(mutex);
  return std::find(ended.begin(), ended.end(), rank) != ended.end();
}
void LocalStore::MakeRoom(int rank) {
  Texts::node_type& room = rooms_[static_cast<size_t>(rank)];
  if (!room.empty()) return;
  Texts one;
  one.try_emplace("");
  Texts::node_type made = one.extract(one.begin());
  made.key().reserve(kRoomOfKey);
  made.mapped().reserve(kRoomOfText);
  room = std::move(made);
}
void LocalStore::SetInRoom(int rank, std::string_view key, std::string_view text) noexcept {
  Texts::node_type& room = rooms_[static_cast<size_t>(rank)];
  if (room.empty()) return EndLocalRank(*this, rank);
  room.key().assign(key.substr(0, kRoomOfKey));
  room.mapped().assign(text.substr(0, kRoomOfText));
  std::lock_guard lock(mutex);
  texts_.insert(std::move(room));
  changed_.notify_all();
}

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = Store::Milliseconds;
constexpr size_t kHeader = 4, kMaxMessage = size_t{1} << 20, kNews = size_t{1} << 18;
constexpr Milliseconds kAnswer{2000}, kRetry{20}, kGoodbye{5000};
constexpr int kBacklog = 1024;

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  Socket& operator=(Socket&& o) noexcept {
    std::swap(fd_, o.fd_);
    return *this;
  }
  ~Socket() { Close(); }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int fd() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

std::string WithLength(const std::string& body) {
  const auto n = static_cast<uint32_t>(body.size());
  std::string s(kHeader, '\0');
  std::memcpy(s.data(), &n, kHeader);
  return s + body;
}
bool SendAll(int fd, const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}
// Takes a whole message from the front of `bytes`. Errors: false in `valid` for a length that no
// message has.
std::optional<std::string> TakeMessage(std::string& bytes, bool& valid) {
  valid = true;
  if (bytes.size() < kHeader) return std::nullopt;
  uint32_t n = 0;
  std::memcpy(&n, bytes.data(), kHeader);
  valid = n <= kMaxMessage;
  if (!valid || bytes.size() < kHeader + n) return std::nullopt;
  std::string body = bytes.substr(kHeader, n);
  bytes.erase(0, kHeader + n);
  return body;
}
// Adds what has arrived; false where the other side is gone. Errors: std::bad_alloc, and then
// nothing is lost.
bool ReceiveSome(int fd, std::string& to) {
  char buffer[4096];
  to.reserve(to.size() + sizeof buffer);
  const ssize_t n = recv(fd, buffer, sizeof buffer, 0);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  to.append(buffer, static_cast<size_t>(n));
  return n > 0;
}
bool Readable(int fd, Milliseconds timeout) {
  pollfd p = {fd, POLLIN, 0};
  return poll(&p, 1, static_cast<int>(std::max<int64_t>(timeout.count(), 0))) > 0;
}
void SetNoDelay(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

struct FreeAddresses {
  void operator()(addrinfo* a) const { freeaddrinfo(a); }
};
std::unique_ptr<addrinfo, FreeAddresses> Resolve(const std::string& address, int port) {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
    Fail(ErrorCode::kInvalidArgument, {"no machine is called '", address, "'"});
  }
  return std::unique_ptr<addrinfo, FreeAddresses>(found);
}

class Server {
 public:
  Server(const std::string& address, int port) {
    const auto at = Resolve(address, port);
    listener_ = Socket(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    setsockopt(listener_.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!listener_.open() || bind(listener_.fd(), at->ai_addr, at->ai_addrlen) != 0 ||
        listen(listener_.fd(), kBacklog) != 0) {
      const int why = errno;
      Fail(ErrorCode::kUnavailable,
           {"rank 0 cannot listen at ", address, ":", port, ": ", strerror(why)});  // NOLINT
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) Fail(ErrorCode::kUnavailable, {"no pipe is to be had"});
    wake_in_ = Socket(ends[0]);
    wake_out_ = Socket(ends[1]);
    thread_ = std::thread([this] { Serve(); });
  }
  // Once the others are gone, or do not go.
  ~Server() {
    {
      std::unique_lock lock(mutex_);
      gone_.wait_for(lock, kGoodbye, [&] { return connected_ == 0; });
    }
    const char stop = 0;
    while (write(wake_out_.fd(), &stop, 1) < 0 && errno == EINTR) {
    }
    thread_.join();
  }

 private:
  struct Connection {
    Socket socket;
    std::string received;
    int rank = -1;  // of a watch
    bool left = false;
    size_t heard = 0;  // how many lines it has been told
  };

  void Serve() {
    std::vector<Connection> all;
    while (true) try {
        std::vector<pollfd> fds = {{wake_in_.fd(), POLLIN, 0}, {listener_.fd(), POLLIN, 0}};
        fds.reserve(all.size() + 2);
        for (const Connection& c : all) fds.push_back({c.socket.fd(), POLLIN, 0});
        if (poll(fds.data(), fds.size(), -1) < 0) continue;
        if (fds[0].revents != 0) return;
        for (size_t i = 0; i < all.size(); ++i) {
          if (fds[i + 2].revents != 0 && !Answer(all[i])) End(all[i]);
        }
        std::erase_if(all, [](const Connection& c) { return !c.socket.open(); });
        if (fds[1].revents != 0) {
          Socket s(accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC));
          if (s.open()) {
            SetNoDelay(s.fd());
            all.push_back({std::move(s), "", -1, false, 0});
          }
        }
        std::lock_guard lock(mutex_);
        connected_ = all.size();
        gone_.notify_all();
      } catch (const std::bad_alloc&) {  // whoever is not answered says so
      }
  }
  void End(Connection& c) {
    if (c.rank >= 0 && !c.left) ended_.push_back(c.rank);
    c.socket.Close();
  }
  std::string NewsFor(Connection& c) const {
    const auto n = static_cast<uint32_t>(ended_.size());
    std::string news(sizeof n + n * sizeof(int), '\0');
    std::memcpy(news.data(), &n, sizeof n);
    if (n != 0) std::memcpy(news.data() + sizeof n, ended_.data(), n * sizeof(int));
    for (; c.heard < told_.size() && news.size() < kNews; ++c.heard) news += told_[c.heard] + '\0';
    return news;
  }
  // False where the connection is to be closed.
  bool Answer(Connection& c) {
    if (!ReceiveSome(c.socket.fd(), c.received)) return false;
    bool valid = true;
    while (auto message = TakeMessage(c.received, valid)) {
      if (message->empty()) return false;
      const char what = message->front();
      const std::string rest = message->substr(1);
      std::string answer;
      switch (what) {
        case 'S': {
          const size_t end = rest.find('\0');
          if (end == std::string::npos) return false;
          texts_[rest.substr(0, end)] = rest.substr(end + 1);
          break;
        }
        case 'G': {
          const auto it = texts_.find(rest);
          answer = it == texts_.end() ? std::string(1, '\0') : '\1' + it->second;
          break;
        }
        case 'T':
          told_.push_back(rest);
          break;
        case 'H':
          c.rank = std::atoi(rest.c_str());  // NOLINT: ours
          break;
        case 'P':
          texts_["progress/" + std::to_string(c.rank)] = rest;
          answer = NewsFor(c);
          break;
        case 'B':
          // Those who still wait for it see an end all the same.
          ended_.push_back(c.rank);
          c.left = true;
          break;
        default:
          return false;
      }
      if (!SendAll(c.socket.fd(), WithLength(answer))) return false;
    }
    return valid;
  }

  Socket listener_, wake_in_, wake_out_;
  std::map<std::string, std::string> texts_;  // the server thread's, as the next
  std::vector<int> ended_;
  std::vector<std::string> told_;
  std::mutex mutex_;
  std::condition_variable gone_;
  size_t connected_ = 0;
  std::thread thread_;
};

// One connection: a request and its answer at a time.
class Client {
 public:
  Client(const std::string& address, int port, Milliseconds timeout) {
    const Clock::time_point deadline = Clock::now() + timeout;
    const auto at = Resolve(address, port);
    while (true) {
      socket_ = Socket(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (connect(socket_.fd(), at->ai_addr, at->ai_addrlen) == 0) break;
      if (Clock::now() > deadline) {
        Fail(ErrorCode::kUnavailable,
             {"no answer from rank 0 at ", address, ":", port, " within ", timeout.count(), " ms"});
      }
      std::this_thread::sleep_for(kRetry);
    }
    SetNoDelay(socket_.fd());
  }
  bool Ask(const std::string& request) {
    return socket_.open() && SendAll(socket_.fd(), WithLength(request));
  }
  // nullopt: not yet; `lost` is set where there will be none.
  std::optional<std::string> Answer(Milliseconds timeout, bool& lost) {
    const Clock::time_point deadline = Clock::now() + timeout;
    lost = !socket_.open();
    while (!lost) {
      bool valid = true;
      if (auto message = TakeMessage(received_, valid)) return message;
      const auto left = std::chrono::duration_cast<Milliseconds>(deadline - Clock::now());
      if (!Readable(socket_.fd(), left)) return std::nullopt;
      lost = !valid || !ReceiveSome(socket_.fd(), received_);
    }
    return std::nullopt;
  }
  void Close() { socket_.Close(); }

 private:
  Socket socket_;
  std::string received_;
};

class TcpStore final : public Store {
 public:
  TcpStore(const std::string& address, int port, int rank, int size, Milliseconds timeout)
      : server_(rank == 0 ? std::make_unique<Server>(address, port) : nullptr),
        texts_(address, port, timeout),
        watch_(address, port, timeout) {
    watch_.Ask("H" + std::to_string(rank));
    Set("here/" + std::to_string(rank), "");
    for (int r = 0; r < size; ++r) {
      if (!Get("here/" + std::to_string(r), timeout)) {
        Fail(ErrorCode::kUnavailable,
             {"rank ", r, " of ", size, " has not come within ", timeout.count(), " ms"});
      }
    }
    bool lost = false;
    watch_.Answer(kAnswer, lost);
  }

  void Set(const std::string& key, const std::string& bytes) override {
    Request("S" + key + std::string(1, '\0') + bytes);
  }
  std::optional<std::string> Get(const std::string& key, Milliseconds timeout) override {
    const Clock::time_point deadline = Clock::now() + timeout;
    while (true) {
      const std::string found = Request("G" + key);
      if (!found.empty() && found[0] == '\1') return found.substr(1);
      if (Clock::now() >= deadline) return std::nullopt;
      std::this_thread::sleep_for(std::min(kRetry, timeout));
    }
  }
  void Tell(const std::string& line) override { Request("T" + line); }
  News Exchange(const std::string& progress) override {
    SetWhatIsInRoom();
    bool lost = !asked_ && !watch_.Ask("P" + progress);
    const std::optional<std::string> answer =
        lost ? std::nullopt : watch_.Answer(kAnswer / 2, lost);
    std::lock_guard lock(watched_);
    if (lost) {
      ended_.assign(1, 0);
      return {ended_, {}};
    }
    asked_ = !answer;
    News news;
    if (answer) {
      uint32_t n = 0;
      std::memcpy(&n, answer->data(), sizeof n);
      ended_.resize(n);
      if (n != 0) std::memcpy(ended_.data(), answer->data() + sizeof n, n * sizeof(int));
      for (size_t at = sizeof n + n * sizeof(int); at < answer->size();) {
        const size_t end = answer->find('\0', at);
        news.told.push_back(answer->substr(at, end - at));
        at = end + 1;
      }
    }
    news.ended = ended_;
    return news;
  }
  bool HasEnded(int rank) override {
    std::lock_guard lock(watched_);
    return std::find(ended_.begin(), ended_.end(), rank) != ended_.end();
  }
  void MakeRoom(int) override {
    std::lock_guard lock(watched_);
    if (in_room_) return;
    room_key_.reserve(kRoomOfKey);
    room_text_.reserve(kRoomOfText);
    room_made_ = true;
  }
  // The watch's thread sends it, when there is memory to do so.
  void SetInRoom(int, std::string_view key, std::string_view text) noexcept override {
    std::lock_guard lock(watched_);
    if (in_room_ || !room_made_) return;
    room_key_.assign(key.substr(0, kRoomOfKey));
    room_text_.assign(text.substr(0, kRoomOfText));
    in_room_ = true;
  }
  void TellRoom() noexcept override {
    try {
      SetWhatIsInRoom();
    } catch (const std::exception&) {  // this rank's end says it
    }
  }
  void Leave() override {
    bool lost = false;
    if (asked_) watch_.Answer(kAnswer / 2, lost);
    if (watch_.Ask("B")) watch_.Answer(kAnswer / 2, lost);
    watch_.Close();
    texts_.Close();
    server_.reset();
  }

 private:
  void SetWhatIsInRoom() {
    std::string key, text;
    {
      std::lock_guard lock(watched_);
      if (!in_room_) return;
      key = room_key_;
      text = room_text_;
    }
    try {
      Set(key, text);
    } catch (const Error&) {  // rank 0 is gone, and is missed
    }
    std::lock_guard lock(watched_);
    in_room_ = false;
  }
  std::string Request(const std::string& request) {
    std::lock_guard lock(mutex_);
    bool lost = false;
    if (request.size() > kMaxMessage) Fail(ErrorCode::kInvalidArgument, {"a text is too long"});
    // The answer to a request that has ended for want of memory.
    if (why_.empty() && owed_ && texts_.Answer(kAnswer, lost)) owed_ = false;
    if (why_.empty() && !owed_) {
      lost = !texts_.Ask(request);
      owed_ = !lost;
      if (auto answer = texts_.Answer(lost ? Milliseconds(0) : kAnswer, lost)) {
        owed_ = false;
        return *answer;
      }
    }
    if (why_.empty()) {
      why_ = lost ? "rank 0 has ended" : "rank 0 does not answer";
      texts_.Close();  // an answer that comes late would be taken for the next one's
    }
    Fail(ErrorCode::kUnavailable, {why_});
  }

  std::unique_ptr<Server> server_;
  std::mutex mutex_;
  Client texts_, watch_;
  std::string why_;     // texts are to be had no more
  bool owed_ = false;   // the last request has no answer yet
  bool asked_ = false;  // nor has the watch's last question
  std::mutex watched_;  // of what follows
  std::vector<int> ended_;
  std::string room_key_, room_text_;
  bool room_made_ = false, in_room_ = false;
};

}  // namespace

std::unique_ptr<Store> MakeTcpStore(const std::string& address, int port, int rank, int size,
                                    Milliseconds timeout) {
  return std::make_unique<TcpStore>(address, port, rank, size, timeout);
}

}  // namespace sy::collective
