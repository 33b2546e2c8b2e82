#include "testing/replay/folder.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"

namespace sy::replay {
namespace {

Tensor Same(Call, const Tensor& self) { return self; }
const Operator same_op{"test::same(Tensor self) -> Tensor"};
const Composite same{"test::same", Same};

// Host memory, and a device that a call can lose.
bool lost = false;
class Fragile final : public DeviceBackend, public Allocator {
 public:
  int Count(std::string*) override { return 1; }
  Allocator* allocator() override { return this; }
  void CopyFromHost(void* to, const void* from, size_t n, int, StreamHandle) override {
    Copy(to, from, n);
  }
  void CopyToHost(void* to, const void* from, size_t n, int, StreamHandle) override {
    Copy(to, from, n);
  }
  void CopyWithin(void* to, const void* from, size_t n, int, StreamHandle) override {
    Copy(to, from, n);
  }
  void Synchronize(int) override { RequireDevice(); }

  Allocation Allocate(const AllocationRequest& r) override {
    RequireDevice();
    return {std::malloc(r.bytes), nullptr};
  }
  void Free(const Allocation& a, size_t) noexcept override { std::free(a.data); }
  MemoryStats Stats(int) const override { return {}; }

 private:
  static void RequireDevice() {
    if (lost) Fail(ErrorCode::kUnavailable, "the device is lost");
  }
  static void Copy(void* to, const void* from, size_t n) {
    RequireDevice();
    std::memcpy(to, from, n);
  }
};
DeviceBackend* MakeFragile() {
  static Fragile device;
  return &device;
}
const DeviceRegistration fragile{"fragile", MakeFragile};

// Does what `how` says, and gives self back.
Tensor Breaks(Call, const Tensor& self, std::string_view how) {
  if (how == "crashes") std::raise(SIGKILL);
  while (how == "hangs") pause();
  lost |= how == "loses";
  return self;
}
const Operator breaks_op{"test::breaks(Tensor self, str how) -> Tensor"};
const Composite breaks{"test::breaks", Breaks};

class Folder : public testing::Test {
 protected:
  Folder() : path_(testing::TempDir() + "/folder") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  void WriteGzip(const std::string& name, const std::string& text) {
    gzFile f = gzopen((path_ + "/" + name).c_str(), "wb");
    gzwrite(f, text.data(), static_cast<unsigned>(text.size()));
    gzclose(f);
  }
  Report Replay(const std::string& pattern = "", std::ostream* failures = nullptr) {
    return ReplayFolder(path_, {.device = Device{kHost}, .pattern = pattern, .failures = failures});
  }

