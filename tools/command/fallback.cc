// --fallback, as several subcommands have it.

#include "switchyard/dispatcher/fallback.h"

#include <map>
#include <string>

#include "tools/command/commands.h"

namespace sy::command {

void AddFallback(CLI::App& command, FallbackMode& mode) {
  const std::map<std::string, FallbackMode> modes = {{"forbid", FallbackMode::kForbid},
                                                     {"allow", FallbackMode::kAllow}};
  command
      .add_option(
          "--fallback", mode,
          "Whether what the device has no kernel for runs on the host, on copies: allow, or\n"
          "forbid")
      ->transform(CLI::CheckedTransformer(modes))
      ->default_str(mode == FallbackMode::kAllow ? "allow" : "forbid");
}

}  // namespace sy::command
