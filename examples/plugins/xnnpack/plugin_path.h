// Where the plugin is: beside the program, as CMake builds both.
#ifndef XNNPACK_PLUGIN_PATH_H_
#define XNNPACK_PLUGIN_PATH_H_

#include <filesystem>
#include <string>

namespace xnnpack {

inline std::string PluginPath() {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return (program.parent_path() / "libswitchyard_xnnpack.so").string();
}

}  // namespace xnnpack

#endif  // XNNPACK_PLUGIN_PATH_H_
