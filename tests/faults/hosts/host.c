/* A program in C that opens the shim while it runs:  host SHIM [LIBRARY…]
 *
 * The libraries are opened first, for everybody, as a host's own. It opens, calls, calls from a
 * thread that ends, closes and opens again, and looks after each step whether its
 * settings are as it had them. Then it ends, with functions that it has registered before and
 * after. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

#include "settings.h"

typedef const char* (*Call)(void);

/* Numbers below the smallest normal one become 0. */
static void FlushToZero(int on) {
#ifdef __x86_64__
  const unsigned bits = 0x8040; /* of results, and of operands */
  _mm_setcsr(on ? _mm_getcsr() | bits : _mm_getcsr() & ~bits);
#else
  const unsigned bit = 1u << 24; /* FPCR.FZ: of both */
  const unsigned modes = __builtin_aarch64_get_fpcr();
  __builtin_aarch64_set_fpcr(on ? modes | bit : modes & ~bit);
#endif
}

static void* shim;
static int failed;

static void Check(const char* what, const char* error) {
  if (*error == '\0') return;
  fprintf(stderr, "%s: %s\n", what, error);
  failed = 1;
}

static void CallShim(const char* name) {
  Call call = (Call)dlsym(shim, name);
  Check(name, call == NULL ? dlerror() : call());
}

static void Open(const char* path) {
  shim = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (shim == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
}

static void* InThread(void* name) {
  CallShim(name);
  return NULL;
}

/* A thread that has called it, and ends when it is closed. */
static sem_t called, closed;
static void* EndsLater(void* unused) {
  (void)unused;
  CallShim("shim_use");
  sem_post(&called);
  sem_wait(&closed);
  return NULL;
}

static void Handler(int n) { (void)n; }

/* What the host has chosen, unlike any default. */
static void ChooseSettings(void) {
  setlocale(LC_ALL, "C.UTF-8");
  setlocale(LC_NUMERIC, "C");
  struct sigaction a = {.sa_handler = Handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &a, NULL);
  sigaction(SIGFPE, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  setenv("HOST_SETTING", "of the host", 1);
  struct rlimit l;
  getrlimit(RLIMIT_NOFILE, &l);
  l.rlim_cur = 200;
  setrlimit(RLIMIT_NOFILE, &l);
  void (*set_threads)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "omp_set_num_threads");
  if (set_threads != NULL) set_threads(3);
  void (*set_blas)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
  if (set_blas != NULL) set_blas(2);
}

/* Registered before the shim was opened, so that it runs after everything of the library's. */
static int order;
static void First(void) {
  if (order != 1) fprintf(stderr, "what was registered last did not run first\n");
  CallShim("shim_add");
  if (order != 1 || failed) _exit(1);
}
static void Last(void) {
  ++order;
  CallShim("shim_use");
}

int main(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    if (dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL) == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 77;
    }
  }
  atexit(First);
  ChooseSettings();
  srand(11);
  const int drawn[] = {rand(), rand()};
  srand(11);
  char* before = strdup(Settings());

  Open(argv[1]);
  failed |= DiffersFrom(before, "after opening");
  CallShim("shim_use");
  failed |= DiffersFrom(before, "after calling");
  for (int i = 0; i < 2; ++i) {
    if (rand() != drawn[i]) Check("rand()", "its next number is another");
  }

  /* Modes that a host may compute in. */
  fesetround(FE_UPWARD);
  FlushToZero(1);
  char* modes = strdup(Settings());
  CallShim("shim_add");
  CallShim("shim_use");
  failed |= DiffersFrom(modes, "after calling, rounding upwards and flushing to zero");
  fesetround(FE_TONEAREST);
  FlushToZero(0);
  failed |= DiffersFrom(before, "with the usual modes again");

  pthread_t thread;
  for (int i = 0; i < 3; ++i) {
    pthread_create(&thread, NULL, InThread, "shim_use");
    pthread_join(thread, NULL);
  }
  failed |= DiffersFrom(before, "after calling from threads");

  sem_init(&called, 0, 0);
  sem_init(&closed, 0, 0);
  pthread_create(&thread, NULL, EndsLater, NULL);
  sem_wait(&called);
  dlclose(shim);
  sem_post(&closed);
  pthread_join(thread, NULL);
  Open(argv[1]);
  CallShim("shim_add");
  failed |= DiffersFrom(before, "after closing and opening again");
  atexit(Last);
  if (!failed) puts("the host is as it was");
  return failed;
}
