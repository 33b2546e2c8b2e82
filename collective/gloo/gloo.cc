// Engine "gloo": TCP between processes, without a launcher. Its errors are exceptions, and its
// waits have an end, so that a rank that dies or stops is an error here.
//
// Data is bytes to it, but where it is reduced. Its algorithms run in the calling thread; a thread
// of its own moves what arrives.
//
// Source: gloo/docs/algorithms.md; headers of libgloo-dev 0.0~git20220518.

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/scatter.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "switchyard/collective/engine_abi.h"

namespace {

// The run's store, under the group's name.
class GroupStore : public gloo::rendezvous::Store {
 public:
  explicit GroupStore(const SyEngineGroup& g) : group_(g) {}
  void set(const std::string& key, const std::vector<char>& data) override {
    const auto n = static_cast<int64_t>(data.size());
    if (group_.set(group_.store, Full(key).c_str(), data.data(), n) != 0)
      throw std::runtime_error("rank 0 does not answer");
  }
  std::vector<char> get(const std::string& key) override {
    constexpr size_t kRoom = size_t{1} << 20;
    std::vector<char> data(kRoom);
    const int64_t n = group_.get(group_.store, Full(key).c_str(), data.data(), kRoom);
    if (n < 0) throw std::runtime_error("another rank does not make the group");
    data.resize(static_cast<size_t>(n));
    return data;
  }
  void wait(const std::vector<std::string>& keys) override {
    for (const std::string& key : keys) get(key);
  }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds&) override {
    wait(keys);
  }

 private:
  std::string Full(const std::string& key) const {
    return std::string("gloo/") + group_.name + "/" + key;
  }
  const SyEngineGroup& group_;
};

// A connection's socket, which Gloo keeps to itself.
struct Connection {
  int fd = -1;
  ino_t inode = 0;  // another one may have its number later
};
ino_t InodeOf(int fd) {
  struct stat s = {};
  return fstat(fd, &s) == 0 ? s.st_ino : 0;
}
int PortOf(const sockaddr_storage& a) {
  if (a.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(a).sin_port);
  if (a.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(a).sin6_port);
  return -1;
}
// Of each pair one side has listened at a port of its own, which the other side is told: whichever
// of our sockets has the port at one of its ends is the pair's.
std::vector<Connection> ConnectionsOf(gloo::Context& context, GroupStore& store) {
  std::vector<int> ours(static_cast<size_t>(context.size), -1), theirs = ours;
  std::vector<char> said(ours.size() * sizeof(int));
  for (int r = 0; r < context.size; ++r) {
    const std::string address =
        r == context.rank ? "" : context.getPair(r)->address().str();  // "[127.0.0.1]:4711"
    const size_t colon = address.rfind(':');
    if (colon != std::string::npos) ours[static_cast<size_t>(r)] = std::atoi(&address[colon + 1]);
  }
  std::memcpy(said.data(), ours.data(), said.size());
  store.set("ports/" + std::to_string(context.rank), said);
  for (int r = 0; r < context.size; ++r) {
    const std::vector<char> other = store.get("ports/" + std::to_string(r));
    if (other.size() != said.size()) continue;
    std::memcpy(&theirs[static_cast<size_t>(r)],
                other.data() + static_cast<size_t>(context.rank) * sizeof(int), sizeof(int));
  }
  std::vector<Connection> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int fd = std::atoi(entry.path().filename().c_str());
    sockaddr_storage local = {}, remote = {};
    socklen_t n = sizeof local, m = sizeof remote;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&local), &n) != 0 ||
        getpeername(fd, reinterpret_cast<sockaddr*>(&remote), &m) != 0)
      continue;
    for (size_t r = 0; r < ours.size(); ++r) {
      if ((ours[r] > 0 && PortOf(local) == ours[r]) ||
          (theirs[r] > 0 && PortOf(remote) == theirs[r]))
        found.push_back({fd, InodeOf(fd)});
    }
  }
  return found;
}

struct Group {
  std::shared_ptr<gloo::rendezvous::Context> context;
  int rank = 0, size = 0;
  decltype(SyEngineGroup::reduce) reduce = nullptr;
  std::atomic<uint32_t> tag{0};
  std::vector<Connection> connections;
  std::vector<char> room;  // for reduce_scatter, as large as it has ever been
};

int Report(const char* what, char* error, size_t room) {
  // "[file.cc:12] text": where in Gloo does not matter.
  const char* text =
      what[0] == '[' && std::strchr(what, ']') != nullptr ? std::strchr(what, ']') + 1 : what;
  while (*text == ' ') ++text;
  std::strncpy(error, text, room - 1);
  error[room - 1] = '\0';
  return 1;
}

// Gloo writes to sockets whose other end may be gone, without saying that this is no signal: a rank
// that is lost would end the others before they can name it. A handler of the program's stays.
void KeepOnWithoutPeers() {
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  now.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &now, nullptr);
}

