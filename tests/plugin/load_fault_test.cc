// What is wrong with a plugin is an error that says so, and leaves the registry as it was.

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "switchyard/core/logging.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using testing::Fault;
using ::testing::HasSubstr;
using testing::LoadError;
using testing::PluginPath;
using testing::Snapshot;

namespace fs = std::filesystem;

struct Case {
  const char* fault;
  const char* says;
};
class RefusedPluginTest : public ::testing::TestWithParam<Case> {};

TEST_P(RefusedPluginTest, SaysWhyAndLeavesTheRegistryAsItWas) {
  const std::string before = Snapshot();
  const Fault fault(GetParam().fault);
  const std::string error = LoadError(PluginPath("fault"));
  EXPECT_THAT(error, HasSubstr(GetParam().says));
  EXPECT_EQ(Snapshot(), before);
  EXPECT_TRUE(loaded_plugins().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Faults, RefusedPluginTest,
    ::testing::Values(
        Case{"entry throws", "its entry point throws an exception: thrown in the entry point"},
        Case{"entry throws anything", "its entry point throws an exception"},
        Case{"entry refuses", "does not serve this program: this host is too old"},
        Case{"table too small", "the plugin's table says that it has 8 bytes"},
        Case{"kernel too small", "kernel 1 says that it has 8 bytes"},
        Case{"kernel too large", "kernel 1 says that it has 4096 bytes"},
        Case{"stride too small", "kernels are 8 bytes apart"},
        Case{"array at 0", "kernels at address 0"},
        Case{"device table too small", "the function table of device 'fault' says"},
        Case{"other name", "its table says that it is 'somebody else', its note 'fault'"},
        Case{"needs a newer host", "needs version 1.1000 of the plugin ABI"},
        Case{"device of another", "device 'cpu' is registered already, by "},
        Case{"device twice", "device 'fault' is given twice"},
        Case{"no allocate", "lacks one of allocate, free and copy"},
        Case{"some of the streams", "some of the stream and event functions, but not all"},
        Case{"bad schema", "fault::twice"}, Case{"no namespace", "needs a namespace"},
        Case{"operator twice", "operator 'fault::twice' is given twice"},
        Case{"kernel twice", "is given twice for one dtype"},
        Case{"kernel of another", "kernel for 'add.Tensor' on cpu is registered already, at "},
        Case{"kernel for a form", "kernels register for the base variant, 'add.Tensor'"},
        Case{"kernel for a view", "a view on every device"},
        Case{"kernel of other types", "its function takes 'i>T', expected 'T>T', since the "},
        Case{"kernel given an output", "expected 'T>', since the operator is fault::positive("},
        Case{"view without a rule", "returns Tensor(a), a view: it needs a rule"},
        Case{"kernel for an unknown operator", "no operator of that name is registered"},
        Case{"kernel for an unknown device", "no device of that name is registered"},
        Case{"unknown dtypes", "serves no dtype that this program has"},
        Case{"init fails", "its init fails: the driver cannot be found"}));

TEST(LoadFaultTest, WithoutFaultItLoads) {
  const std::string before = Snapshot();
  EXPECT_EQ(LoadError(PluginPath("fault")), "");
  EXPECT_EQ(unload_plugin("fault").text, "unloaded");
  EXPECT_EQ(Snapshot(), before);
}

TEST(LoadFaultTest, MissingFile) {
  EXPECT_THAT(LoadError("/no/such/plugin.so"), HasSubstr("there is no such file"));
}

TEST(LoadFaultTest, RelativePath) {
  EXPECT_THAT(LoadError("plugin/testdata/libfault.so"), HasSubstr("give an absolute path"));
}

TEST(LoadFaultTest, UnknownName) {
  EXPECT_THAT(LoadError("fault", {.directories = {"/no/such/folder"}}),
              HasSubstr("no plugin named 'fault' in /no/such/folder"));
}

TEST(LoadFaultTest, NotASharedObject) {
  const std::string path = ::testing::TempDir() + "/text.so";
  std::ofstream(path) << std::string(1000, 'x');
  EXPECT_THAT(LoadError(path), HasSubstr("not a shared object"));
}

TEST(LoadFaultTest, SharedObjectWithoutNote) {
  EXPECT_THAT(LoadError(PluginPath("no_note")), HasSubstr("no plugin: it has no SY_PLUGIN_NOTE"));
}

TEST(LoadFaultTest, NoEntryPoint) {
  EXPECT_THAT(LoadError(PluginPath("no_entry")), HasSubstr("it exports no symbol sy_plugin_v1"));
}

TEST(LoadFaultTest, OtherMajorVersionIsNotOpened) {
  EXPECT_THAT(LoadError(PluginPath("other_version")),
              HasSubstr("made for version 2 of the plugin ABI, this program serves 1"));
}

TEST(LoadFaultTest, OtherSanitizerIsNotOpened) {
  EXPECT_THAT(LoadError(PluginPath("other_sanitizer")),
              HasSubstr("sanitizer, this program runs with"));
}

TEST(LoadFaultTest, UndefinedSymbolIsNamed) {
  EXPECT_THAT(LoadError(PluginPath("undefined")), HasSubstr("nobody_has_this"));
}

TEST(LoadFaultTest, TwiceTheSameObject) {
  load_plugin(PluginPath("fault"));
  const std::string loaded = Snapshot();
  EXPECT_THAT(LoadError(PluginPath("fault")), HasSubstr("plugin 'fault' is loaded already"));
  EXPECT_EQ(Snapshot(), loaded);
  unload_plugin("fault");
}

// A copy that a test may spoil.
std::string CopyOf(const std::string& name, const std::string& folder) {
  const fs::path to = fs::path(::testing::TempDir()) / folder;
  fs::create_directories(to);
  const fs::path file = to / ("lib" + name + ".so");
  fs::remove(file);
  fs::copy_file(fs::canonical(PluginPath(name)), file);
  fs::permissions(file, fs::perms::owner_all);
  return file.string();
}

// The part of an object that is loaded; what lies behind it (debugging information) may be missing.
uintmax_t LoadedBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  Elf64_Ehdr header;
  in.read(reinterpret_cast<char*>(&header), sizeof(header));
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  uintmax_t end = 0;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    in.read(reinterpret_cast<char*>(&segment), sizeof(segment));
    if (segment.p_type == PT_LOAD)
      end = std::max<uintmax_t>(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

TEST(LoadFaultTest, TruncatedObject) {
  const std::string path = CopyOf("fault", "truncated");
  fs::resize_file(path, LoadedBytes(path) / 2);
  EXPECT_THAT(LoadError(path), HasSubstr("the object is cut off"));
}

TEST(LoadFaultTest, ObjectTruncatedAnywhere) {
  const std::string path = CopyOf("fault", "truncated_anywhere");
  const uintmax_t whole = LoadedBytes(path);
  for (int sixteenths = 15; sixteenths >= 0; --sixteenths) {
    fs::resize_file(path, whole * static_cast<uintmax_t>(sixteenths) / 16);
    const std::string error = LoadError(path);
    EXPECT_TRUE(error.find("the object is cut off") != error.npos ||
                error.find("not a shared object") != error.npos)
        << sixteenths << "/16: " << error;
  }
}

// A library that is nowhere, instead of the C++ runtime: a name of the same length.
TEST(LoadFaultTest, MissingDependencyIsNamed) {
  const std::string path = CopyOf("fault", "dependency");
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  std::string bytes = contents.str();
  const std::string needed = "libstdc++.so.6";
  for (size_t at = bytes.find(needed); at != bytes.npos; at = bytes.find(needed, at))
    bytes.replace(at, needed.size(), "libabsent.so.6");
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_THAT(LoadError(path), HasSubstr("libabsent.so.6"));
}

TEST(LoadFaultTest, TheCxxRuntimeIsReported) {
  EXPECT_EQ(load_plugin(PluginPath("fault")).cxx_runtime, "libstdc++.so.6");
  unload_plugin("fault");
  if (!SY_SANITIZED) {  // such a runtime never gives back what it keeps for exceptions: a leak
    EXPECT_EQ(load_plugin(PluginPath("fault_static")).cxx_runtime, "linked in");
    unload_plugin("fault");
  }
  EXPECT_EQ(load_plugin(PluginPath("opaque")).cxx_runtime, "none");
  unload_plugin("opaque");
}

TEST(LoadFaultTest, ObjectThatAnybodyMayWrite) {
  const std::string path = CopyOf("fault", "writable");
  chmod(path.c_str(), 0777);
  EXPECT_THAT(LoadError(path), HasSubstr("anybody may write this file"));
}

TEST(LoadFaultTest, ManifestThatContradictsTheNote) {
  const std::string path = CopyOf("fault", "contradiction");
  std::ofstream(fs::path(path).replace_filename("fault.json"))
      << R"({"name": "other", "version": "1", "library": "libfault.so", "abi": {"major": 1}})";
  EXPECT_THAT(LoadError(path), HasSubstr("its manifest says that it is 'other', its note 'fault'"));
}

// Puts it beside the object.
void WriteManifest(const std::string& object, const std::string& lists) {
  std::ofstream(fs::path(object).replace_filename("fault.json"))
      << R"({"name": "fault", "version": "1", "library": "libfault.so", "abi": {"major": 1}, )"
      << lists << "}";
}

TEST(LoadFaultTest, ManifestThatPromisesWhatIsNotThere) {
  const std::string path = CopyOf("fault", "promises"), before = Snapshot();
  WriteManifest(path, R"("devices": ["fault", "gone"])");
  EXPECT_THAT(LoadError(path), HasSubstr("fault.json' names the device 'gone', which it does not"));
  WriteManifest(path, R"("devices": ["fault"], "operators": ["fault::lost"])");
  EXPECT_THAT(LoadError(path), HasSubstr("names the operator 'fault::lost', which it does not"));
  EXPECT_EQ(Snapshot(), before);
}

// What is logged while it lives.
class Logged {
 public:
  Logged() {
    text().clear();
    SetLogLevel(LogLevel::kInfo);
    SetLogSink(+[](LogLevel, std::string_view line) { text() += std::string(line) + "\n"; });
  }
  ~Logged() {
    SetLogSink(nullptr);
    SetLogLevel(LogLevel::kWarning);
  }
  static std::string& text() {
    static std::string all;
    return all;
  }
};

TEST(LoadFaultTest, WhatTheManifestLeavesOutIsLogged) {
  const std::string path = CopyOf("fault", "leaves_out");
  WriteManifest(path, R"("operators": ["fault::twice"])");
  const Logged logged;
  EXPECT_EQ(LoadError(path), "");
  unload_plugin("fault");
  EXPECT_THAT(Logged::text(), HasSubstr("it brings the device 'fault', which its manifest"));
  EXPECT_THAT(Logged::text(), HasSubstr("it brings the operator 'fault::positive', which its"));
  EXPECT_EQ(Logged::text().find("'fault::twice'"), std::string::npos);
}

TEST(LoadFaultTest, AKernelTakenBeforeOneOfTheProgramIsLogged) {
  const Logged logged;
  {
    const Fault fault("kernel before another's");
    EXPECT_EQ(LoadError(PluginPath("fault")), "");
    unload_plugin("fault");
  }
  EXPECT_THAT(Logged::text(), HasSubstr("plugin 'fault': on cpu its kernel for 'add.Tensor' is "
                                        "taken before the one at backends/"));
}

TEST(LoadFaultTest, FolderThatAnybodyMayWrite) {
  const std::string path = CopyOf("fault", "open_folder");
  const std::string folder = fs::path(path).parent_path().string();
  chmod(folder.c_str(), 0777);
  EXPECT_THAT(LoadError(path), HasSubstr("others may write the folder"));
  chmod(folder.c_str(), 0755);
}

TEST(LoadFaultTest, ManifestWithAPathIsListedAsAProblem) {
  const fs::path folder = fs::path(::testing::TempDir()) / "path";
  fs::create_directories(folder);
  std::ofstream(folder / "evil.json")
      << R"({"name": "evil", "version": "1", "library": "../evil.so", "abi": {"major": 1}})";
  const auto list = list_plugins({.directories = {folder.string()}, .environment = false});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_THAT(list[0].problem, HasSubstr("must be a file name without directory"));
}

TEST(LoadFaultTest, RoundingOfTheThreadIsKept) {
  load_plugin(PluginPath("fast"));
  volatile float smallest = std::numeric_limits<float>::min();
  EXPECT_NE(smallest / 2, 0.f);
  unload_plugin("fast");
}

}  // namespace
}  // namespace sy
