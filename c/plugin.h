/* The plugin ABI, major version 1: what a shared object offers to a host that it knows nothing of,
 * and what the host offers to it. C11; no C++ type, exception or symbol crosses.
 *
 *   static const SyPlugin* Entry(uint32_t host_minor, SyError* error);   the one exported symbol,
 *   SY_PLUGIN_NOTE("toy", SY_NOTE_UNMAP_OK);                             and a note in the object
 *
 * docs/plugin-abi.md has the rules in full, docs/write-a-backend.md a plugin step by step, and
 * switchyard/c/plugin.hpp a thin C++ wrapper.
 *
 * Sizes: who fills a struct that has a `size` sets it to sizeof as it was compiled. The reader
 *   takes fields past `size` for zero and ignores what it does not know; the least size accepted is
 *   SY_MIN_*, that of version 1.0. Fields are only appended. Arrays of structs carry a stride.
 *   Fixed-width integers: no enum, bool or size_t in a struct. Reserved fields are zero.
 * Errors: int32_t, SY_OK or SY_E_*. Text goes into the caller's SyError.
 * Owns: "borrowed" is valid until the callee returns, "owned" is released once by who receives it,
 *   "static" is valid until shutdown has returned.
 * Threads: [any] is called at the same time from any thread; [load] under the loader's lock, where
 *   plugins may not be loaded or unloaded and operators not be called.
 * C++: function pointers are noexcept types: a callback that may throw does not compile. No
 *   longjmp, signal or terminate handlers, changed rounding, locale or working directory, and no
 *   threads that are left after shutdown. */
#ifndef SWITCHYARD_C_PLUGIN_H_
#define SWITCHYARD_C_PLUGIN_H_

#include "switchyard/c/values.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SY_ABI_MAJOR 1
#define SY_ABI_MINOR 6

/* Whether the filler of *p knew the field. */
#define SY_HAS(T, p, field) ((p)->size >= offsetof(T, field) + sizeof((p)->field))

/* --- Calls ----------------------------------------------------------------------------------- */

typedef struct SyHost SyHost;
typedef struct SyOperator_* SyOperator; /* valid for the process */

/* One call of a kernel. It and what it points to are borrowed. */
typedef struct SyCall {
  uint32_t size;
  uint32_t dtype; /* to compute in: one of those the kernel is registered for */
  int32_t device; /* row and index of the computation */
  int32_t index;
  const SyHost* host;
  void* device_state; /* what the device's `open` gave; null on devices that are not the plugin's */
  void* stream;       /* to queue work on; null where the device has no streams */
  void* user;         /* SyKernelDef::user */
  const SyValue* in;  /* in schema order, defaults filled in */
  const SyTensor* const*
      out;       /* allocated by the shape function; null entries where there is none: */
  uint32_t n_in; /* then the kernel gives them with host->set_out */
  uint32_t n_out;
  uint64_t sequence; /* of the call, for asynchronous errors */
  SyError* error;
} SyCall;

/* [any] May queue work on call->stream and return. Writes nothing when it fails or declines. */
typedef int32_t (*SyKernelFn)(SyCall* call) SY_NOEXCEPT;

/* A failure of work that was queued. */
typedef struct SyAsyncError {
  uint32_t size;
  int32_t code;
  uint64_t sequence; /* SyCall::sequence of the call that queued it; 0: unknown */
  char text[240];
} SyAsyncError;

enum { SY_LOG_TRACE = 0, SY_LOG_DEBUG = 1, SY_LOG_INFO = 2, SY_LOG_WARNING = 3, SY_LOG_ERROR = 4 };

/* Since 1.3. Under what a kernel keeps things between calls: packed weights, plans, tuned choices.
 * Always by kernel and device; by the bytes that the kernel gives, which say all that matters of
 * shapes and numbers; and by constants among the arguments, which are compared by what they are,
 * not by their elements. What is kept goes when one of its constants does, when the kernel keeps
 * more than SY_MOST_STATES others that were used since, and before the plugin's `shutdown`. Work
 * that was queued with it may still be running then: `destroy` sees to that. */
typedef struct SyStateKey {
  uint32_t size;
  uint32_t bytes;     /* of `data` */
  const void* data;   /* may be null where bytes is 0 */
  uint64_t constants; /* bit i: argument i of the call, a tensor with SY_TENSOR_CONSTANT */
} SyStateKey;
#define SY_MOST_STATES 1024 /* of one kernel on one device, without constants */

