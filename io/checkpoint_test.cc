#include "switchyard/io/checkpoint.h"

#include <cstring>
#include <filesystem>
#include <map>

#include "io/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/io/write_tensors.h"

namespace sy::io {
namespace {

using Kind = Tree::Kind;

// What record.py saves as everything*.pt.
void ExpectEverything(const std::string& name) {
  SCOPED_TRACE(name);
  const Tree tree = ReadCheckpoint(Recorded(name));
  const Tree::Value all = tree.root();
  const Tensor base = all["base"].tensor(), view = all["view"].tensor();
  EXPECT_EQ(base.numel(), 24);
  EXPECT_EQ(base.at<float>(23), 23.0f);
  EXPECT_TRUE(view.shares_storage_with(base));
  EXPECT_EQ(view.storage_offset(), 4);
  EXPECT_EQ(Of(view.strides()), (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(view.at<float>(1, 2), 13.0f);
  EXPECT_EQ(all["row"].tensor().at<float>(), 3.0f);
  EXPECT_EQ(Of(all["expanded"].tensor().strides()), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(all["expanded"].tensor().at<float>(2, 3), 7.0f);
  EXPECT_EQ(Of(all["empty"].tensor().sizes()), (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(static_cast<float>(all["bfloat16"].tensor().at<BFloat16>(1)), 2.5f);
  EXPECT_EQ(static_cast<float>(all["float16"].tensor().at<Half>(1)), 2.5f);
  EXPECT_EQ(static_cast<float>(all["float8_e4m3fn"].tensor().at<Float8E4M3FN>(1)), 2.0f);
  EXPECT_EQ(all["uint16"].tensor().at<uint16_t>(1), 65535);
  EXPECT_EQ(all["complex64"].tensor().at<std::complex<float>>(0), std::complex<float>(1, 2));
  EXPECT_EQ(all["complex32"].tensor().dtype(), DType::kComplex32);
  EXPECT_FALSE(all["bool"].tensor().at<bool>(1));
  EXPECT_EQ(all["int64"].tensor().at<int64_t>(), -7);
  EXPECT_EQ(all["float64"].tensor().at<double>(), 3.5);
  EXPECT_EQ(all["parameter"].tensor().at<float>(1), 1.0f);
  const Tree::Value nested = all["nested"];
  ASSERT_EQ(nested.size(), 7u);
  EXPECT_EQ(nested[0].integer(), 1);
  EXPECT_EQ(nested[1].number(), 2.5);
  EXPECT_EQ(nested[2].text(), "text");
  EXPECT_EQ(nested[3].kind(), Kind::kNone);
  EXPECT_TRUE(nested[4].boolean());
  EXPECT_EQ(nested[5].kind(), Kind::kTuple);
  EXPECT_EQ(nested[6]["a"].tensor().at<float>(0), 1.0f);
  EXPECT_EQ(all["size"][1].integer(), 3);
  EXPECT_EQ(all["dtype"].dtype(), DType::kFloat32);
  EXPECT_EQ(all["device"].text(), "cuda:1");
  EXPECT_EQ(all["big"].integer(), int64_t{1} << 62);
  EXPECT_EQ(all["bigger"].kind(), Kind::kBigInt);
  EXPECT_EQ(all["bigger"].text(), std::string(8, '\0') + '\x40');
  EXPECT_EQ(all["negative"].integer(), -5);
  EXPECT_EQ(all["set"].size(), 2u);
  EXPECT_EQ(all["bytes"].text(), std::string("\0\xff", 2));
  EXPECT_EQ(all["complex"].complex(), std::complex<double>(1, 2));
  EXPECT_EQ(all["ordered"]["a"].integer(), 1);
  using Variant = Tree::Variant;
  EXPECT_EQ(all["ordered"].variant(), Variant::kOrderedDict);
  EXPECT_EQ(all["size"].variant(), Variant::kSize);
  EXPECT_EQ(all["parameter"].variant(), Variant::kParameter);
  EXPECT_TRUE(all["parameter"].requires_grad());
  EXPECT_FALSE(all["base"].requires_grad());
  EXPECT_EQ(all["nested"][5].variant(), Variant::kPlain);
}

TEST(Checkpoint, EverythingThatTorchSavesReads) {
  ExpectEverything("everything.pt");
  ExpectEverything("everything_protocol5.pt");
  ExpectEverything("everything_legacy.pt");
}

TEST(Checkpoint, StorageIsThePagesOfTheFileWhereItIsAligned) {
  EXPECT_EQ(TensorFile(Recorded("w.pt")).format(), FileFormat::kCheckpoint);
  EXPECT_EQ(TensorFile(Recorded("w_legacy.pt")).format(), FileFormat::kLegacyCheckpoint);
  for (const char* name : {"w.pt", "unaligned.pt", "deflated.pt", "w_legacy.pt"}) {
    const TensorFile f(Recorded(name), {.verify = true});
    const Tensor w = f.Get("w");
    EXPECT_EQ(w.at<float>(23), 23.0f) << name;
    EXPECT_EQ(w.data() == f.Get("w").data(), std::string(name) == "w.pt") << name;
    EXPECT_EQ(Values<float>(f.Slice("w", 0, 20, 100)), (std::vector<float>{20, 21, 22, 23}))
        << name;
  }
}

TEST(Checkpoint, ATrainingHasDottedNamesAndItsNumbers) {
  const TensorFile f(Recorded("training.pt"));
  EXPECT_EQ(Of(f.Get("model.0.weight").sizes()), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(f.Get("model.1.num_batches_tracked").at<int64_t>(), 1);
  EXPECT_EQ(f.Get("optimizer.state.0.exp_avg").dtype(), DType::kFloat32);
  std::map<std::string, std::string> rest(f.metadata().begin(), f.metadata().end());
  EXPECT_EQ(rest["epoch"], "3");
  EXPECT_EQ(rest["optimizer.param_groups.0.lr"], "0.001");
  EXPECT_EQ(rest["optimizer.param_groups.0.amsgrad"], "False");
  EXPECT_EQ(ReadCheckpoint(Recorded("training.pt"))
                .root()["optimizer"]["state"][3]["step"]
                .tensor()
                .at<float>(),
            1.0f);
}

TEST(Checkpoint, NumbersAndArraysOfNumPyRead) {
  const Tree tree = ReadCheckpoint(Recorded("numpy.pt"));
  EXPECT_EQ(tree.root()["n"].number(), 2.5);
  EXPECT_EQ(tree.root()["i"].integer(), -3);
  EXPECT_EQ(Values<int16_t>(tree.root()["a"].tensor()), (std::vector<int16_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Values<double>(tree.root()["f"].tensor()), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(Checkpoint, FilesOfOtherFormatsAreNothingOrRefused) {
  for (const std::string name : {"w.pt", "w_legacy.pt"}) {
    const auto tree = ReadIfCheckpoint(Recorded(name), {.copy = true});
    ASSERT_TRUE(tree.has_value()) << name;
    EXPECT_EQ(tree->root()["w"].tensor().numel(), 24) << name;
  }
  const std::map<std::string, std::string> others = {
      {"numpy.npz", "is an archive without data.pkl, and no checkpoint"},
      {"fortran.npy", "is no checkpoint of PyTorch"},
      {"official.safetensors", "is no checkpoint of PyTorch"},
      {"model.gguf", "is no checkpoint of PyTorch"},
      {"refused_empty.safetensors", "is no checkpoint of PyTorch"}};
  for (const auto& [name, why] : others) {
    const std::string path = Recorded(name);
    EXPECT_FALSE(ReadIfCheckpoint(path).has_value()) << name;
    EXPECT_EQ(MessageOf([&] { ReadCheckpoint(path); }), "'" + path + "': " + why);
  }
  for (const std::string name : {"refused_cut_short.pt", "refused_no_storage.pt", "absent.pt"}) {
    const std::string path = Recorded(name);
    EXPECT_THROW(ReadCheckpoint(path), Error) << name;
    const std::string why = MessageOf([&] { ReadCheckpoint(path); });
    EXPECT_EQ(MessageOf([&] { ReadIfCheckpoint(path); }), why);
    EXPECT_EQ(MessageOf([&] { TensorFile f(path); }), why);
  }
}

TEST(Checkpoint, WhatIsWrittenReadsBackWithItsSharing) {
  Tree tree;
  const Tensor base = tensor({{1.0f, 2.0f}, {3.0f, 4.0f}});
  const Tree::Id dict = tree.Dict();
  const auto put = [&](const char* key, Tree::Id value) {
    tree.Insert(dict, tree.Text(key), value);
  };
  put("base", tree.Of(base));
  put("column", tree.Of(base.AsStrided({2}, {2}, 1)));
  put("f8", tree.Of(tensor({1.0, 2.0}, DType::kFloat8E5M2)));
  put("u64", tree.Of(tensor({7}, DType::kUInt64)));
  put("rows", tree.Of(tensor({{1, 2}, {3, 4}}).AsStrided({2, 2}, {1, 2})));
  put("list", tree.List({tree.Int(-1), tree.Int(300), tree.Int(int64_t{1} << 40), tree.None(),
                         tree.Bool(true), tree.Float(0.25)}));
  put("tuple", tree.Tuple({tree.Text("é"), tree.Bytes(std::string("\0\x80\xff", 3))}));
  put("set", tree.Set({tree.Int(4)}));
  put("complex", tree.Complex({1, -2}));
  put("dtype", tree.Of(DType::kBFloat16));
  tree.Insert(dict, tree.Int(5), tree.Text("by number"));
  tree.SetRoot(dict);
  const std::string path = TempFile("tree.pt");
  WriteCheckpoint(path, tree);

  const Tree back = ReadCheckpoint(path, {.verify = true});
  const Tree::Value all = back.root();
  EXPECT_EQ(Values<float>(all["base"].tensor()), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(Values<float>(all["column"].tensor()), (std::vector<float>{2, 4}));
  EXPECT_TRUE(all["column"].tensor().shares_storage_with(all["base"].tensor()));
  EXPECT_EQ(static_cast<float>(all["f8"].tensor().at<Float8E5M2>(1)), 2.0f);
  EXPECT_EQ(all["u64"].tensor().at<uint64_t>(0), 7u);
  EXPECT_EQ(Values<int64_t>(all["rows"].tensor()), (std::vector<int64_t>{1, 3, 2, 4}));
  EXPECT_EQ(all["list"][0].integer(), -1);
  EXPECT_EQ(all["list"][1].integer(), 300);
  EXPECT_EQ(all["list"][2].integer(), int64_t{1} << 40);
  EXPECT_EQ(all["list"][5].number(), 0.25);
  EXPECT_EQ(all["tuple"][0].text(), "é");
  EXPECT_EQ(all["tuple"][1].text(), std::string("\0\x80\xff", 3));
  EXPECT_EQ(all["set"].at(0).integer(), 4);
  EXPECT_EQ(all["complex"].complex(), std::complex<double>(1, -2));
  EXPECT_EQ(all["dtype"].dtype(), DType::kBFloat16);
  EXPECT_EQ(all[5].text(), "by number");
}

// A tensor that fills its storage in another order keeps that; a part is written without the rest.
TEST(Checkpoint, StridesOfWhatFillsItsStorageAreKept) {
  const Tensor columns = tensor({{1, 2, 3}, {4, 5, 6}}).AsStrided({3, 2}, {1, 3});
  const Tensor expanded = tensor({7}).AsStrided({2, 3}, {0, 0});
  const Tensor part = tensor({1, 2, 3, 4}).AsStrided({2}, {2});
  const std::string path = TempFile("strides.pt");
  WriteTensors(path, {{"columns", columns}, {"expanded", expanded}, {"part", part}});
  const TensorFile f(path);
  const Tensor c = f.Get("columns"), e = f.Get("expanded"), p = f.Get("part");
  EXPECT_EQ(Of(c.strides()), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(c.at<int64_t>(2, 0), 3);
  EXPECT_EQ(c.at<int64_t>(0, 1), 4);
  EXPECT_EQ(Of(e.strides()), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(e.at<int64_t>(1, 2), 7);
  EXPECT_EQ(Of(p.strides()), (std::vector<int64_t>{1}));
  EXPECT_EQ(Values<int64_t>(p), (std::vector<int64_t>{1, 3}));
}

TEST(Checkpoint, NamedTensorsAreWrittenAsADictAndLieAligned) {
  const std::string path = TempFile("dict.pt");
  WriteTensors(path, {{"a.b", tensor({1, 2, 3}, DType::kInt8)}, {"c", tensor({1.5})}});
  const TensorFile f(path);
  EXPECT_EQ(f.format(), FileFormat::kCheckpoint);
  EXPECT_EQ(Values<int8_t>(f.Get("a.b")), (std::vector<int8_t>{1, 2, 3}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(f.Get("c").data()) % 64, 0u);
  EXPECT_EQ(f.Get("c").data(), f.Get("c").data());
}

TEST(Checkpoint, TwoTensorsOfOneDottedNameAreBothThere) {
  Tree tree;
  const Tree::Id inner = tree.Dict(), dict = tree.Dict();
  tree.Insert(inner, tree.Text("b"), tree.Of(tensor({1})));
  tree.Insert(dict, tree.Text("a"), inner);
  tree.Insert(dict, tree.Text("a.b"), tree.Of(tensor({2})));
  tree.SetRoot(dict);
  const std::string path = TempFile("names.pt");
  WriteCheckpoint(path, tree);
  const TensorFile f(path);
  EXPECT_EQ(f.Get("a.b").at<int64_t>(0), 1);
  EXPECT_EQ(f.Get("a.b (2)").at<int64_t>(0), 2);
}

TEST(Checkpoint, ValuesOfAnotherKindAreErrors) {
  const Tree tree = ReadCheckpoint(Recorded("training.pt"));
  const Tree::Value all = tree.root();
  EXPECT_NE(MessageOf([&] { all["epoch"].text(); }).find("expected str in the checkpoint, got int"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] { all["absent"]; }).find("no key 'absent'"), std::string::npos);
  EXPECT_NE(MessageOf([&] { all["model"][7]; }).find("no key 7"), std::string::npos);
  EXPECT_TRUE(all.contains("epoch"));
  EXPECT_FALSE(all.contains("absent"));
}

TEST(Checkpoint, PythonsTypesOfAKindAreKept) {
  using Variant = Tree::Variant;
  Tree tree;
  const Tree::Id dict = tree.Dict();
  const auto put = [&](const char* key, Tree::Id value, Variant variant) {
    tree.SetVariant(value, variant);
    tree.Insert(dict, tree.Text(key), value);
  };
  const Tree::Id leaf = tree.Of(tensor({1.0f})), parameter = tree.Of(tensor({2.0f}));
  tree.SetRequiresGrad(leaf);
  tree.SetRequiresGrad(parameter);
  put("leaf", leaf, Variant::kPlain);
  put("parameter", parameter, Variant::kParameter);
  put("ordered", tree.Dict(), Variant::kOrderedDict);
  const Tree::Id counter = tree.Dict();
  tree.Insert(counter, tree.Text("a"), tree.Int(2));
  put("counter", counter, Variant::kCounter);
  put("size", tree.Tuple({tree.Int(2)}), Variant::kSize);
  put("frozen", tree.Set({tree.Int(2)}), Variant::kFrozenSet);
  put("bytes", tree.Bytes("\xff"), Variant::kByteArray);
  tree.Insert(dict, tree.Text("device"), tree.DeviceNamed("cuda:1"));
  tree.Insert(dict, tree.Text("big"), tree.BigInt(std::string(8, '\0') + '\x40'));
  tree.SetRoot(dict);
  const std::string path = TempFile("types.pt");
  WriteCheckpoint(path, tree);

  const Tree back = ReadCheckpoint(path);
  const Tree::Value all = back.root();
  for (const char* key : {"leaf", "parameter", "ordered", "counter", "size", "frozen", "bytes"}) {
    EXPECT_EQ(all[key].variant(), tree.root()[key].variant()) << key;
  }
  EXPECT_TRUE(all["leaf"].requires_grad());
  EXPECT_TRUE(all["parameter"].requires_grad());
  EXPECT_EQ(all["parameter"].tensor().at<float>(0), 2.0f);
  EXPECT_EQ(all["counter"]["a"].integer(), 2);
  EXPECT_EQ(all["bytes"].text(), "\xff");
  EXPECT_EQ(all["device"].text(), "cuda:1");
  EXPECT_EQ(all["big"].text(), std::string(8, '\0') + '\x40');
  EXPECT_NE(MessageOf([&] { tree.SetVariant(dict, Variant::kSize); }).find("expected tuple"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] { tree.SetVariant(leaf, Variant::kArray); }).find("not written"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] { tree.SetRequiresGrad(dict); }).find("expected tensor"),
            std::string::npos);
}

TEST(Checkpoint, AValueOfSeveralPlacesIsWrittenOnceAndIsOneAgain) {
  Tree tree;
  const Tree::Id shared = tree.List({tree.Of(tensor({1.0f})), tree.Text(std::string(1000, 'x'))});
  std::vector<Tree::Id> places(100, shared);
  tree.SetRoot(tree.List(places));
  const std::string path = TempFile("shared.pt");
  WriteCheckpoint(path, tree);
  const Tree back = ReadCheckpoint(path);
  ASSERT_EQ(back.root().size(), 100u);
  EXPECT_EQ(back.root()[0].id(), back.root()[99].id());
  EXPECT_EQ(back.root()[99][0].tensor().at<float>(0), 1.0f);
  EXPECT_LT(std::filesystem::file_size(path), 4000u);
}

TEST(Checkpoint, ATreeThatContainsItselfIsNotWritten) {
  Tree tree;
  const Tree::Id list = tree.List();
  tree.Append(list, list);
  tree.SetRoot(list);
  EXPECT_NE(
      MessageOf([&] { WriteCheckpoint(TempFile("cycle.pt"), tree); }).find("contain themselves"),
      std::string::npos);
}

}  // namespace
}  // namespace sy::io
