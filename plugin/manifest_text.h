// The part of a manifest's JSON that anybody asks for: texts, lists of texts, and the ABI's
// version.
//
// Read event by event: a tree of nlohmann's would need memory to be freed, and end the process
// where there is none.
// Owns: copies of the texts. Threads: any.
// Errors: std::bad_alloc. What is no JSON object is nullopt.
#ifndef PLUGIN_MANIFEST_TEXT_H_
#define PLUGIN_MANIFEST_TEXT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sy::plugin {

struct ManifestText {
  std::map<std::string, std::string, std::less<>> texts;               // "name": "toy"
  std::map<std::string, std::vector<std::string>, std::less<>> lists;  // "devices": ["toy"]
  std::set<std::string, std::less<>> others;                           // keys of anything else
  std::optional<int64_t> abi_major;                                    // "abi": {"major": 1}
};

std::optional<ManifestText> ParseManifest(std::string_view json);

}  // namespace sy::plugin

#endif  // PLUGIN_MANIFEST_TEXT_H_
