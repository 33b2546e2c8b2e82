#include "io/zip.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>

namespace sy::io {
namespace {

constexpr std::string_view kLocalHeader = "PK\3\4", kEmptyArchive = "PK\5\6";
constexpr size_t kDirectoryEntry = 46, kLocalEntry = 30, kZip64Extra = 20;  // bytes, at least
constexpr uint64_t kMostGrowth = 1032;       // of deflate: 258 bytes from 2 bits
constexpr size_t kAlignment = 64;            // where PyTorch has data begin
constexpr uint64_t kZip64From = 0xf0000000;  // bytes that deflate might make too many of
constexpr int kMemoryLevel = 8;              // zlib's default

// --- minizip reads from memory.

struct Memory {
  std::string_view bytes;
  uint64_t at = 0;
};
Memory& MemoryOf(voidpf p) { return *static_cast<Memory*>(p); }

zlib_filefunc64_def ReadsMemory(Memory* memory) {
  zlib_filefunc64_def f = {};
  f.opaque = memory;
  f.zopen64_file = [](voidpf m, const void*, int) -> voidpf { return m; };
  f.zread_file = [](voidpf, voidpf m, void* to, uLong size) -> uLong {
    Memory& from = MemoryOf(m);
    const uint64_t n = std::min<uint64_t>(size, from.bytes.size() - from.at);
    std::memcpy(to, from.bytes.data() + from.at, n);
    from.at += n;
    return n;
  };
  f.ztell64_file = [](voidpf, voidpf m) -> ZPOS64_T { return MemoryOf(m).at; };
  f.zseek64_file = [](voidpf, voidpf m, ZPOS64_T offset, int origin) -> long {
    Memory& in = MemoryOf(m);
    const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                          : origin == ZLIB_FILEFUNC_SEEK_CUR ? in.at
                                                             : in.bytes.size();
    if (offset > in.bytes.size() - base) return -1;
    in.at = base + offset;
    return 0;
  };
  f.zclose_file = [](voidpf, voidpf) { return 0; };
  f.zerror_file = [](voidpf, voidpf) { return 0; };
  return f;
}

// --- and writes to a FileWriter, going back to an entry's header when its sizes are known. Errors
// of the writer wait here until minizip has returned.

struct Output {
  FileWriter& file;
  uint64_t at = 0;
  std::exception_ptr error = {};
};
Output& OutputOf(voidpf p) { return *static_cast<Output*>(p); }

uLong WriteOutput(voidpf, voidpf o, const void* from, uLong size) {
  Output& out = OutputOf(o);
  try {
    if (out.at == out.file.written()) {
      out.file.Write(from, size);
    } else {
      out.file.Rewrite(out.at, from, size);
    }
  } catch (const Error&) {
    out.error = std::current_exception();
    return 0;
  }
  out.at += size;
  return size;
}

zlib_filefunc64_def WritesFile(Output* out) {
  zlib_filefunc64_def f = {};
  f.opaque = out;
  f.zopen64_file = [](voidpf o, const void*, int) -> voidpf { return o; };
  f.zwrite_file = WriteOutput;
  f.ztell64_file = [](voidpf, voidpf o) -> ZPOS64_T { return OutputOf(o).at; };
  f.zseek64_file = [](voidpf, voidpf o, ZPOS64_T offset, int origin) -> long {
    if (origin != ZLIB_FILEFUNC_SEEK_SET) return -1;
    OutputOf(o).at = offset;
    return 0;
  };
  f.zclose_file = [](voidpf, voidpf) { return 0; };
  f.zerror_file = [](voidpf, voidpf) { return 0; };
  return f;
}

}  // namespace

bool LooksLikeZip(std::string_view file) {
  return file.starts_with(kLocalHeader) || file.starts_with(kEmptyArchive);
}

namespace {

struct Unzip {
  Memory memory;
  zlib_filefunc64_def functions;
  unzFile file;
  explicit Unzip(std::string_view bytes) : memory{bytes}, functions(ReadsMemory(&memory)) {
    file = unzOpen2_64("", &functions);
    if (file == nullptr) Refuse({"it is no zip archive, or cut short"});
  }
  ~Unzip() { unzClose(file); }
  Unzip(const Unzip&) = delete;
  Unzip& operator=(const Unzip&) = delete;
};

// What the directory says of the entry that the archive is at.
ZipIndex::Entry ReadDirectory(const Unzip& zip, size_t archive_bytes) {
  unz_file_info64 info = {};
  std::array<char, 1024> name = {};
  if (unzGetCurrentFileInfo64(zip.file, &info, name.data(), name.size(), nullptr, 0, nullptr, 0) !=
      UNZ_OK)
    Refuse({"the archive's directory is damaged"});
  if (info.size_filename >= name.size()) Refuse({"an entry's name is too long"});
  ZipIndex::Entry e{std::string(name.data(), info.size_filename), {}};
  if (e.name.find('\0') != std::string::npos) Refuse({"an entry's name has a zero byte"});
  if ((info.flag & 1) != 0) Refuse({"'", e.name, "' is encrypted"});
  if (info.compression_method != 0 && info.compression_method != Z_DEFLATED) {
    Refuse({"'", e.name, "' is compressed by method ", info.compression_method,
            ", expected 0 (stored) or 8 (deflated)"});
  }
  // Opening compares the entry's own header with the directory.
  int method = 0;
  if (unzOpenCurrentFile2(zip.file, &method, nullptr, 1) != UNZ_OK)
    Refuse({"'", e.name, "': its header and the archive's directory differ"});
  e.source = {.offset = unzGetCurrentFileZStreamPos64(zip.file),
              .stored = info.compressed_size,
              .bytes = info.uncompressed_size,
              .deflated = info.compression_method != 0,
              .crc = static_cast<uint32_t>(info.crc)};
  unzCloseCurrentFile(zip.file);
  const Source& s = e.source;
  if (s.offset > archive_bytes || s.stored > archive_bytes - s.offset)
    Refuse({"'", e.name, "' reaches behind the end of the archive"});
  if (!s.deflated && s.stored != s.bytes)
    Refuse({"'", e.name, "' is stored, but with two sizes: ", s.stored, " and ", s.bytes});
  if (s.deflated && s.bytes / kMostGrowth > s.stored) {
    Refuse({"'", e.name, "' says that ", s.stored, " deflated bytes become ", s.bytes,
            ", which deflate cannot do"});
  }
  return e;
}

}  // namespace

ZipIndex::ZipIndex(std::string_view file) {
  const Unzip zip(file);
  unz_global_info64 global = {};
  unzGetGlobalInfo64(zip.file, &global);
  if (global.number_entry > file.size() / kDirectoryEntry)
    Refuse({"it says that it has ", static_cast<uint64_t>(global.number_entry), " entries"});
  entries_.reserve(global.number_entry);
  int status = global.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(zip.file);
  for (; status == UNZ_OK; status = unzGoToNextFile(zip.file)) {
    entries_.push_back(ReadDirectory(zip, file.size()));
    if (!by_name_.emplace(entries_.back().name, entries_.size() - 1).second)
      Refuse({"the entry '", entries_.back().name, "' stands twice"});
  }
  if (status != UNZ_END_OF_LIST_OF_FILE) Refuse({"the archive's directory is damaged"});
  std::vector<std::pair<uint64_t, uint64_t>> spans;
  spans.reserve(entries_.size());
  for (const Entry& e : entries_) {
    if (e.source.stored != 0)
      spans.emplace_back(e.source.offset, e.source.offset + e.source.stored);
  }
  std::sort(spans.begin(), spans.end());
  for (size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].first < spans[i - 1].second) Refuse({"entries of the archive overlap"});
  }
}