/* What the host offers. Static for the process; after a plugin is unloaded it must not be used.
 * Functions that take a SyCall work inside that call of a kernel, in its thread. */
struct SyHost {
  uint32_t size;
  uint32_t minor;                                           /* of the host: what its structs have */
  void (*log)(int32_t level, const char* text) SY_NOEXCEPT; /* [any] */
  /* [any] Later additions by name; null when unknown. */
  const void* (*extension)(const char* name)SY_NOEXCEPT;
  /* [any] By full name, "add.Tensor". */
  int32_t (*find_operator)(const char* name, SyOperator* out, SyError* error) SY_NOEXCEPT;
  /* Calls an operator whose results are tensors. in: in schema order, all of them. out: owned. */
  int32_t (*call_operator)(SyCall* from, SyOperator op, const SyValue* in, uint32_t n_in,
                           SyTensorRef* out, uint32_t n_out) SY_NOEXCEPT;
  /* A new tensor on the call's device. sizes: ndim entries. */
  int32_t (*empty)(SyCall* call, uint32_t dtype, uint32_t ndim, const int64_t* sizes,
                   SyTensorRef* owned) SY_NOEXCEPT;
  /* Gives output i of an operator without a shape function. Takes the reference, also on error. */
  int32_t (*set_out)(SyCall* call, uint32_t i, SyTensorRef moved) SY_NOEXCEPT;
  /* Fills *out as kernels of the call's plugin see it; valid while the reference is held. */
  int32_t (*view)(SyCall* call, SyTensorRef ref, SyTensor* out) SY_NOEXCEPT;
  void (*retain)(SyTensorRef ref) SY_NOEXCEPT;  /* [any] */
  void (*release)(SyTensorRef ref) SY_NOEXCEPT; /* [any] */
  /* Memory of the call's device, for this call and what it queues on its stream; the host frees
   * it. On the host device `handle` is an address. alignment: a power of 2. */
  int32_t (*workspace)(SyCall* call, uint64_t bytes, uint64_t alignment,
                       const SyBuffer** borrowed) SY_NOEXCEPT;
  /* Takes `counters` counters of a Philox stream (4 words of 32 bits each): counter i is
   * {offset + i}, the key is the seed, so that every device draws the same numbers. generator: an
   * argument of the call, or null for the device's default one. */
  int32_t (*philox)(SyCall* call, const SyValue* generator, uint64_t counters, uint64_t* seed,
                    uint64_t* offset) SY_NOEXCEPT;
  /* [any] Splits 0 … n over the host's threads, in ranges of at least `grain`; returns when all are
   * done. */
  void (*parallel_for)(int64_t n, int64_t grain,
                       void (*body)(int64_t begin, int64_t end, void* context) SY_NOEXCEPT,
                       void* context) SY_NOEXCEPT;
  /* [any], also from a driver's threads. Sticks to the device and is reported by its next
   * synchronising call. */
  void (*async_error)(void* device_state, const SyAsyncError* error) SY_NOEXCEPT;
  /* Since 1.3. What a kernel has kept under this key, for this call; null where there is nothing.
   * It stays until the kernel has returned, whatever other threads do. */
  void* (*find_state)(SyCall* call, const SyStateKey* key)SY_NOEXCEPT;
  /* Since 1.3. Keeps `state` for calls that come, and for this one; the host has it from here on.
   * Where another thread was first, *kept is that one's, and `state` is destroyed. On an error
   * nothing is kept, and `state` stays the caller's: SY_E_INVALID_ARGUMENT for an argument that is
   * no constant. */
  int32_t (*keep_state)(SyCall* call, const SyStateKey* key, void* state,
                        void (*destroy)(void* state) SY_NOEXCEPT, void** kept) SY_NOEXCEPT;
  /* Since 1.5. [any] The number of a layer, the plugin's or another one; -1 where there is none. */
  int32_t (*find_layer)(const char* name) SY_NOEXCEPT;
  /* Since 1.5. Calls with this tensor, and with views made of it from now on, pass the layer; its
   * results carry it where the layer attaches itself to them. Not while other threads use the
   * tensor. SY_E_INVALID_ARGUMENT where there is no such layer. */
  int32_t (*attach_layer)(int32_t layer, SyTensorRef t, SyError* error) SY_NOEXCEPT;
  int32_t (*detach_layer)(int32_t layer, SyTensorRef t, SyError* error) SY_NOEXCEPT;
  int32_t (*has_layer)(int32_t layer, SyTensorRef t) SY_NOEXCEPT; /* [any] 1 or 0 */
};

