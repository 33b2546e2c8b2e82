#include "plugin/abi.h"

#include <new>

namespace sy::plugin {

ErrorCode FromAbi(int32_t code) {
  switch (code) {
    case SY_E_INVALID_ARGUMENT:
      return ErrorCode::kInvalidArgument;
    case SY_E_INVALID_VALUE:
      return ErrorCode::kInvalidValue;
    case SY_E_OUT_OF_MEMORY:
      return ErrorCode::kOutOfMemory;
    case SY_E_UNSUPPORTED:
    case SY_DECLINED:
      return ErrorCode::kNotImplemented;
    case SY_E_DEVICE_LOST:
    case SY_E_ASYNC:
    case SY_E_FORKED:
    case SY_E_SHUTDOWN:
      return ErrorCode::kUnavailable;
    case SY_E_BUSY:
    case SY_E_NOT_READY:
      return ErrorCode::kBusy;
    case SY_E_NOT_FOUND:
      return ErrorCode::kNotFound;
    default:
      return ErrorCode::kInternal;
  }
}

int32_t ToAbi(ErrorCode code) {
  switch (code) {
    case ErrorCode::kOk:
      return SY_OK;
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kOutOfRange:
    case ErrorCode::kNoOverload:
      return SY_E_INVALID_ARGUMENT;
    case ErrorCode::kInvalidValue:
    case ErrorCode::kIndexOutOfRange:
      return SY_E_INVALID_VALUE;
    case ErrorCode::kOutOfMemory:
      return SY_E_OUT_OF_MEMORY;
    case ErrorCode::kNotImplemented:
    case ErrorCode::kDataDependent:
      return SY_E_UNSUPPORTED;
    case ErrorCode::kNotFound:
      return SY_E_NOT_FOUND;
    case ErrorCode::kUnavailable:
      return SY_E_DEVICE_LOST;
    case ErrorCode::kBusy:
      return SY_E_BUSY;
    default:
      return SY_E_INTERNAL;
  }
}

std::string_view NameOfAbi(int32_t code) {
  switch (code) {
    case SY_DECLINED:
      return "declined";
    case SY_E_INVALID_ARGUMENT:
      return "invalid argument";
    case SY_E_INVALID_VALUE:
      return "invalid value";
    case SY_E_OUT_OF_MEMORY:
      return "out of memory";
    case SY_E_UNSUPPORTED:
      return "unsupported";
    case SY_E_DEVICE_LOST:
      return "the device is lost";
    case SY_E_ASYNC:
      return "work queued before has failed";
    case SY_E_BUSY:
      return "busy";
    case SY_E_NOT_READY:
      return "not ready";
    case SY_E_FORKED:
      return "not usable after fork";
    case SY_E_SHUTDOWN:
      return "shut down";
    case SY_E_INTERNAL:
      return "internal error";
    case SY_E_NOT_FOUND:
      return "not found";
    default:
      return "an error of unknown code";
  }
}

void FailAbi(int32_t code, std::string_view text, std::string_view where) {
  if (text.empty()) text = NameOfAbi(code);
  Fail(FromAbi(code), {where, ": ", text});
}

void FailAbiOf(std::string_view op, int32_t code, std::string_view text, std::string_view where) {
  if (text.empty()) text = NameOfAbi(code);
  Fail(FromAbi(code), op, {where, where.empty() ? "" : ": ", text});
}

int32_t CatchAbi(SyError* error) noexcept {
  try {
    throw;
  } catch (const Error& e) {
    WriteText(error, e.message());
    return ToAbi(e.code());
  } catch (const std::bad_alloc&) {
    WriteText(error, "out of memory");
    return SY_E_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    WriteText(error, e.what());
  } catch (...) {
    WriteText(error, "an exception of unknown type");
  }
  return SY_E_INTERNAL;
}

}  // namespace sy::plugin
