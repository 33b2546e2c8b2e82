// The machines that `switchyard launch` starts ranks on, and what starts them there.
//
// A file of hosts has a line for each, as mpirun's has:
//
//   node1 slots=4                      # ranks that it takes; 1
//   node2 slots=4 address=10.0.0.2     # by which the others reach it; its name
//
// Ranks are dealt in the order of the lines, a host's slots first.
// Owns: nothing but texts. Threads: any.
// Errors: kInvalidArgument naming the file and the line.
#ifndef TOOLS_COMMAND_HOSTS_H_
#define TOOLS_COMMAND_HOSTS_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sy::command {

struct Host {
  std::string name;     // as ssh knows it
  std::string address;  // as the other ranks reach it
  int slots = 1;
};
// name: of the file, for messages. Errors also: where there is no host, or one is there twice.
std::vector<Host> ParseHosts(std::string_view text, const std::string& name);
std::vector<Host> ReadHosts(const std::string& path);

// Where a rank runs.
struct Place {
  size_t host = 0;  // of the list
  int local = 0;    // how many ranks are before it there
  int ranks = 0;    // how many there are there
};
// Errors: kInvalidArgument where there are fewer slots than ranks.
std::vector<Place> DealRanks(const std::vector<Host>& hosts, int ranks);

using Variables = std::vector<std::pair<std::string, std::string>>;

// One word of a shell's, whatever is in it.
std::string Quoted(std::string_view word);
// What a shell on the host runs: the program, in this folder and with these variables, in a process
// group of its own. It reads names of signals from its input, a line each, and sends them to the
// group; where its input ends the group is killed, since whoever has started it is gone.
// OMP_NUM_THREADS, where the host has not set it, is the rank's share of the cores.
std::string RemoteScript(const std::vector<std::string>& program, const std::string& folder,
                         const Variables& variables, int ranks_there);

}  // namespace sy::command

#endif  // TOOLS_COMMAND_HOSTS_H_
