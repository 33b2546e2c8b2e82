#include "switchyard/collective/group.h"

#include <algorithm>
#include <cstring>

#include "collective/work_internal.h"
#include "switchyard/collective/reduce.h"
#include "switchyard/core/accelerator.h"

namespace sy::collective {

using Clock = std::chrono::steady_clock;

namespace {
// How long a rank that is known to have ended may still have sent what is needed.
constexpr std::chrono::milliseconds kGrace{500};
// How long after the deadline the engine has to see it itself; how long, and how often, is asked
// whose fault a failure is.
constexpr std::chrono::milliseconds kLate{1000}, kLearn{500}, kAsk{50};
constexpr std::chrono::microseconds kDeviceAsk{20};
constexpr int64_t kTextBytes = 120;  // of a call, in check mode
}  // namespace

Work::Work(const SyCollective& call, std::vector<Storage> keeps)
    : call_(call), keeps_(std::move(keeps)) {}

void Work::Wait() {
  if (!done()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done(); });
  }
  if (failure_) throw Error(*failure_);
}

void Work::Finish(std::optional<Error> failure) {
  const bool failed = failure.has_value();
  {
    std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    done_.store(true);
    changed_.notify_all();
  }
  // In this order: SetPending writes the one and reads the other.
  if (!failed) ForgetPending(result_.load());
  keeps_.clear();
}

Group::Group(std::string n, const GroupPlan& p, std::string engine, const GroupOptions& options,
             bool check, void* w)
    : name(std::move(n)),
      plan(p),
      engine_name(std::move(engine)),
      world(w),
      device_engine_name_(options.device_engine),
      check_(check),
      inline_bytes_(options.inline_bytes > 0 ? options.inline_bytes : -1) {
  if (size() > 1) engine_ = MakeEngine(engine_name, plan);
}

Group::~Group() {
  {
    std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Group::RequireWhole() const {
  if (!is_broken_.load(std::memory_order_acquire)) [[likely]]
    return;
  std::lock_guard lock(mutex_);
  Fail(ErrorCode::kUnavailable, {"group '", name, "' is of no use any more: ", broken_});
}

void Group::Run(SyCollective call) {
  if (call.kind >= SY_SEND) {
    RequireWhole();
    if (size() == 1)
      Fail(ErrorCode::kInvalidArgument, {"group '", name, "' has no rank to exchange with"});
    const uint64_t number = messages_.fetch_add(1) + 1;
    message_.kind.store(call.kind, std::memory_order_relaxed);
    message_.number.store(number, std::memory_order_release);
    try {
      engine_->Run(call);
    } catch (const Error& e) {
      message_.number.store(0, std::memory_order_release);
      throw Failure(call, number, e);
    }
    return message_.number.store(0, std::memory_order_release);
  }
  if (busy()) return Start(call, {})->Wait();
  std::lock_guard lock(engine_mutex_);
  Execute(call);
}

std::shared_ptr<Work> Group::Start(const SyCollective& call, std::vector<Storage> keeps) {
  auto work = std::make_shared<Work>(call, std::move(keeps));
  if (call.kind == SY_ALL_TO_ALL) {
    work->in_counts_.assign(call.in_counts, call.in_counts + size());
    work->out_counts_.assign(call.out_counts, call.out_counts + size());
    work->call_.in_counts = work->in_counts_.data();
    work->call_.out_counts = work->out_counts_.data();
  }
  std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { Serve(); });
  queue_.push_back(work);
  queued_.fetch_add(1, std::memory_order_acq_rel);
  changed_.notify_all();
  return work;
}

void Group::Serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stops_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::shared_ptr<Work> work = queue_.front();
    queue_.pop_front();
    lock.unlock();
    std::optional<Error> failure;
    try {
      std::lock_guard one(engine_mutex_);
      Execute(work->call_);
    } catch (const Error& e) {
      failure = e;
    } catch (const std::exception& e) {
      failure = Error(ErrorCode::kInternal, e.what());
    }
    // Before whoever waits goes on: the queue is empty for them.
    queued_.fetch_sub(1, std::memory_order_acq_rel);
    work->Finish(std::move(failure));
    lock.lock();
    changed_.notify_all();
  }
}

void Group::Execute(SyCollective& call) {
  const uint64_t number = calls_.load(std::memory_order_relaxed) + 1;
  calls_.store(number, std::memory_order_relaxed);
  RequireWhole();
  if (engine_ == nullptr) return RunAlone(call);
  collective_.kind.store(call.kind, std::memory_order_relaxed);
  collective_.number.store(number, std::memory_order_release);
  try {
    if (check_) Check(call, number);
    if (Reduces(call.kind) && call.op == SY_AVG) {
      SyCollective sum = call;
      sum.op = SY_SUM;
      engine_->Run(sum);
      Divide(static_cast<DType>(call.dtype), call.out, call.count, size());
    } else {
      engine_->Run(call);
    }
  } catch (const Error& e) {
    collective_.number.store(0, std::memory_order_release);
    throw Failure(call, number, e);
  }
  collective_.number.store(0, std::memory_order_release);
}

