#include "tools/command/hosts.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::command {
namespace {

constexpr int kMaxSlots = 4096;

// "slots=4" or "address=10.0.0.2". False for anything else.
bool Set(Host& host, std::string_view word) {
  const size_t at = word.find('=');
  const std::string_view key = word.substr(0, at);
  const std::string_view value = at == std::string_view::npos ? "" : word.substr(at + 1);
  if (key == "address") host.address = value;
  if (key == "address") return !value.empty();
  const char* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, host.slots);
  return key == "slots" && read.ec == std::errc() && read.ptr == end && host.slots >= 1 &&
         host.slots <= kMaxSlots;
}

}  // namespace

std::vector<Host> ParseHosts(std::string_view text, const std::string& name) {
  std::vector<Host> hosts;
  int number = 0;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream line_words(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; line_words >> word;) words.push_back(std::move(word));
    if (words.empty()) continue;
    Host host;
    host.name = words[0];
    // One that begins like an option would be one of ssh's.
    const bool odd = words[0].front() == '-' || words[0].find('=') != std::string_view::npos;
    if (odd)
      Fail(ErrorCode::kInvalidArgument, {name, ":", number, ": '", words[0], "' is no host"});
    for (size_t i = 1; i < words.size(); ++i) {
      if (Set(host, words[i])) continue;
      Fail(ErrorCode::kInvalidArgument, {name, ":", number, ": '", words[i], "', expected slots=",
                                         1, " to ", kMaxSlots, " or address=ADDRESS"});
    }
    if (host.address.empty()) host.address = host.name.substr(host.name.find('@') + 1);
    if (std::any_of(hosts.begin(), hosts.end(), [&](const Host& h) { return h.name == host.name; }))
      Fail(ErrorCode::kInvalidArgument, {name, ":", number, ": ", host.name, " is there twice"});
    hosts.push_back(host);
  }
  if (hosts.empty()) Fail(ErrorCode::kInvalidArgument, {name, " names no host"});
  return hosts;
}

std::vector<Host> ReadHosts(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) Fail(ErrorCode::kInvalidArgument, {path, " cannot be read"});
  return ParseHosts(text.str(), path);
}

std::vector<Place> DealRanks(const std::vector<Host>& hosts, int ranks) {
  std::vector<Place> places;
  for (size_t h = 0; h < hosts.size(); ++h) {
    const int there = std::min(hosts[h].slots, ranks - static_cast<int>(places.size()));
    for (int i = 0; i < there; ++i) places.push_back({h, i, there});
  }
  if (static_cast<int>(places.size()) < ranks) {
    Fail(ErrorCode::kInvalidArgument,
         {"launch: the hosts have ", places.size(), " slots, fewer than ", ranks, " ranks"});
  }
  return places;
}

std::string Quoted(std::string_view word) {
  std::string s = "'";
  for (const char c : word) {
    if (c == '\'') {
      s += "'\\''";
    } else {
      s += c;
    }
  }
  return s + "'";
}

std::string RemoteScript(const std::vector<std::string>& program, const std::string& folder,
                         const Variables& variables, int ranks_there) {
  std::string s = fmt::format("cd {} || exit 127\n", Quoted(folder));
  for (const auto& [name, value] : variables)
    s += fmt::format("export {}={}\n", name, Quoted(value));
  s += fmt::format(
      "n=$(($(nproc) / {})); [ $n -ge 1 ] || n=1\n"
      "export OMP_NUM_THREADS=${{OMP_NUM_THREADS:-$n}}\n",
      ranks_there);
  s += "exec 3<&0\nsetsid";
  for (const std::string& word : program) s += " " + Quoted(word);
  // A program that is stopped takes no signal but by going on.
  return s +
         " </dev/null 3<&- &\n"
         "child=$!\n"
         "{ while read -r signal <&3; do\n"
         "    kill -s \"$signal\" -- -$child; kill -s CONT -- -$child\n"
         "  done\n"
         "  kill -s KILL -- -$child\n"
         "} >/dev/null 2>&1 &\n"
         "watch=$!\n"
         "exec 3<&- </dev/null >/dev/null 2>&1\n"  // the program has its own
         "wait $child\n"
         "status=$?\n"
         "kill $watch\n"
         "exit $status\n";
}

}  // namespace sy::command
