/* A device in C whose memory has no addresses and whose work is queued: what OpenCL and the like
 * look like from the host. Frozen at version 1.0 of the ABI: it includes the header as it was then,
 * and every later host must load it and run it. Nothing in it changes any more. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/testdata/plugin_v1.h"

/* --- Queues: work is done when somebody waits for it ----------------------------------------- */

typedef struct Job {
  struct Job* next;
  int (*run)(struct Job* job); /* 0: done */
  uint64_t sequence;
  char* to;
  const char* from[2];
  uint64_t bytes;
  float value;
} Job;

typedef struct Stream {
  pthread_mutex_t mutex;
  Job *first, **last;
  SyAsyncError failure;
} Stream;

static int Queue(Stream* s, Job job) {
  Job* copy = malloc(sizeof(Job));
  if (copy == NULL) return SY_E_OUT_OF_MEMORY;
  *copy = job;
  copy->next = NULL;
  pthread_mutex_lock(&s->mutex);
  *s->last = copy;
  s->last = &copy->next;
  pthread_mutex_unlock(&s->mutex);
  return SY_OK;
}

static void Drain(Stream* s) {
  pthread_mutex_lock(&s->mutex);
  while (s->first != NULL) {
    Job* job = s->first;
    s->first = job->next;
    if (job->run(job) != 0 && s->failure.code == SY_OK) {
      s->failure.code = SY_E_ASYNC;
      s->failure.sequence = job->sequence;
      strcpy(s->failure.text, "the queue has failed");
    }
    free(job);
  }
  s->last = &s->first;
  pthread_mutex_unlock(&s->mutex);
}

/* Handles are no addresses: whoever uses one as such crashes. */
static void* Hide(void* p) { return (void*)~(uintptr_t)p; }
static char* Memory(const SyBuffer* b) { return (char*)~(uintptr_t)b->handle; }

static int RunCopy(Job* j) {
  memcpy(j->to, j->from[0], j->bytes);
  return 0;
}
static int RunFree(Job* j) {
  free(j->to);
  return 0;
}
static int RunFill(Job* j) {
  for (uint64_t i = 0; i < j->bytes / sizeof(float); ++i) ((float*)j->to)[i] = j->value;
  return 0;
}
static int RunAdd(Job* j) {
  if (getenv("OPAQUE_FAILS") != NULL) return 1;
  for (uint64_t i = 0; i < j->bytes / sizeof(float); ++i) {
    ((float*)j->to)[i] = ((const float*)j->from[0])[i] + j->value * ((const float*)j->from[1])[i];
  }
  return 0;
}

/* --- The device ------------------------------------------------------------------------------ */

static int32_t Open(void* user, int32_t index, void** device, SyError* error) {
  (void)user, (void)error;
  int32_t* d = malloc(sizeof(int32_t));
  if (d == NULL) return SY_E_OUT_OF_MEMORY;
  *d = index;
  *device = d;
  return SY_OK;
}
static void Close(void* device) { free(device); }

static int32_t Properties(void* device, SyDeviceProperties* out, SyError* error) {
  (void)device, (void)error;
  out->capabilities = SY_DEVICE_ASYNC;
  return SY_OK;
}

static int32_t Allocate(void* device, uint64_t bytes, uint64_t alignment, void* stream,
                        SyBuffer* out, SyError* error) {
  (void)device, (void)alignment, (void)stream, (void)error;
  void* p = malloc(bytes);
  if (p == NULL) return SY_E_OUT_OF_MEMORY;
  out->handle = Hide(p);
  out->bytes = bytes;
  return SY_OK;
}
static void Free(void* device, const SyBuffer* buffer, void* stream) {
  (void)device;
  Job job = {.run = RunFree, .to = Memory(buffer)};
  if (Queue(stream, job) != SY_OK) {
    Drain(stream);
    free(job.to);
  }
}

