// What ranks know of each other besides their data: texts under keys, who has ended, and how far
// each has come.
#ifndef SWITCHYARD_COLLECTIVE_STORE_INTERNAL_H_
#define SWITCHYARD_COLLECTIVE_STORE_INTERNAL_H_

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sy::collective {

// What a rank hears when it says how far it is.
struct News {
  std::vector<int> ended;         // all ranks that have ended; rank 0 where it is gone itself
  std::vector<std::string> told;  // what ranks have told since the last time
};

// Texts that are set where there is no memory are cut there.
inline constexpr size_t kRoomOfKey = 64, kRoomOfText = 2000;

// Threads: any, but for Exchange and Leave. Errors: kUnavailable where rank 0 is gone.
class Store {
 public:
  using Milliseconds = std::chrono::milliseconds;
  virtual ~Store() = default;
  virtual void Set(const std::string& key, const std::string& bytes) = 0;
  // Waits until it is set; nullopt after the time-out.
  virtual std::optional<std::string> Get(const std::string& key, Milliseconds timeout) = 0;
  // A line that every rank hears, in the order in which they are told.
  virtual void Tell(const std::string& line) = 0;
  // [one thread] Says how far this rank is, kept under "progress/RANK".
  virtual News Exchange(const std::string& progress) = 0;
  // Whether a rank is known to have ended.
  virtual bool HasEnded(int rank) = 0;
  // Makes room for one text of this rank's that is to be set where there is no memory; where there
  // is room already, nothing. Errors: std::bad_alloc.
  virtual void MakeRoom(int rank) = 0;
  // Sets a text in that room, at once or soon, and asks for no memory. Where there is no room, that
  // the rank ends is all that others hear.
  virtual void SetInRoom(int rank, std::string_view key, std::string_view text) noexcept = 0;
  // [that thread] Sets it now, if it is not set yet.
  virtual void TellRoom() noexcept {}
  // This rank ends as it should; nothing else is called afterwards.
  virtual void Leave() = 0;
};

// Rank 0 serves the others at the address; returns when the server is reached. Errors: kUnavailable
// after the time-out, and where the port is taken.
std::unique_ptr<Store> MakeTcpStore(const std::string& address, int port, int rank, int size,
                                    Store::Milliseconds timeout);
// For threads of one process, shared by them; EndLocalRank says which ranks have ended.
class LocalStore : public Store {
 public:
  explicit LocalStore(int ranks) : rooms_(static_cast<size_t>(ranks)) {
    ended.reserve(rooms_.size());  // ranks end where there is no memory, too
  }
  void Set(const std::string& key, const std::string& bytes) override;
  std::optional<std::string> Get(const std::string& key, Milliseconds timeout) override;
  void Tell(const std::string&) override {}  // where they meet, the engine sees it
  News Exchange(const std::string&) override { return {}; }
  bool HasEnded(int rank) override;
  void MakeRoom(int rank) override;
  void SetInRoom(int rank, std::string_view key, std::string_view text) noexcept override;
  void Leave() override {}

  // What the local engine's ranks share, by the groups' keys.
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<struct LocalMeeting>> meetings;
  std::vector<int> ended;  // each once

 private:
  using Texts = std::map<std::string, std::string>;
  std::condition_variable changed_;
  Texts texts_;
  std::vector<Texts::node_type> rooms_;  // each rank's, to be put among the texts
};

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_STORE_INTERNAL_H_