const Source* ZipIndex::Find(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : &entries_[at->second].source;
}

void RequireChecksum(std::string_view bytes, uint32_t crc) {
  if (crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != crc)
    Refuse({"an entry of the archive is damaged: its checksum is another"});
}

namespace {

// Unpacks an entry, here and there into somebody's memory.
class Inflater {
 public:
  Inflater(std::string_view file, const Source& s)
      : in_left_(s.stored), out_left_(s.bytes), crc_(*s.crc) {
    if (inflateInit2(&z_, -MAX_WBITS) != Z_OK) throw Error::OutOfMemory();  // without a header
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file.data() + s.offset));
  }
  ~Inflater() { inflateEnd(&z_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void Next(char* to, uint64_t n) {
    if (n > out_left_) Damaged();
    out_left_ -= n;
    while (n != 0) {
      const auto room = static_cast<uInt>(std::min<uint64_t>(n, kStep));
      const auto give = static_cast<uInt>(std::min<uint64_t>(in_left_, kStep));
      z_.next_out = reinterpret_cast<Bytef*>(to);
      z_.avail_out = room;
      z_.avail_in = give;
      status_ = status_ == Z_OK ? inflate(&z_, Z_NO_FLUSH) : Z_DATA_ERROR;
      const uint64_t made = room - z_.avail_out;
      in_left_ -= give - z_.avail_in;
      if ((status_ != Z_OK && status_ != Z_STREAM_END) || (made == 0 && give == z_.avail_in))
        Damaged();
      sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(to), made);
      to += made;
      n -= made;
    }
  }
  void Skip(uint64_t n) {
    std::array<char, 1 << 14> nowhere;
    while (n != 0) {
      const uint64_t some = std::min<uint64_t>(n, nowhere.size());
      Next(nowhere.data(), some);
      n -= some;
    }
  }
  // Nothing more may come, and what came must be what was packed.
  void Finish() {
    Skip(out_left_);
    if (status_ == Z_OK) {
      Bytef nothing = 0;
      z_.next_out = &nothing;
      z_.avail_out = 0;
      z_.avail_in = static_cast<uInt>(std::min<uint64_t>(in_left_, kStep));
      const uInt give = z_.avail_in;
      status_ = inflate(&z_, Z_NO_FLUSH);
      in_left_ -= give - z_.avail_in;
    }
    if (status_ != Z_STREAM_END || in_left_ != 0 || sum_ != crc_) Damaged();
  }

 private:
  static constexpr uint64_t kStep = 1 << 30;  // zlib counts in unsigned
  [[noreturn]] static void Damaged() {
    Refuse({"an entry of the archive is damaged: its length or checksum is another"});
  }
  z_stream z_ = {};
  uint64_t in_left_, out_left_;
  uint32_t crc_;
  uLong sum_ = 0;
  int status_ = Z_OK;
};

}  // namespace

