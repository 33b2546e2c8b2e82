// The processes that are a run of `switchyard launch`: what they write appears line by line behind
// their rank, and all are ended when one fails.
//
// Owns: the processes; they are ended with whoever runs the job. Threads: one at a time.
// Errors: kUnavailable where there is no process or pipe to be had.
#ifndef TOOLS_COMMAND_JOB_H_
#define TOOLS_COMMAND_JOB_H_

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/hosts.h"

namespace sy::command {

// What is run for a rank; of mpirun, for all.
struct Process {
  std::vector<std::string> argv;
  Variables variables;
  std::string where;  // " on node1", for messages
  bool is_remote =
      false;  // it takes names of signals by its input (RemoteScript), and ends as ssh does
};

// Tells that SIGINT or SIGTERM has come: jobs end then.
bool Interrupted();
void NoticeInterrupts();

class Job {
 public:
  // grace: how long others have once a rank has failed. by_mpirun: there is one process, which
  // tags what ranks write, as --tag-output does, and ends them itself.
  Job(const std::vector<Process>& processes, std::chrono::duration<double> grace, bool by_mpirun);
  // Until all have ended: whether none has failed.
  bool Run();
  // Says who failed first, and what it had said last.
  void ShowFailure() const;

 private:
  using Clock = std::chrono::steady_clock;
  // One of a process's two streams.
  struct Stream {
    int fd = -1;
    std::string line;  // begun
  };
  struct Running {
    pid_t pid = -1;
    bool runs = false;
    int status = 0;
    int orders = -1;  // the other end of its input
    Stream out, err;
  };
  // One line of a process, of its second stream or its first.
  void Take(size_t process, std::string line, bool is_error);
  void Read(size_t process, bool is_error);
  bool Step();  // false at the end
  void EndOthers();
  void Signal(int signal);
  std::string HowItEnded() const;

  std::vector<Process> processes_;
  std::vector<Running> running_;
  std::vector<std::deque<std::string>> last_;  // lines of stderr, of each rank
  const std::chrono::duration<double> grace_;
  const bool by_mpirun_;
  int first_ = -1;       // the process that failed first
  int first_rank_ = -1;  // the rank: of mpirun, as it says
  int last_rank_ = -1;   // that has complained last
  int signalled_ = 0;
  bool stopping_ = false;
  Clock::time_point since_;
};

}  // namespace sy::command

#endif  // TOOLS_COMMAND_JOB_H_
