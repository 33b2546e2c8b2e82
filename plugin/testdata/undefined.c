/* Needs a function that nobody has. */
#include "switchyard/c/plugin.h"
SY_PLUGIN_NOTE("undefined", SY_NOTE_UNMAP_OK);
void nobody_has_this(void);
SY_EXPORT const SyPlugin* sy_plugin_v1(uint32_t host_minor, SyError* error) {
  (void)host_minor, (void)error;
  nobody_has_this();
  return 0;
}
