#include <fstream>

#include "switchyard/core/error.h"
#include "tools/command/commands.h"

namespace sy::command {

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) Fail(ErrorCode::kUnavailable, {"cannot write '", path, "'"});
}

}  // namespace sy::command
