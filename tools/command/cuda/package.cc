// switchyard cuda package: kernels compiled ahead for machines that a program is taken to
// (backends/cuda/rtc/package.h). It needs NVRTC, and no device.

#include "backends/cuda/rtc/package.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/kernels.h"
#include "switchyard/core/error.h"
#include "tools/command/cuda/sources.h"
#include "tools/command/cuda/subcommands.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

// Machine code of what data centres and workstations have, and PTX, which drivers translate for
// what is newer.
const std::vector<std::string> kUsualArchitectures = {"sm_80", "sm_89", "sm_90", "sm_100",
                                                      "compute_100"};

struct Options {
  std::string folder;
  std::vector<std::string> architectures, like, only;
};

// What the package says of itself with these architectures in it.
PackageContents ContentsWith(const Options& o) {
  PackageContents contents{CompilerIdentity(), OwnHeaders(), o.architectures};
  std::string why;
  if (!fs::exists(o.folder + "/contents.txt")) return contents;
  const std::optional<PackageContents> there = ReadContents(o.folder, &why);
  if (!there) Fail(ErrorCode::kInvalidArgument, why);
  if (there->compiler != contents.compiler || there->headers != contents.headers) {
    Fail(ErrorCode::kInvalidArgument,
         {"'", o.folder, "' has kernels of another compiler or of another version: expected ",
          contents.compiler, ", headers ", contents.headers, "; got ", there->compiler,
          ", headers ", there->headers});
  }
  contents.architectures = there->architectures;
  for (const std::string& a : o.architectures) {
    if (std::ranges::find(contents.architectures, a) == contents.architectures.end())
      contents.architectures.push_back(a);
  }
  return contents;
}

std::vector<std::string> SourcesOf(const Options& o) {
  // What others have used says what is needed; else the usual ones.
  std::vector<std::string> sources;
  if (o.like.empty() || !o.only.empty()) sources = UsualSources(o.only);
  int of_others = 0;
  for (const std::string& folder : o.like) {
    if (!fs::is_directory(folder))
      Fail(ErrorCode::kInvalidArgument, {"--like: '", folder, "' is no folder"});
    for (std::string& text : SourcesLike(folder, &of_others)) sources.push_back(std::move(text));
  }
  if (of_others != 0)
    std::cout << of_others << " kernels are of another version and are left out\n";
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

void WritePackage(Options o) {
  o.folder = fs::absolute(o.folder).lexically_normal();
  for (std::string& folder : o.like) folder = fs::absolute(folder).lexically_normal();
  if (o.architectures.empty()) o.architectures = kUsualArchitectures;
  for (const std::string& a : o.architectures) {
    if (!a.starts_with("sm_") && !a.starts_with("compute_")) {
      Fail(ErrorCode::kInvalidArgument,
           {"--arch: expected machine code, as sm_90, or PTX, as compute_100, got '", a, "'"});
    }
  }
  const PackageContents contents = ContentsWith(o);
  const std::vector<std::string> sources = SourcesOf(o);
  // Written first: a package that is not complete serves what it has, and is gone on with.
  WriteContents(o.folder, contents);
  std::atomic<size_t> bytes{0}, compiled{0};
  ForEachSideBySide(sources.size() * o.architectures.size(), [&](size_t i) {
    const std::string& architecture = o.architectures[i / sources.size()];
    const Source source{sources[i % sources.size()], architecture};
    const DiskCache there(o.folder + "/" + architecture, Readers::kAll);
    const std::string key = ImageKey(contents.compiler, source);
    std::optional<std::string> image = there.Find(key);
    if (!image) {
      for (const std::string& folder : o.like) {
        if (!image) image = DiskCache(folder).Find(key);  // of this very compiler and architecture
      }
      if (!image) {
        image = Compile(source);
        ++compiled;
      }
      if (!there.Keep(key, *image))
        Fail(ErrorCode::kUnavailable, {"'", there.folder(), "' cannot be written"});
    }
    bytes += image->size();
  });
  for (const std::string& a : o.architectures)
    std::cout << sources.size() << " kernels for " << a << " in " << o.folder << "\n";
  std::cout << compiled << " compiled, " << (bytes >> 10) << " KiB\n";
}

}  // namespace

void AddPackage(CLI::App& cuda) {
  static Options o;
  CLI::App* package =
      cuda.add_subcommand("package", "Compile kernels ahead into a folder that programs read");
  package->add_option("folder", o.folder, "Which; one that is there is added to")->required();
  package->add_option("--arch", o.architectures,
                      "For which devices, as sm_90, or compute_100 for PTX; repeatable; else "
                      "sm_80, sm_89, sm_90, sm_100 and compute_100");
  package->add_option(
      "--like", o.like,
      "What the cache in this folder has, instead of the usual kernels; repeatable");
  package->add_option("--formula", o.only, "The usual ones of this formula, as Add; repeatable");
  package->callback([] { WritePackage(o); });
}

}  // namespace sy::cuda
