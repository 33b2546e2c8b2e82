// Manifests: what is said of a plugin in a JSON file beside it, and where they are looked for.
//
//   {"name": "toy", "version": "1.0", "library": "libtoy.so", "abi": {"major": 1, "minor": 0},
//    "description": "…", "devices": ["toy"], "operators": ["toy::scale"]}
//
// `library` is a file name in the manifest's directory. name, version, library and abi are
// required, others are ignored when unknown.
// Owns: nothing. Threads: any.
// Errors: as TrustedFile's, and kRegistration for a manifest that is wrong, naming the file and
// what is wrong.
#ifndef PLUGIN_MANIFEST_H_
#define PLUGIN_MANIFEST_H_

#include <optional>
#include <string>
#include <vector>

#include "switchyard/plugin/load.h"

namespace sy::plugin {

PluginInfo ReadManifest(const std::string& path);
// The manifest beside an object, libtoy.so → libtoy.json or toy.json; nullopt when there is none.
std::optional<PluginInfo> ManifestBeside(const std::string& library);
// Directories in the order in which they are searched.
std::vector<std::string> Directories(const PluginSearch& search);

}  // namespace sy::plugin

#endif  // PLUGIN_MANIFEST_H_
