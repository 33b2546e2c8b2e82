#include "tools/command/extension.h"

namespace sy::command {
namespace {

constinit const Extension* first = nullptr;

}  // namespace

Extension::Extension(Add add) : add_(add), next_(first) { first = this; }

void Extension::AddAll(CLI::App& app) {
  for (const Extension* e = first; e != nullptr; e = e->next_) e->add_(app);
}

}  // namespace sy::command
