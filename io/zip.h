// Zip archives in memory: where the bytes of each entry lie, and archives written so that they can
// be read in place.
//
//   const ZipIndex zip(file_bytes);
//   const Source* s = zip.Find("archive/data/0");
//
// Refused: entries that overlap (a file may unpack to no more than 1032 times its size), names that
// stand twice or hold a zero byte, encryption, methods other than stored and deflated, sizes that
// deflate cannot reach, directories that name more entries than there is room for.
// Source: PKWARE's APPNOTE 6.3, zip64 with it. zlib inflates and deflates, libdeflate makes
// checksums (ten times as fast). minizip, of Debian 12, neither reads entries that lie behind 4 GB
// or are larger (it compares with 64 bits what has 32), nor writes at the speed of write(2).
// Owns: an index owns its names; nothing of the file.
// Threads: as any value.
// Errors: kInvalidArgument; kUnavailable for writing.
#ifndef IO_ZIP_H_
#define IO_ZIP_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/contents.h"
#include "io/file.h"

namespace sy::io {

class ZipIndex {
 public:
  struct Entry {
    std::string name;
    Source source;
  };
  explicit ZipIndex(std::string_view file);

  // In the archive's order.
  const std::vector<Entry>& entries() const { return entries_; }
  const Source* Find(std::string_view name) const;

 private:
  std::vector<Entry> entries_;
  std::map<std::string, size_t, std::less<>> by_name_;
};

// Whether the bytes begin as an archive's do.
bool LooksLikeZip(std::string_view file);
// The bytes first … first + n - 1 of a deflated entry. All of it is unpacked, a little at a time.
// Errors: damaged, of another length, or with another checksum than the directory says.
void Inflate(std::string_view file, const Source& s, uint64_t first, uint64_t n, char* to);
// The first bytes of an entry, deflated or not, up to `most`.
std::string EntryStart(std::string_view file, const Source& s, uint64_t most);
// Bytes of a small entry. Errors: one of more than `most` bytes, before anything is allocated.
std::string ReadEntry(std::string_view file, std::string_view name, const Source& s, uint64_t most);
void RequireChecksum(std::string_view bytes, uint32_t crc);

// .npz: a .npy file for each array.
Contents ParseNpz(std::string_view file, const ZipIndex& zip, const LoadOptions& options);

// What an archive of entries, stored, takes beside their contents, rather too many bytes.
constexpr uint64_t ArchiveOverhead(uint64_t entries) { return 4096 + 512 * entries; }

// Writes one entry after the other; data begins at multiples of 64 bytes.
class ZipWriter {
 public:
  // deflate: entries are compressed (zlib's level 6), and do not begin at multiples of anything.
  ZipWriter(FileWriter& out, bool deflate);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // bytes: how many will be written.
  void Begin(const std::string& name, uint64_t bytes);
  void Write(const void* bytes, size_t size);
  void End();
  // Writes the directory; the file goes on with nothing else.
  void Finish();

 private:
  struct Entry {
    std::string name;
    uint64_t start = 0;  // of its header
    uint64_t bytes = 0, stored = 0;
    uint64_t padding = 0;  // bytes before its data
    uint32_t crc = 0;
    bool zip64 = false;
  };
  struct Deflater;
  std::string Common(const Entry& e) const;
  std::string Header(const Entry& e) const;

  FileWriter& out_;
  bool deflate_;
  std::vector<Entry> entries_;
  uint64_t data_start_ = 0;
  std::unique_ptr<Deflater> deflater_;
};

}  // namespace sy::io

#endif  // IO_ZIP_H_
