/* Says that it is a plugin, and exports nothing. */
#include "switchyard/c/plugin.h"
SY_PLUGIN_NOTE("no_entry", SY_NOTE_UNMAP_OK);
