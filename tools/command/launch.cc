// switchyard launch: a program as several ranks, on this machine or on several
// (switchyard/collective/group.h).
//
// Each rank gets RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, and its share of the
// cores in OMP_NUM_THREADS where that is not set; on several machines also SWITCHYARD_HOST, the
// folder that launch was called in, and those variables that it is told to hand on. What it writes
// appears line by line behind "[RANK] ". When a rank fails the others have some time to see it
// themselves, and are then ended; what the first one that failed has said last is shown again at
// the end.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"
#include "tools/command/hosts.h"
#include "tools/command/job.h"

extern char** environ;

namespace sy::command {
namespace {

struct Options {
  int ranks = 0;  // 0: as many as there are slots, 2 on this machine
  int restarts = 0;
  double grace = 5;  // seconds
  std::string hosts;
  std::string by = "ssh";
  std::string ssh = "ssh";
  int port = 0;
  std::vector<std::string> exported;
};

int FreePort() {
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t n = sizeof at;
  const bool found = bind(s, reinterpret_cast<sockaddr*>(&at), n) == 0 &&
                     getsockname(s, reinterpret_cast<sockaddr*>(&at), &n) == 0;
  close(s);
  if (!found) Fail(ErrorCode::kUnavailable, {"launch: no port is free"});
  return ntohs(at.sin_port);
}
// Of another machine nothing is known: one below those that systems give to connections.
int SomePort() {
  constexpr int kFirst = 20000, kLast = 29999;
  std::random_device seed;
  return std::uniform_int_distribution<int>(kFirst, kLast)(seed);
}

Variables OfRank(int rank, int local, int ranks, const std::string& address, int port) {
  return {{"RANK", std::to_string(rank)},
          {"LOCAL_RANK", std::to_string(local)},
          {"WORLD_SIZE", std::to_string(ranks)},
          {"MASTER_ADDR", address},
          {"MASTER_PORT", std::to_string(port)}};
}

std::string Environment(const char* name) {
  const char* text = secure_getenv(name);
  return text == nullptr ? "" : text;
}

// This machine's SWITCHYARD_… but for its address, and what -x names.
Variables HandedOn(const Options& o) {
  Variables all;
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string_view text = *e;
    const size_t at = text.find('=');
    if (text.starts_with("SWITCHYARD_") && !text.starts_with("SWITCHYARD_HOST="))
      all.emplace_back(text.substr(0, at), text.substr(at + 1));
  }
  for (const std::string& x : o.exported) {
    const size_t at = x.find('=');
    const std::string name = x.substr(0, at);
    const bool odd = name.empty() || name.find_first_not_of(
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "abcdefghijklmnopqrstuvwxyz"
                                         "0123456789_") != std::string::npos;
    if (odd) Fail(ErrorCode::kInvalidArgument, {"launch: '", x, "' is no variable"});
    all.emplace_back(name, at == std::string::npos ? Environment(name.c_str()) : x.substr(at + 1));
  }
  return all;
}

std::vector<Process> OnThisMachine(const std::vector<std::string>& program, const Options& o) {
  std::vector<Process> all;
  const int port = o.port != 0 ? o.port : FreePort();
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (int r = 0; r < o.ranks; ++r) {
    Process p;
    p.argv = program;
    p.variables = OfRank(r, r, o.ranks, "127.0.0.1", port);
    if (Environment("OMP_NUM_THREADS").empty())
      p.variables.emplace_back("OMP_NUM_THREADS", std::to_string(std::max(1, cores / o.ranks)));
    all.push_back(p);
  }
  return all;
}

std::vector<Process> BySsh(const std::vector<std::string>& program, const Options& o,
                           const std::vector<Host>& hosts) {
  std::vector<Process> all;
  const int port = o.port != 0 ? o.port : SomePort();
  const std::vector<Place> places = DealRanks(hosts, o.ranks);
  const Variables handed_on = HandedOn(o);
  const std::string folder = std::filesystem::current_path().string();
  for (size_t r = 0; r < places.size(); ++r) {
    const Host& host = hosts[places[r].host];
    Variables variables = handed_on;
    for (auto& v : OfRank(static_cast<int>(r), places[r].local, o.ranks, hosts[0].address, port))
      variables.push_back(std::move(v));
    variables.emplace_back("SWITCHYARD_HOST", host.address);
    Process p;
    // Nobody answers questions; a machine that has gone is noticed.
    p.argv = {o.ssh,
              "-o",
              "BatchMode=yes",
              "-o",
              "ServerAliveInterval=5",
              "-o",
              "ServerAliveCountMax=3",
              host.name,
              "exec sh -c " + Quoted(RemoteScript(program, folder, variables, places[r].ranks))};
    p.where = " on " + host.name;
    p.is_remote = true;
    all.push_back(p);
  }
  return all;
}

std::vector<Process> ByMpirun(const std::vector<std::string>& program, const Options& o,
                              const std::vector<Host>& hosts) {
  const int port = o.port != 0 ? o.port : SomePort();
  DealRanks(hosts, o.ranks);  // there are enough slots
  Process p;
  p.argv = {"mpirun", "--tag-output", "-n", std::to_string(o.ranks)};
  std::string list;
  for (const Host& h : hosts)
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", h.name, h.slots);
  for (const char* word : {"--oversubscribe", "--host"}) p.argv.emplace_back(word);
  p.argv.push_back(list);
  if (geteuid() == 0) p.argv.emplace_back("--allow-run-as-root");
  Variables variables = HandedOn(o);
  variables.emplace_back("MASTER_ADDR", hosts[0].address);
  variables.emplace_back("MASTER_PORT", std::to_string(port));
  for (const auto& [name, value] : variables) {
    p.argv.emplace_back("-x");
    p.argv.push_back(name);
    p.variables.emplace_back(name, value);
  }
  p.argv.insert(p.argv.end(), program.begin(), program.end());
  return {p};
}

int Launch(const std::vector<std::string>& program, Options o) {
  if (program.empty()) Fail(ErrorCode::kInvalidArgument, {"launch: which program?"});
  std::vector<Host> hosts;
  if (!o.hosts.empty()) hosts = ReadHosts(o.hosts);
  if (o.ranks == 0) {
    for (const Host& h : hosts) o.ranks += h.slots;
    if (hosts.empty()) o.ranks = 2;
  }
  const bool by_mpirun = !hosts.empty() && o.by == "mpirun";
  NoticeInterrupts();
  for (int left = o.restarts;; --left) {
    Job job(hosts.empty() ? OnThisMachine(program, o)
            : by_mpirun   ? ByMpirun(program, o, hosts)
                          : BySsh(program, o, hosts),
            std::chrono::duration<double>(o.grace), by_mpirun);
    if (job.Run()) return Interrupted() ? 1 : 0;
    job.ShowFailure();
    if (left <= 0 || Interrupted()) return 1;
    std::cerr << fmt::format("switchyard: all ranks start again; {} more times if need be\n",
                             left - 1);
  }
}

}  // namespace

