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

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define SY_NOEXCEPT noexcept
#else
#define SY_NOEXCEPT
#endif

#define SY_ABI_MAJOR 1
#define SY_ABI_MINOR 2

/* Whether the filler of *p knew the field. */
#define SY_HAS(T, p, field) ((p)->size >= offsetof(T, field) + sizeof((p)->field))

/* --- Errors ---------------------------------------------------------------------------------- */

enum {
  SY_OK = 0,
  SY_DECLINED = 1, /* kernels only: nothing written or queued; the next candidate is tried */
  SY_E_INVALID_ARGUMENT = 2,
  SY_E_INVALID_VALUE = 3, /* a value inside a tensor is unacceptable */
  SY_E_OUT_OF_MEMORY = 4,
  SY_E_UNSUPPORTED = 5,
  SY_E_DEVICE_LOST = 6,
  SY_E_ASYNC = 7, /* work that was queued before has failed */
  SY_E_BUSY = 8,
  SY_E_NOT_READY = 9, /* an event that has not happened yet; not a failure */
  SY_E_FORKED = 10,   /* the device does not work in the child of a fork */
  SY_E_SHUTDOWN = 11, /* the host no longer serves this plugin */
  SY_E_INTERNAL = 12,
  SY_E_NOT_FOUND = 13
};

/* Where an error's text goes: at most `capacity` bytes with the closing zero. */
typedef struct SyError {
  uint32_t size;
  uint32_t capacity;
  char* text;
} SyError;

/* --- Values ---------------------------------------------------------------------------------- */

/* Element types. A set of them is a word with the bit of each. */
enum {
  SY_BOOL = 0,
  SY_UINT8 = 1,
  SY_INT8 = 2,
  SY_INT16 = 3,
  SY_INT32 = 4,
  SY_INT64 = 5,
  SY_UINT16 = 6,
  SY_UINT32 = 7,
  SY_UINT64 = 8,
  SY_FLOAT16 = 9,
  SY_BFLOAT16 = 10,
  SY_FLOAT32 = 11,
  SY_FLOAT64 = 12,
  SY_COMPLEX32 = 13,
  SY_COMPLEX64 = 14,
  SY_COMPLEX128 = 15,
  SY_FLOAT8_E4M3FN = 16,
  SY_FLOAT8_E5M2 = 17
};
#define SY_BIT(dtype) (UINT64_C(1) << (dtype))
#define SY_ANY_DTYPE UINT64_MAX /* every one, present and future */

/* Memory of a device, filled by its `allocate`. A handle need not be an address. The host copies
 * the struct and never computes with `handle`. */
typedef struct SyBuffer {
  uint32_t size;
  uint32_t reserved;
  void* handle;
  uint64_t bytes;
  void* context; /* the plugin's own */
} SyBuffer;

/* A counted tensor of the host: retain and release [any]. */
typedef struct SyTensorRef_* SyTensorRef;

enum {
  SY_TENSOR_CONTIGUOUS = 1,    /* row-major without gaps */
  SY_TENSOR_WRAPPED_NUMBER = 2 /* made from a number */
};

/* Rows of devices that every host has. */
enum { SY_DEVICE_NONE = 0, SY_DEVICE_HOST = 1 };

/* A borrowed view, filled by the host as its own minor version says. */
typedef struct SyTensor {
  void* data; /* first element; null unless kernels of this device may compute with it */
  const SyBuffer* buffer; /* of the called plugin's own devices; null elsewhere and when empty */
  uint64_t byte_offset;   /* of the first element in the buffer */
  const int64_t* sizes;   /* ndim entries */
  const int64_t* strides; /* ndim entries, in elements, may be 0 */
  int64_t numel;
  uint32_t ndim;
  uint32_t dtype;
  int32_t device; /* SY_DEVICE_HOST, or the row of another device */
  int32_t index;
  uint64_t flags;  /* SY_TENSOR_*; unknown bits are ignored */
  SyTensorRef ref; /* borrowed */
} SyTensor;

typedef struct SyDevice {
  uint16_t row;
  int16_t index; /* -1: the current one */
} SyDevice;