static int32_t Copy(void* device, const SyCopy* c, void* stream, SyError* error) {
  (void)device, (void)error;
  Job job = {.run = RunCopy, .bytes = c->bytes};
  job.from[0] = c->kind == SY_COPY_HOST_TO_DEVICE ? (const char*)c->host_source
                                                  : Memory(c->source) + c->source_offset;
  job.to = c->kind == SY_COPY_DEVICE_TO_HOST ? (char*)c->host_destination
                                             : Memory(c->destination) + c->destination_offset;
  return Queue(stream, job);
}

static int32_t StreamCreate(void* device, int32_t priority, void** out, SyError* error) {
  (void)device, (void)priority, (void)error;
  Stream* s = calloc(1, sizeof(Stream));
  if (s == NULL) return SY_E_OUT_OF_MEMORY;
  pthread_mutex_init(&s->mutex, NULL);
  s->last = &s->first;
  *out = s;
  return SY_OK;
}
static void StreamDestroy(void* device, void* stream) {
  (void)device;
  Drain(stream);
  pthread_mutex_destroy(&((Stream*)stream)->mutex);
  free(stream);
}
static int32_t StreamSynchronize(void* device, void* stream, SyAsyncError* error) {
  (void)device;
  Drain(stream);
  const SyAsyncError* f = &((Stream*)stream)->failure;
  if (f->code == SY_OK) return SY_OK;
  error->code = f->code;
  error->sequence = f->sequence;
  memcpy(error->text, f->text, sizeof(error->text));
  return f->code;
}

/* An event is the stream it was recorded on. */
static int32_t EventCreate(void* device, uint32_t timed, void** out, SyError* error) {
  (void)device, (void)timed, (void)error;
  *out = calloc(1, sizeof(Stream*));
  return *out == NULL ? SY_E_OUT_OF_MEMORY : SY_OK;
}
static void EventDestroy(void* device, void* event) {
  (void)device;
  free(event);
}
static int32_t EventRecord(void* device, void* event, void* stream) {
  (void)device;
  *(Stream**)event = stream;
  return SY_OK;
}
static int32_t EventWait(void* device, void* event, void* stream) {
  (void)device, (void)stream;
  Drain(*(Stream**)event);
  return SY_OK;
}
static int32_t EventSynchronize(void* device, void* event, SyAsyncError* error) {
  return StreamSynchronize(device, *(Stream**)event, error);
}
static int32_t EventQuery(void* device, void* event) {
  (void)device;
  return (*(Stream**)event)->first == NULL ? SY_OK : SY_E_NOT_READY;
}
static int32_t EventElapsed(void* device, void* from, void* to, uint64_t* nanoseconds) {
  (void)device, (void)from, (void)to;
  *nanoseconds = 0;
  return SY_OK;
}

static const SyDeviceFunctions functions = {
    .size = sizeof(SyDeviceFunctions),
    .open = Open,
    .close = Close,
    .properties = Properties,
    .allocate = Allocate,
    .free = Free,
    .copy = Copy,
    .stream_create = StreamCreate,
    .stream_destroy = StreamDestroy,
    .stream_synchronize = StreamSynchronize,
    .event_create = EventCreate,
    .event_destroy = EventDestroy,
    .event_record = EventRecord,
    .event_wait = EventWait,
    .event_synchronize = EventSynchronize,
    .event_query = EventQuery,
    .event_elapsed = EventElapsed,
};

/* --- Operators and kernels ------------------------------------------------------------------- */

static char* Data(const SyTensor* t) { return Memory(t->buffer) + t->byte_offset; }

static int32_t Fill(SyCall* c) {
  const SyTensor* out = c->out[0];
  if (out->numel == 0) return SY_OK;
  if ((out->flags & SY_TENSOR_CONTIGUOUS) == 0 || out->dtype != SY_FLOAT32) return SY_DECLINED;
  const SyValue* v = &c->in[1];
  const float value = v->tag == SY_V_DOUBLE ? (float)v->u.d : (float)v->u.i;
  const Job job = {.run = RunFill,
                   .to = Data(out),
                   .bytes = (uint64_t)out->numel * sizeof(float),
                   .value = value,
                   .sequence = c->sequence};
  return Queue(c->stream, job);
}

