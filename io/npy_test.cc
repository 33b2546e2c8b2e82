#include "switchyard/io/npy.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "io/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/io/write_tensors.h"

namespace sy {
namespace {

using io::TempFile;

void WriteFile(const std::string& path, const std::string& bytes) { io::PutFile(path, bytes); }
std::string ReadFile(const std::string& path) { return io::BytesOfFile(path); }

// A file of version 1.0 with this header and these bytes.
std::string NpyFile(std::string header, const std::string& data, char major = 1) {
  header += '\n';
  const std::string length = {static_cast<char>(header.size() & 0xff),
                              static_cast<char>(header.size() >> 8)};
  return std::string("\x93NUMPY") + major + '\0' + length +
         (major > 1 ? std::string(2, '\0') : "") + header + data;
}

std::string WhyNot(const std::string& path) {
  return MessageOf([&] { ReadNpy(path); });
}

TEST(Npy, WhatIsWrittenReadsBackWithDTypeSizesAndValues) {
  const Tensor t = tensor({{1.5, -2.0, 3.0}, {4.0, 5.0, 6.25}}, DType::kFloat64);
  const std::string path = TempFile("a.npy");
  WriteNpy(path, t);
  const Tensor back = ReadNpy(path);
  EXPECT_EQ(back.dtype(), DType::kFloat64);
  ASSERT_EQ(std::vector<int64_t>(back.sizes().begin(), back.sizes().end()),
            (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(std::memcmp(back.data(), t.data(), t.nbytes()), 0);
}

TEST(Npy, EveryDTypeThatNumPyHasRoundTrips) {
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    if (Contains(kFloat8Types | Mask(DType::kBFloat16, DType::kComplex32), d)) continue;
    const std::string path = TempFile("d.npy");
    WriteNpy(path, tensor({0, 1}, d));
    EXPECT_EQ(ReadNpy(path).dtype(), d) << Name(d);
  }
}

TEST(Npy, TheFileIsWhatNumPyWrites) {
  const std::string path = TempFile("b.npy");
  WriteNpy(path, tensor({1, 2}, DType::kUInt8));
  const std::string bytes = ReadFile(path);
  // numpy.save of numpy.array([1, 2], "uint8"): 118 ('v') characters of header.
  using std::string_literals::operator""s;
  const std::string start =
      "\x93NUMPY\x01\x00v\x00"s + "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), } ";
  EXPECT_EQ(bytes.substr(0, start.size()), start);
  EXPECT_EQ(bytes.size(), 130u);
  EXPECT_EQ(bytes.substr(127), "\n\x01\x02");
}

TEST(Npy, FortranOrderBecomesStrides) {
  const std::string path = TempFile("f.npy");
  WriteFile(path, NpyFile("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }",
                          {1, 4, 2, 5, 3, 6}));
  const Tensor t = ReadNpy(path);
  EXPECT_EQ(t.stride(0), 1);
  EXPECT_EQ(t.stride(1), 2);
  EXPECT_EQ(t.data<int8_t>()[t.stride(1)], 2);
}

TEST(Npy, ATransposedTensorIsWrittenInFortranOrder) {
  const Tensor t = tensor({{1, 2, 3}, {4, 5, 6}}, DType::kInt8);
  const std::string path = TempFile("t.npy");
  WriteNpy(path, t.AsStrided(IntSpan(std::vector<int64_t>{3, 2}),
                             IntSpan(std::vector<int64_t>{1, 3}), 0));
  EXPECT_NE(ReadFile(path).find("'fortran_order': True"), std::string::npos);
  EXPECT_EQ(ReadFile(path).substr(128), std::string({1, 2, 3, 4, 5, 6}));
}

TEST(Npy, AStridedTensorIsWrittenRowByRow) {
  const Tensor t = tensor({1, 2, 3, 4, 5, 6}, DType::kInt8);
  const std::string path = TempFile("s.npy");
  WriteNpy(path,
           t.AsStrided(IntSpan(std::vector<int64_t>{3}), IntSpan(std::vector<int64_t>{2}), 1));
  EXPECT_EQ(ReadFile(path).substr(128), std::string({2, 4, 6}));
}

TEST(Npy, Versions2And3CountTheHeaderInFourBytes) {
  const std::string path = TempFile("v3.npy");
  for (const char major : {2, 3}) {
    WriteFile(path,
              NpyFile("{\"shape\": (), 'fortran_order': False, 'descr': '|b1'}", "\1", major));
    EXPECT_TRUE(ReadNpy(path).data<bool>()[0]);
  }
}

TEST(Npy, BigEndianNumbersAreTurned) {
  const Tensor t = ReadNpy(io::Recorded("big_endian.npy"));
  EXPECT_EQ(io::Values<float>(t), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  using C = std::complex<float>;
  EXPECT_EQ(io::Values<C>(ReadNpy(io::Recorded("big_endian_complex.npy"))),
            (std::vector<C>{{1, 2}, {3, -4}}));
}

TEST(Npy, AFortranArrayIsReadInPlace) {
  const TensorFile f(io::Recorded("fortran.npy"));
  const Tensor t = f.Get("");
  EXPECT_EQ(t.data(), f.Get("").data());
  EXPECT_EQ(t.stride(0), 1);
  EXPECT_EQ(io::Values<int32_t>(t), (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Npy, ElementsWithoutAMeaningAreReadAsWhatTheyAreSaidToBe) {
  const std::string path = io::Recorded("bfloat16.npy");
  EXPECT_NE(WhyNot(path).find("elements without a meaning"), std::string::npos);
  const Tensor t = ReadNpy(path, {.opaque_dtype = DType::kBFloat16});
  EXPECT_EQ(static_cast<float>(t.at<BFloat16>(1)), 2.5f);
  EXPECT_THROW(ReadNpy(path, {.opaque_dtype = DType::kFloat8E5M2}), Error);
}

TEST(Npz, StoredAndDeflatedArraysRead) {
  for (const char* name : {"numpy.npz", "deflated.npz"}) {
    const TensorFile f(io::Recorded(name), {.verify = true});
    EXPECT_EQ(f.format(), FileFormat::kNpz);
    EXPECT_EQ(f.tensors().size(), 4u);
    EXPECT_EQ(io::Values<float>(f.Get("a")), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(io::Values<double>(f.Get("f")), (std::vector<double>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(f.Get("f").stride(0), 1);
    EXPECT_EQ(f.Get("s").at<int16_t>(), 5);
    EXPECT_EQ(io::Of(f.Get("e").sizes()), (std::vector<int64_t>{0, 2}));
    EXPECT_EQ(io::Values<double>(f.Slice("f", 1, 1, 3)), (std::vector<double>{1, 2, 4, 5}));
    EXPECT_EQ(io::Values<float>(f.Slice("a", 0, -1, 9)), (std::vector<float>{3, 4, 5}));
  }
}

TEST(Npz, WhatIsWrittenReadsBack) {
  const NamedTensors some = {{"x", tensor({1.5, 2.5}, DType::kFloat64)},
                             {"deep/é", tensor({{1, 2}, {3, 4}})}};
  for (const bool deflate : {false, true}) {
    const std::string path = TempFile("some.npz");
    WriteTensors(path, some, {.deflate = deflate});
    const TensorFile f(path, {.verify = true});
    EXPECT_EQ(io::Values<double>(f.Get("x")), io::Values<double>(some[0].second));
    EXPECT_EQ(io::Values<int64_t>(f.Get("deep/é")), io::Values<int64_t>(some[1].second));
    // In place where it is stored.
    EXPECT_EQ(f.Get("x").data() == f.Get("x").data(), !deflate);
  }
}

TEST(Npz, ThereMayBeMoreEntriesThan16BitsCount) {
  const int64_t n = 70'000;
  NamedTensors many;
  many.reserve(n);
  const Tensor numbers = tensor({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, DType::kUInt8);
  for (int64_t i = 0; i < n; ++i)
    many.emplace_back(std::to_string(i), numbers.AsStrided({1}, {1}, i % 10));
  const std::string path = TempFile("many.npz");
  WriteTensors(path, many);
  const TensorFile f(path);
  EXPECT_EQ(f.tensors().size(), static_cast<size_t>(n));
  EXPECT_EQ(f.Get("69999").at<uint8_t>(0), 9);
}

TEST(Npz, SizesAndPlacesThatNeed64BitsRead) {
  const TensorFile f(io::Recorded("zip64.npz"), {.verify = true});
  for (const char* name : {"a", "b"})
    EXPECT_EQ(io::Values<int16_t>(f.Get(name)), (std::vector<int16_t>{7, -8})) << name;
}

TEST(Npz, ADamagedEntryIsFoundWhereItIsAskedFor) {
  std::string bytes = io::BytesOfFile(io::Recorded("numpy.npz"));
  const float five = 5;
  const size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&five), sizeof five));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  const std::string path = TempFile("damaged.npz");
  WriteFile(path, bytes);
  EXPECT_EQ(TensorFile(path).Get("a").numel(), 6);
  EXPECT_NE(MessageOf([&] { TensorFile(path, {.verify = true}).Get("a"); }).find("checksum"),
            std::string::npos);
}

TEST(Npy, ObjectsAndRecordsAreRefused) {
  const std::string path = TempFile("o.npy");
  WriteFile(path, NpyFile("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "x"));
  EXPECT_NE(WhyNot(path).find("no dtype for NumPy's '|O'"), std::string::npos);
  WriteFile(path, NpyFile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }", ""));
  EXPECT_NE(WhyNot(path).find("structured"), std::string::npos);
}

TEST(Npy, AFileCutShortSaysHowMuchIsMissing) {
  const std::string path = TempFile("short.npy");
  WriteFile(path, NpyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd"));
  EXPECT_NE(WhyNot(path).find("need 8 bytes, 4 are there"), std::string::npos);
}

TEST(Npy, SizesWhoseBytesHaveNoNumberAreRefused) {
  const std::string path = TempFile("wraps.npy");
  for (const char* shape : {"2305843009213693952", "4611686018427387905", "4294967296, 4294967296",
                            "99999999999999999999", "0, 9223372036854775807, 3"}) {
    const std::string header =
        "{'descr': '<f8', 'fortran_order': True, 'shape': (" + std::string(shape) + ",), }";
    WriteFile(path, NpyFile(header, "12345678"));
    EXPECT_THROW(ReadNpy(path), Error) << shape;
  }
}

TEST(Npy, WhatIsNoNpyFileIsRefused) {
  const std::string path = TempFile("no.npy");
  WriteFile(path, "PK");
  EXPECT_NE(WhyNot(path).find("is no .npy file"), std::string::npos);
  EXPECT_NE(WhyNot(TempFile("absent.npy")).find("cannot open"), std::string::npos);
  EXPECT_NE(WhyNot(testing::TempDir()).find("no regular file"), std::string::npos);
}

TEST(Npy, DTypesThatNumPyLacksAreNotWritten) {
  EXPECT_THROW(WriteNpy(TempFile("bf.npy"), tensor({1}, DType::kBFloat16)), Error);
}

}  // namespace
}  // namespace sy