// All ranks have it, or nobody does: the host's engine knows.
Engine* Group::DeviceEngine(const Device& device) {
  if (asked_for_device_) return device_engine_.get();
  asked_for_device_ = true;
  if (engine_ == nullptr || device_engine_name_ != "nccl" || device.type.name() != "cuda")
    return nullptr;
  std::string why;
  uint8_t there = OpenEngine(device_engine_name_, &why) != nullptr ? 1 : 0;
  SyCollective ask = {};
  ask.kind = SY_ALL_REDUCE;
  ask.op = SY_MIN;
  ask.dtype = static_cast<int32_t>(DType::kUInt8);
  ask.item_size = 1;
  ask.count = 1;
  ask.in = ask.out = &there;
  engine_->Run(ask);
  if (there == 0) return nullptr;
  GroupPlan on_device = plan;
  on_device.device = device.index;
  device_engine_ = MakeEngine(device_engine_name_, on_device);
  return device_engine_.get();
}

void Group::WaitOnDevice(const Stream& stream) {
  const Clock::time_point start = Clock::now();
  while (!stream.Query()) {
    device_engine_->Poll();
    bool misses = false;
    {
      std::lock_guard lock(mutex_);
      misses = !ended_.empty() && Clock::now() - std::max(start, noticed_) > kGrace;
    }
    if (misses || Clock::now() - start > plan.timeout) {
      device_engine_->Abort("");
      Fail(ErrorCode::kUnavailable, {"no answer within ", plan.timeout.count(), " ms"});
    }
    std::this_thread::sleep_for(kDeviceAsk);
  }
  device_engine_->Poll();
}

bool Group::RunOnDevice(const Device& device, SyCollective call) {
  {
    std::unique_lock lock(mutex_);  // what is queued goes first
    changed_.wait(lock, [&] { return !busy(); });
  }
  std::lock_guard lock(engine_mutex_);
  RequireWhole();
  const uint64_t number = calls_.load(std::memory_order_relaxed) + 1;
  try {
    Engine* engine = DeviceEngine(device);
    if (engine == nullptr) return false;
    const Stream stream = CurrentStream(device);
    call.stream = stream.native_handle();
    if (check_) Check(call, number);
    if (!engine->Run(call)) return false;
    calls_.store(number, std::memory_order_relaxed);
    WaitOnDevice(stream);
    return true;
  } catch (const Error& e) {
    throw Failure(call, number, e);
  }
}

// A group of one: what a rank gets is its own.
void Group::RunAlone(const SyCollective& call) {
  if (call.kind != SY_BARRIER && call.in != call.out && InBytes(call, 1) > 0)
    std::memcpy(call.out, call.in, static_cast<size_t>(InBytes(call, 1)));
}

// All ranks' calls as texts; of all_to_all, what each sends and expects beside.
void Group::Check(const SyCollective& call, uint64_t number) {
  char mine[kTextBytes] = "";
  Join({"call ", number, ", ", Describe(call)}).copy(mine, kTextBytes - 1);
  std::vector<char> all(static_cast<size_t>(kTextBytes) * plan.ranks.size());
  SyCollective gather = {};
  gather.kind = SY_ALL_GATHER;
  gather.dtype = static_cast<int32_t>(DType::kUInt8);
  gather.item_size = 1;
  gather.count = kTextBytes;
  gather.in = mine;
  gather.out = all.data();
  engine_->Run(gather);
  for (size_t r = 1; r < plan.ranks.size(); ++r) {
    const char* other = all.data() + r * kTextBytes;
    if (std::strncmp(all.data(), other, kTextBytes) == 0) continue;
    Fail(ErrorCode::kInvalidArgument, {"calls do not match: rank ", plan.ranks[0], ": ", all.data(),
                                       "; rank ", plan.ranks[r], ": ", other});
  }
  if (call.kind != SY_ALL_TO_ALL) return;
  const auto k = static_cast<size_t>(size());
  std::vector<int64_t> counts(2 * k), every(2 * k * k);
  std::copy_n(call.in_counts, k, counts.begin());
  std::copy_n(call.out_counts, k, counts.begin() + static_cast<std::ptrdiff_t>(k));
  gather.dtype = static_cast<int32_t>(DType::kInt64);
  gather.item_size = sizeof(int64_t);
  gather.count = static_cast<int64_t>(2 * k);
  gather.in = counts.data();
  gather.out = every.data();
  engine_->Run(gather);
  for (size_t from = 0; from < k; ++from) {
    for (size_t to = 0; to < k; ++to) {
      const int64_t sent = every[2 * k * from + to], taken = every[2 * k * to + k + from];
      if (sent == taken) continue;
      Fail(ErrorCode::kInvalidArgument,
           {"calls do not match: rank ", plan.ranks[from], " sends ", sent, " elements to rank ",
            plan.ranks[to], ", which expects ", taken});
    }
  }
}

