#include "switchyard/core/error.h"

#include <array>
#include <new>
#include <utility>

#include "switchyard/core/checked.h"
#include "switchyard/core/dtype.h"
#include "switchyard/core/number_text.h"

namespace sy {

std::string_view Name(ErrorCode code) {
  static constexpr std::array<std::string_view, 14> kNames = {"ok",
                                                              "invalid argument",
                                                              "out of range",
                                                              "invalid value",
                                                              "index out of range",
                                                              "data dependent",
                                                              "not found",
                                                              "no overload",
                                                              "not implemented",
                                                              "out of memory",
                                                              "unavailable",
                                                              "busy",
                                                              "registration",
                                                              "internal"};
  return kNames[static_cast<size_t>(code)];
}

namespace {

// A text that is there when there is no memory for another. Never destroyed.
const std::string& NoMemory() {
  static const union Forever {
    std::string text;
    Forever() : text("out of memory") {}  // short enough to lie in the string itself
    ~Forever() {}
  } forever;
  return forever.text;
}

}  // namespace

Error::Error() noexcept
    : std::runtime_error(""),  // takes no memory
      text_(std::shared_ptr<const void>(), &NoMemory()),
      code_(ErrorCode::kOutOfMemory) {}

Error Error::OutOfMemory() noexcept { return Error(); }

Error::Error(ErrorCode code, std::string message, uint32_t op_size) noexcept : Error() {
  try {
    text_ = std::make_shared<const std::string>(std::move(message));
    code_ = code;
    op_size_ = op_size;
  } catch (const std::bad_alloc&) {
  }
}

void Piece::AppendTo(std::string& out) const {
  switch (kind_) {
    case kText:
      out += text_;
      return;
    case kInt:
      out += std::to_string(int_);
      return;
    case kUInt:
      out += std::to_string(static_cast<uint64_t>(int_));
      return;
    case kDouble:
      out += ShortestText(double_);
      return;
    case kList:
      out += '[';
      for (size_t i = 0; i < list_.size(); ++i) {
        if (i > 0) out += ", ";
        out += std::to_string(list_[i]);
      }
      out += ']';
      return;
    case kDType:
      out += Name(static_cast<DType>(int_));
      return;
  }
}

std::string Join(std::initializer_list<Piece> pieces) {
  std::string out;
  for (const Piece& p : pieces) p.AppendTo(out);
  return out;
}

void Fail(ErrorCode code, std::string_view op, std::initializer_list<Piece> why) {
  std::string text;
  try {
    if (!op.empty()) text = Join({op, "(): "});
    for (const Piece& p : why) p.AppendTo(text);
  } catch (const std::bad_alloc&) {
    throw Error::OutOfMemory();
  }
  throw Error(code, std::move(text), static_cast<uint32_t>(op.size()));
}
void Fail(ErrorCode code, std::initializer_list<Piece> pieces) { Fail(code, {}, pieces); }

void internal::FailTooLarge(std::string_view op, std::string_view what, std::string_view sign,
                            std::span<const int64_t> numbers) {
  std::string terms;
  for (const int64_t n : numbers) terms += Join({terms.empty() ? "" : sign, n});
  Fail(ErrorCode::kInvalidArgument, op, {what, " is too large: ", terms});
}

void Fail(ErrorCode code, std::string message) { throw Error(code, std::move(message)); }

}  // namespace sy