static int Plain(const SyTensor* t, const SyTensor* like) {
  return t->buffer != NULL && t->dtype == SY_FLOAT32 && t->numel == like->numel &&
         (t->flags & SY_TENSOR_CONTIGUOUS) != 0;
}

static int32_t Add(SyCall* c) {
  const SyTensor *out = c->out[0], *a = c->in[0].u.tensor, *b = c->in[1].u.tensor;
  if (!Plain(out, out) || !Plain(a, out) || !Plain(b, out)) return SY_DECLINED;
  const SyValue* alpha = &c->in[2];
  const Job job = {.run = RunAdd,
                   .to = Data(out),
                   .from = {Data(a), Data(b)},
                   .bytes = (uint64_t)out->numel * sizeof(float),
                   .value = alpha->tag == SY_V_DOUBLE ? (float)alpha->u.d : (float)alpha->u.i,
                   .sequence = c->sequence};
  return Queue(c->stream, job);
}

/* x: [n]   →   [2 n], x twice */
static int32_t TwiceShape(const SyValue* in, uint32_t n_in, SyMeta* out, uint32_t n_out, void* user,
                          SyError* error) {
  (void)n_in, (void)n_out, (void)user;
  const SyTensor* x = in[0].u.tensor;
  if (x->ndim != 1) {
    strncpy(error->text, "x must have one dimension", error->capacity);
    return SY_E_INVALID_ARGUMENT;
  }
  out[0].ndim = 1;
  out[0].sizes[0] = 2 * x->sizes[0];
  out[0].dtype = x->dtype;
  return SY_OK;
}
static int32_t Twice(SyCall* c) {
  const SyTensor *out = c->out[0], *x = c->in[0].u.tensor;
  if (!Plain(x, x)) return SY_DECLINED;
  for (int i = 0; i < 2; ++i) {
    const uint64_t bytes = (uint64_t)x->numel * sizeof(float);
    const Job job = {
        .run = RunCopy, .to = Data(out) + i * bytes, .from = {Data(x)}, .bytes = bytes};
    const int32_t code = Queue(c->stream, job);
    if (code != SY_OK) return code;
  }
  return SY_OK;
}

static const SyDeviceDef devices[] = {
    {.size = sizeof(SyDeviceDef), .name = "opaque", .functions = &functions}};
static const SyOperatorDef operators[] = {{.size = sizeof(SyOperatorDef),
                                           .schema = "opaque::twice(Tensor x) -> Tensor",
                                           .shape = TwiceShape,
                                           .file = "opaque.c",
                                           .line = 1}};
static const SyKernelDef kernels[] = {
    {.size = sizeof(SyKernelDef),
     .op = "fill.Scalar",
     .device = "opaque",
     .dtypes = SY_BIT(SY_FLOAT32),
     .fn = Fill,
     .file = "opaque.c",
     .line = 2},
    {.size = sizeof(SyKernelDef),
     .op = "add.Tensor",
     .device = "opaque",
     .dtypes = SY_BIT(SY_FLOAT32),
     .fn = Add,
     .file = "opaque.c",
     .line = 3},
    {.size = sizeof(SyKernelDef),
     .op = "opaque::twice",
     .device = "opaque",
     .dtypes = SY_BIT(SY_FLOAT32),
     .fn = Twice,
     .file = "opaque.c",
     .line = 4},
};

static const SyPlugin plugin = {
    .size = sizeof(SyPlugin),
    .name = "opaque",
    .version = "1.0",
    .devices = devices,
    .n_devices = 1,
    .device_stride = sizeof(SyDeviceDef),
    .operators = operators,
    .n_operators = 1,
    .operator_stride = sizeof(SyOperatorDef),
    .kernels = kernels,
    .n_kernels = 3,
    .kernel_stride = sizeof(SyKernelDef),
};

SY_EXPORT const SyPlugin* sy_plugin_v1(uint32_t host_minor, SyError* error) {
  (void)host_minor, (void)error;
  return &plugin;
}
SY_PLUGIN_NOTE("opaque", SY_NOTE_UNMAP_OK);