/* --- Layers: what stands between calls and kernels ------------------------------------------- */

/* Since 1.5. One call on its way down, as a layer sees it. It and what it points to are borrowed.
 * Tensors show their memory where it is the host's, and none of other devices. The four functions
 * are the host's; they answer an error with its text written, which a layer returns. */
typedef struct SyLayerCall SyLayerCall;
struct SyLayerCall {
  uint32_t size;
  int32_t layer; /* this one's number */
  const SyHost* host;
  const char* op;     /* full name, "add.Tensor" */
  const SyValue* in;  /* in schema order, defaults filled in */
  const SyValue* out; /* the results there are, from redispatch or set_out */
  uint32_t n_in;
  uint32_t n_out; /* of the operator */
  void* user;     /* SyLayerDef::user */
  SyError* error;
  /* Goes on below the layer with these arguments, which may be `in`; `out` is filled. May be called
   * again, or not at all: then the layer gives the results. The layer is on inside it. */
  int32_t (*redispatch)(SyLayerCall* call, const SyValue* in, uint32_t n_in) SY_NOEXCEPT;
  /* Result i, a tensor, in place of what is there. Takes the reference, also on error. */
  int32_t (*set_out)(SyLayerCall* call, uint32_t i, SyTensorRef moved) SY_NOEXCEPT;
  /* As those of SyHost. The layer is off in what is called here. */
  int32_t (*call_operator)(SyLayerCall* from, SyOperator op, const SyValue* in, uint32_t n_in,
                           SyTensorRef* out, uint32_t n_out) SY_NOEXCEPT;
  int32_t (*view)(SyLayerCall* call, SyTensorRef ref, SyTensor* out) SY_NOEXCEPT;
};

/* [any] An error of what is below may be returned as it came. */
typedef int32_t (*SyLayerFn)(SyLayerCall* call) SY_NOEXCEPT;

/* --- Devices --------------------------------------------------------------------------------- */

enum {
  /* What a device can: SyDeviceProperties::capabilities. */
  SY_DEVICE_ASYNC = 1,        /* kernels and copies may return before they are done */
  SY_DEVICE_ADDRESSES = 2,    /* handles are addresses that kernels may compute with */
  SY_DEVICE_HOST_VISIBLE = 4, /* and that the host's code may read and write */
  SY_DEVICE_FORK_SAFE = 8,    /* works in the child of a fork */
  SY_DEVICE_CACHES = 16       /* keeps freed memory for itself: the host does not */
};

/* Filled by the device: text for people, and what the host has to know. */
typedef struct SyDeviceProperties {
  uint32_t size;
  uint32_t capabilities; /* SY_DEVICE_* */
  const char* hardware;  /* static; may be null */
  const char* driver;    /* static; may be null */
  uint64_t total_bytes;  /* 0: unknown */
  uint64_t alignment;    /* of allocations; 0: as asked */
} SyDeviceProperties;

/* Of one device, since it was opened; bytes are those that were asked for. */
typedef struct SyMemoryStats {
  uint32_t size;
  uint32_t reserved;
  uint64_t allocated_bytes;
  uint64_t peak_bytes;
  uint64_t cached_bytes; /* held from the system beyond what is allocated */
  uint64_t allocations;
  uint64_t frees;
} SyMemoryStats;

enum {
  /* What is copied where: SyCopy::kind. */
  SY_COPY_HOST_TO_DEVICE = 0,
  SY_COPY_DEVICE_TO_HOST = 1,
  SY_COPY_WITHIN_DEVICE = 2,
  SY_COPY_BETWEEN_INDICES = 3 /* since 1.3: of one device type, by copy_between */
};

/* Dense bytes; source and destination never overlap. */
typedef struct SyCopy {
  uint32_t size;
  uint32_t kind;
  const SyBuffer* source; /* null: host_source */
  const SyBuffer* destination;
  const void* host_source;
  void* host_destination;
  /* In bytes, into the buffer; 0 on the host's side. */
  uint64_t source_offset;
  uint64_t destination_offset;
  uint64_t bytes;
} SyCopy;

/* How memory of one device is reached by another one. */
enum {
  /* One of them is asked for at a time; a device may serve neither. */
  SY_SHARE_ADDRESS = 1, /* at an address of this process, for its host's code as well */
  SY_SHARE_DMA_BUF = 2  /* by a file descriptor of the kernel's dma-buf */
};

/* Since 1.2. A buffer as its device shares it, until `unshare`. What the kind does not need is 0.
 * The host sets size and kind. */
