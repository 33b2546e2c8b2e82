// Engine "local": ranks are threads of one process, which read each other's memory.
//
// A call has two meetings: at the first, all have said what they call and where it lies; between
// the two, each writes its own results, or, of all_reduce, one part of everybody's; at the second,
// nobody reads any more. Whoever does not come until the deadline is named to all others.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <tuple>

#include "collective/engine_internal.h"
#include "switchyard/collective/reduce.h"
#include "switchyard/core/error.h"

namespace sy::collective {

using Clock = std::chrono::steady_clock;

struct LocalMeeting {
  explicit LocalMeeting(std::vector<int> r)
      : ranks(std::move(r)),
        calls(ranks.size()),
        here(ranks.size()),
        ended(ranks.size()),
        failures(ranks.size()),
        told(ranks.size()) {
    // Where memory is out these are written all the same.
    broken.reserve(kText);
    for (std::string& t : told) t.reserve(kText);
  }

  const std::vector<int> ranks;  // in the world
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<SyCollective> calls;  // each rank's, while it is at a meeting
  std::vector<char> here, ended;
  std::vector<std::vector<uint64_t>> failures;  // what each has told: after how many calls
  std::vector<std::string> told;                // and the last one's text
  size_t count = 0;
  std::atomic<uint64_t> meetings{0};
  std::string broken;
  std::map<std::tuple<int, int, int>, std::deque<std::string>> mail;  // source, destination, tag
};

namespace {

constexpr int64_t kBlockBytes = 8192;

std::string RankList(const LocalMeeting& m, const std::vector<char>& of, bool is) {
  std::string s;
  for (size_t r = 0; r < of.size(); ++r) {
    if ((of[r] != 0) == is) s += Join({s.empty() ? "rank " : ", rank ", m.ranks[r]});
  }
  return s;
}

class LocalEngine final : public Engine {
 public:
  LocalEngine(std::shared_ptr<LocalMeeting> m, LocalStore& store, const GroupPlan& plan)
      : store_(store),
        key_(plan.key),
        m_(std::move(m)),
        rank_(static_cast<size_t>(plan.rank)),
        size_(static_cast<int>(plan.ranks.size())),
        timeout_(plan.timeout) {}
  ~LocalEngine() override {
    std::lock_guard lock(store_.mutex);
    m_.reset();
    const auto it = store_.meetings.find(key_);
    if (it != store_.meetings.end() && it->second.expired()) store_.meetings.erase(it);
  }

  bool Run(const SyCollective& c) override {
    if (c.kind == SY_SEND) {
      Send(c);
    } else if (c.kind == SY_RECV) {
      Receive(c);
    } else {
      Meet(&c);
      if (c.kind == SY_BARRIER) return true;
      Move(c);
      Meet(nullptr);
    }
    return true;
  }
  bool Tell(uint64_t calls, std::string_view failure) override {
    std::lock_guard lock(m_->mutex);
    m_->failures[rank_].push_back(calls);
    m_->told[rank_] = failure.substr(0, kText);
    m_->changed.notify_all();
    return true;
  }
  void Abort(std::string_view why) noexcept override {
    std::lock_guard lock(m_->mutex);
    if (m_->broken.empty()) m_->broken = why.substr(0, kText);
    m_->changed.notify_all();
  }

