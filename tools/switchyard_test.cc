// The command as a shell runs it: what it prints, and its exit status.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace {

using nlohmann::json;

struct Ran {
  int status;
  std::string out, err;
};

std::string Contents(const std::string& path) {
  std::ostringstream s;
  s << std::ifstream(path).rdbuf();
  return s.str();
}

// arguments: as a shell takes them.
Ran Switchyard(const std::string& arguments) {
  const std::string out = testing::TempDir() + "/out", err = testing::TempDir() + "/err";
  const std::string line = "tools/switchyard " + arguments + " > " + out + " 2> " + err;
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Contents(out), Contents(err)};
}

TEST(Ops, JsonHasNameOverloadSchemaAndKernels) {
  const Ran r = Switchyard("ops add_.Tensor --json");
  ASSERT_EQ(r.status, 0) << r.err;
  const json ops = json::parse(r.out);
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_EQ(ops[0]["name"], "add_");
  EXPECT_EQ(ops[0]["overload"], "Tensor");
  EXPECT_EQ(ops[0]["schema"],
            "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  bool on_cpu = false;
  for (const json& k : ops[0]["kernels"])
    on_cpu |= k["device"] == "cpu" && k["dtype"] == "float32" && !k["source"].empty();
  EXPECT_TRUE(on_cpu) << r.out;
}

// What write-a-backend.md tells by these: the name to register kernels for, and who makes outputs.
TEST(Ops, JsonHasTheBaseVariantAndHowOutputsAreMade) {
  const auto facts = [](const std::string& name) {
    const json op = json::parse(Switchyard("ops '" + name + "' --json").out).at(0);
    return op["base"].get<std::string>() + ", " + op["variant"].get<std::string>();
  };
  EXPECT_EQ(facts("add.Tensor"), "add.Tensor, functional");
  EXPECT_EQ(facts("add_.Tensor"), "add.Tensor, in place");
  EXPECT_EQ(facts("add.out"), "add.Tensor, out");
  EXPECT_EQ(facts("transpose.int"), "transpose.int, view");
  for (const char* direct : {"linear", "linear.out"}) EXPECT_EQ(facts(direct), "linear, direct");
  for (const char* name : {"conv2d", "nonzero", "masked_select", "stack", "split.Tensor"})
    EXPECT_EQ(facts(name), std::string(name) + ", direct");
}

TEST(Ops, EveryOperatorHasSomethingThatServesIt) {
  for (const json& op : json::parse(Switchyard("ops --json").out))
    EXPECT_FALSE(op["kernels"].empty()) << op["name"] << "." << op["overload"];
}

TEST(Ops, TextListsSchemasThatMatchThePattern) {
  const Ran r = Switchyard("ops 'index_c*'");
  EXPECT_EQ(r.out.find("index_copy("), 0u) << r.out;
  EXPECT_EQ(r.out.find("add"), std::string::npos);
}

TEST(Explain, NamesTheKernelThatACallReaches) {
  const Ran r = Switchyard("explain index_copy cpu float32");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("backends/cpu/kernels/index/index_copy.cc"), std::string::npos) << r.out;
}

TEST(Explain, NamesTheFormulaThatComputesIt) {
  const Ran r = Switchyard("explain leaky_relu cpu float16");
  EXPECT_NE(r.out.find("sy::f::LeakyRelu of 1 tensor and 1 number, in float16"), std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("ops/formulas/activation.h"), std::string::npos) << r.out;
}

TEST(Explain, AVariantOfAnOperatorMadeOfOthersIsTheOperatorsResultCopied) {
  const Ran r = Switchyard("explain linear.out cpu float32");
  EXPECT_NE(r.out.find("the results of linear, copied; there: the kernel at "), std::string::npos)
      << r.out;
  EXPECT_EQ(r.out.find("not implemented"), std::string::npos) << r.out;
}

TEST(Explain, JsonHoldsAnEntryForEachDType) {
  const json all = json::parse(Switchyard("explain add.Tensor meta float32 int8 --json").out);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1]["dtype"], "int8");
  EXPECT_TRUE(all[1]["candidates"][0]["chosen"]);
}

TEST(Run, PrintsTheResultAsPythonDoes) {
  EXPECT_EQ(Switchyard("run add '[1, 2]' '[3, 4]' alpha=2").out, "tensor([ 7, 10])\n");
}

TEST(Run, NegativeNumbersAreArguments) {
  EXPECT_EQ(Switchyard("run add -1 -2").out, "tensor(-3)\n");
}

