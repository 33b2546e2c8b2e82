#include "switchyard/collective/group.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

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

Error ErrorOf(ErrorCode code, const char* what) noexcept {
  try {
    return {code, what};
  } catch (const std::bad_alloc&) {
    return Error::OutOfMemory();
  }
}
}  // namespace

Error CurrentError() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return Error::OutOfMemory();
  } catch (const std::system_error& e) {
    // Of a thread that does not start: memory is out, or threads are.
    if (e.code() == std::errc::resource_unavailable_try_again) return Error::OutOfMemory();
    return ErrorOf(ErrorCode::kUnavailable, e.what());
  } catch (const std::exception& e) {
    return ErrorOf(ErrorCode::kInternal, e.what());
  }
}

Work::Work(const SyCollective& call, std::vector<Storage> keeps)
    : call_(call), keeps_(std::move(keeps)) {}

void Work::Wait() {
  if (!done()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done(); });
  }
  if (failure_) throw Error(*failure_);
}

void Work::Finish(std::optional<Error> failure) noexcept {
  const bool failed = failure.has_value();
  {
    std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    done_.store(true);
    changed_.notify_all();
  }
  if (!failed) ForgetPending(result_);
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
  broken_.reserve(kText);
  last_failure_.reserve(kText);
}

void Group::Start() {
  if (size() > 1) engine_ = MakeEngine(engine_name, plan);
}

void Group::Discard() noexcept {
  if (engine_ != nullptr) engine_->Abort("the group is not made");
}

Group::~Group() {
  {
    std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  try {
    FinishOnDevice(device_);
  } catch (const Error&) {  // said to whoever has asked
  }
}

void Group::RequireWhole() const {
  if (state_.load(std::memory_order_acquire) != kBroken) [[likely]]
    return;
  std::lock_guard lock(mutex_);
  Fail(ErrorCode::kUnavailable, {"group '", name, "' is of no use any more: ", broken_});
}

SY_INLINE void Group::Execute(const SyCollective& call) {
  const uint64_t number = calls_.load(std::memory_order_relaxed) + 1;
  calls_.store(number, std::memory_order_relaxed);
  const bool usual = state_.load(std::memory_order_acquire) == kWhole && engine_ != nullptr &&
                     !check_ && !(Reduces(call.kind) && call.op == SY_AVG);
  if (!usual) [[unlikely]]
    return ExecuteSlowly(call, number);
  try {
    const InEngine in(collective_, call, number);
    engine_->Run(call);
  } catch (const std::exception&) {
    throw Failure(call, number);
  }
}

void Group::ExecuteSlowly(const SyCollective& call, uint64_t number) {
  if (state_.load(std::memory_order_acquire) != kWhole) Settle(call, number);
  if (engine_ == nullptr) return RunAlone(call);
  try {
    const InEngine in(collective_, call, number);
    if (check_) Check(call, number);
    if (Reduces(call.kind) && call.op == SY_AVG) {
      SyCollective sum = call;
      sum.op = SY_SUM;
      engine_->Run(sum);
      Divide(static_cast<DType>(call.dtype), call.out, call.count, size());
    } else {
      engine_->Run(call);
    }
  } catch (const std::exception&) {
    throw Failure(call, number);
  }
}

void Group::Run(const SyCollective& call) {
  if (call.kind >= SY_SEND || busy()) [[unlikely]]
    return RunQueued(call);
  std::lock_guard lock(engine_lock_);
  Execute(call);
}

void Group::RunQueued(const SyCollective& call) {
  if (call.kind < SY_SEND) {
    const std::shared_ptr<Work> work = Prepare(call, {});
    Queue(work);
    return work->Wait();
  }
  RequireWhole();
  if (size() == 1)
    Fail(ErrorCode::kInvalidArgument, {"group '", name, "' has no rank to exchange with"});
  const uint64_t number = messages_.fetch_add(1) + 1;
  try {
    const InEngine in(message_, call, number);
    engine_->Run(call);
  } catch (const std::exception&) {
    throw Failure(call, number);
  }
}

std::shared_ptr<Work> Group::Prepare(const SyCollective& call, std::vector<Storage> keeps) {
  auto work = std::make_shared<Work>(call, std::move(keeps));
  if (call.kind == SY_ALL_TO_ALL) {
    work->in_counts_.assign(call.in_counts, call.in_counts + size());
    work->out_counts_.assign(call.out_counts, call.out_counts + size());
    work->call_.in_counts = work->in_counts_.data();
    work->call_.out_counts = work->out_counts_.data();
  }
  std::lock_guard lock(mutex_);
  try {
    if (!thread_.joinable()) thread_ = std::thread([this] { Serve(); });
  } catch (const std::system_error&) {
    throw CurrentError();
  }
  return work;
}

void Group::Queue(std::shared_ptr<Work> work) noexcept {
  std::lock_guard lock(mutex_);
  Work* const last = std::exchange(last_, work.get());
  (last == nullptr ? first_ : last->next_) = std::move(work);
  queued_.fetch_add(1, std::memory_order_acq_rel);
  changed_.notify_all();
}

void Group::Serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stops_ || first_ != nullptr; });
    if (first_ == nullptr) return;
    const std::shared_ptr<Work> work = std::move(first_);
    first_ = std::move(work->next_);
    if (first_ == nullptr) last_ = nullptr;
    lock.unlock();
    std::optional<Error> failure;
    try {
      std::lock_guard one(engine_lock_);
      Execute(work->call_);
    } catch (const std::exception&) {
      failure = CurrentError();
    }
    // Before whoever waits goes on: the queue is empty for them.
    queued_.fetch_sub(1, std::memory_order_acq_rel);
    work->Finish(std::move(failure));
    lock.lock();
    changed_.notify_all();
  }
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
  WatchDeviceReads();
  return device_engine_.get();
}