 private:
  void RequireWhole() const {
    if (!m_->broken.empty()) Fail(ErrorCode::kUnavailable, {m_->broken});
  }
  [[noreturn]] void Break(ErrorCode code, std::string why) {
    m_->broken = why;
    m_->changed.notify_all();
    Fail(code, {why});
  }
  // Returns when all ranks are here. call: what this one wants, at the first of two.
  void Meet(const SyCollective* call) {
    LocalMeeting& m = *m_;
    std::unique_lock lock(m.mutex);
    RequireWhole();
    if (call != nullptr) m.calls[rank_] = *call;
    const uint64_t meeting = m.meetings.load(std::memory_order_relaxed);
    m.here[rank_] = 1;
    if (++m.count == m.here.size()) {
      for (size_t r = 0; r < m.here.size(); ++r) RequireAgreed(r);
      if (call != nullptr) RequireSame();
      m.count = 0;
      std::fill(m.here.begin(), m.here.end(), 0);
      m.meetings.store(meeting + 1, std::memory_order_release);
      m.changed.notify_all();
      return;
    }
    const Clock::time_point deadline = Clock::now() + timeout_;
    while (m.meetings.load(std::memory_order_relaxed) == meeting) {
      RequireWhole();
      for (size_t r = 0; r < m.here.size(); ++r) {
        if (m.here[r] == 0) RequireAgreed(r);
      }
      RequireAlive();
      if (m.changed.wait_until(lock, deadline) == std::cv_status::timeout &&
          m.meetings.load(std::memory_order_relaxed) == meeting && m.broken.empty()) {
        Break(ErrorCode::kUnavailable, Join({"no answer within ", timeout_.count(),
                                             " ms; not arrived: ", RankList(m, m.here, false)}));
      }
    }
  }
  // Under the mutex: somebody who has ended does not come any more.
  void RequireAlive() {
    for (size_t r = 0; r < m_->ended.size(); ++r) {
      if (m_->ended[r] != 0 && m_->here[r] == 0)
        Break(ErrorCode::kUnavailable, Join({"rank ", m_->ranks[r], " has ended"}));
    }
  }
  // Under the mutex: whether rank r has failed where this one has not, or, once it is here, the
  // other way round. Who is here does not fail any more before all are.
  void RequireAgreed(size_t r) {
    const std::vector<uint64_t>&mine = m_->failures[rank_], &other = m_->failures[r];
    const auto [at, its] = std::mismatch(mine.begin(), mine.end(), other.begin(), other.end());
    if (its != other.end()) Break(ErrorCode::kUnavailable, m_->told[r]);
    if (at != mine.end() && m_->here[r] != 0) Break(ErrorCode::kUnavailable, m_->told[rank_]);
  }
  // Calls that do not match would read past each other's memory.
  void RequireSame() {
    const SyCollective& first = m_->calls[0];
    for (size_t r = 1; r < m_->calls.size(); ++r) {
      const SyCollective& c = m_->calls[r];
      const bool same = c.kind == first.kind && c.dtype == first.dtype && c.peer == first.peer &&
                        (!Reduces(c.kind) || c.op == first.op) &&
                        (c.kind == SY_ALL_TO_ALL || c.count == first.count);
      if (!same) {
        Break(ErrorCode::kInvalidArgument,
              Join({"calls do not match: rank ", m_->ranks[0], " has called ", Describe(first),
                    ", rank ", m_->ranks[r], " ", Describe(c)}));
      }
    }
    if (first.kind != SY_ALL_TO_ALL) return;
    for (size_t from = 0; from < m_->calls.size(); ++from) {
      for (size_t to = 0; to < m_->calls.size(); ++to) {
        const int64_t sent = m_->calls[from].in_counts[to], taken = m_->calls[to].out_counts[from];
        if (sent == taken) continue;
        Break(ErrorCode::kInvalidArgument,
              Join({"all_to_all: rank ", m_->ranks[from], " sends ", sent, " elements to rank ",
                    m_->ranks[to], ", which expects ", taken}));
      }
    }
  }

  const char* In(int r) const { return static_cast<const char*>(m_->calls[Index(r)].in); }
  char* Out(int r) const { return static_cast<char*>(m_->calls[Index(r)].out); }
  static size_t Index(int r) { return static_cast<size_t>(r); }

  // After the first meeting all calls are written and stay so until the second.
  void Move(const SyCollective& c) {
    const int64_t bytes = c.count * c.item_size;
    char* out = static_cast<char*>(c.out);
    const auto copy = [](char* to, const char* from, int64_t n) {
      if (n > 0 && to != from) std::memcpy(to, from, static_cast<size_t>(n));
    };
    const int me = static_cast<int>(rank_);
    switch (c.kind) {
      case SY_ALL_REDUCE: {  // one part of everybody's
        const int64_t begin = c.count * me / size_, end = c.count * (me + 1) / size_;
        return ReduceRange(c, begin, end, [&](const char* done, int64_t at, int64_t n) {
          for (int r = 0; r < size_; ++r) copy(Out(r) + at, done, n);
        });
      }
      case SY_REDUCE_SCATTER:
        return ReduceRange(
            c, c.count * me, c.count * (me + 1),
            [&](const char* done, int64_t at, int64_t n) { copy(out + at - bytes * me, done, n); });
      case SY_ALL_GATHER:
        for (int r = 0; r < size_; ++r) copy(out + bytes * r, In(r), bytes);
        return;
      case SY_ALL_TO_ALL:
        for (int r = 0; r < size_; ++r) {
          const int64_t* sent = m_->calls[Index(r)].in_counts;
          int64_t at = 0;
          for (int k = 0; k < me; ++k) at += sent[k];
          copy(out, In(r) + at * c.item_size, sent[me] * c.item_size);
          out += sent[me] * c.item_size;
        }
        return;
      case SY_BROADCAST:
        return copy(out, In(c.peer), bytes);
      case SY_SCATTER:
        return copy(out, In(c.peer) + bytes * me, bytes);
      case SY_GATHER:
        if (me == c.peer) {
          for (int r = 0; r < size_; ++r) copy(out + bytes * r, In(r), bytes);
        }
        return;
      default:
        Fail(ErrorCode::kInternal, {"local: no kind ", c.kind});
    }
  }
  // Elements begin … end of all ranks, in their order, a block at a time: what is read here is
  // written by nobody else. done(result, byte of the first, bytes).
  template <class F>
  void ReduceRange(const SyCollective& c, int64_t begin, int64_t end, F done) {
    alignas(64) char block[kBlockBytes];
    const int64_t step = kBlockBytes / c.item_size;
    for (int64_t i = begin; i < end; i += step) {
      const int64_t n = std::min(step, end - i), at = i * c.item_size, bytes = n * c.item_size;
      std::memcpy(block, In(0) + at, static_cast<size_t>(bytes));
      for (int r = 1; r < size_; ++r) {
        Reduce(static_cast<SyReduceOp>(c.op), static_cast<DType>(c.dtype), block, In(r) + at, n);
      }
      done(block, at, bytes);
    }
  }

