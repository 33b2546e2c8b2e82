// switchyard conform as a shell runs it: right plugins pass, and each check can fail.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "testing/conform/testing.h"

namespace {

using sy::conform::Conform;
using sy::conform::Ran;

const std::string kBad = "--plugin testing/conform/testdata/libbad.so --device bad --cycles 300";
const std::string kQueued =
    "--plugin plugin/testdata/libqueued.so --device queued --cycles 300 --fail queued::fail "
    "--lose queued::lose --skip queued::hold";

TEST(Conform, TheSkeletonPasses) {
  const Ran r = Conform(
      "--plugin examples/plugins/skeleton/libskeleton.so --device skeleton:1 --cycles 10000 "
      "--with plugin/testdata/libopaque.so");
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_GE(r.report["passed"], 30) << r.out;
}

TEST(Conform, ADeviceWithoutAddressesWhoseWorkIsQueuedPasses) {
  const Ran r = Conform(
      // Its operator, frozen with it, reads the first element of empty tensors too.
      "--plugin plugin/testdata/libopaque.so --device opaque --cycles 300 "
      "--skip 'opaque::*@operators.edges' --with examples/plugins/skeleton/libskeleton.so");
  EXPECT_EQ(r.status, 0) << r.out;
  bool called = false;
  for (const auto& e : r.report["exercised"])
    called |= e["operator"] == "opaque::twice" && e["calls"] > 0;
  EXPECT_TRUE(called) << r.out;
}

TEST(Conform, ADeviceThatWorksInThreadsOfItsOwnPasses) {
  const Ran r = Conform(kQueued);
  EXPECT_EQ(r.status, 0) << r.out;
}

TEST(Conform, ThePluginOfTheFaultsPassesWithoutOne) {
  const Ran r = Conform(kBad);
  EXPECT_EQ(r.status, 0) << r.out;
}

TEST(Conform, MemoryThatIsKeptOnceIsNotLost) {
  setenv("BAD", "keeps memory at first", 1);
  const Ran r = Conform(kBad + " --check lifecycle.cycles");
  unsetenv("BAD");
  EXPECT_EQ(r.report["passed"], 1) << r.out;
}

struct Fault {
  const char *fault, *check, *why;
};
void ExpectFailure(const std::string& plugin, const char* variable, const Fault& f) {
  setenv(variable, f.fault, 1);
  const Ran r = Conform(plugin + " --limit 20 --check " + f.check);
  unsetenv(variable);
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_EQ(r.report["failed"], 1) << r.out;
  EXPECT_NE(r.out.find(f.why), std::string::npos) << r.out;
}

class FaultyQueue : public testing::TestWithParam<Fault> {};
TEST_P(FaultyQueue, FailsItsCheck) { ExpectFailure(kQueued, "QUEUED_FAULT", GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    Faults, FaultyQueue,
    testing::Values(Fault{"streams do not wait", "streams.waits", "reads too early"},
                    Fault{"is never done", "streams.events_again", "has not happened"},
                    Fault{"is never done", "streams.synchronize", "has work left"},
                    Fault{"clock", "streams.elapsed", "ms between two events"},
                    Fault{"does not wait for streams", "streams.threads", "fail"},
                    Fault{"frees at once", "streams.freed", "while another stream reads it"},
                    Fault{"streams do not wait", "dlpack.stream", "on the consumer's stream"},
                    Fault{"does not wait for streams", "dlpack.round_trip", "changed"},
                    Fault{"hides failures", "failure.late", "waiting for the device gives no"},
                    Fault{"forgets the call", "failure.late", "does not name the call"},
                    Fault{"hides failures", "failure.lost", "waiting for the device gives no"},
                    Fault{"works on when lost", "failure.lost", "making a tensor gives no error"},
                    Fault{"frees nothing when lost", "failure.lost", "died: Aborted"}));

class FaultyPlugin : public testing::TestWithParam<Fault> {};
TEST_P(FaultyPlugin, FailsItsCheck) { ExpectFailure(kBad, "BAD", GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    Faults, FaultyPlugin,
    testing::Values(
        Fault{"alignment", "memory.alignment", "lie at an address that is not"},
        Fault{"offsets", "memory.odd_offsets", "bytes written at byte 1 are not read there"},
        Fault{"offsets", "memory.copies_within", "did not arrive"},
        Fault{"endless memory", "memory.too_many_bytes", "says that it has them"},
        Fault{"wrong code", "memory.too_many_bytes", "expected the error out_of_memory"},
        Fault{"keeps memory", "memory.out_of_memory", "cannot be allocated"},
        Fault{"shares elsewhere", "memory.shared", "did not arrive"},
        Fault{"pins one block", "memory.pinned", "in pinned memory, number 0 has changed"},
        Fault{"statistics", "memory.statistics", "every tensor is freed, allocated bytes are"},
        Fault{"queue without order", "order.freed_while_queued", "copied from memory"},
        Fault{"values", "kernels.values", "add.Tensor on float32, tensors plain: expected"},
        Fault{"values", "order.copy_kernel_copy", "add.Tensor on float32, copy, kernel, copy"},
        Fault{"ignores strides", "kernels.transposed", "tensors transposed: expected"},
        Fault{"ignores strides", "kernels.stride_zero", "tensors with stride 0: expected"},
        Fault{"writes before it declines", "kernels.declined", "had written byte 0"},
        Fault{"writes before it fails", "kernels.errors", "had written byte 0"},
        Fault{"crash", "kernels.values", "the process died: Segmentation fault"},
        Fault{"rounding", "hygiene.rounding", "using it changes rounding"},
        Fault{"signals", "hygiene.signals", "using it changes signal handlers"},
        Fault{"terminate", "hygiene.terminate", "using it changes the terminate"},
        Fault{"threads", "hygiene.threads", "hygiene.threads                fail"},
        Fault{"files", "hygiene.files", "open files, before"},
        Fault{"locale", "hygiene.locale", "using it changes locale"},
        Fault{"keeps memory", "lifecycle.cycles", "bytes are lost"},
        Fault{"keeps much memory", "lifecycle.cycles", "bytes are lost"},
        Fault{"keeps memory by doubling", "lifecycle.cycles", "bytes are lost"},
        Fault{"never goes", "lifecycle.unmapped", "its shutdown says: not yet"},
        Fault{"ends without memory", "faults.memory", "died: Aborted, in refused: allocation"},
        Fault{"loses memory", "faults.memory", "bytes are lost each time"},
        Fault{"loses much memory", "faults.memory", "bytes are lost each time"},
        Fault{"ignores the host", "faults.device", "ends well and is wrong"},
        Fault{"never goes", "faults.threads", "its shutdown says: not yet"},
        Fault{"fork", "lifecycle.fork", "the child of a fork dies"},
        Fault{"exit", "lifecycle.exit", "the process died: Aborted"}));

TEST(Conform, FunctionsOfADriverFailWhereTheyAreNamed) {
  const std::string check = " --check faults.driver";
  const std::string driver = check + " --driver posix_memalign=12";
  Ran r = Conform(kBad + driver);
  EXPECT_EQ(r.report["passed"], 1) << r.out;
  setenv("BAD", "ignores its driver", 1);
  r = Conform(kBad + driver);
  unsetenv("BAD");
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_NE(r.out.find("the process died"), std::string::npos) << r.out;
  r = Conform(kBad + check);
  EXPECT_EQ(r.report["n/a"], 1) << r.out;
  r = Conform(kBad + check + " --driver 'nobody_calls_*=1'");
  EXPECT_NE(r.out.find("it calls no function that is named"), std::string::npos) << r.out;
  r = Conform(kBad + check + " --driver posix_memalign=12@3");
  EXPECT_NE(r.out.find("expected FUNCTION=RESULT"), std::string::npos) << r.out;
}

// A copy of the skeleton's object with a manifest beside it.
std::string CopyWithManifest(const std::string& manifest) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "copied";
  fs::create_directories(folder);
  fs::remove(folder / "libskeleton.so");
  fs::copy_file(fs::canonical("examples/plugins/skeleton/libskeleton.so"),
                folder / "libskeleton.so");
  std::ofstream(folder / "skeleton.json") << manifest;
  return "--plugin " + (folder / "libskeleton.so").string() + " --device skeleton";
}

TEST(Conform, ManifestsAreSpoiltAndTheirOwnFaultsFail) {
  const std::string right = sy::conform::Contents("examples/plugins/skeleton/skeleton.json");
  Ran r = Conform(CopyWithManifest(right) + " --check faults.manifest");
  EXPECT_EQ(r.report["passed"], 1) << r.out;
  auto json = nlohmann::json::parse(right);
  json["devices"].push_back("gone");
  r = Conform(CopyWithManifest(json.dump()) + " --check faults.manifest");
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_NE(r.out.find("names the device 'gone'"), std::string::npos) << r.out;
}

TEST(Conform, AHangFailsAloneAtTheLimit) {
  setenv("BAD", "hang", 1);
  const Ran r = Conform(kBad + " --limit 1 --check 'kernels.[vt]*'");
  unsetenv("BAD");
  EXPECT_EQ(r.status, 1);
  EXPECT_NE(r.out.find("no end after 1000 ms"), std::string::npos) << r.out;
}

TEST(Conform, TooManySymbolsAndAnObjectThatStaysFail) {
  const Ran r = Conform(
      "--plugin testing/conform/testdata/libtwo_symbols.so --device two_symbols --cycles 100");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.report["failed"], 2) << r.out;
  EXPECT_NE(r.out.find("sy_plugin_v1: one_too_many; build it"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("the object stays in memory"), std::string::npos) << r.out;
}

TEST(Conform, WhatIsKnownToFailDoesNotCountAndMustNotPass) {
  const std::string known = " --check hygiene.threads --known 'hygiene.t*=its driver keeps them'";
  setenv("BAD", "threads", 1);
  Ran r = Conform(kBad + known);
  unsetenv("BAD");
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_NE(r.out.find("n/a  known (its driver keeps them): 1 threads"), std::string::npos)
      << r.out;
  r = Conform(kBad + known);
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_NE(r.out.find("it passes, and is said to fail"), std::string::npos) << r.out;
  EXPECT_EQ(Conform(kBad + " --check hygiene.threads --known hygiene.threads").status, 2);
}

TEST(Conform, ChecksThatDoNotApplySayWhy) {
  const Ran r = Conform(kBad + " --check random.philox");
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.report["n/a"], 1);
  EXPECT_NE(r.out.find("it has no kernels that draw random numbers"), std::string::npos) << r.out;
}

TEST(Conform, OperatorsThatAreSkippedAreNotCalled) {
  const Ran r = Conform(kQueued + ",queued::twice --check operators.arguments");
  EXPECT_EQ(r.status, 0) << r.out;
  for (const auto& e : r.report["exercised"]) {
    const bool called = e["calls"] > 0;
    if (e["operator"] == "queued::twice") {
      EXPECT_FALSE(called) << e;
    } else if (e["operator"] == "queued::quadruple") {
      EXPECT_TRUE(called) << e;
    }
  }
}

TEST(Conform, AListSaysWhatIsChecked) {
  const Ran r = Conform("--list");
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.out.find("memory.zero_sizes"), std::string::npos) << r.out;
}

TEST(Conform, APluginThatIsNotThereIsAnError) {
  EXPECT_EQ(Conform("--plugin /no/such.so --device x").status, 2);
}

}  // namespace