std::string Group::NameOf(const SyCollective& call, uint64_t number) const {
  return Join({OperatorName(call.kind), "(): rank ", plan.world_rank(), ", group '", name, "', ",
               call.kind >= SY_SEND ? "message " : "call ", number, ", ", Describe(call)});
}

namespace {
// A stream cannot be asked while it is captured, nor can events there.
std::optional<bool> IsDone(const auto& stream_or_event) {
  try {
    return stream_or_event.Query();
  } catch (const Error& e) {
    if (e.code() == ErrorCode::kInvalidArgument) return std::nullopt;
    throw;
  }
}
}  // namespace

std::string Group::WhoHasEnded() const {
  std::string who;
  for (const int rank : ended_)
    who += Join({who.empty() ? "rank " : ", rank ", rank, " has ended"});
  return who;
}

void Group::LookAtDevice(Clock::time_point now) {
  std::string why;
  try {
    while (!on_device_.empty() && IsDone(on_device_.front().done).value_or(false)) {
      on_device_.pop_front();
      first_since_ = now;
    }
    if (on_device_.empty()) return;
    device_engine_->Poll();
    if (!ended_.empty() && now - std::max(first_since_, noticed_) > kGrace) {
      why = WhoHasEnded();
    } else if (const std::vector<Told> alone = FailedAlone(calls()); !alone.empty()) {
      why = alone.front().text;
    } else if (now - first_since_ > plan.timeout) {
      why = Join({"no answer within ", plan.timeout.count(), " ms"});
    }
  } catch (const Error& e) {
    why = std::string(e.reason());
  }
  if (why.empty()) return;
  if (broken_.empty()) broken_ = Join({on_device_.front().what, ": ", why});
  state_.store(kBroken, std::memory_order_release);
  on_device_.clear();
  device_engine_->Abort(why);
}

void Group::FinishOnDevice(const Device& device) {
  while (true) {
    {
      std::lock_guard lock(mutex_);
      if (device != device_) return;
      LookAtDevice(Clock::now());
      if (on_device_.empty()) break;
    }
    std::this_thread::sleep_for(kDeviceAsk);
  }
  RequireWhole();
}