void* Make(const SyEngineGroup* g, char* error, size_t room) {
  try {
    KeepOnWithoutPeers();
    gloo::transport::tcp::attr attr;
    if (g->host[0] != '\0') attr.hostname = g->host;
    std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(attr);
    auto made = std::make_unique<Group>();
    made->rank = g->rank;
    made->size = g->size;
    made->reduce = g->reduce;
    made->context = std::make_shared<gloo::rendezvous::Context>(g->rank, g->size);
    made->context->setTimeout(std::chrono::milliseconds(g->timeout_ms));
    GroupStore store(*g);
    made->context->connectFullMesh(store, device);
    made->connections = ConnectionsOf(*made->context, store);
    return made.release();
  } catch (const std::exception& e) {
    Report(e.what(), error, room);
    return nullptr;
  }
}

void End(void* engine) { delete static_cast<Group*>(engine); }

// Connections are shut down: here and on the other side, waits end with an error.
void Abort(void* engine, const char*) {
  for (const Connection& c : static_cast<Group*>(engine)->connections) {
    if (InodeOf(c.fd) == c.inode) shutdown(c.fd, SHUT_RDWR);
  }
}

// to = a op b, where Gloo may have to be one of the two.
auto Reducer(const Group& g, const SyCollective& c) {
  return [reduce = g.reduce, op = c.op, dtype = c.dtype, item = c.item_size](
             void* to, const void* a, const void* b, size_t n) {
    if (to == b) return reduce(op, dtype, to, a, static_cast<int64_t>(n));
    if (to != a) std::memcpy(to, a, n * static_cast<size_t>(item));
    reduce(op, dtype, to, b, static_cast<int64_t>(n));
  };
}

struct Item16 {
  char bytes[16];
};
// T: of the elements' size.
template <class T>
void AllReduceOf(Group& g, const SyCollective& c) {
  gloo::AllreduceOptions o(g.context);
  const auto n = static_cast<size_t>(c.count);
  if (c.in != c.out) o.setInput(static_cast<T*>(const_cast<void*>(c.in)), n);
  o.setOutput(static_cast<T*>(c.out), n);
  o.setReduceFunction(Reducer(g, c));
  o.setTag(g.tag++);
  gloo::allreduce(o);
}
void AllReduce(Group& g, const SyCollective& c) {
  switch (c.item_size) {
    case 1:
      return AllReduceOf<uint8_t>(g, c);
    case 2:
      return AllReduceOf<uint16_t>(g, c);
    case 4:
      return AllReduceOf<uint32_t>(g, c);
    case 8:
      return AllReduceOf<uint64_t>(g, c);
    default:
      return AllReduceOf<Item16>(g, c);
  }
}

char* Bytes(const void* p) { return static_cast<char*>(const_cast<void*>(p)); }

// Past the prefixes of Gloo's own collectives.
constexpr uint64_t kMessageSlots = uint64_t{0x40} << 56, kExchangeSlots = uint64_t{0x41} << 56;

// sent[r] bytes of `in`, one behind the other, to each rank; taken[r] of `out` from each. All are
// under way at once, and the rank's own part is copied meanwhile, or left out. Gloo's alltoall
// copies first.
void Exchange(Group& g, char* in, const std::vector<size_t>& sent, char* out,
              const std::vector<size_t>& taken, bool keeps_own) {
  const size_t k = sent.size(), me = static_cast<size_t>(g.rank);
  std::vector<size_t> from(k + 1), to(k + 1);
  for (size_t r = 0; r < k; ++r) {
    from[r + 1] = from[r] + sent[r];
    to[r + 1] = to[r] + taken[r];
  }
  const uint64_t slot = kExchangeSlots | g.tag++;
  const auto gives = g.context->createUnboundBuffer(in, from[k]);
  const auto takes = g.context->createUnboundBuffer(out, to[k]);
  size_t sends = 0, receives = 0;
  for (size_t i = 1; i < k; ++i) {
    const size_t r = (me + k - i) % k;
    if (taken[r] == 0) continue;
    takes->recv(static_cast<int>(r), slot, to[r], taken[r]);
    ++receives;
  }
  for (size_t i = 1; i < k; ++i) {
    const size_t r = (me + i) % k;
    if (sent[r] == 0) continue;
    gives->send(static_cast<int>(r), slot, from[r], sent[r]);
    ++sends;
  }
  if (keeps_own && sent[me] != 0) std::memcpy(out + to[me], in + from[me], sent[me]);
  while (receives-- > 0) takes->waitRecv(g.context->getTimeout());
  while (sends-- > 0) gives->waitSend(g.context->getTimeout());
}