void Inflate(std::string_view file, const Source& s, uint64_t first, uint64_t n, char* to) {
  Inflater inflater(file, s);
  inflater.Skip(first);
  inflater.Next(to, n);
  inflater.Finish();
}

std::string EntryStart(std::string_view file, const Source& s, uint64_t most) {
  const uint64_t n = std::min(s.bytes, most);
  if (!s.deflated) return std::string(file.substr(s.offset, n));
  std::string text(n, '\0');
  Inflater(file, s).Next(text.data(), n);
  return text;
}

std::string ReadEntry(std::string_view file, std::string_view name, const Source& s,
                      uint64_t most) {
  if (s.bytes > most)
    Refuse({"'", name, "' has ", s.bytes, " bytes, at most ", most, " are expected"});
  if (!s.deflated) return std::string(file.substr(s.offset, s.bytes));
  std::string text(s.bytes, '\0');
  Inflate(file, s, 0, s.bytes, text.data());
  return text;
}

struct ZipWriter::State {
  Output output;
  zlib_filefunc64_def functions;
  zipFile zip = nullptr;
  explicit State(FileWriter& out) : output{out}, functions(WritesFile(&output)) {
    zip = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    if (zip == nullptr) throw Error::OutOfMemory();
  }
  ~State() {
    if (zip != nullptr) zipClose(zip, nullptr);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  void Check(int status) const {
    if (output.error) std::rethrow_exception(output.error);
    if (status != ZIP_OK) Fail(ErrorCode::kUnavailable, "the archive cannot be written");
  }
};

ZipWriter::ZipWriter(FileWriter& out, bool deflate)
    : state_(std::make_unique<State>(out)), deflate_(deflate) {}
ZipWriter::~ZipWriter() = default;

void ZipWriter::Begin(const std::string& name, uint64_t bytes) {
  zip_fileinfo info = {};
  info.dosDate = 1 << 21 | 1 << 16;  // 1980-01-01, the earliest: equal contents make equal files
  const bool zip64 = bytes >= kZip64From;
  // A field that nobody knows, as long as it takes for the data to begin where it should.
  std::array<char, 4 + kAlignment> padding = {'F', 'B'};
  const uint64_t end =
      state_->output.at + kLocalEntry + name.size() + (zip64 ? kZip64Extra : 0) + 4;
  const auto extra = static_cast<uint16_t>((kAlignment - end % kAlignment) % kAlignment);
  std::memcpy(&padding[2], &extra, sizeof extra);
  constexpr uLong kNamesAreUtf8 = 1 << 11;
  state_->Check(zipOpenNewFileInZip4_64(
      state_->zip, name.c_str(), &info, deflate_ ? nullptr : padding.data(),
      deflate_ ? 0 : 4u + extra, nullptr, 0, nullptr, deflate_ ? Z_DEFLATED : 0,
      deflate_ ? Z_DEFAULT_COMPRESSION : 0, 0, -MAX_WBITS, kMemoryLevel, Z_DEFAULT_STRATEGY,
      nullptr, 0, 0, kNamesAreUtf8, zip64 ? 1 : 0));
}

void ZipWriter::Write(const void* bytes, size_t size) {
  const char* p = static_cast<const char*>(bytes);
  while (size != 0) {
    const size_t n = std::min<size_t>(size, 1 << 30);  // it counts in unsigned
    state_->Check(zipWriteInFileInZip(state_->zip, p, static_cast<unsigned>(n)));
    p += n;
    size -= n;
  }
}

void ZipWriter::End() { state_->Check(zipCloseFileInZip(state_->zip)); }

void ZipWriter::Finish() { state_->Check(zipClose(std::exchange(state_->zip, nullptr), nullptr)); }

}  // namespace sy::io