typedef struct SyShare {
  uint32_t size;
  uint32_t kind; /* SY_SHARE_*, one */
  void* address; /* of the buffer's first byte */
  int32_t fd;    /* the sharer's: whoever needs it longer duplicates it */
  int32_t reserved;
  uint64_t offset; /* of the buffer's first byte in what fd stands for */
  uint64_t bytes;  /* from there on */
  void* context;   /* the sharer's own */
} SyShare;

/* Since 1.3. One thing that a device says of itself: "compute_units", "8". */
typedef struct SyAttribute {
  uint32_t size;
  uint32_t reserved;
  char key[64];
  char value[192];
} SyAttribute;

/* Since 1.3. Work as the device has timed it. */
typedef struct SyTimedWork {
  uint32_t size;
  uint32_t reserved;
  const char* name;  /* borrowed; null: that of the operator whose call has the number */
  uint64_t sequence; /* SyCall::sequence; 0: of no call */
  int64_t begin_ns;  /* by CLOCK_MONOTONIC */
  int64_t end_ns;
  void* stream; /* that it was queued on; null: the default one */
} SyTimedWork;

/* `device` is what `open` gave. Required: allocate, free, copy; all others may be null. Streams and
 * events: all of them or none; the first stream that is created is the default one, destroyed last.
 * Work on a stream is done in order. Events are recorded again and again, an event and the streams
 * it meets are of one device. A wait reports the first failure of what it waits for.
 * After SY_E_DEVICE_LOST only those that give back are called: free, host_free, unshare, abandon,
 * *_destroy and close; they must succeed.
 *
 *   static const SyDeviceFunctions functions = {.size = sizeof(SyDeviceFunctions),
 *       .allocate = Allocate, .free = Free, .copy = Copy};     a device without queues: no more */