// Everybody's part for this rank, and then their sum, in the order of ranks, by blocks that stay in
// cache.
void ReduceScatter(Group& g, const SyCollective& c, size_t bytes) {
  constexpr int64_t kBlock = 8192;
  const auto k = static_cast<size_t>(g.size), me = static_cast<size_t>(g.rank);
  g.room.resize(std::max(g.room.size(), bytes * k));
  const std::vector<size_t> parts(k, bytes);
  Exchange(g, Bytes(c.in), parts, g.room.data(), parts, /*keeps_own=*/false);
  for (int64_t i = 0; i < c.count; i += kBlock) {
    const int64_t n = std::min(kBlock, c.count - i);
    const auto at = static_cast<size_t>(i * c.item_size);
    const auto part = [&](size_t r) {
      return (r == me ? Bytes(c.in) : g.room.data()) + r * bytes + at;
    };
    char* const out = Bytes(c.out) + at;
    std::memcpy(out, part(0), static_cast<size_t>(n * c.item_size));
    for (size_t r = 1; r < k; ++r) g.reduce(c.op, c.dtype, out, part(r), n);
  }
}

void Run(Group& g, const SyCollective& c) {
  const auto bytes = static_cast<size_t>(c.count) * static_cast<size_t>(c.item_size);
  const auto k = static_cast<size_t>(g.size);
  // On all ranks alike.
  if (bytes == 0 && c.kind != SY_BARRIER && c.kind != SY_ALL_TO_ALL && c.kind < SY_SEND) return;
  switch (c.kind) {
    case SY_ALL_REDUCE:
      return AllReduce(g, c);
    case SY_ALL_GATHER: {
      gloo::AllgatherOptions o(g.context);
      o.setInput(Bytes(c.in), bytes);
      o.setOutput(Bytes(c.out), bytes * k);
      o.setTag(g.tag++);
      return gloo::allgather(o);
    }
    case SY_REDUCE_SCATTER:
      return ReduceScatter(g, c, bytes);
    case SY_ALL_TO_ALL: {
      std::vector<size_t> sent(k), taken(k);
      for (size_t r = 0; r < k; ++r) {
        sent[r] = static_cast<size_t>(c.in_counts[r] * c.item_size);
        taken[r] = static_cast<size_t>(c.out_counts[r] * c.item_size);
      }
      return Exchange(g, Bytes(c.in), sent, Bytes(c.out), taken, /*keeps_own=*/true);
    }
    case SY_BROADCAST: {
      gloo::BroadcastOptions o(g.context);
      o.setRoot(c.peer);
      if (c.peer == g.rank) o.setInput(Bytes(c.in), bytes);
      o.setOutput(Bytes(c.out), bytes);
      o.setTag(g.tag++);
      return gloo::broadcast(o);
    }
    case SY_SCATTER: {
      gloo::ScatterOptions o(g.context);
      o.setRoot(c.peer);
      if (c.peer == g.rank) {
        std::vector<char*> parts;
        parts.reserve(k);
        for (size_t r = 0; r < k; ++r) parts.push_back(Bytes(c.in) + r * bytes);
        o.setInputs(parts, bytes);
      }
      o.setOutput(Bytes(c.out), bytes);
      o.setTag(g.tag++);
      return gloo::scatter(o);
    }
    case SY_GATHER: {
      gloo::GatherOptions o(g.context);
      o.setRoot(c.peer);
      o.setInput(Bytes(c.in), bytes);
      if (c.peer == g.rank) o.setOutput(Bytes(c.out), bytes * k);
      o.setTag(g.tag++);
      return gloo::gather(o);
    }
    case SY_BARRIER: {
      gloo::BarrierOptions o(g.context);
      o.setTag(g.tag++);
      return gloo::barrier(o);
    }
    default: {
      const uint64_t slot = kMessageSlots | static_cast<uint64_t>(c.tag);
      const auto buffer =
          g.context->createUnboundBuffer(c.kind == SY_SEND ? Bytes(c.in) : Bytes(c.out), bytes);
      if (c.kind == SY_SEND) {
        buffer->send(c.peer, slot);
        buffer->waitSend(g.context->getTimeout());
      } else {
        buffer->recv(c.peer, slot);
        buffer->waitRecv(g.context->getTimeout());
      }
    }
  }
}

int RunAny(void* engine, const SyCollective* call, char* error, size_t room) {
  try {
    Run(*static_cast<Group*>(engine), *call);
    return 0;
  } catch (const std::bad_alloc&) {
    Report("out of memory", error, room);
    return SY_NO_MEMORY;
  } catch (const std::exception& e) {
    return Report(e.what(), error, room);
  }
}

constexpr SyEngine kEngine = {sizeof(SyEngine), "gloo", nullptr, Make, End, RunAny, Abort, nullptr};

}  // namespace

extern "C" __attribute__((visibility("default"))) const SyEngine* sy_collective_engine() {
  return &kEngine;
}
