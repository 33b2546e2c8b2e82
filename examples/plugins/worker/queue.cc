#include "queue.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace worker {
namespace {

// The host has set out->size.
int32_t Tell(const SyAsyncError& failure, SyAsyncError* out) {
  if (failure.code == SY_OK) return SY_OK;
  out->code = failure.code;
  out->sequence = failure.sequence;
  std::memcpy(out->text, failure.text, sizeof(out->text));
  return failure.code;
}

}  // namespace

void Mark::Reach(const SyAsyncError& failure) {
  const std::lock_guard lock(mutex_);
  reached_ = true;
  failure_ = failure;
  time_ = Clock::now();
  changed_.notify_all();
}

int32_t Mark::Wait(SyAsyncError* error) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return reached_; });
  return error == nullptr ? SY_OK : Tell(failure_, error);
}

bool Mark::IsReached() {
  const std::lock_guard lock(mutex_);
  return reached_;
}

Mark::Clock::time_point Mark::time() {
  const std::lock_guard lock(mutex_);
  return time_;
}

Queue::~Queue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void Queue::Push(uint64_t sequence, std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back({sequence, std::move(job)});
  changed_.notify_all();
}

std::shared_ptr<Mark> Queue::PushMark() {
  auto mark = std::make_shared<Mark>();
  Push(0, [this, mark] { mark->Reach(failure_); });  // in the thread that writes failure_
  return mark;
}

int32_t Queue::Wait(SyAsyncError* error) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty() && !busy_; });
  return error == nullptr ? SY_OK : Tell(failure_, error);
}

bool Queue::IsDone() {
  const std::lock_guard lock(mutex_);
  return jobs_.empty() && !busy_;
}

void Queue::Work() {
  ++num_alive;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !jobs_.empty() || ending_; });
    if (jobs_.empty()) break;
    {
      const Job job = std::move(jobs_.front());
      jobs_.pop_front();
      busy_ = true;
      lock.unlock();
      Run(job);
    }
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
  --num_alive;
}

void Queue::Run(const Job& job) {
  try {
    job.run();
  } catch (const std::exception& e) {
    Fail(job.sequence, e.what());
  } catch (...) {
    Fail(job.sequence, "an exception of unknown type");
  }
}

void Queue::Fail(uint64_t sequence, const char* text) {
  const std::lock_guard lock(mutex_);
  if (failure_.code != SY_OK) return;
  failure_.code = SY_E_ASYNC;
  failure_.sequence = sequence;
  const size_t n = std::min(std::strlen(text), sizeof(failure_.text) - 1);
  std::memcpy(failure_.text, text, n);
}

void Event::Record(Queue& queue) {
  const std::lock_guard lock(mutex_);
  mark_ = queue.PushMark();
}

std::shared_ptr<Mark> Event::mark() {
  const std::lock_guard lock(mutex_);
  return mark_;
}

}  // namespace worker
