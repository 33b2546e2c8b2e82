#include "backends/cuda/rtc/compile.h"

#include <absl/cleanup/cleanup.h>
#include <nvrtc.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/driver/library.h"
#include "backends/cuda/rtc/cub.h"
#include "backends/cuda/rtc/headers.h"
#include "switchyard/backends/cuda/formula.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

std::atomic<CompileFunction> replacement{nullptr};
std::atomic<std::string (*)()> replacement_identity{nullptr};

#define SY_NVRTC_FUNCTIONS(X) \
  X(Version)                  \
  X(GetNumSupportedArchs)     \
  X(GetSupportedArchs)        \
  X(GetErrorString)           \
  X(CreateProgram)            \
  X(DestroyProgram)           \
  X(CompileProgram)           \
  X(GetProgramLogSize)        \
  X(GetProgramLog)            \
  X(GetPTXSize)               \
  X(GetPTX)                   \
  X(GetCUBINSize)             \
  X(GetCUBIN)

struct Nvrtc {
#define SY_NVRTC_MEMBER(name) decltype(&::nvrtc##name) name;
  SY_NVRTC_FUNCTIONS(SY_NVRTC_MEMBER)
#undef SY_NVRTC_MEMBER
  std::string problem;

  Nvrtc() {
    Library& library = LibraryOf(Lib::kNvrtc);
    if (!library.open()) {
      problem =
          "NVRTC, the CUDA toolkit's run-time compiler, is not installed: " + library.problem();
      return;
    }
#define SY_NVRTC_FIND(name)                                                           \
  name = reinterpret_cast<decltype(name)>(library.Find(SY_CUDA_SYMBOL(nvrtc##name))); \
  if (name == nullptr) problem = "NVRTC is too old: " + library.problem();
    SY_NVRTC_FUNCTIONS(SY_NVRTC_FIND)
#undef SY_NVRTC_FIND
    if (!problem.empty()) return;
    int major = 0, minor = 0;
    Version(&major, &minor);
    if (const int driver = DriverMajor(); major > driver) {
      problem = fmt::format(
          "NVRTC {}.{} compiles for newer drivers than the one that is installed, of CUDA {}: "
          "libnvrtc.so.{} is needed beside it; found was {}",
          major, minor, driver, driver, library.path());
    }
  }
};

const Nvrtc& Opened() {
  static const Nvrtc* nvrtc = new Nvrtc;
  return *nvrtc;
}

const Nvrtc& Get() {
  const Nvrtc& n = Opened();
  if (!n.problem.empty()) Fail(ErrorCode::kUnavailable, n.problem);
  return n;
}

// Every operation rounds once, as on the host; division and square root are exact by default.
constexpr const char* kOptions[] = {"-std=c++20", "--fmad=false",
                                    "--device-as-default-execution-space",
                                    "--diag-suppress=177,550"};  // unused variables
std::string OptionsText() {
  std::string text;
  for (const char* o : kOptions) text += std::string(" ") + o;
  return text;
}

void Check(const Nvrtc& n, nvrtcResult r, const char* what) {
  if (r != NVRTC_SUCCESS)
    Fail(ErrorCode::kInternal, {"NVRTC: ", what, " failed: ", n.GetErrorString(r)});
}

}  // namespace

std::vector<Header> Headers() {
  const std::span<const Header> own = EmbeddedHeaders();
  std::vector<Header> all(own.begin(), own.end());
  for (const HeaderText* h = HeaderText::First(); h != nullptr; h = h->next())
    all.push_back({h->name(), h->text()});
  return all;
}

std::string CompileWithNvrtc(const Source& source) {
  const Nvrtc& n = Get();
  std::vector<const char*> names, texts;
  for (const Header& h : Headers()) {
    names.push_back(h.name);
    texts.push_back(h.text);
  }
  nvrtcProgram program = nullptr;
  Check(n,
        n.CreateProgram(&program, source.text.c_str(), "kernel.cu", static_cast<int>(names.size()),
                        texts.data(), names.data()),
        "making a program");
  const absl::Cleanup destroy = [&n, &program] { n.DestroyProgram(&program); };
  const std::string architecture = "--gpu-architecture=" + source.architecture;
  std::vector<const char*> options(std::begin(kOptions), std::end(kOptions));
  options.push_back(architecture.c_str());
  std::vector<std::string> folders;
  if (IncludesCub(source.text)) {
    for (const std::string& folder : FindCub().folders)
      folders.push_back("--include-path=" + folder);
  }
  for (const std::string& folder : folders) options.push_back(folder.c_str());
  const nvrtcResult r = n.CompileProgram(program, static_cast<int>(options.size()), options.data());
  if (r != NVRTC_SUCCESS) {
    size_t size = 0;
    n.GetProgramLogSize(program, &size);
    std::string log(size, '\0');
    n.GetProgramLog(program, log.data());
    Fail(ErrorCode::kInternal, {"NVRTC: a kernel does not compile: ", n.GetErrorString(r), "\n",
                                log.c_str(), "\n", source.text});
  }
  const bool ptx = source.architecture.starts_with("compute_");
  size_t size = 0;
  Check(n, ptx ? n.GetPTXSize(program, &size) : n.GetCUBINSize(program, &size), "asking for code");
  std::string image(size, '\0');
  Check(n, ptx ? n.GetPTX(program, image.data()) : n.GetCUBIN(program, image.data()),
        "getting code");
  return image;
}

void UseCompiler(CompileFunction compile, std::string (*identity)()) {
  replacement_identity.store(identity, std::memory_order_relaxed);
  replacement.store(compile, std::memory_order_release);
}

bool HasNvrtc(std::string* why) {
  if (Opened().problem.empty()) return true;
  if (why != nullptr) *why = Opened().problem;
  return false;
}
bool CompilesCub() {
  return replacement.load(std::memory_order_acquire) == nullptr && !FindCub().folders.empty();
}
bool IncludesCub(std::string_view source_text) {
  return source_text.find("cuda/device/cub_") != source_text.npos;
}
bool HasCompiler(std::string* why) {
  return replacement.load(std::memory_order_acquire) != nullptr || HasNvrtc(why);
}

std::string ArchitectureFor(int major, int minor) {
  const int device = major * 10 + minor;
  std::string machine_code = fmt::format("sm_{}", device);
  if (replacement.load(std::memory_order_acquire) != nullptr) return machine_code;
  const Nvrtc& n = Get();
  int count = 0;
  Check(n, n.GetNumSupportedArchs(&count), "asking what it compiles for");
  std::vector<int> known(static_cast<size_t>(count));
  Check(n, n.GetSupportedArchs(known.data()), "asking what it compiles for");
  int older = 0;  // the newest that is older than the device, whose driver translates PTX
  for (int k : known) {
    if (k == device) return machine_code;
    if (k < device) older = std::max(older, k);
  }
  if (older == 0) {
    Fail(ErrorCode::kUnavailable,
         {"the device has compute capability ", major, ".", minor,
          ", which this NVRTC no longer compiles for: it begins with ",
          *std::ranges::min_element(known) / 10, ".", *std::ranges::min_element(known) % 10});
  }
  return fmt::format("compute_{}", older);
}

std::string Compile(const Source& source) {
  const CompileFunction other = replacement.load(std::memory_order_acquire);
  return other != nullptr ? other(source) : CompileWithNvrtc(source);
}

std::string CompilerIdentity() {
  if (replacement.load(std::memory_order_acquire) != nullptr) {
    const auto identity = replacement_identity.load(std::memory_order_relaxed);
    return identity == nullptr ? "a test's compiler" : identity();
  }
  int major = 0, minor = 0;
  Check(Get(), Get().Version(&major, &minor), "asking for its version");
  return fmt::format("NVRTC {}.{}{}", major, minor, OptionsText());
}

bool IsAsOurs(std::string_view compiler_identity, int* version) {
  *version = 0;
  if (replacement.load(std::memory_order_acquire) != nullptr)
    return compiler_identity == CompilerIdentity();
  int major = 0, minor = 0, end = 0;
  const std::string text(compiler_identity);
  if (std::sscanf(text.c_str(), "NVRTC %3d.%3d%n", &major, &minor, &end) != 2) return false;
  *version = major * 1000 + minor * 10;
  return std::string_view(text).substr(static_cast<size_t>(end)) == OptionsText();
}

}  // namespace sy::cuda
