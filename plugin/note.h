// The note by which an object says that it is a plugin, read from the file: none of the object's
// code runs.
//
// Owns: nothing. Threads: any.
// Errors: kRegistration when it is no plugin, or serves another major version; kUnavailable when it
// was built with a sanitizer that neither this library has nor the program, linked or preloaded.
#ifndef PLUGIN_NOTE_H_
#define PLUGIN_NOTE_H_

#include "plugin/elf.h"
#include "switchyard/c/plugin.h"

namespace sy::plugin {

// Of an object that this host can serve.
SyNote ReadNote(const ElfFile& file);

}  // namespace sy::plugin

#endif  // PLUGIN_NOTE_H_
