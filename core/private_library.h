// A shared library that is this backend's alone: a second copy of it in the process, which a
// program that uses the same library neither sees nor sets, and which sets nothing of the
// program's.
//
//   const Import imports[] = {{"getenv", reinterpret_cast<void*>(Environment)}};
//   const OpenedLibrary opened = OpenPrivately("libopenblas.so.0", imports);
//
// The copy is the file's dynamic section and data in memory of its own; its code is mapped from the
// file, so that it takes no memory of its own and profilers know it. What it takes from other
// libraries under the names of `imports` is replaced before any of it runs. Nothing of it runs when
// the process ends: calls in static destructors and from threads that are still there find it
// whole. Where the system refuses such a copy (no /proc, no executable memory files) the library is
// opened as others open it, without `imports`.
// Owns: nothing; the library stays until the process ends.
// Threads: any.
// Errors: kOutOfMemory when memory is too short to open it; a library that is not there, or is
// broken, is no error: `handle` is null.
// Source: System V ABI, "Dynamic Linking"; glibc's elf/dl-load.c for what makes two files one.
#ifndef SWITCHYARD_CORE_PRIVATE_LIBRARY_H_
#define SWITCHYARD_CORE_PRIVATE_LIBRARY_H_

#include <initializer_list>
#include <span>
#include <string>

#include "switchyard/core/macros.h"

namespace sy {

// A name that the library takes from elsewhere, and what it is given instead.
struct Import {
  const char* name;
  void* instead;
};

struct OpenedLibrary {
  void* handle = nullptr;  // for dlsym
  bool is_private = false;
};

// soname: as the linker knows it, looked for where it would look.
SY_API OpenedLibrary OpenPrivately(const char* soname, std::span<const Import> imports);

// As dlopen, for libraries that may be shared. Errors: as above.
SY_API void* OpenShared(const char* soname);

// Where the library lies that this code is in, or the program: without a '/' at the end, and as the
// loader has found it, links to a library's file not followed. "" where that is a relative path.
SY_API std::string OwnFolder();

// What a library links that is opened privately, where it lies beside us, as in a wheel of
// Python's: a copy has no folder in which to look. Nowhere else: glibc's loader, out of memory for
// a list of libraries, leaves those it had opened before marked as listed, and later ones go
// without them. Errors: as above.
SY_API void OpenBeside(std::initializer_list<const char*> sonames);

}  // namespace sy

#endif  // SWITCHYARD_CORE_PRIVATE_LIBRARY_H_
