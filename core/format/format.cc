#include "core/format/format.h"

namespace sy::internal {

fmt::appender Append(fmt::appender out, const Piece& piece) {
  std::string text;
  piece.AppendTo(text);
  for (const char c : text) *out++ = c;
  return out;
}

}  // namespace sy::internal