bool Group::RunOnDevice(const Device& device, SyCollective call) {
  {
    std::unique_lock lock(mutex_);  // what is queued goes first
    changed_.wait(lock, [&] { return !busy(); });
    LookAtDevice(Clock::now());
  }
  std::lock_guard lock(engine_lock_);
  const uint64_t number = calls_.load(std::memory_order_relaxed) + 1;
  if (state_.load(std::memory_order_acquire) != kWhole) Settle(call, number);
  const Stream stream = CurrentStream(device);
  const bool captured = !IsDone(stream).has_value();
  if (captured && (check_ || !asked_for_device_)) {
    Fail(ErrorCode::kInvalidArgument, OperatorName(call.kind),
         {"while a graph is captured: ranks of group '", name,
          check_ ? "' compare their calls before each, which no graph can"
                 : "' have to meet once before, by any call on this device"});
  }
  try {
    Engine* engine = DeviceEngine(device);
    if (engine == nullptr) return false;
    call.stream = stream.native_handle();
    if (check_) Check(call, number);
    if (!engine->Run(call)) return false;
    calls_.store(number, std::memory_order_relaxed);
    if (captured) return true;  // whoever replays the graph waits for it
    const Event done = stream.RecordEvent();
    std::lock_guard inner(mutex_);
    device_ = device;
    if (on_device_.empty()) first_since_ = Clock::now();
    on_device_.push_back({NameOf(call, number), done});
    return true;
  } catch (const std::exception&) {
    throw Failure(call, number);
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

Error Group::Failure(const SyCollective& call, uint64_t number) noexcept {
  const Error why = CurrentError();
  if (engine_name == "local" || why.code() != ErrorCode::kUnavailable)
    return Break(call, number, why.code(), why.reason());
  try {
    return Break(call, number, why.code(), Join({why.reason(), WhoseFault(call, number)}));
  } catch (const std::exception&) {  // there is no memory to ask
    return Break(call, number, why.code(), why.reason());
  }
}

// "; rank 1 has ended": of a failure in an engine, which knows of connections.
std::string Group::WhoseFault(const SyCollective& call, uint64_t number) {
  const bool message = call.kind >= SY_SEND;
  std::string who;
  const auto add = [&](std::string_view text, int rank) { who += Join({"; rank ", rank, text}); };
  // A connection may break before its reason is known here.
  for (auto waited = Clock::duration::zero(); waited < kLearn && who.empty(); waited += kAsk) {
    {
      std::lock_guard lock(mutex_);
      for (const int rank : ended_) add(" has ended", rank);
      // Of a message nothing is known of who has failed before it.
      for (const Told& t : FailedAlone(message ? 0 : number)) who += "; " + t.text;
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
  return who;
}

Error Group::Break(const SyCollective& call, uint64_t number, ErrorCode code,
                   std::string_view reason) noexcept {
  if (call.kind < SY_SEND) {
    const int n = static_cast<int>(std::min(reason.size(), kText));
    char why[kText];
    if (code == ErrorCode::kOutOfMemory) {  // nobody else's fault: the others may wait
      std::snprintf(why, kText, "%s(): %.*s", OperatorName(call.kind).data(), n, reason.data());
      GiveUp(number - 1, why);
    } else {
      std::snprintf(why, kText, "rank %d has given up: %.*s", plan.world_rank(), n, reason.data());
      engine_->Abort(why);
    }
  }
  try {
    std::string text = Join({NameOf(call, number), ": ", reason});
    if (call.kind < SY_SEND) Spoil(text);
    return {code, std::move(text), static_cast<uint32_t>(OperatorName(call.kind).size())};
  } catch (const std::bad_alloc&) {
    if (call.kind < SY_SEND) Spoil(reason);
    return Error::OutOfMemory();
  }
}

void Group::Spoil(std::string_view why) noexcept {
  std::lock_guard lock(mutex_);
  if (broken_.empty()) broken_.assign(why.substr(0, kText));
  state_.store(kBroken, std::memory_order_release);
}

void Group::Watch(const std::vector<int>& ended) {
  if (engine_ == nullptr) return;
  const Clock::time_point now = Clock::now();
  bool misses = false;
  std::vector<Told> alone;
  {
    std::lock_guard lock(mutex_);
    const uint64_t waiting =
        on_device_.empty() ? collective_.number.load(std::memory_order_acquire) : calls();
    if (waiting != 0) alone = FailedAlone(waiting);
    for (const int rank : ended) {
      if (std::find(plan.ranks.begin(), plan.ranks.end(), rank) == plan.ranks.end()) continue;
      if (std::find(ended_.begin(), ended_.end(), rank) != ended_.end()) continue;
      if (ended_.empty()) noticed_ = now;
      ended_.push_back(rank);
    }
    misses = !ended_.empty();
    LookAtDevice(now);
  }
  Answer(alone);
  TellGivenUp();
  for (InFlight* f : {&collective_, &message_}) {
    const uint64_t number = f->number.load(std::memory_order_acquire);
    if (number != f->seen) f->since = now;
    f->seen = number;
    if (number == 0) continue;
    const bool lost = misses && now - std::max(f->since, noticed_) > kGrace;
    const bool failed = f == &collective_ && !alone.empty();
    if (!lost && !failed && now - f->since < plan.timeout + kLate) continue;
    std::string why = lost ? "" : Join({"no answer within ", plan.timeout.count(), " ms"});
    if (failed) {
      why = alone.front().text;
    } else if (lost) {
      std::lock_guard lock(mutex_);
      why = WhoHasEnded();
    }
    engine_->Abort(Join({"rank ", plan.world_rank(), ", group '", name, "', ",
                         f == &message_ ? "message " : "call ", number, ", ",
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