typedef struct SyDeviceFunctions {
  uint32_t size;
  uint32_t reserved;
  /* [any] Devices there are; null: 1. 0 is no error: the text says why there are none. */
  int32_t (*count)(void* user, int32_t* n, SyError* reason) SY_NOEXCEPT;
  /* Once per index, at first use: what the other functions get as `device`. An error is told to
   * whoever asked, and it is tried again at the next use. */
  int32_t (*open)(void* user, int32_t index, void** device, SyError* error) SY_NOEXCEPT;
  void (*close)(void* device) SY_NOEXCEPT; /* nothing of it is alive */
  /* Once, after `open`. null: no capabilities, so that kernels see no addresses. */
  int32_t (*properties)(void* device, SyDeviceProperties* out, SyError* error) SY_NOEXCEPT;
  /* [any] bytes > 0. */
  int32_t (*allocate)(void* device, uint64_t bytes, uint64_t alignment, void* stream, SyBuffer* out,
                      SyError* error) SY_NOEXCEPT;
  /* [any] After what the stream has been given, which is the one that `allocate` got. */
  void (*free)(void* device, const SyBuffer* buffer, void* stream) SY_NOEXCEPT;
  int32_t (*trim)(void* device) SY_NOEXCEPT; /* gives caches back; allocate is then tried again */
  /* Without it the host counts what it has asked for. */
  int32_t (*memory_stats)(void* device, SyMemoryStats* out) SY_NOEXCEPT;
  /* [any] stream null: done when it returns. Else host memory stays until the copy is done. */
  int32_t (*copy)(void* device, const SyCopy* copy, void* stream, SyError* error) SY_NOEXCEPT;
  /* All work of the device is done; its first failure since the last call, told once. */
  int32_t (*synchronize)(void* device, SyAsyncError* error) SY_NOEXCEPT;
  /* A queue. priority: lower goes first, as the device understands it. */
  int32_t (*stream_create)(void* device, int32_t priority, void** out, SyError* error) SY_NOEXCEPT;
  void (*stream_destroy)(void* device, void* stream) SY_NOEXCEPT;
  /* Returns when everything that was queued on it is done. */
  int32_t (*stream_synchronize)(void* device, void* stream, SyAsyncError* error) SY_NOEXCEPT;
  /* A mark to be recorded. timed: for event_elapsed, which the others need not serve. */
  int32_t (*event_create)(void* device, uint32_t timed, void** out, SyError* error) SY_NOEXCEPT;
  void (*event_destroy)(void* device, void* event) SY_NOEXCEPT;
  /* The mark moves to where the stream is now. */
  int32_t (*event_record)(void* device, void* event, void* stream) SY_NOEXCEPT;
  int32_t (*event_wait)(void* device, void* event, void* stream) SY_NOEXCEPT; /* the stream waits */
  int32_t (*event_synchronize)(void* device, void* event, SyAsyncError* error) SY_NOEXCEPT;
  int32_t (*event_query)(void* device, void* event) SY_NOEXCEPT; /* SY_OK, SY_E_NOT_READY, … */
  /* Between two timed events that have happened. */
  int32_t (*event_elapsed)(void* device, void* from, void* to, uint64_t* nanoseconds) SY_NOEXCEPT;
  /* Since 1.1, both or none: host memory for copies on a stream, page-locked where a driver can.
   * Without them it is pages of the host's own. bytes > 0. */
  int32_t (*host_allocate)(void* device, uint64_t bytes, void** memory, SyError* error) SY_NOEXCEPT;
  void (*host_free)(void* device, void* memory) SY_NOEXCEPT; /* no copy uses it any more */
  /* Since 1.1; without it the host records an event and asks for that. SY_OK, SY_E_NOT_READY, … */
  int32_t (*stream_query)(void* device, void* stream) SY_NOEXCEPT;
  /* Since 1.2, both or none: memory of this device for others. The host has waited for what uses
   * the buffer, and lets nothing use it until `unshare` but who adopts it.
   * SY_E_UNSUPPORTED: not as this kind; then another one, or the way over the host, is taken. */
  int32_t (*share)(void* device, const SyBuffer* buffer, SyShare* out, SyError* error) SY_NOEXCEPT;
  void (*unshare)(void* device, const SyBuffer* buffer, const SyShare* share) SY_NOEXCEPT;
  /* Since 1.2, both or none: what another device shares, as a buffer that this one's `copy` takes,
   * within the device. SY_E_UNSUPPORTED as above. The host has waited for such copies when it
   * calls `abandon`, and unshares after that. */
  int32_t (*adopt)(void* device, const SyShare* share, SyBuffer* out, SyError* error) SY_NOEXCEPT;
  void (*abandon)(void* device, const SyBuffer* adopted) SY_NOEXCEPT;
  /* Since 1.3. [any] What the device says of itself, one by one; SY_E_NOT_FOUND past the last. */
  int32_t (*attribute)(void* device, uint32_t i, SyAttribute* out, SyError* error) SY_NOEXCEPT;
  /* Since 1.3. [any] SY_E_NOT_FOUND: there is no such option. */
  int32_t (*set_option)(void* device, const char* key, const char* value,
                        SyError* error) SY_NOEXCEPT;
  /* Since 1.3. [any] What first calls would wait for is done when it returns. */
  int32_t (*warm_up)(void* device, SyError* error) SY_NOEXCEPT;
  /* Since 1.3, both or none. The device times its work from here on; what was timed is given to
   * `take`, one by one, when all of it is done. Starts do not nest. */
  int32_t (*timing_start)(void* device, SyError* error) SY_NOEXCEPT;
  int32_t (*timing_stop)(void* device,
                         void (*take)(const SyTimedWork* work, void* context) SY_NOEXCEPT,
                         void* context, SyError* error) SY_NOEXCEPT;
  /* Since 1.3. [any] Copies between two indices of this type, queued: after what both streams were
   * given, and before what either is given later. Streams are null where there are none; then it
   * is done when it returns. SY_E_UNSUPPORTED: not between these; another way is taken. */
  int32_t (*copy_between)(void* from, void* from_stream, void* to, void* to_stream,
                          const SyCopy* copy, SyError* error) SY_NOEXCEPT;
} SyDeviceFunctions;

/* --- Registration ---------------------------------------------------------------------------- */

/* What a shape function states of an output. Arrays are the host's, room for 64, never more. */
typedef struct SyMeta {
  int64_t* sizes;
  uint32_t ndim;
  uint32_t dtype;
} SyMeta;

/* [any] Checks the arguments by their metadata and states the outputs. Tensors have no data. */
typedef int32_t (*SyShapeFn)(const SyValue* in, uint32_t n_in, SyMeta* out, uint32_t n_out,
                             void* user, SyError* error) SY_NOEXCEPT;

#define SY_NOT_STATED UINT32_MAX

/* What is called: SyRule::variant. */
enum { SY_VARIANT_FUNCTIONAL = 0, SY_VARIANT_IN_PLACE = 1, SY_VARIANT_OUT = 2 };
/* How operands find the dtype to compute in, and what the result is: their common dtype; floating
 * also for integers; bool; the common dtype, which out= must have too. */