// How far another rank is in this group: "KEY CALLS" among its lines; 0 where it says nothing.
namespace {
uint64_t CallsIn(const std::string& progress, const std::string& key) {
  const std::string line = key + " ";
  for (size_t at = 0; at < progress.size();) {
    const size_t end = std::min(progress.find('\n', at), progress.size());
    if (progress.compare(at, line.size(), line) == 0)
      return std::stoull(progress.substr(at + line.size(), end - at - line.size()));
    at = end + 1;
  }
  return 0;
}
}  // namespace

std::string Group::Progress() const { return Join({plan.key, " ", calls()}); }

// What is thrown: who, where, which call, why, and whose fault it may be. The group is broken.
Error Group::Failure(const SyCollective& call, uint64_t number, const Error& why) {
  const bool message = call.kind >= SY_SEND;
  std::string reason(why.reason());
  if (engine_name != "local" && why.code() == ErrorCode::kUnavailable) {
    std::string who;
    const auto add = [&](std::string_view text, int rank) { who += Join({"; rank ", rank, text}); };
    // A connection may break before its reason is known here.
    for (auto waited = Clock::duration::zero(); waited < kLearn && who.empty(); waited += kAsk) {
      {
        std::lock_guard lock(mutex_);
        for (const int rank : ended_) add(" has ended", rank);
      }
      for (size_t r = 0; r < plan.ranks.size() && who.empty() && !message; ++r) {
        if (static_cast<int>(r) == plan.rank) continue;
        try {
          const auto progress =
              plan.store->Get(Join({"progress/", plan.ranks[r]}), Store::Milliseconds(0));
          if (waited + kAsk >= kLearn && CallsIn(progress.value_or(""), plan.key) < number)
            add(" has not arrived", plan.ranks[r]);
        } catch (const Error& silent) {
          who += Join({"; ", silent.reason()});
        }
      }
      if (who.empty()) std::this_thread::sleep_for(kAsk);
    }
    reason += who;
  }
  const std::string_view op = OperatorName(call.kind);
  std::string text =
      Join({op, "(): rank ", plan.ranks[static_cast<size_t>(plan.rank)], ", group '", name, "', ",
            message ? "message " : "call ", number, ", ", Describe(call), ": ", reason});
  if (!message) {
    {
      std::lock_guard lock(mutex_);
      if (broken_.empty()) broken_ = text;
    }
    is_broken_.store(true, std::memory_order_release);
    engine_->Abort(
        Join({"rank ", plan.ranks[static_cast<size_t>(plan.rank)], " has given up: ", reason}));
  }
  return {why.code(), std::move(text), static_cast<uint32_t>(op.size())};
}

void Group::Watch(const std::vector<int>& ended) {
  if (engine_ == nullptr) return;
  const Clock::time_point now = Clock::now();
  bool misses = false;
  {
    std::lock_guard lock(mutex_);
    for (const int rank : ended) {
      if (std::find(plan.ranks.begin(), plan.ranks.end(), rank) == plan.ranks.end()) continue;
      if (std::find(ended_.begin(), ended_.end(), rank) != ended_.end()) continue;
      if (ended_.empty()) noticed_ = now;
      ended_.push_back(rank);
    }
    misses = !ended_.empty();
  }
  for (InFlight* f : {&collective_, &message_}) {
    const uint64_t number = f->number.load(std::memory_order_acquire);
    if (number != f->seen) f->since = now;
    f->seen = number;
    if (number == 0) continue;
    const bool lost = misses && now - std::max(f->since, noticed_) > kGrace;
    if (!lost && now - f->since < plan.timeout + kLate) continue;
    std::string why = lost ? "" : Join({"no answer within ", plan.timeout.count(), " ms"});
    if (lost) {
      std::lock_guard lock(mutex_);
      for (const int rank : ended_)
        why += Join({why.empty() ? "rank " : ", rank ", rank, " has ended"});
    }
    engine_->Abort(Join({"rank ", plan.ranks[static_cast<size_t>(plan.rank)], ", group '", name,
                         "', ", f == &message_ ? "message " : "call ", number, ", ",
                         KindName(f->kind.load()), ": ", why}));
  }
}

const std::string& NameOf(const Group& group) { return group.name; }
int RankIn(const Group& group) { return group.plan.rank; }
int SizeOf(const Group& group) { return group.size(); }
std::span<const int> RanksOf(const Group& group) { return group.plan.ranks; }
std::string_view EngineOf(const Group& group) { return group.engine_name; }
uint64_t CallsOf(const Group& group) { return group.calls(); }

}  // namespace sy::collective