  void Send(const SyCollective& c) {
    std::lock_guard lock(m_->mutex);
    RequireWhole();
    m_->mail[{static_cast<int>(rank_), c.peer, c.tag}].emplace_back(
        static_cast<const char*>(c.in), static_cast<size_t>(c.count * c.item_size));
    m_->changed.notify_all();
  }
  void Receive(const SyCollective& c) {
    std::unique_lock lock(m_->mutex);
    auto& box = m_->mail[{c.peer, static_cast<int>(rank_), c.tag}];
    const Clock::time_point deadline = Clock::now() + timeout_;
    while (box.empty()) {
      RequireWhole();
      if (m_->ended[Index(c.peer)] != 0) {
        Fail(ErrorCode::kUnavailable, {"rank ", m_->ranks[Index(c.peer)], " has ended"});
      }
      if (m_->changed.wait_until(lock, deadline) == std::cv_status::timeout && box.empty()) {
        Fail(ErrorCode::kUnavailable,
             {"nothing from rank ", m_->ranks[Index(c.peer)], " within ", timeout_.count(), " ms"});
      }
    }
    const std::string sent = std::move(box.front());
    box.pop_front();
    if (static_cast<int64_t>(sent.size()) != c.count * c.item_size) {
      Fail(ErrorCode::kInvalidArgument, {"rank ", m_->ranks[Index(c.peer)], " has sent ",
                                         sent.size(), " bytes, expected ", c.count * c.item_size});
    }
    sent.copy(static_cast<char*>(c.out), sent.size());
  }

  LocalStore& store_;
  const std::string key_;
  std::shared_ptr<LocalMeeting> m_;
  const size_t rank_;
  const int size_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace

std::unique_ptr<Engine> MakeLocalEngine(const GroupPlan& plan) {
  auto* store = dynamic_cast<LocalStore*>(plan.store);
  if (store == nullptr) {
    Fail(ErrorCode::kInvalidArgument,
         {"engine 'local' is for threads of one process (RunRanks), this one is one of several"});
  }
  std::lock_guard lock(store->mutex);
  std::shared_ptr<LocalMeeting> m = store->meetings[plan.key].lock();
  if (m == nullptr) {
    m = std::make_shared<LocalMeeting>(plan.ranks);
    store->meetings[plan.key] = m;
  }
  if (m->ranks != plan.ranks) {
    Fail(ErrorCode::kInvalidArgument,
         {"group '", plan.key, "' is made with other ranks by another rank"});
  }
  for (size_t i = 0; i < plan.ranks.size(); ++i) {
    if (std::find(store->ended.begin(), store->ended.end(), plan.ranks[i]) != store->ended.end())
      m->ended[i] = 1;
  }
  return std::make_unique<LocalEngine>(std::move(m), *store, plan);
}

void EndLocalRank(LocalStore& store, int rank) {
  std::lock_guard lock(store.mutex);
  std::vector<int>& ended = store.ended;
  if (std::find(ended.begin(), ended.end(), rank) == ended.end()) ended.push_back(rank);
  for (const auto& [key, weak] : store.meetings) {
    const std::shared_ptr<LocalMeeting> m = weak.lock();
    if (m == nullptr) continue;
    std::lock_guard inner(m->mutex);
    for (size_t i = 0; i < m->ranks.size(); ++i) {
      if (m->ranks[i] == rank) m->ended[i] = 1;
    }
    m->changed.notify_all();
  }
}

}  // namespace sy::collective