enum {
  SY_V_NONE = 0, /* an absent optional, an undefined tensor */
  SY_V_BOOL = 1,
  SY_V_INT = 2,
  SY_V_UINT = 3, /* a number past int64 */
  SY_V_DOUBLE = 4,
  SY_V_COMPLEX = 5, /* list: double[2] */
  SY_V_STRING = 6,  /* text, length; no closing zero */
  SY_V_TENSOR = 7,
  SY_V_INTS = 8,     /* list: int64_t[length] */
  SY_V_DOUBLES = 9,  /* list: double[length] */
  SY_V_BOOLS = 10,   /* list: uint8_t[length] */
  SY_V_TENSORS = 11, /* list: const SyTensor*[length], null where undefined */
  SY_V_SCALARS = 12, /* list: SyValue[length] */
  SY_V_DTYPE = 13,
  SY_V_DEVICE = 14,
  SY_V_LAYOUT = 15,
  SY_V_MEMORY_FORMAT = 16,
  SY_V_GENERATOR = 17
};

/* One argument of any schema type. Never grows. */
typedef struct SyValue {
  uint32_t tag;
  uint32_t length;
  union {
    int64_t i;
    double d;
    const void* list;
    const char* text;
    const SyTensor* tensor;
    SyDevice device;
  } u;
} SyValue;

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
      out;       /* allocated by the shape rule; null entries where there is no rule: */
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

/* What the host offers. Static for the process; after a plugin is unloaded it must not be used.
 * Functions that take a SyCall work inside that call of a kernel, in its thread. */
struct SyHost {
  uint32_t size;
  uint32_t minor;
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
  /* Gives output i of an operator without a shape rule. Takes the reference, also on error. */
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
};

/* --- Devices --------------------------------------------------------------------------------- */

enum {
  SY_DEVICE_ASYNC = 1,        /* kernels and copies may return before they are done */
  SY_DEVICE_ADDRESSES = 2,    /* handles are addresses that kernels may compute with */
  SY_DEVICE_HOST_VISIBLE = 4, /* and that the host's code may read and write */
  SY_DEVICE_FORK_SAFE = 8     /* works in the child of a fork */
};

typedef struct SyDeviceProperties {
  uint32_t size;
  uint32_t capabilities; /* SY_DEVICE_* */
  const char* hardware;  /* static; may be null */
  const char* driver;    /* static; may be null */
  uint64_t total_bytes;  /* 0: unknown */
  uint64_t alignment;    /* of allocations; 0: as asked */
} SyDeviceProperties;

typedef struct SyMemoryStats {
  uint32_t size;
  uint32_t reserved;
  uint64_t allocated_bytes;
  uint64_t peak_bytes;
  uint64_t cached_bytes; /* held from the system beyond what is allocated */
  uint64_t allocations;
  uint64_t frees;
} SyMemoryStats;

enum { SY_COPY_HOST_TO_DEVICE = 0, SY_COPY_DEVICE_TO_HOST = 1, SY_COPY_WITHIN_DEVICE = 2 };

/* Dense bytes; source and destination never overlap. */
typedef struct SyCopy {
  uint32_t size;
  uint32_t kind;
  const SyBuffer* source; /* null: host_source */
  const SyBuffer* destination;
  const void* host_source;
  void* host_destination;
  uint64_t source_offset;
  uint64_t destination_offset;
  uint64_t bytes;
} SyCopy;