enum { SY_PROMOTE_DEFAULT = 0, SY_PROMOTE_FLOAT = 1, SY_PROMOTE_COMPARE = 2, SY_PROMOTE_SAME = 3 };
/* What a given output may be: of the result's dtype; of its category or a higher one; anything. */
enum { SY_CAST_SAME = 0, SY_CAST_CAN = 1, SY_CAST_ANY = 2 };
/* What is written and shares memory with an input: computed beside it and copied, or an error. */
enum { SY_OVERLAP_TEMPORARY = 0, SY_OVERLAP_FORBID = 1 };

/* Since 1.3. One output as a rule states it. */
typedef struct SyOutput {
  int64_t* sizes;     /* the host's, room for 64 */
  int64_t* strides;   /* the same, in elements; read where `strided` is 1 */
  uint32_t ndim;      /* SY_NOT_STATED at first */
  uint32_t dtype;     /* SY_NOT_STATED at first */
  uint32_t strided;   /* 0: row-major without gaps */
  uint32_t pointwise; /* 1: element i depends on elements i of the inputs alone */
  int32_t starts_as;  /* of which argument it starts as a copy; in place it is that; -1: of none */
  uint32_t cast;      /* SY_CAST_*, of an output that is given */
} SyOutput;

/* Since 1.3. One question to a rule, which reads `in` and fills the rest. */
typedef struct SyRule SyRule;
struct SyRule {
  uint32_t size;
  uint32_t variant;  /* SY_VARIANT_* */
  const SyValue* in; /* in schema order, defaults filled in; tensors have no data */
  uint32_t n_in;
  uint32_t n_out; /* 0 for a view, which says `view` */
  SyOutput* out;  /* n_out of them, output_stride bytes apart */
  uint32_t output_stride;
  uint32_t compute_dtype; /* by which the kernel is found; SY_NOT_STATED: that of output 0 */
  uint32_t overlap;       /* SY_OVERLAP_* */
  uint32_t reserved;
  void* user; /* SyOperatorDef::user */
  SyError* error;
  /* The host's, for this rule. They answer an error with its text written, which a rule returns. */
  /* Output 0 of a pointwise operator: the operands broadcast, promote, and say how it lies. null
   * operands do not count. */
  int32_t (*state_pointwise)(SyRule* rule, const SyTensor* const* operands, uint32_t n,
                             uint32_t promote) SY_NOEXCEPT;
  /* Output i with the sizes and the order of dimensions of t, as empty_like gives them. */
  int32_t (*state_like)(SyRule* rule, uint32_t i, const SyTensor* t, uint32_t dtype) SY_NOEXCEPT;
  /* The result is a view of the first tensor argument: nothing is computed. offset: in elements,
   * from the start of its storage, as SyRule's `storage_offset` tells that of an argument. */
  int32_t (*state_view)(SyRule* rule, uint32_t ndim, const int64_t* sizes, const int64_t* strides,
                        int64_t offset) SY_NOEXCEPT;
  int64_t (*storage_offset)(const SyTensor* t) SY_NOEXCEPT; /* in elements */
};

/* [any] Checks the arguments by their metadata and states the outputs; takes SyShapeFn's place. */
typedef int32_t (*SyRuleFn)(SyRule* rule) SY_NOEXCEPT;

enum { SY_OPERATOR_IN_PLACE = 1, SY_OPERATOR_OUT = 2 }; /* variants beside the functional one */

/* An operator that the plugin brings. All that it points to is static. */
typedef struct SyOperatorDef {
  uint32_t size;
  uint32_t flags;     /* SY_OPERATOR_* */
  const char* schema; /* "toy::scale(Tensor x, float by) -> Tensor"; names have a namespace */
  SyShapeFn shape;    /* null: kernels give the outputs */
  void* user;
  const char* file;
  int32_t line;
  int32_t reserved;
  /* Since 1.3; `shape` is null then. Of an operator with a rule in-place and out= variants write
   * straight where that is right. */
  SyRuleFn rule;
  /* Since 1.3: the operator that this one is with numbers where that has tensors, "toy::scale" for
   * "toy::scale.Scalar": numbers become 0-dim tensors that give way in promotion. It has neither
   * rule nor kernels of its own then. */
  const char* numbers_for;
} SyOperatorDef;

/* An operator or device that the host does not have: skip the kernel, do not refuse the plugin. */
enum { SY_KERNEL_OPTIONAL = 1 };

