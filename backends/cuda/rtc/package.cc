#include "backends/cuda/rtc/package.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/kernels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/private_library.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "contents.txt";
constexpr std::string_view kFirstLine = "switchyard kernels 1";

// The text behind `begin` in the next line.
std::optional<std::string> Line(std::istream& in, std::string_view begin) {
  std::string line;
  if (!std::getline(in, line) || !line.starts_with(begin)) return std::nullopt;
  return line.substr(begin.size());
}

// 90 of "sm_90", where `begin` is "sm_"; else below 0.
int NumberBehind(std::string_view begin, std::string_view architecture) {
  if (!architecture.starts_with(begin) || architecture.size() == begin.size()) return -1;
  int number = 0;
  for (char c : architecture.substr(begin.size())) {
    if (c < '0' || c > '9' || number > 9999) return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::string Version(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

std::optional<PackageContents> ReadContents(const std::string& folder, std::string* why) {
  const std::optional<std::string> text = ReadOurs(folder, kFile);
  if (!text) {
    *why = fmt::format("'{}/{}' cannot be read, or others may write it", folder, kFile);
    return std::nullopt;
  }
  std::istringstream in(*text);
  const auto first = Line(in, kFirstLine), compiler = Line(in, "compiler "),
             headers = Line(in, "headers "), architectures = Line(in, "architectures ");
  if (!first || !first->empty() || !compiler || !headers || !architectures) {
    *why = fmt::format(
        "'{}/{}' is not of this format: expected '{}', compiler, headers and "
        "architectures, a line each",
        folder, kFile, kFirstLine);
    return std::nullopt;
  }
  PackageContents contents{*compiler, std::strtoull(headers->c_str(), nullptr, 10), {}};
  std::istringstream words(*architectures);
  for (std::string word; words >> word;) contents.architectures.push_back(word);
  return contents;
}

void WriteContents(const std::string& folder, const PackageContents& contents) {
  const std::string text =
      fmt::format("{}\ncompiler {}\nheaders {}\narchitectures {}\n", kFirstLine, contents.compiler,
                  contents.headers, fmt::join(contents.architectures, " "));
  if (!WriteOurs(folder, kFile, {text}, Readers::kAll))
    Fail(ErrorCode::kUnavailable, {"'", folder, "/", kFile, "' cannot be written"});
}

std::optional<std::string> ArchitectureIn(const PackageContents& contents, int compiler_version,
                                          const Served& device, std::string* why) {
  const int capability = device.major * 10 + device.minor;
  int code = -1, ptx = -1;
  for (const std::string& a : contents.architectures) {
    const int of_code = NumberBehind("sm_", a), of_ptx = NumberBehind("compute_", a);
    if (of_code <= capability && of_code / 10 == device.major) code = std::max(code, of_code);
    if (of_ptx <= capability) ptx = std::max(ptx, of_ptx);
  }
  if (code < 0 && ptx < 0) {
    *why = fmt::format("it has kernels for {}, and none for compute capability {}.{}",
                       fmt::join(contents.architectures, ", "), device.major, device.minor);
    return std::nullopt;
  }
  if (code >= 0 && device.driver / 1000 >= compiler_version / 1000)
    return fmt::format("sm_{}", code);
  if (ptx >= 0 && device.driver >= compiler_version) return fmt::format("compute_{}", ptx);
  *why =
      fmt::format("its kernels were compiled by CUDA {}, for a driver of {}; the driver is of {}",
                  Version(compiler_version),
                  code >= 0 ? std::to_string(compiler_version / 1000) : Version(compiler_version),
                  Version(device.driver));
  return std::nullopt;
}

std::string Package::DefaultFolder() {
  const char* given = secure_getenv("SWITCHYARD_CUDA_PACKAGE");
  if (given != nullptr) return given;
  static const std::string beside = [] {
    const std::string own = OwnFolder();
    std::error_code failed;
    const std::string folder = own + "/switchyard-kernels";
    return !own.empty() && fs::exists(folder, failed) ? folder : "";
  }();
  return beside;
}

std::optional<Package> Package::For(const std::string& folder, const Served& device,
                                    std::string* why) {
  if (!folder.starts_with('/')) {
    *why = "it is not an absolute path";
    return std::nullopt;
  }
  const std::optional<PackageContents> contents = ReadContents(folder, why);
  if (!contents) return std::nullopt;
  int version = 0;
  if (!IsAsOurs(contents->compiler, &version)) {
    *why = fmt::format("its kernels were compiled by another compiler or with other options: '{}'",
                       contents->compiler);
    return std::nullopt;
  }
  if (contents->headers != OwnHeaders()) {
    *why = "its kernels are those of another version of this library";
    return std::nullopt;
  }
  std::optional<std::string> architecture = ArchitectureIn(*contents, version, device, why);
  if (!architecture) return std::nullopt;
  return Package(contents->compiler, std::move(*architecture), folder);
}

std::optional<std::string> Package::Find(const std::string& source_text) const {
  return cache_.Find(ImageKey(compiler_, {source_text, architecture_}));
}

}  // namespace sy::cuda
