/* A note that no header would write: another version, or another sanitizer. Its code stops the
 * process, so that nobody can have run it. */
#include <stdlib.h>

#include "switchyard/c/plugin.h"

__attribute__((used, section(SY_NOTE_SECTION), aligned(4))) static const SyNote note = {
    7, 80,         SY_NOTE_TYPE, SY_NOTE_OWNER, NOTE_MAJOR, 0, SY_SANITIZERS ^ NOTE_SANITIZERS,
    0, "note_only"};

__attribute__((constructor)) static void Stop(void) { abort(); }
SY_EXPORT const SyPlugin* sy_plugin_v1(uint32_t host_minor, SyError* error) {
  (void)host_minor, (void)error;
  abort();
}