/* A kernel, of one of the plugin's operators or of the host's. All that it points to is static. */
typedef struct SyKernelDef {
  uint32_t size;
  uint32_t flags;     /* SY_KERNEL_* */
  const char* op;     /* "add.Tensor": the base variant; in-place and out= variants share it */
  const char* device; /* null: any (an operator written in terms of others) */
  uint64_t dtypes;    /* bits, or SY_ANY_DTYPE; unknown ones are ignored */
  SyKernelFn fn;
  void* user;
  const char* file;
  int32_t line;
  int32_t priority; /* between kernels for one key the higher one is taken */
  /* Since 1.3, null: not checked. As what the function takes its arguments, a letter each, then '>'
   * and a 'T' for each output that it is given; compared with the schema when it is loaded:
   *   Tensor T     Tensor[] L    int i I      int[] l M    float d D    float[] f F
   *   bool b B     bool[] c C    Scalar s S   Scalar[] t U str r R      ScalarType y Y
   *   Device v V   Layout a A    MemoryFormat m N          Generator? g
   * the second one of a pair where it is optional; '?' fits any. "TTs>T": add.Tensor's. */
  const char* signature;
} SyKernelDef;

/* A device type that the plugin brings. name: letters, digits and _, 32 at most. */
typedef struct SyDeviceDef {
  uint32_t size;
  uint32_t reserved;
  const char* name;
  const SyDeviceFunctions* functions;
  void* user; /* given to count and open */
} SyDeviceDef;

/* Since 1.4. A call that a packing serves itself: of an operator whose arguments of the mask are
 * packed so, and no others. `by` takes in place of each of them its parts and its sizes. */
typedef struct SyPackedCall {
  uint32_t size;
  uint32_t reserved;
  const char* op;  /* full names: "mm" */
  const char* by;  /* "toy::mm_blocked" */
  uint64_t packed; /* bit i: argument i */
  /* Since 1.5. 1: the results of `by` are the parts of op's one result, which is packed so, too. */
  uint32_t gives_parts;
  uint32_t reserved_2;
} SyPackedCall;

/* Since 1.4. Tensors that are held as other tensors, which operators of the plugin's make and
 * understand: blocked weights, quantised numbers with their scales. A packed tensor has sizes,
 * dtype and device, and no bytes; kernels never see one. Other calls get unpacked copies. */
typedef struct SyPackingDef {
  uint32_t size;
  uint32_t n_calls;
  const char* name;   /* "toy::blocked" */
  const char* pack;   /* of an operator: (Tensor x, ...) -> Tensor, or several: the parts */
  const char* unpack; /* (parts, int[] sizes, ScalarType dtype) -> Tensor */
  const SyPackedCall* calls;
  uint32_t call_stride;
  uint32_t reserved;
} SyPackingDef;

/* Since 1.5. A layer: calls pass it that a program has switched it on for, in a thread or by a
 * tensor, through FindLayer of its name. Its number is kept for the process: while the plugin is
 * not loaded, calls go through. */
typedef struct SyLayerDef {
  uint32_t size;
  int32_t order;    /* lower ones are further out; the profiler's is 100, the tracer's 200 */
  const char* name; /* "toy::trace" */
  SyLayerFn fn;
  void* user;
} SyLayerDef;

/* Since 1.6. Which operator computes the gradient of one of the plugin's, in programs that
 * record gradients. Arguments of `by` are found by their names: "grad" or "grad_0", "grad_1" …, the
 * gradients of op's results (zeros where none arrived, or None where the argument is optional);
 * "result", "result_0" …, these results; others, op's arguments of these names, of the same types,
 * or defaults. Its results are the gradients of the arguments whose names they have, "-> (Tensor x,
 * Tensor weight)"; of one result without a name, of op's first tensor. */
typedef struct SyGradientDef {
  uint32_t size;
  uint32_t reserved;
  const char* op; /* full names, of the base variant: in-place ones share it */
  const char* by;
} SyGradientDef;

