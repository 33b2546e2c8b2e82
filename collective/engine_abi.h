// What the library of an engine offers, and what it is told of a call. In C: an engine is a shared
// library of its own, opened at run time (collective/group.h), which knows nothing else of ours.
//
//   const SyEngine* sy_collective_engine(void);   // the one symbol it has
//
// Owns: what `make` returns is given back by `end`; calls borrow everything while they run.
// Threads: one call with a kind below SY_SEND at a time; SY_SEND, SY_RECV, `abort` and `poll` at
// any time, in any thread, beside it.
// Errors: what fails returns non-zero and writes a text, cut at `room` bytes, to `error`.
#ifndef SWITCHYARD_COLLECTIVE_ENGINE_ABI_H_
#define SWITCHYARD_COLLECTIVE_ENGINE_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call does. n: `count`, elements; k: ranks. `in` may be `out` in the first, the place of
 * the rank's part in `out` in the second; elsewhere they do not meet. */
typedef enum SyCollectiveKind {
  SY_ALL_REDUCE,     /* in: n → out: n, each the reduction of all ranks' */
  SY_ALL_GATHER,     /* in: n → out: k n, by rank */
  SY_REDUCE_SCATTER, /* in: k n → out: n, the rank's part of the reduction */
  SY_ALL_TO_ALL,     /* in: in_counts[r] for each rank r → out: out_counts[r] from each */
  SY_BROADCAST,      /* in of the rank `peer` → out: n everywhere; there `in` is `out` */
  SY_SCATTER,        /* in of the rank `peer`: k n → out: n */
  SY_GATHER,         /* in: n → out of the rank `peer`: k n */
  SY_BARRIER,        /* nothing moves */
  SY_SEND,           /* in: n → the rank `peer`, which receives with this tag */
  SY_RECV            /* out: n from the rank `peer` */
} SyCollectiveKind;

/* How elements are reduced. */
typedef enum SyReduceOp {
  SY_SUM,
  SY_PRODUCT,
  SY_MIN,
  SY_MAX,
  SY_BAND,
  SY_BOR,
  SY_BXOR,
  SY_AVG /* engines for the host are asked for SY_SUM */
} SyReduceOp;

/* One call. Memory is the host's, or the device's that the engine is for; dense. */
typedef struct SyCollective {
  int32_t kind;  /* SyCollectiveKind */
  int32_t dtype; /* sy::DType */
  int32_t op;    /* SyReduceOp; of the kinds that reduce */
  int32_t peer;  /* a rank of the group: root, destination or source */
  int32_t tag;   /* of send and recv */
  int32_t item_size;
  int64_t count;
  const void* in;
  void* out;
  const int64_t* in_counts; /* of SY_ALL_TO_ALL, one for each rank */
  const int64_t* out_counts;
  /* Of engines for devices: the stream, as the device's driver calls it, on which the call is
   * queued. */
  void* stream;
} SyCollective;

/* What `run` returns where the engine does not do such calls, on all ranks alike, and has begun
 * nothing. */
#define SY_NOT_DONE 2
/* What `run` returns where it has no memory, maybe on this rank alone. */
#define SY_NO_MEMORY 3

/* A group that an engine is made for. Texts hold no 0 but their last. */
typedef struct SyEngineGroup {
  uint32_t size_of_this;
  int32_t rank, size; /* of the group */
  int64_t timeout_ms; /* how long a call may wait */
  const char* name;   /* the same on every rank, and of this group alone in the whole run */
  const char* host;   /* an address by which the others reach this rank's machine */
  /* Ranks in the world, one for each rank of the group. */
  const int32_t* world_ranks;
  /* The run's store: `get` waits for what another rank `set`s, and returns its length, or -1 after
   * the time-out; at most `room` bytes are written. */
  void* store;
  int (*set)(void* store, const char* key, const void* bytes, int64_t n);
  int64_t (*get)(void* store, const char* key, void* bytes, int64_t room);
  int32_t device; /* its index; -1: the host */
  int64_t (*now_ms)(void);
  void (*pause)(void); /* a while shorter than a millisecond */
  /* to[i] = to[i] op from[i], of every dtype that the operator takes. */
  void (*reduce)(int32_t op, int32_t dtype, void* to, const void* from, int64_t n);
} SyEngineGroup;

/* What an engine is. */
typedef struct SyEngine {
  uint32_t size_of_this;
  const char* name; /* "gloo" */
  /* 0: what it is made of is on this machine. Null: it is. */
  int (*available)(char* error, size_t room);
  /* Every rank of the group calls it. Null where it fails. */
  void* (*make)(const SyEngineGroup* group, char* error, size_t room);
  void (*end)(void* engine);
  int (*run)(void* engine, const SyCollective* call, char* error, size_t room);
  /* Whoever waits in `run` returns with an error, soon; so does every later call. */
  void (*abort)(void* engine, const char* why);
  /* Whether a queued call has failed: 0 if not. Null: calls are done when `run` returns. */
  int (*poll)(void* engine, char* error, size_t room);
} SyEngine;

typedef const SyEngine* (*SyEngineFn)(void);
#define SY_ENGINE_SYMBOL "sy_collective_engine"

#ifdef __cplusplus
}
#endif

#endif /* SWITCHYARD_COLLECTIVE_ENGINE_ABI_H_ */
