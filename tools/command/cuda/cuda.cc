// switchyard cuda: what the cuda backend offers.

#include "tools/command/cuda/subcommands.h"
#include "tools/command/extension.h"

namespace sy::cuda {
namespace {

const command::Extension extension{[](CLI::App& app) {
  CLI::App* cuda = app.add_subcommand("cuda", "What the cuda backend offers");
  cuda->require_subcommand(1);
  AddWarm(*cuda);
  AddPackage(*cuda);
  AddTests(*cuda);
}};

}  // namespace
}  // namespace sy::cuda
