// absl::StatusOr for programs that use Abseil: the outcome of a call that throws nothing.
//
//   absl::StatusOr<sy::Results> r = sy::ToStatusOr(sy::try_call("add", a, b));
//   if (!r.ok()) return r.status();
//
// The one public header that shows Abseil, and a target of its own (//dispatcher/status): Abseil's
// status costs 475 kB that the heart does not carry.
//
//   kInvalidArgument, kInvalidValue, kNoOverload   kInvalidArgument
//   kOutOfRange, kIndexOutOfRange                  kOutOfRange
//   kDataDependent, kBusy                          kFailedPrecondition
//   kNotImplemented                                kUnimplemented
//   kOutOfMemory                                   kResourceExhausted
//   kRegistration                                  kInternal
//   others                                         the one of that name
//
// Owns: nothing. Threads: any. Errors: none; std::bad_alloc where there is no memory for the
// message.
#ifndef SWITCHYARD_STATUS_H_
#define SWITCHYARD_STATUS_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <utility>

#include "switchyard/dispatcher/call.h"

namespace sy {

// The nearest code of Abseil's; several of ours share one, so that the way back is not unique.
inline absl::StatusCode ToStatusCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kOk:
      return absl::StatusCode::kOk;
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kInvalidValue:
    case ErrorCode::kNoOverload:
      return absl::StatusCode::kInvalidArgument;
    case ErrorCode::kOutOfRange:
    case ErrorCode::kIndexOutOfRange:
      return absl::StatusCode::kOutOfRange;
    case ErrorCode::kDataDependent:
    case ErrorCode::kBusy:
      return absl::StatusCode::kFailedPrecondition;
    case ErrorCode::kNotFound:
      return absl::StatusCode::kNotFound;
    case ErrorCode::kNotImplemented:
      return absl::StatusCode::kUnimplemented;
    case ErrorCode::kOutOfMemory:
      return absl::StatusCode::kResourceExhausted;
    case ErrorCode::kUnavailable:
      return absl::StatusCode::kUnavailable;
    case ErrorCode::kRegistration:
    case ErrorCode::kInternal:
      return absl::StatusCode::kInternal;
  }
  return absl::StatusCode::kUnknown;
}

// The message is kept whole. Takes the results over.
inline absl::StatusOr<Results> ToStatusOr(Outcome outcome) {
  if (!outcome) {
    const std::string& m = outcome.message;
    return absl::Status(ToStatusCode(outcome.code), absl::string_view(m.data(), m.size()));
  }
  return std::move(outcome.results);
}

}  // namespace sy

#endif  // SWITCHYARD_STATUS_H_
