// Two checks, and how their messages are put together: by the pieces of sy::Fail, by fmt, or by
// absl::StrCat, which does not take a std::string_view of Debian's.

#if defined(WITH_FMT)
#include "core/format/format.h"
#elif defined(WITH_STRCAT)
#include <absl/strings/str_cat.h>
#endif

#include "switchyard/core/error.h"

void CheckDim(int64_t dim, int64_t rank, std::string_view op) {
  if (dim < rank) [[likely]]
    return;
#if defined(WITH_FMT)
  sy::Fail(sy::ErrorCode::kOutOfRange,
           fmt::format("{}(): dim {} is out of range for {} dimensions", op, dim, rank));
#elif defined(WITH_STRCAT)
  sy::Fail(sy::ErrorCode::kOutOfRange,
           absl::StrCat(absl::string_view(op.data(), op.size()), "(): dim ", dim,
                        " is out of range for ", rank, " dimensions"));
#else
  sy::Fail(sy::ErrorCode::kOutOfRange, op,
           {"dim ", dim, " is out of range for ", rank, " dimensions"});
#endif
}

void CheckShare(double p, std::string_view op) {
  if (p <= 1) [[likely]]
    return;
#if defined(WITH_FMT)
  sy::Fail(sy::ErrorCode::kInvalidArgument,
           fmt::format("{}(): p must be at most 1, got {}", op, p));
#elif defined(WITH_STRCAT)
  sy::Fail(sy::ErrorCode::kInvalidArgument, absl::StrCat(absl::string_view(op.data(), op.size()),
                                                         "(): p must be at most 1, got ", p));
#else
  sy::Fail(sy::ErrorCode::kInvalidArgument, op, {"p must be at most 1, got ", p});
#endif
}