/* What a plugin holds: static data. The host validates all of it, then registers all or nothing. */
typedef struct SyPlugin {
  uint32_t size;
  uint32_t requires_minor; /* of the host */
  const char* name;        /* as in the note */
  const char* version;
  const SyDeviceDef* devices;
  const SyOperatorDef* operators;
  const SyKernelDef* kernels;
  uint32_t n_devices;
  uint32_t device_stride;
  uint32_t n_operators;
  uint32_t operator_stride;
  uint32_t n_kernels;
  uint32_t kernel_stride;
  /* [load] After validation, before registration; when it fails, the plugin is not loaded. */
  int32_t (*init)(const SyHost* host, SyError* error) SY_NOEXCEPT;
  /* [load] Which kernels were taken: 1, or 0 for optional ones that were skipped. */
  void (*committed)(const uint8_t* accepted, uint32_t n) SY_NOEXCEPT;
  /* [load] No call is inside and nothing is alive: join threads. SY_E_BUSY: stays loaded. */
  int32_t (*shutdown)(SyError* error) SY_NOEXCEPT;
  const SyPackingDef* packings; /* since 1.4 */
  uint32_t n_packings;
  uint32_t packing_stride;
  const SyLayerDef* layers; /* since 1.5 */
  uint32_t n_layers;
  uint32_t layer_stride;
  const SyGradientDef* gradients; /* since 1.6 */
  uint32_t n_gradients;
  uint32_t gradient_stride;
} SyPlugin;

/* The only exported symbol. Pure; may be called more than once. Null: cannot serve this host, and
 * the text says why. */
#define SY_PLUGIN_ENTRY sy_plugin_v1
#define SY_PLUGIN_ENTRY_NAME "sy_plugin_v1"
typedef const SyPlugin* (*SyPluginEntry)(uint32_t host_minor, SyError* error)SY_NOEXCEPT;

/* --- The note: read from the file before the object is opened: none of its code runs --------- */

enum { SY_SANITIZER_ADDRESS = 1, SY_SANITIZER_THREAD = 2, SY_SANITIZER_MEMORY = 4 };
/* Built with -fno-gnu-unique, without thread_local destructors, threads joined at shutdown. */
enum { SY_NOTE_UNMAP_OK = 1 };
#define SY_NOTE_SECTION ".note.switchyard"
#define SY_NOTE_OWNER "SYPLUG"
#define SY_NOTE_TYPE 1

/* What an object says of itself before it is opened: a note of ELF. */
typedef struct SyNote {
  uint32_t owner_bytes; /* 7 */
  uint32_t body_bytes;  /* 80: what follows `owner` */
  uint32_t type;
  char owner[8];
  uint32_t major;
  uint32_t minor;
  uint32_t sanitizers;
  uint32_t flags; /* SY_NOTE_* */
  char name[64];
} SyNote;

#if defined(__SANITIZE_ADDRESS__)
#define SY_SANITIZERS SY_SANITIZER_ADDRESS
#elif defined(__SANITIZE_THREAD__)
#define SY_SANITIZERS SY_SANITIZER_THREAD
#elif defined(__has_feature)
#define SY_SANITIZERS                                              \
  ((__has_feature(address_sanitizer) ? SY_SANITIZER_ADDRESS : 0) | \
   (__has_feature(thread_sanitizer) ? SY_SANITIZER_THREAD : 0) |   \
   (__has_feature(memory_sanitizer) ? SY_SANITIZER_MEMORY : 0))
#else
#define SY_SANITIZERS 0
#endif

/* Once per object, at file scope. plugin_name: at most 63 letters. */
#define SY_PLUGIN_NOTE(plugin_name, note_flags)                                               \
  __attribute__((used, section(SY_NOTE_SECTION), aligned(4))) static const SyNote sy_note = { \
      7,                                                                                      \
      80,                                                                                     \
      SY_NOTE_TYPE,                                                                           \
      SY_NOTE_OWNER,                                                                          \
      SY_ABI_MAJOR,                                                                           \
      SY_ABI_MINOR,                                                                           \
      SY_SANITIZERS,                                                                          \
      (note_flags),                                                                           \
      plugin_name}

/* --- Version 1.0, frozen: the least sizes accepted ------------------------------------------- */

#define SY_MIN_SyError 16
#define SY_MIN_SyBuffer 32
#define SY_MIN_SyDeviceFunctions 168
#define SY_MIN_SyOperatorDef 48
#define SY_MIN_SyKernelDef 64
#define SY_MIN_SyDeviceDef 32
#define SY_MIN_SyPlugin 96
#define SY_MIN_SyStateKey 24    /* of 1.3 */
#define SY_MIN_SyPackedCall 32  /* of 1.4 */
#define SY_MIN_SyPackingDef 48  /* of 1.4 */
#define SY_MIN_SyLayerDef 32    /* of 1.5 */
#define SY_MIN_SyGradientDef 24 /* of 1.6 */

#ifdef __cplusplus
}
#endif

#endif /* SWITCHYARD_C_PLUGIN_H_ */