/* How memory of one device is reached by another one. */
enum {
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

/* `device` is what `open` gave. Required: allocate, free, copy; all others may be null. Streams and
 * events: all of them or none; the first stream that is created is the default one, destroyed last.
 * Work on a stream is done in order. Events are recorded again and again, an event and the streams
 * it meets are of one device. A wait reports the first failure of what it waits for.
 * After SY_E_DEVICE_LOST only those that give back are called: free, host_free, unshare, abandon,
 * *_destroy and close; they must succeed. */
typedef struct SyDeviceFunctions {
  uint32_t size;
  uint32_t reserved;
  /* [any] Devices there are; null: 1. 0 is no error: the text says why there are none. */
  int32_t (*count)(void* user, int32_t* n, SyError* reason) SY_NOEXCEPT;
  /* Once per index, at first use. */
  int32_t (*open)(void* user, int32_t index, void** device, SyError* error) SY_NOEXCEPT;
  void (*close)(void* device) SY_NOEXCEPT; /* nothing of it is alive */
  int32_t (*properties)(void* device, SyDeviceProperties* out, SyError* error) SY_NOEXCEPT;
  /* [any] bytes > 0. */
  int32_t (*allocate)(void* device, uint64_t bytes, uint64_t alignment, void* stream, SyBuffer* out,
                      SyError* error) SY_NOEXCEPT;
  /* [any] After what the stream has been given, which is the one that `allocate` got. */
  void (*free)(void* device, const SyBuffer* buffer, void* stream) SY_NOEXCEPT;
  int32_t (*trim)(void* device) SY_NOEXCEPT; /* gives caches back; allocate is then tried again */
  int32_t (*memory_stats)(void* device, SyMemoryStats* out) SY_NOEXCEPT;
  /* [any] stream null: done when it returns. Else host memory stays until the copy is done. */
  int32_t (*copy)(void* device, const SyCopy* copy, void* stream, SyError* error) SY_NOEXCEPT;
  /* All work of the device is done; its first failure since the last call. */
  int32_t (*synchronize)(void* device, SyAsyncError* error) SY_NOEXCEPT;
  int32_t (*stream_create)(void* device, int32_t priority, void** out, SyError* error) SY_NOEXCEPT;
  void (*stream_destroy)(void* device, void* stream) SY_NOEXCEPT;
  int32_t (*stream_synchronize)(void* device, void* stream, SyAsyncError* error) SY_NOEXCEPT;
  int32_t (*event_create)(void* device, uint32_t timed, void** out, SyError* error) SY_NOEXCEPT;
  void (*event_destroy)(void* device, void* event) SY_NOEXCEPT;
  int32_t (*event_record)(void* device, void* event, void* stream) SY_NOEXCEPT;
  int32_t (*event_wait)(void* device, void* event, void* stream) SY_NOEXCEPT; /* the stream waits */
  int32_t (*event_synchronize)(void* device, void* event, SyAsyncError* error) SY_NOEXCEPT;
  int32_t (*event_query)(void* device, void* event) SY_NOEXCEPT; /* SY_OK, SY_E_NOT_READY, … */
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
} SyDeviceFunctions;

/* --- Registration ---------------------------------------------------------------------------- */

/* What a shape rule states of an output. Arrays are the host's, with room for 64. Never grows. */
typedef struct SyMeta {
  int64_t* sizes;
  uint32_t ndim;
  uint32_t dtype;
} SyMeta;

/* [any] Checks the arguments by their metadata and states the outputs. Tensors have no data. */
typedef int32_t (*SyShapeFn)(const SyValue* in, uint32_t n_in, SyMeta* out, uint32_t n_out,
                             void* user, SyError* error) SY_NOEXCEPT;

enum { SY_OPERATOR_IN_PLACE = 1, SY_OPERATOR_OUT = 2 }; /* forms beside the functional one */

typedef struct SyOperatorDef {
  uint32_t size;
  uint32_t flags;     /* SY_OPERATOR_* */
  const char* schema; /* "toy::scale(Tensor x, float by) -> Tensor"; names have a namespace */
  SyShapeFn shape;    /* null: kernels give the outputs */
  void* user;
  const char* file;
  int32_t line;
  int32_t reserved;
} SyOperatorDef;

/* An operator or device that the host does not have: skip the kernel, do not refuse the plugin. */
enum { SY_KERNEL_OPTIONAL = 1 };

typedef struct SyKernelDef {
  uint32_t size;
  uint32_t flags;     /* SY_KERNEL_* */
  const char* op;     /* "add.Tensor": the base form; in-place and out= forms share it */
  const char* device; /* null: any (an operator written in terms of others) */
  uint64_t dtypes;    /* bits, or SY_ANY_DTYPE; unknown ones are ignored */
  SyKernelFn fn;
  void* user;
  const char* file;
  int32_t line;
  int32_t priority; /* between kernels for one key the higher one is taken */
} SyKernelDef;

typedef struct SyDeviceDef {
  uint32_t size;
  uint32_t reserved;
  const char* name;
  const SyDeviceFunctions* functions;
  void* user;
} SyDeviceDef;

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
} SyPlugin;

/* The only exported symbol. Pure; may be called more than once. Null: cannot serve this host, and
 * the text says why. */
#define SY_PLUGIN_ENTRY sy_plugin_v1
#define SY_PLUGIN_ENTRY_NAME "sy_plugin_v1"
typedef const SyPlugin* (*SyPluginEntry)(uint32_t host_minor, SyError* error)SY_NOEXCEPT;
#define SY_EXPORT __attribute__((visibility("default")))

/* --- The note: read from the file before the object is opened: none of its code runs --------- */

enum { SY_SANITIZER_ADDRESS = 1, SY_SANITIZER_THREAD = 2, SY_SANITIZER_MEMORY = 4 };
/* Built with -fno-gnu-unique, without thread_local destructors, threads joined at shutdown. */
enum { SY_NOTE_UNMAP_OK = 1 };
#define SY_NOTE_SECTION ".note.switchyard"
#define SY_NOTE_OWNER "SYPLUG"
#define SY_NOTE_TYPE 1

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

#ifdef __cplusplus
}
#endif

#endif /* SWITCHYARD_C_PLUGIN_H_ */
