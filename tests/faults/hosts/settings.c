#define _GNU_SOURCE
#include "settings.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

static char text[1 << 17];
static size_t used;

__attribute__((format(printf, 1, 2))) static void Say(const char* format, ...) {
  va_list list;
  va_start(list, format);
  used += (size_t)vsnprintf(text + used, sizeof text - used, format, list);
  va_end(list);
}

static void SayLocale(void) {
  Say("locale: %s\n", setlocale(LC_ALL, NULL));
  Say("locale of the thread: %s\n",
      uselocale((locale_t)0) == LC_GLOBAL_LOCALE ? "none" : "its own");
}

static void SaySignals(void) {
  for (int n = 1; n < NSIG; ++n) {
    struct sigaction a;
    memset(&a, 0, sizeof a);
    if (sigaction(n, NULL, &a) == 0)
      Say("signal %d: %p, flags %x\n", n, (void*)a.sa_sigaction, (unsigned)a.sa_flags);
  }
  sigset_t mask;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  for (int n = 1; n < NSIG; ++n) {
    if (sigismember(&mask, n) == 1) Say("signal %d: blocked\n", n);
  }
  stack_t stack;
  sigaltstack(NULL, &stack);
  Say("signal stack: %p, %zu bytes, flags %x\n", stack.ss_sp, stack.ss_size,
      (unsigned)stack.ss_flags);
}

static void SayFloatingPoint(void) {
  fenv_t e;
  fegetenv(&e);
  Say("rounding: %d\n", fegetround());
#ifdef __x86_64__
  /* Without the flags of what has happened. */
  Say("SSE control: %x\n", _mm_getcsr() & ~0x3fu);
  Say("x87 control: %x\n", e.__control_word);
#else
  Say("control: %x\n", e.__fpcr);
#endif
}

static void SayProcess(void) {
  char folder[4096];
  Say("working directory: %s\n", getcwd(folder, sizeof folder));
  const mode_t mode = umask(0);
  umask(mode);
  Say("umask: %o\n", mode);
  for (int r = 0; r < RLIM_NLIMITS; ++r) {
    struct rlimit l;
    getrlimit(r, &l);
    Say("limit %d: %lx, %lx\n", r, l.rlim_cur, l.rlim_max);
  }
  Say("priority: %d\n", getpriority(PRIO_PROCESS, 0));
  Say("scheduling: %d\n", sched_getscheduler(0));
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  Say("processors: %d, the first two %d %d\n", CPU_COUNT(&cpus), CPU_ISSET(0, &cpus),
      CPU_ISSET(1, &cpus));
  char name[17] = {0};
  prctl(PR_GET_NAME, name);
  Say("name: %s\n", name);
  Say("dumpable: %d, timer slack: %d, parent's death: ", prctl(PR_GET_DUMPABLE),
      prctl(PR_GET_TIMERSLACK));
  int on_death = 0;
  prctl(PR_GET_PDEATHSIG, &on_death);
  Say("%d\n", on_death);
  Say("alarm: %u\n", alarm(0));
  tzset();
  Say("time zone: %s %s\n", tzname[0], tzname[1]);
}

static void SayFiles(void) {
  for (int fd = 0; fd < 256; ++fd) {
    struct stat s;
    if (fstat(fd, &s) == 0)
      Say("file %d: %lx %lx, flags %x\n", fd, (long)s.st_dev, (long)s.st_ino, fcntl(fd, F_GETFL));
  }
}

static void SayEnvironment(void) {
  extern char** environ;
  for (char** e = environ; *e != NULL; ++e) Say("environment: %s\n", *e);
}

/* Libraries that the host uses itself, where it has opened them: see host.c. */
static void SayLibraries(void) {
  static const char* const kAsked[] = {"omp_get_max_threads", "omp_get_dynamic",
                                       "omp_get_max_active_levels", "openblas_get_num_threads"};
  for (size_t i = 0; i < sizeof kAsked / sizeof *kAsked; ++i) {
    int (*ask)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, kAsked[i]);
    if (ask != NULL) Say("%s: %d\n", kAsked[i], ask());
  }
}

const char* Settings(void) {
  used = 0;
  SayLocale();
  SaySignals();
  SayFloatingPoint();
  SayProcess();
  SayFiles();
  SayEnvironment();
  SayLibraries();
  return text;
}

int DiffersFrom(const char* before, const char* when) {
  char* now = strdup(Settings());
  char* then = strdup(before);
  int differ = 0;
  char *a_next, *b_next;
  char *a = strtok_r(then, "\n", &a_next), *b = strtok_r(now, "\n", &b_next);
  while (a != NULL || b != NULL) {
    if (a == NULL || b == NULL || strcmp(a, b) != 0) {
      fprintf(stderr, "%s:\n  was %s\n  is  %s\n", when, a == NULL ? "-" : a, b == NULL ? "-" : b);
      ++differ;
      if (a == NULL || b == NULL) break;
    }
    a = strtok_r(NULL, "\n", &a_next);
    b = strtok_r(NULL, "\n", &b_next);
  }
  free(now);
  free(then);
  return differ;
}
