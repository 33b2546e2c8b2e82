// What becomes of a device that fails: the operators that --fail and --lose name bring it about.

#include <absl/functional/function_ref.h>

#include "switchyard/core/accelerator.h"
#include "switchyard/dispatcher/call.h"
#include "testing/conform/session.h"
#include "third_party/fmt/format.h"

namespace sy::conform {
namespace {

// What f throws. Errors: Broken unless it is kUnavailable.
std::string Failure(std::string_view what, absl::FunctionRef<void()> f) {
  try {
    f();
  } catch (const Error& e) {
    Require(e.code() == ErrorCode::kUnavailable,
            {what, " gives an error, but not 'unavailable': ", e.message()});
    return e.message();
  }
  Broken({what, " gives no error"});
}

Tensor Number(const Session& s) { return s.There(Tensor::Empty({4}, DType::kFloat32)); }

// The call itself may say so already, where the device has no queue.
void Bring(const std::string& op, const Tensor& x) {
  const sy::Outcome o = try_call(op, x);
  Require(o || o.code == ErrorCode::kUnavailable,
          {op, "() does not do what it is for: ", o.message});
}

void LateFailure(const Subject& subject) {
  if (subject.fail.empty())
    NotApplicable({"no operator is named whose queued work fails: --fail OPERATOR"});
  const Session s(subject);
  {
    const Tensor x = Number(s);
    const Tensor result = call(subject.fail, x).take();  // queued
    const Event event = CurrentStream(s.device()).impl() == nullptr
                            ? Event()
                            : CurrentStream(s.device()).RecordEvent();
    for (const char* time : {"", " again"}) {
      const std::string what =
          fmt::format("after {}(), waiting for the device{}", subject.fail, time);
      const std::string why = Failure(what, [&] { Synchronize(s.device()); });
      Require(why.find(subject.fail) != why.npos,
              {what, ": the error does not name the call, whose SyCall::sequence it should carry: ",
               why});
      Failure(fmt::format("copying its result to the host{}", time), [&] { ToHost(result); });
    }
  }
  s.Unload();
  Session(subject).UseAndUnload();
}

void LostDevice(const Subject& subject) {
  if (subject.lose.empty())
    NotApplicable({"no operator is named that loses the device: --lose OPERATOR"});
  const Session s(subject);
  {
    const Tensor x = Number(s), other = Number(s);
    const Stream stream =
        CurrentStream(s.device()).impl() == nullptr ? Stream() : Stream::New(s.device());
    const Event event = stream.impl() == nullptr ? Event() : stream.RecordEvent();
    const Tensor pinned = s.backend().pinned_allocator() == nullptr
                              ? Tensor()
                              : EmptyPinned({4}, DType::kFloat32, s.device());
    Bring(subject.lose, x);
    for (const char* time : {"", " again"}) {
      Failure(fmt::format("after {}(), waiting for the device{}", subject.lose, time),
              [&] { Synchronize(s.device()); });
    }
    // The host asks a lost device for nothing; one that says something else is asked.
    Failure("on a lost device, making a tensor", [&] { s.Empty({4}, DType::kFloat32); });
    Failure("on a lost device, copying to the host", [&] { ToHost(other); });
  }
  s.Unload();
  try {
    Session(subject).UseAndUnload();
  } catch (const Error& e) {  // a driver may need another process
    Require(e.code() == ErrorCode::kUnavailable,
            {"loaded again after the loss, it fails with '", e.message(), "'"});
  }
}

constexpr Check kChecks[] = {
    {"failure.late", "work that fails later is reported by every wait, with its call", LateFailure},
    {"failure.lost", "a lost device says so from then on, takes back what it gave, and unloads",
     LostDevice},
};

}  // namespace

std::span<const Check> FailureChecks() { return kChecks; }

}  // namespace sy::conform