TEST(Run, BehindTwoDashesNothingIsAnOption) {
  EXPECT_EQ(Switchyard("run neg -- -5").out, "tensor(5)\n");
  EXPECT_EQ(Switchyard("run --seed 1 add -1 -- -2").out, "tensor(-3)\n");
  EXPECT_NE(Switchyard("run neg -- --seed").err.find("got '--seed'"), std::string::npos);
}

TEST(Run, ListsAreDimensionsOrTensorsAsTheOperatorTakesThem) {
  EXPECT_EQ(Switchyard("run index_copy '[[0., 0.], [0., 0.]]' 0 '[1]' '[[1., 2.]]'").out,
            "tensor([[0., 0.],\n        [1., 2.]])\n");
  EXPECT_EQ(Switchyard("run view '[[1, 2], [3, 4]]' '[4]'").out, "tensor([1, 2, 3, 4])\n");
}

TEST(Run, AnArgumentMayBeACall) {
  EXPECT_EQ(Switchyard("run add 'zeros(2, 2)' 1").out, "tensor([[1., 1.],\n        [1., 1.]])\n");
  EXPECT_EQ(Switchyard("run cat '[ones(1), full([2], 7.)]'").out, "tensor([1., 7., 7.])\n");
  EXPECT_EQ(Switchyard("run sum 'add(arange(3), 1, alpha=10)' dtype=float64").out,
            "tensor(33., dtype=torch.float64)\n");
}

TEST(Help, IsShownWithoutACommandToo) {
  for (const char* arguments : {"", "help"}) {
    const Ran r = Switchyard(arguments);
    EXPECT_EQ(r.status, 0);
    for (const char* command : {"ops", "explain", "run", "replay", "conform", "devices"})
      EXPECT_NE(r.out.find(command), std::string::npos) << r.out;
  }
}

TEST(Help, OfACommandShowsItsOptions) {
  EXPECT_NE(Switchyard("help replay").out.find("--fallback"), std::string::npos);
  EXPECT_EQ(Switchyard("help replay").out, Switchyard("replay --help").out);
  EXPECT_EQ(Switchyard("help nothing").status, 2);
}

TEST(Run, SavedResultsAreReadBack) {
  const std::string file = testing::TempDir() + "/sum.npy";
  ASSERT_EQ(Switchyard("run add --save " + file + " '[1, 2]' 1").status, 0);
  EXPECT_EQ(Switchyard("run add " + file + " 1").out, "tensor([3, 4])\n");
}

TEST(Run, MetaTensorsHaveSizesAlone) {
  EXPECT_EQ(Switchyard("run --device meta add '[1, 2]' 1").out,
            "tensor(..., device='meta', size=(2,), dtype=torch.int64)\n");
}

TEST(Run, ASeedGivesTheReferenceStream) {
  // torch.manual_seed(1); torch.rand(3)
  EXPECT_EQ(Switchyard("run rand '[3]' --seed 1").out, "tensor([0.7576, 0.2793, 0.4031])\n");
}

