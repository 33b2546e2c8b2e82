// The subcommands of switchyard cuda, a file each.
#ifndef TOOLS_COMMAND_CUDA_SUBCOMMANDS_H_
#define TOOLS_COMMAND_CUDA_SUBCOMMANDS_H_

#include <CLI/CLI.hpp>

namespace sy::cuda {

void AddWarm(CLI::App& cuda);
void AddPackage(CLI::App& cuda);
void AddTests(CLI::App& cuda);

}  // namespace sy::cuda

#endif  // TOOLS_COMMAND_CUDA_SUBCOMMANDS_H_
