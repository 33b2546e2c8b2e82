// The note by which an object says that it is a plugin, read from the file: none of the object's
// code runs.
//
// Owns: nothing. Threads: any.
// Errors: kNotFound when there is no file; kRegistration when it is no plugin for this machine, is
// cut off, serves another major version, or may be written by others; kUnavailable when it was
// built with another sanitizer.
#ifndef PLUGIN_NOTE_H_
#define PLUGIN_NOTE_H_

#include <string>

#include "switchyard/c/plugin.h"

namespace sy::plugin {

// Of an object that this host can serve.
SyNote ReadNote(const std::string& path);

}  // namespace sy::plugin

#endif  // PLUGIN_NOTE_H_
