#include "backends/cuda/driver/library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>

#include "backends/cuda/driver/driver.h"
#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/private_library.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

// The value of a variable that names a folder; empty where there is none to look in.
std::string FolderIn(const char* variable) {
  const char* text = secure_getenv(variable);
  if (text == nullptr || *text == '\0') return "";
  if (*text == '/') return text;
  Log(LogLevel::kWarning,
      fmt::format("CUDA's libraries are not looked for in {}, '{}': it is not an absolute path",
                  variable, text));
  return "";
}

// The site-packages that the code of this backend lies in; empty: it lies elsewhere.
std::string OwnSitePackages() {
  for (fs::path p = OwnFolder(); p.has_relative_path(); p = p.parent_path()) {
    if (p.filename() == "site-packages" || p.filename() == "dist-packages") return p;
  }
  return "";
}

// lib/python3.*/site-packages of an environment.
std::vector<std::string> SitePackagesOf(const std::string& environment) {
  std::vector<std::string> all;
  if (environment.empty()) return all;
  std::error_code failed;
  for (const fs::directory_entry& e : fs::directory_iterator(environment + "/lib", failed)) {
    if (e.path().filename().string().starts_with("python"))
      all.push_back((e.path() / "site-packages").string());
  }
  std::ranges::sort(all);
  return all;
}

const std::vector<std::string>& Folders() {
  static const auto* folders = [] {
    auto* all = new std::vector<std::string>{""};
    if (const std::string home = FolderIn("CUDA_HOME"); !home.empty()) {
      all->push_back(home + "/lib64/");
      all->push_back(home + "/lib/");  // as Python's packages have them
    }
    all->push_back("/usr/local/cuda/lib64/");
    all->push_back("/usr/local/nvidia/lib64/");  // where containers have the driver
    std::vector<std::string> packages = {OwnSitePackages()};
    for (const std::string& prefix : {FolderIn("VIRTUAL_ENV"), FolderIn("CONDA_PREFIX")}) {
      for (std::string& p : SitePackagesOf(prefix)) packages.push_back(std::move(p));
    }
    for (const std::string& p : packages) {
      for (std::string& folder : PackagedFolders(p)) all->push_back(std::move(folder));
    }
    return all;
  }();
  return *folders;
}

std::string PathOf(void* handle) {
  const link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name : "";
}

}  // namespace

std::vector<std::string> PackagedFolders(const std::string& site_packages) {
  std::vector<std::string> all;
  if (site_packages.empty()) return all;
  std::error_code failed;
  for (const fs::directory_entry& e : fs::directory_iterator(site_packages + "/nvidia", failed)) {
    const fs::path folder = e.path() / "lib";
    if (fs::is_directory(folder, failed)) all.push_back(folder.string() + "/");
  }
  std::ranges::sort(all);
  return all;
}

Library::Library(std::span<const std::string> names) {
  for (const std::string& folder : Folders()) {
    for (const std::string& name : names) {
      handle_ = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ != nullptr) {
        path_ = PathOf(handle_);
        problem_.clear();
        return;
      }
      if (problem_.empty()) problem_ = dlerror();
    }
  }
}

void* Library::Find(const char* symbol) {
  void* found = dlsym(handle_, symbol);
  if (found == nullptr && problem_.empty()) problem_ = dlerror();
  return found;
}

namespace {

struct Known {
  std::string_view name, file;
  std::string_view of_12, of_13;  // CUDA's
};
constexpr Known kKnown[] = {
    {"NVRTC", "libnvrtc.so", "libnvrtc.so.12", "libnvrtc.so.13"},
    {"cuBLASLt", "libcublasLt.so", "libcublasLt.so.12", "libcublasLt.so.13"},
    {"cuBLAS", "libcublas.so", "libcublas.so.12", "libcublas.so.13"},
    {"cuSOLVER", "libcusolver.so", "libcusolver.so.11", "libcusolver.so.12"},
    {"cuFFT", "libcufft.so", "libcufft.so.11", "libcufft.so.12"},
    {"cuDNN", "libcudnn.so", "libcudnn.so.9", "libcudnn.so.9"}};
const Known& Of(Lib which) { return kKnown[static_cast<size_t>(which)]; }

}  // namespace

std::string_view NameOf(Lib which) { return Of(which).name; }

std::vector<std::string> FilesOf(Lib which, int major) {
  const Known& known = Of(which);
  std::vector<std::string> files;
  if (major >= 13 && known.of_13 != known.of_12) files.emplace_back(known.of_13);
  files.emplace_back(known.of_12);
  // Whatever the toolkit that is installed has: last, since it may be newer than the driver.
  files.emplace_back(known.file);
  return files;
}

Library& LibraryOf(Lib which) {
  static std::mutex mutex;
  static std::array<std::unique_ptr<Library>, std::size(kKnown)>* all =
      new std::array<std::unique_ptr<Library>, std::size(kKnown)>;
  std::lock_guard lock(mutex);
  std::unique_ptr<Library>& library = (*all)[static_cast<size_t>(which)];
  if (library == nullptr) library = std::make_unique<Library>(FilesOf(which, DriverMajor()));
  return *library;
}

const CubHeaders& FindCub() {
  static const auto* found = [] {
    auto* cub = new CubHeaders;
    std::vector<std::string> toolkits = {"/usr/local/cuda"};
    if (const std::string home = FolderIn("CUDA_HOME"); !home.empty())
      toolkits.insert(toolkits.begin(), home);
    for (const std::string& toolkit : toolkits) {
      const std::string include = toolkit + "/include";
      for (const std::string& folder : {include + "/cccl", include}) {
        std::ifstream file(folder + "/cub/version.cuh");
        for (std::string line; std::getline(file, line);) {
          if (std::sscanf(line.c_str(), "#define CUB_VERSION %d", &cub->version) != 1) continue;
          cub->folders = {folder, include};
          return cub;
        }
      }
    }
    return cub;
  }();
  return *found;
}

}  // namespace sy::cuda
