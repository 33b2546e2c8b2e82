#include "io/zip.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace sy::io {
namespace {

constexpr std::string_view kLocalHeader = "PK\3\4", kEmptyArchive = "PK\5\6";
// What begins with each, its least length in bytes, and what stands for a number that does not fit.
constexpr uint64_t kSigned = 0x04034b50, kDirectorySigned = 0x02014b50, kEndSigned = 0x06054b50;
constexpr uint64_t kEnd64Signed = 0x06064b50, kLocatorSigned = 0x07064b50;
constexpr size_t kLocalEntry = 30, kDirectoryEntry = 46, kEnd = 22, kLocator = 20, kEnd64 = 56;
constexpr uint64_t kMost16 = 0xffff, kMost32 = 0xffffffff;
constexpr uint64_t kZip64Field = 1;
constexpr uint64_t kEncrypted = 1, kSizesFollow = 8;  // flags

constexpr uint64_t kMostGrowth = 1032;       // of deflate: 258 bytes from 2 bits
constexpr size_t kAlignment = 64;            // where PyTorch has data begin
constexpr uint64_t kZip64From = 0xf0000000;  // bytes that deflate might make too many of
constexpr size_t kZip64Extra = 20;           // bytes of the field that we write

// Little-endian numbers one after the other, inside some bytes.
class Fields {
 public:
  Fields(std::string_view file, uint64_t at, uint64_t bytes) {
    if (at > file.size() || bytes > file.size() - at)
      Refuse({"the archive is damaged: a header at ", at, " reaches behind its end"});
    rest_ = file.substr(at, bytes);
  }
  uint64_t Next(size_t bytes) {
    if (bytes > rest_.size()) Refuse({"the archive is damaged: a field is too short"});
    uint64_t n = 0;
    std::memcpy(&n, rest_.data(), bytes);
    rest_.remove_prefix(bytes);
    return n;
  }
  std::string_view Text(size_t bytes) {
    if (bytes > rest_.size()) Refuse({"the archive is damaged: a field is too short"});
    const std::string_view text = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return text;
  }
  size_t size() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

struct Directory {
  uint64_t at = 0, bytes = 0, entries = 0;
};

// The record for numbers that do not fit the one at the archive's end.
Directory ReadLargeEnd(std::string_view file, uint64_t at) {
  Fields f(file, at, kEnd64);
  if (f.Next(4) != kEnd64Signed) Refuse({"the archive's end is damaged"});
  f.Text(8 + 2 + 2 + 4 + 4 + 8);
  Directory d;
  d.entries = f.Next(8);
  d.bytes = f.Next(8);
  d.at = f.Next(8);
  return d;
}

// What the record at the archive's end says, or the larger one before it.
Directory FindDirectory(std::string_view file) {
  const uint64_t earliest = file.size() - std::min<uint64_t>(file.size(), kEnd + kMost16);
  for (uint64_t at = file.size() < kEnd ? 0 : file.size() - kEnd + 1; at-- > earliest;) {
    Fields f(file, at, kEnd);
    if (f.Next(4) != kEndSigned) continue;
    const uint64_t disks = f.Next(2) + f.Next(2), here = f.Next(2);
    Directory d;
    d.entries = f.Next(2);
    d.bytes = f.Next(4);
    d.at = f.Next(4);
    if (f.Next(2) != file.size() - at - kEnd) continue;  // a comment, to the archive's end
    if (disks != 0 || here != d.entries) Refuse({"the archive is a part of several"});
    uint64_t end = at;
    if (at >= kLocator && Fields(file, at - kLocator, kLocator).Next(4) == kLocatorSigned) {
      Fields locator(file, at - kLocator, kLocator);
      locator.Text(4 + 4);
      end = locator.Next(8);
      const Directory small = d;
      d = ReadLargeEnd(file, end);
      // Readers choose either, so both must say the same.
      if ((small.entries != kMost16 && small.entries != d.entries) ||
          (small.bytes != kMost32 && small.bytes != d.bytes) ||
          (small.at != kMost32 && small.at != d.at))
        Refuse({"the archive's two ends differ"});
    }
    if (d.bytes > end || d.at != end - d.bytes)
      Refuse({"the archive's directory is not where its end says"});
    return d;
  }
  Refuse({"it is no zip archive, or cut short"});
}

// The zip64 field among an entry's extra ones: its numbers, where those of the header did not fit.
void ReadZip64(std::string_view extra, std::initializer_list<uint64_t*> numbers) {
  Fields f(extra, 0, extra.size());
  while (f.size() >= 4) {  // some pad with less
    const uint64_t id = f.Next(2), size = f.Next(2);
    const std::string_view content = f.Text(size);
    if (id != kZip64Field) continue;
    Fields field(content, 0, size);
    for (uint64_t* n : numbers) {
      if (*n == kMost32) *n = field.Next(8);
    }
    return;
  }
}

// Compares an entry's own header with what the directory says; where its data begins.
uint64_t DataOf(std::string_view file, uint64_t at, const ZipIndex::Entry& e) {
  Fields f(file, at, kLocalEntry);
  const bool is_header = f.Next(4) == kSigned;
  f.Next(2);
  const uint64_t flags = f.Next(2), method = f.Next(2);
  f.Next(4);
  const uint64_t crc = f.Next(4), stored = f.Next(4), bytes = f.Next(4);
  const uint64_t name = f.Next(2), extra = f.Next(2);
  const bool sizes = (flags & kSizesFollow) != 0 ||
                     (crc == *e.source.crc && (stored == kMost32 || stored == e.source.stored) &&
                      (bytes == kMost32 || bytes == e.source.bytes));
  if (!is_header || !sizes || (method != 0) != e.source.deflated || (flags & kEncrypted) != 0 ||
      name != e.name.size() || Fields(file, at + kLocalEntry, name).Text(name) != e.name)
    Refuse({"'", e.name, "': its header and the archive's directory differ"});
  return at + kLocalEntry + name + extra;
}

// The next entry of the directory.
ZipIndex::Entry ReadEntryOf(std::string_view file, Fields& directory) {
  if (directory.Next(4) != kDirectorySigned) Refuse({"the archive's directory is damaged"});
  directory.Next(2 + 2);
  const uint64_t flags = directory.Next(2), method = directory.Next(2);
  directory.Next(4);
  ZipIndex::Entry e;
  e.source.crc = static_cast<uint32_t>(directory.Next(4));
  e.source.stored = directory.Next(4);
  e.source.bytes = directory.Next(4);
  e.source.deflated = method != 0;
  const uint64_t name = directory.Next(2), extra = directory.Next(2), comment = directory.Next(2);
  directory.Next(2 + 2 + 4);
  uint64_t start = directory.Next(4);
  e.name = directory.Text(name);
  ReadZip64(directory.Text(extra), {&e.source.bytes, &e.source.stored, &start});
  directory.Text(comment);
  if (e.name.find('\0') != std::string::npos) Refuse({"an entry's name has a zero byte"});
  if ((flags & kEncrypted) != 0) Refuse({"'", e.name, "' is encrypted"});
  if (method != 0 && method != Z_DEFLATED) {
    Refuse({"'", e.name, "' is compressed by method ", method,
            ", expected 0 (stored) or 8 (deflated)"});
  }
  Source& s = e.source;
  s.offset = DataOf(file, start, e);
  if (s.offset > file.size() || s.stored > file.size() - s.offset)
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

bool LooksLikeZip(std::string_view file) {
  return file.starts_with(kLocalHeader) || file.starts_with(kEmptyArchive);
}

ZipIndex::ZipIndex(std::string_view file) {
  const Directory d = FindDirectory(file);
  if (d.entries > d.bytes / kDirectoryEntry)
    Refuse({"it says that it has ", d.entries, " entries"});
  Fields directory(file, d.at, d.bytes);
  entries_.reserve(d.entries);
  while (directory.size() != 0) {
    entries_.push_back(ReadEntryOf(file, directory));
    if (!by_name_.emplace(entries_.back().name, entries_.size() - 1).second)
      Refuse({"the entry '", entries_.back().name, "' stands twice"});
  }
  if (entries_.size() != d.entries)
    Refuse({"it says that it has ", d.entries, " entries, and has ", entries_.size()});
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
  if (!spans.empty() && spans.back().second > d.at) Refuse({"an entry lies in the directory"});
}

const Source* ZipIndex::Find(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : &entries_[at->second].source;
}

void RequireChecksum(std::string_view bytes, uint32_t crc) {
  if (libdeflate_crc32(0, bytes.data(), bytes.size()) != crc)
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
      sum_ = libdeflate_crc32(sum_, to, made);
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
  uint32_t sum_ = 0;
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

namespace {

// Little-endian numbers, as an archive's headers are made of.
class Record {
 public:
  Record& Put(uint64_t n, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) text_ += static_cast<char>(i < 8 ? n >> 8 * i & 0xff : 0);
    return *this;
  }
  Record& Put(std::string_view text) {
    text_ += text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr uint64_t kVersion = 20, kVersion64 = 45;  // 2.0, and 4.5 for zip64
constexpr uint64_t kNamesAreUtf8 = 1 << 11;
constexpr uint64_t kDate = 1 << 21 | 1 << 16;  // 1980-01-01: equal contents make equal files
constexpr uint64_t kEnd64Size = kEnd64 - 12;   // what follows this number

uint64_t AtMost32(uint64_t n) { return std::min(n, kMost32); }

}  // namespace

// zlib's, of an entry that is being written.
struct ZipWriter::Deflater {
  z_stream z = {};
  std::vector<char> out = std::vector<char>(1 << 16);
  Deflater() {
    // Without a header; level and memory are zlib's own.
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw Error::OutOfMemory();
  }
  ~Deflater() { deflateEnd(&z); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  void Write(FileWriter& to, const void* bytes, size_t size, int flush) {
    z.next_in = static_cast<Bytef*>(const_cast<void*>(bytes));
    z.avail_in = static_cast<uInt>(size);
    do {
      z.next_out = reinterpret_cast<Bytef*>(out.data());
      z.avail_out = static_cast<uInt>(out.size());
      deflate(&z, flush);
      to.Write(out.data(), out.size() - z.avail_out);
    } while (z.avail_out == 0);
  }
};

ZipWriter::ZipWriter(FileWriter& out, bool deflate) : out_(out), deflate_(deflate) {}
ZipWriter::~ZipWriter() = default;

// Signature or none, then what an entry's own header and the directory both say.
std::string ZipWriter::Common(const Entry& e) const {
  Record r;
  r.Put(e.zip64 ? kVersion64 : kVersion, 2).Put(kNamesAreUtf8, 2).Put(deflate_ ? 8 : 0, 2);
  r.Put(kDate, 4).Put(e.crc, 4);
  r.Put(e.zip64 ? kMost32 : e.stored, 4).Put(e.zip64 ? kMost32 : e.bytes, 4);
  r.Put(e.name.size(), 2);
  return r.text();
}

void ZipWriter::Begin(const std::string& name, uint64_t bytes) {
  if (name.size() > kMost16) Refuse({"a name of ", name.size(), " bytes"});
  // Of a deflated entry nobody knows the size yet; it may be a little larger.
  Entry e{.name = name, .start = out_.written(), .bytes = bytes, .zip64 = bytes >= kZip64From};
  // A field that nobody knows, as long as it takes for the data to begin where it should.
  const uint64_t fields = (e.zip64 ? kZip64Extra : 0) + 4;
  const uint64_t end = e.start + kLocalEntry + name.size() + fields;
  e.padding = deflate_ ? 0 : (kAlignment - end % kAlignment) % kAlignment;
  entries_.push_back(std::move(e));
  out_.Write(Header(entries_.back()));
  data_start_ = out_.written();
  deflater_ = deflate_ ? std::make_unique<Deflater>() : nullptr;
}

std::string ZipWriter::Header(const Entry& e) const {
  Record r;
  r.Put(kSigned, 4).Put(Common(e));
  r.Put((e.zip64 ? kZip64Extra : 0) + 4 + e.padding, 2).Put(e.name);
  if (e.zip64) r.Put(kZip64Field, 2).Put(16, 2).Put(e.bytes, 8).Put(e.stored, 8);
  r.Put("FB").Put(e.padding, 2).Put(std::string(e.padding, '\0'));
  return r.text();
}

void ZipWriter::Write(const void* bytes, size_t size) {
  Entry& e = entries_.back();
  e.crc = libdeflate_crc32(e.crc, bytes, size);
  if (deflater_ == nullptr) return out_.Write(bytes, size);
  const char* p = static_cast<const char*>(bytes);
  for (size_t n = 0; size != 0; p += n, size -= n) {
    n = std::min<size_t>(size, 1 << 30);  // it counts in unsigned
    deflater_->Write(out_, p, n, Z_NO_FLUSH);
  }
}

void ZipWriter::End() {
  Entry& e = entries_.back();
  if (deflater_ != nullptr) deflater_->Write(out_, nullptr, 0, Z_FINISH);
  deflater_.reset();
  e.stored = out_.written() - data_start_;
  const std::string header = Header(e);
  out_.Rewrite(e.start, header.data(), header.size());
}

void ZipWriter::Finish() {
  const uint64_t start = out_.written();
  for (const Entry& e : entries_) {
    Record r;
    Record extra;  // what is too large for its own place
    if (e.zip64) extra.Put(e.bytes, 8).Put(e.stored, 8);
    if (e.start >= kMost32) extra.Put(e.start, 8);
    const size_t n = extra.text().size();
    r.Put(kDirectorySigned, 4).Put(kVersion64, 2).Put(Common(e)).Put(n == 0 ? 0 : n + 4, 2);
    // No comment, the first disk, no attributes.
    r.Put(0, 2 + 2 + 2 + 4).Put(AtMost32(e.start), 4).Put(e.name);
    if (n != 0) r.Put(kZip64Field, 2).Put(n, 2).Put(extra.text());
    out_.Write(r.text());
  }
  const uint64_t end = out_.written(), size = end - start, count = entries_.size();
  Record r;
  if (count >= kMost16 || size >= kMost32 || start >= kMost32) {
    r.Put(kEnd64Signed, 4).Put(kEnd64Size, 8).Put(kVersion64, 2).Put(kVersion64, 2).Put(0, 4 + 4);
    r.Put(count, 8).Put(count, 8).Put(size, 8).Put(start, 8);
    r.Put(kLocatorSigned, 4).Put(0, 4).Put(end, 8).Put(1, 4);
  }
  const uint64_t shown = std::min(count, kMost16);
  r.Put(kEndSigned, 4).Put(0, 2 + 2).Put(shown, 2).Put(shown, 2);
  r.Put(AtMost32(size), 4).Put(AtMost32(start), 4).Put(0, 2);
  out_.Write(r.text());
}

}  // namespace sy::io