  std::string path_;
};

// A call of test::same that must give the byte at `offset` of the blob.
std::string CallGiving(int offset) {
  const Json input = {{"t", {"uint8", {1}, {1}, 0, 1}}},
             output = {{"t", {"uint8", {1}, {1}, offset, 1}}};
  return Json{{"op", "aten::test::same"}, {"args", {input}}, {"out", {output}}}.dump() + "\n";
}

TEST_F(Folder, CallsAreCountedByOverload) {
  WriteGzip("blob-0.bin.gz", "abc");
  WriteGzip("cases-0.jsonl.gz",
            CallGiving(0) + CallGiving(1) + R"({"op": "aten::none.x", "args": [], "out": []})");
  std::ostringstream failures;
  const Report r = Replay("", &failures);
  EXPECT_EQ(r.ops().at("test::same").passed, 1);
  EXPECT_EQ(r.ops().at("test::same").failed, 1);
  EXPECT_EQ(r.ops().at("none.x").missing, 1);
  EXPECT_NE(failures.str().find("expected 98 at [0], got 97"), std::string::npos);
  EXPECT_NE(failures.str().find("cases-0.jsonl.gz:2"), std::string::npos);
}

TEST_F(Folder, ASequenceCountsOnceUnderItsFirstFailingCall) {
  WriteGzip("random-blob-0.bin.gz", "ab");
  const auto sequence = [](const std::string& a, const std::string& b) {
    return Json{{"seed", 7}, {"calls", {Json::parse(a), Json::parse(b)}}}.dump() + "\n";
  };
  WriteGzip("random-0.jsonl.gz",
            sequence(CallGiving(0), CallGiving(0)) + sequence(CallGiving(0), CallGiving(1)));
  const Report r = Replay();
  EXPECT_EQ(r.ops().at("random").passed, 1);
  EXPECT_EQ(r.ops().at("test::same").failed, 1);
  EXPECT_EQ(r.total().total(), 2);
}

TEST_F(Folder, PrintedTensorsAndPromotionArePseudoOperators) {
  WriteGzip("print-blob-0.bin.gz", std::string(1, '\2'));
  const Json print = {{"t", {"uint8", {1}, {1}, 0, 1}}, {"text", "tensor([2], dtype=torch.uint8)"}};
  WriteGzip("print-0.jsonl.gz", print.dump());
  const Json types = {{"promote_types", {{"int8,uint8", "int16"}}},
                      {"can_cast", {{"int8,bool", true}}},
                      {"result_type", {{"int8", 0, "number:float", nullptr, "float32"}}}};
  std::ofstream(path_ + "/types.json") << types.dump();
  const Report r = Replay();
  EXPECT_EQ(r.ops().at("print").passed, 1);
  EXPECT_EQ(r.ops().at("types").passed, 2);
  EXPECT_EQ(r.ops().at("types").failed, 1);
}

TEST_F(Folder, APatternSelectsOperators) {
  WriteGzip("blob-0.bin.gz", "a");
  WriteGzip("cases-0.jsonl.gz", CallGiving(0));
  EXPECT_EQ(Replay("test::*").total().passed, 1);
}

TEST_F(Folder, OfEachOverloadAsManyCasesAsAreWantedAreReplayed) {
  WriteGzip("blob-0.bin.gz", "ab");
  const std::string missing = R"({"op": "aten::none.x", "args": [], "out": []})";
  WriteGzip("cases-0.jsonl.gz", CallGiving(0) + missing + "\n" + CallGiving(0) + CallGiving(1));
  for (const std::optional<std::chrono::milliseconds> limit :
       {std::optional<std::chrono::milliseconds>(),
        std::optional(std::chrono::milliseconds(5000))}) {
    const auto replay = [&](int64_t each) {
      return ReplayFolder(path_, {.device = Device{kHost}, .each = each, .limit = limit}).total();
    };
    EXPECT_EQ(replay(1).passed, 1);
    EXPECT_EQ(replay(1).missing, 1);
    EXPECT_EQ(replay(2).passed, 2);
    EXPECT_EQ(replay(0).failed, 1);
    EXPECT_EQ(replay(0).total(), 4);
  }
}

TEST_F(Folder, APatternThatNoCaseMatchesIsAnErrorThatCountsThem) {
  WriteGzip("blob-0.bin.gz", "a");
  WriteGzip("cases-0.jsonl.gz", CallGiving(0) + CallGiving(0));
  std::ofstream(path_ + "/types.json")
      << R"({"promote_types": {"int8,uint8": "int16"}, "can_cast": {}, "result_type": []})";
  for (const std::optional<std::chrono::milliseconds> limit :
       {std::optional<std::chrono::milliseconds>(),
        std::optional(std::chrono::milliseconds(5000))}) {
    try {
      ReplayFolder(path_, {.device = Device{kHost}, .pattern = "other*", .limit = limit});
      FAIL() << "accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kNotFound);
      EXPECT_EQ(e.message(),
                "none of the 3 cases in '" + path_ + "' is of an operator that matches 'other*'");
    }
  }
}

TEST_F(Folder, ACaseThatCrashesOrHangsFailsAloneWithALimit) {
  const auto call = [](const std::string& how) {
    const Json tensor = {{"t", {"uint8", {1}, {1}, 0, 1}}};
    return Json{{"op", "test::breaks"}, {"args", {tensor, how}}, {"out", {tensor}}}.dump() + "\n";
  };
  WriteGzip("blob-0.bin.gz", "a");
  WriteGzip("cases-0.jsonl.gz", CallGiving(0) + call("crashes") + call("hangs") + call("returns"));
  std::ostringstream failures;
  constexpr auto kLimit = std::chrono::milliseconds(2000);
  const Report r =
      ReplayFolder(path_, {.device = Device{kHost}, .failures = &failures, .limit = kLimit});
  EXPECT_EQ(r.ops().at("test::breaks").failed, 2);
  EXPECT_EQ(r.ops().at("test::breaks").passed, 1);
  EXPECT_EQ(r.ops().at("test::same").passed, 1);
  EXPECT_NE(failures.str().find("the process died: Killed\n  cases-0.jsonl.gz:2"),
            std::string::npos);
  EXPECT_NE(failures.str().find("no end after 2000 ms\n  cases-0.jsonl.gz:3"), std::string::npos);
}

TEST_F(Folder, ADeviceThatACaseHasLostIsThereAgainForTheNext) {
  const auto call = [](const std::string& how) {
    const Json tensor = {{"t", {"uint8", {1}, {1}, 0, 1}}};
    return Json{{"op", "test::breaks"}, {"args", {tensor, how}}, {"out", {tensor}}}.dump() + "\n";
  };
  WriteGzip("blob-0.bin.gz", "a");
  WriteGzip("cases-0.jsonl.gz",
            call("returns") + call("loses") + call("returns") + call("loses") + call("returns"));
  FolderOptions options{.device = {}, .limit = std::chrono::milliseconds(10000)};
  options.open = [] { return ParseDevice("fragile:0"); };
  const Report r = ReplayFolder(path_, options);
  EXPECT_EQ(r.ops().at("test::breaks").failed, 2);
  EXPECT_EQ(r.ops().at("test::breaks").passed, 3);
  EXPECT_FALSE(lost) << "it was lost elsewhere";
}

TEST_F(Folder, DamagedFilesAreTheSameErrorInAProcessOfItsOwn) {
  WriteGzip("blob-0.bin.gz", "a");
  WriteGzip("cases-0.jsonl.gz", CallGiving(0) + "{}\n");
  try {
    ReplayFolder(path_, {.device = Device{kHost}, .limit = std::chrono::milliseconds(10000)});
    FAIL() << "expected an error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(e.message().substr(0, 31), "cases-0.jsonl.gz:2: malformed: ");
  }
}

TEST_F(Folder, AFolderWithoutCasesIsAnError) {
  EXPECT_THROW(Replay(), Error);
  EXPECT_THROW(ReplayFolder(path_ + "/absent", {.device = Device{kHost}}), Error);
}

TEST_F(Folder, ALineThatIsNoJsonIsAnErrorWithItsPlace) {
  WriteGzip("blob-0.bin.gz", "a");
  WriteGzip("cases-0.jsonl.gz", CallGiving(0) + "{\n");
  try {
    Replay();
    FAIL() << "expected an error";
  } catch (const Error& e) {
    EXPECT_EQ(e.message(), "cases-0.jsonl.gz:2: not a JSON object");
  }
}

TEST(Matches, NamesMatchWithAndWithoutOverload) {
  EXPECT_TRUE(Matches("add", "add.Tensor"));
  EXPECT_TRUE(Matches("add.T*", "add.Tensor"));
  EXPECT_TRUE(Matches("", "add.Tensor"));
  EXPECT_FALSE(Matches("add", "add_.Tensor"));
}

}  // namespace
}  // namespace sy::replay