TEST(Run, ValuesNestAsDeepAsTensorsHaveDimensions) {
  const std::string open(64, '['), close(64, ']');
  EXPECT_EQ(Switchyard("run sum '" + open + "1" + close + "'").out, "tensor(1)\n");
  const Ran r = Switchyard("run sum '" + std::string(100'000, '[') + "'");
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("nested to at most 66 levels"), std::string::npos) << r.err.substr(0, 500);
}

TEST(Version, NamesTheDevices) {
  const Ran r = Switchyard("version");
  EXPECT_EQ(r.out.find("switchyard "), 0u);
  EXPECT_NE(r.out.find("\nmeta: 1 device"), std::string::npos) << r.out;
}

const std::string kEdge = "tests/conformance/data/edge";
const std::string kSkeleton = "./examples/plugins/skeleton/libskeleton.so";

TEST(Replay, TheReportHoldsCountsByOverload) {
  const std::string file = testing::TempDir() + "/report.json";
  const Ran r = Switchyard("replay " + kEdge + " --op types --report " + file);
  EXPECT_EQ(r.status, 0) << r.err;
  const json report = json::parse(Contents(file));
  EXPECT_EQ(report["total"], 1122);  // 3 tables of tests/conformance/data/edge/types.json
  EXPECT_EQ(report["ops"]["types"]["passed"], report["passed"]);
}

// The skeleton has kernels of its own for add and copy; the rest falls back on the host.
TEST(Replay, CountsNativeAndFallbackApartForAPlugin) {
  const std::string file = testing::TempDir() + "/report.json";
  const Ran r = Switchyard("replay " + kEdge + " --op 'add*' --plugin " + kSkeleton +
                           " --device skeleton --verbose --report " + file);
  EXPECT_EQ(r.status, 0) << r.err << r.out;
  const json add = json::parse(Contents(file))["ops"]["add.Tensor"];
  EXPECT_GT(add["native"], 0);
  EXPECT_GT(add["fallback"], 0);
  // Calls that are refused before any kernel is called are neither.
  EXPECT_GT(add["no_kernel"], 0);
  EXPECT_EQ(add["native"].get<int>() + add["fallback"].get<int>() + add["no_kernel"].get<int>(),
            add["passed"]);
}

// What no kernel of a plugin's is asked for says nothing of it: promotion, printing, views.
TEST(Replay, WhatNoKernelServesIsNotNative) {
  const std::string file = testing::TempDir() + "/report.json";
  const Ran r = Switchyard("replay " + kEdge + " --plugin " + kSkeleton +
                           " --device skeleton --report " + file);
  EXPECT_EQ(r.status, 0) << r.err;
  const json report = json::parse(Contents(file));
  EXPECT_EQ(report["ops"]["types"]["native"], 0);
  EXPECT_EQ(report["ops"]["types"]["no_kernel"], 1122);
  EXPECT_LT(report["native"], report["fallback"]);
}

TEST(Replay, AllOfAPluginPassesWithFallback) {
  const Ran r =
      Switchyard("replay " + kEdge + " --verbose --plugin " + kSkeleton + " --device skeleton");
  EXPECT_EQ(r.status, 0) << r.err << r.out;
}

TEST(Replay, ForbiddenFallbackFailsWhatThePluginLacks) {
  const Ran r = Switchyard("replay " + kEdge + " --op sub.Tensor --fallback forbid --plugin " +
                           kSkeleton + " --device skeleton");
  EXPECT_EQ(r.status, 1) << r.out;
}

TEST(Replay, SomethingThatFailsIsShownAndGivesStatus1) {
  const std::string folder = testing::TempDir() + "/wrong";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/types.json")
      << R"({"promote_types": {"int8,uint8": "bool"}, "can_cast": {}, "result_type": []})";
  const Ran r = Switchyard("replay --verbose " + folder);
  EXPECT_EQ(r.status, 1);
  EXPECT_NE(r.out.find("FAILED promote_types(int8,uint8)\n  expected bool, got int16"),
            std::string::npos)
      << r.out;
}

struct Bad {
  const char *name, *arguments, *message;
};
class BadInput : public testing::TestWithParam<Bad> {
 protected:
  void SetUp() override { std::ofstream(testing::TempDir() + "/bad.npy") << "text"; }
};

TEST_P(BadInput, IsSaidOnStderrWithStatus2) {
  std::string arguments = GetParam().arguments;
  if (const size_t at = arguments.find("TMP"); at != arguments.npos)
    arguments.replace(at, 3, testing::TempDir());
  const Ran r = Switchyard(arguments);
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_NE(r.err.find(GetParam().message), std::string::npos) << r.err;
}
INSTANTIATE_TEST_SUITE_P(
    Commands, BadInput,
    testing::Values(
        Bad{"unknown_command", "nosuch", "there is no command 'nosuch'; there are: ops explain"},
        Bad{"unknown_option", "version --nosuch", "--nosuch"},
        Bad{"ops_of_no_operator", "ops ad", "did you mean 'add'?"},
        Bad{"explain_no_operator", "explain ad cpu float32", "did you mean 'add'?"},
        Bad{"explain_no_overload", "explain add.Tenso cpu float32", "its overloads: add.Scalar"},
        Bad{"explain_no_device", "explain add gpu float32", "no device type named 'gpu'"},
        Bad{"explain_no_dtype", "explain add cpu float33", "unknown dtype 'float33'"},
        Bad{"explain_without_dtype", "explain add cpu", "dtypes is required"},
        Bad{"run_no_operator", "run ad 1 2", "did you mean 'add'?"},
        Bad{"run_doubled_letter", "run negg 1", "did you mean 'neg'?"},
        Bad{"run_bad_fallback", "run neg 1 --fallback maybe", "--fallback"},
        Bad{"run_no_arguments", "run add", "argument 'self' is missing"},
        Bad{"run_no_keyword", "run add 1 2 alpa=3", "alpa"},
        Bad{"run_open_call", "run neg 'zeros(3'", "expected ',' or ')' at position 7"},
        Bad{"run_bad_call", "run neg 'zerros(3)'", "no operator named 'zerros'"},
        Bad{"run_open_list", "run add '[1, 2' 1", "expected ',' or ']' at position 5"},
        Bad{"run_ragged_list", "run clone '[[1, 2], [3]]'", "differ in length"},
        Bad{"run_no_file", "run clone nosuch.npy", "cannot open 'nosuch.npy'"},
        Bad{"run_bad_file", "run clone TMP/bad.npy", "is no .npy file"},
        Bad{"run_bad_shapes", "run add '[1, 2]' '[1, 2, 3]'", "do not broadcast"},
        Bad{"run_no_device", "run add 1 2 --device nosuch", "no device type named 'nosuch'"},
        Bad{"run_absent_device", "run add 1 2 --device cpu:7", "there is no device 'cpu:7'"},
        Bad{"run_bad_seed", "run rand '[1]' --seed x", "--seed"},
        Bad{"replay_no_folder", "replay nosuch", "there is no folder 'nosuch'"},
        Bad{"replay_no_cases", "replay TMP", "there are no reference cases in"},
        Bad{"replay_no_device", "replay tests/conformance/data/edge --device nosuch",
            "no device type named 'nosuch'"},
        Bad{"replay_no_match", "replay tests/conformance/data/edge --op 'nosuch*'",
            "matches 'nosuch*'"},
        Bad{"replay_bad_limit", "replay tests/conformance/data/edge --limit -1", "--limit"}),
    [](const testing::TestParamInfo<Bad>& info) { return info.param.name; });

TEST(Files, ShowListsTensorsWithoutReadingThem) {
  const Ran r = Switchyard("show io/testdata/training.pt");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("model.0.weight"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("[3, 2]"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("epoch = 3\n"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("checkpoint: 19 tensors"), std::string::npos) << r.out;
}

TEST(Files, ShowAsJsonNamesTheFormatAndTypesWithoutADType) {
  const Ran r = Switchyard("show io/testdata/model.gguf --json --verify");
  ASSERT_EQ(r.status, 0) << r.err;
  const json all = json::parse(r.out);
  EXPECT_EQ(all["format"], "gguf");
  EXPECT_EQ(all["tensors"][3]["type"], "Q8_0");
  EXPECT_TRUE(all["tensors"][3]["dtype"].is_null());
  EXPECT_EQ(all["tensors"][0]["sizes"], json({2, 3}));
}

TEST(Files, ShowRefusesInWords) {
  const Ran r = Switchyard("show io/testdata/refused_system.pt");
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("posix.system"), std::string::npos) << r.err;
}

// Anybody's names: what a terminal would obey is shown, and long ones end between characters.
TEST(Files, ShowPrintsNamesWithoutControlCharacters) {
  const std::string path = testing::TempDir() + "/names.safetensors";
  std::string long_name;
  for (int i = 0; i < 150; ++i) long_name += "é";
  std::string header =
      "{\"a\\u001b[2J\xc2\x9b\":{\"dtype\":\"U8\",\"shape\":[1],"
      "\"data_offsets\":[0,1]},\"x" +
      long_name + "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}";
  const uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += header + "12";
  std::ofstream(path, std::ios::binary) << bytes;
  const Ran r = Switchyard("show " + path);
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("a\\x1b[2J\\xc2\\x9b "), std::string::npos) << r.out;
  for (const char* control : {"\x1b", "\xc2\x9b"})
    EXPECT_EQ(r.out.find(control), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("x" + long_name.substr(0, 198) + "…"), std::string::npos) << r.out;
}

TEST(Files, ConvertWritesWhatTheNameSays) {
  const std::string to = testing::TempDir() + "/w.safetensors";
  Ran r = Switchyard("convert io/testdata/training.pt " + to);
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.err.find("that are no tensors"), std::string::npos) << r.err;
  r = Switchyard("convert " + to + " " + testing::TempDir() + "/w.npz --deflate");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  r = Switchyard("show " + testing::TempDir() + "/w.npz");
  EXPECT_NE(r.out.find("npz: 19 tensors"), std::string::npos) << r.out;
}

TEST(Files, ConvertTakesOneTensorAndNamesAnArrayByItsFile) {
  const std::string to = testing::TempDir() + "/one.pt";
  Ran r = Switchyard("convert io/testdata/fortran.npy " + to);
  ASSERT_EQ(r.status, 0) << r.err;
  r = Switchyard("convert " + to + " " + testing::TempDir() + "/one.npy --tensor fortran");
  ASSERT_EQ(r.status, 0) << r.err;
  r = Switchyard("show " + testing::TempDir() + "/one.npy");
  EXPECT_NE(r.out.find("int32  [2, 3]"), std::string::npos) << r.out;
  EXPECT_EQ(Switchyard("convert " + to + " x.unknown").status, 2);
}

}  // namespace
