/* Linked with code that sets flush-to-zero for the thread that opens it. */
#include "switchyard/c/plugin.h"
static const SyPlugin plugin = {.size = sizeof(SyPlugin), .name = "fast", .version = "1.0"};
SY_PLUGIN_NOTE("fast", SY_NOTE_UNMAP_OK);
SY_EXPORT const SyPlugin* sy_plugin_v1(uint32_t host_minor, SyError* error) {
  (void)host_minor, (void)error;
  return &plugin;
}
