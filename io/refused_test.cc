// Files that must not be read: each of io/testdata/refused_*, and why.
#include <filesystem>
#include <map>

#include "io/testing.h"
#include "switchyard/core/testing.h"
#include "switchyard/io/checkpoint.h"
#include "switchyard/io/tensor_file.h"

namespace sy::io {
namespace {

// What the message says, by file.
const std::map<std::string, std::string>& Reasons() {
  static const std::map<std::string, std::string> reasons = {
      // safetensors
      {"refused_overlap.safetensors", "a hole or an overlap"},
      {"refused_hole.safetensors", "a hole or an overlap"},
      {"refused_tail.safetensors", "the tensors end at 4, the data at 12"},
      {"refused_length.safetensors", "at most 100000000 are allowed"},
      {"refused_length_behind.safetensors", "cut short: a header of 4096 bytes"},
      {"refused_twice.safetensors", "'a' stands twice"},
      {"refused_product.safetensors", "sizes are too large"},
      {"refused_negative.safetensors", "the number -1 where there can be none"},
      {"refused_float.safetensors", "the number 4.0 where there can be none"},
      {"refused_deep.safetensors", "the key 'a' is not known"},
      {"refused_short.safetensors", "need 4 bytes, data_offsets are 0 and 8"},
      {"refused_utf8.safetensors", "ill-formed UTF-8"},
      {"refused_key.safetensors", "the key 'more' is not known"},
      {"refused_missing.safetensors", "dtype, shape or data_offsets is missing"},
      {"refused_dtype.safetensors", "there is no dtype 'F33'"},
      {"refused_metadata.safetensors", "a number where there can be none"},
      {"refused_dimensions.safetensors", "too many dimensions"},
      {"refused_empty.safetensors", "is no file of tensors"},
      {"refused_first.safetensors", "'a' begins at 4, expected 0"},
      {"refused_half_byte.safetensors", "fill no whole bytes"},
      {"refused_no_object.safetensors", "expected end of input"},
      {"refused_offsets.safetensors", "need 4 bytes, data_offsets are 4 and 0"},
      // npy, npz
      {"refused_object.npz", "no dtype for NumPy's '|O'"},
      {"refused_structured.npy", "structured dtypes have no tensor"},
      {"refused_text.npy", "no dtype for NumPy's '<U2'"},
      {"refused_longer.npy", "need 24 bytes, 25 are there"},
      {"refused_shorter.npy", "need 24 bytes, 23 are there"},
      {"refused_version.npy", "format version 4"},
      {"refused_long_header.npy", "at most 10000 are expected"},
      // zip
      {"refused_cut_short.pt", "no zip archive, or cut short"},
      {"refused_prefix.pt", "is no file of tensors"},
      {"refused_twice.pt", "stands twice"},
      {"refused_encrypted.pt", "is encrypted"},
      {"refused_method.pt", "compressed by method 12"},
      {"refused_overlap.pt", "entries of the archive overlap"},
      {"refused_bomb.pt", "has 4194304 bytes, expected 96"},
      {"refused_two_ends.npz", "the archive's two ends differ"},
      {"refused_entries.npz", "it says that it has 1 entries, and has 2"},
      {"refused_zero_byte.pt", "an entry's name has a zero byte"},
      {"refused_header.pt", "'w/version': its header and the archive's directory differ"},
      {"refused_two_sizes.pt", "is stored, but with two sizes: 96 and 97"},
      {"refused_growth.pt", "63 deflated bytes become 2147483647, which deflate cannot do"},
      {"refused_behind.pt", "'w/data/0' reaches behind the end"},
      {"refused_in_directory.pt", "an entry lies in the directory"},
      {"refused_directory.pt", "directory is not where its end says"},
      {"refused_several.pt", "a part of several"},
      {"refused_many_entries.pt", "it says that it has 65520 entries"},
      {"refused_checksum.pt", "its length or checksum is another"},
      {"refused_other.npz", "'readme.txt', which is no .npy file"},
      // checkpoints
      {"refused_short_storage.pt", "has 92 bytes, expected 96"},
      {"refused_no_storage.pt", "the storage 'data/0' is missing"},
      {"refused_big_endian.pt", "its byte order is 'big'"},
      {"refused_torchscript.pt", "TorchScript"},
      {"refused_outside.pt", "reaches element 24 of a storage of 24"},
      {"refused_module.pt", "'torch.nn.modules.container.Sequential' is none of the names"},
      {"refused_system.pt", "'posix.system' is none of the names"},
      {"refused_sparse.pt", "'torch._utils._rebuild_sparse_tensor' is none of the names"},
      {"refused_conjugate.pt", "a view of conjugates or negatives"},
      {"refused_eval.pt", "'__builtin__.eval' is none of the names"},
      {"refused_legacy_cut_short.pt", "reaches behind the end"},
      {"refused_legacy_version.pt", "its protocol version is another than 1001"},
      {"refused_legacy_count.pt", "has 23 elements, expected 24"},
      {"refused_two_checkpoints.pt", "it holds two checkpoints"},
      {"refused_quantized.pt", "'torch._utils._rebuild_qtensor' is none of the names"},
      {"refused_negative_stride.pt", "a tensor's stride is negative"},
      // pickles
      {"refused_empty_pickle.pt", "byte 0: it is cut short"},
      {"refused_empty_stack.pt", "the stack is empty"},
      {"refused_text_end.pt", "reaches behind the end"},
      {"refused_cycle.pt", "contain themselves"},
      {"refused_laughs.pt", "more than 5000000 values"},
      {"refused_copies.pt", "more than 10000000 entries of few"},
      {"refused_text_opcode.pt", "opcode 73 is none"},
      {"refused_protocol_1.pt", "protocol 1"},
      {"refused_extension.pt", "opcode 130 is none"},
      {"refused_buffer.pt", "opcode 151 is none"},
      {"refused_instance.pt", "opcode 105 is none"},
      {"refused_object.pt", "opcode 111 is none"},
      {"refused_state_of_function.pt", "state is given to a value that has none"},
      {"refused_marks.pt", "the stack is empty"},
      {"refused_list_as_key.pt", "key can be no list"},
      {"refused_key_twice.pt", "the key 'a' twice"},
      {"refused_dimensions.pt", "65 dimensions"},
      {"refused_deep.pt", "nested deeper than 200 levels"},
      // GGUF
      {"refused_cut_short.gguf", "reaches behind the end"},
      {"refused_in_header.gguf", "cut short at byte"},
      {"refused_version.gguf", "version 9"},
      {"refused_big_endian.gguf", "big-endian"},
      {"refused_count.gguf", "1152921504606846976 tensors"},
      {"refused_overlap.gguf", "tensors overlap"},
      {"refused_twice.gguf", "'a' stands twice"},
      {"refused_offset.gguf", "no multiple of 32"},
      {"refused_type.gguf", "type 99"},
      {"refused_product.gguf", "sizes are too large"},
      {"refused_block.gguf", "no whole blocks of 32"},
      {"refused_alignment.gguf", "expected a power of 2"},
      {"refused_key_twice.gguf", "the key 'k' stands twice"},
      {"refused_nested.gguf", "lists are nested deeper than 8"},
      {"refused_list.gguf", "a list of 1099511627776 entries reaches behind the end"},
      {"refused_text.gguf", "a text of 1099511627776 bytes reaches behind the end"},
      {"refused_value.gguf", "a value is of type 77"},
      {"refused_rank.gguf", "'a' has 65 dimensions"},
      {"refused_size.gguf", "has a size of 9223372036854775808"},
      {"refused_behind.gguf", "'a' reaches behind the end of the file"},
  };
  return reasons;
}

TEST(Refused, EachFileIsRefusedForItsReason) {
  for (const auto& [name, reason] : Reasons()) {
    const std::string said = MessageOf([&, file = name] { TensorFile f(Recorded(file)); });
    EXPECT_NE(said.find(reason), std::string::npos) << name << ": " << said;
    EXPECT_NE(said.find(Recorded(name)), std::string::npos) << name << ": " << said;
  }
}

TEST(Refused, CheckpointsAreRefusedAsValuesToo) {
  for (const auto& [name, reason] : Reasons()) {
    if (!name.ends_with(".pt")) continue;
    EXPECT_THROW(ReadCheckpoint(Recorded(name)), Error) << name;
  }
}

TEST(Refused, EveryRecordedFileHasAReason) {
  for (const auto& e : std::filesystem::directory_iterator("io/testdata")) {
    const std::string name = e.path().filename();
    if (!name.starts_with("refused_")) continue;
    EXPECT_EQ(Reasons().count(name), 1u) << name;
  }
}

TEST(Refused, NothingOfAPickleRuns) {
  std::filesystem::remove("/tmp/ran");
  EXPECT_THROW(ReadCheckpoint(Recorded("refused_system.pt")), Error);
  EXPECT_FALSE(std::filesystem::exists("/tmp/ran"));
}

TEST(Refused, WhatIsNoRegularFileIsNotWaitedFor) {
  EXPECT_NE(MessageOf([] { TensorFile f(testing::TempDir()); }).find("no regular file"),
            std::string::npos);
  EXPECT_NE(MessageOf([] { TensorFile f("/dev/null"); }).find("no regular file"),
            std::string::npos);
  EXPECT_NE(MessageOf([] { TensorFile f("/nowhere/x.pt"); }).find("cannot open"),
            std::string::npos);
}

// A pickle of 3 million lists in lists, which took others' recursion down, ends in words.
TEST(Refused, MillionsOfLevelsEndInWords) {
  const std::string legacy = BytesOfFile(Recorded("w_legacy.pt"));
  // The magic, the version and the system of a legacy file, then such a pickle for the object.
  const size_t object = legacy.find("\x80\x02", legacy.find("type_sizes"));
  ASSERT_NE(object, std::string::npos);
  const std::string path = TempFile("levels.pt");
  const size_t n = 3'000'000;
  PutFile(path, legacy.substr(0, object) + "\x80\x02" + std::string(n, ']') +
                    std::string(n - 1, 'a') + "." + "\x80\x02]q\x01.");
  EXPECT_NE(MessageOf([&] { TensorFile f(path); }).find("nested deeper than 200"),
            std::string::npos);
}

}  // namespace
}  // namespace sy::io