void AddLaunch(CLI::App& app, int* status) {
  auto* command = app.add_subcommand("launch", "Run a program as several ranks");
  static Options o;
  command->add_option("-n,--ranks", o.ranks, "How many; 2, or the slots of --hosts")
      ->check(CLI::Range(1, 4096));
  command->add_option("--hosts", o.hosts,
                      "A file of machines, a line each: NAME [slots=N] [address=ADDRESS]");
  command->add_option("--by", o.by, "What starts ranks on them")
      ->check(CLI::IsMember({"ssh", "mpirun"}));
  command->add_option("--ssh", o.ssh, "The program that is ssh");
  command
      ->add_option("-x", o.exported,
                   "A variable for the ranks on --hosts, NAME or NAME=VALUE, besides "
                   "SWITCHYARD_*; repeatable")
      ->allow_extra_args(false);
  command->add_option("--port", o.port, "MASTER_PORT; a free one")->check(CLI::Range(1, 65535));
  command->add_option("--restarts", o.restarts, "How often all start again when one fails")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--grace", o.grace, "Seconds that the others have once a rank has failed")
      ->check(CLI::NonNegativeNumber);
  command->prefix_command();
  command->footer("What stands behind the options is the program and its arguments.");
  command->callback([command, status] { *status = Launch(command->remaining(), o); });
}

}  // namespace sy::command
