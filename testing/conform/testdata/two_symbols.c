/* Exports more than its entry point, and does not let itself be taken out of memory. */
#include <stdlib.h>
#include <string.h>

#include "switchyard/c/plugin.h"

static int32_t Allocate(void* device, uint64_t bytes, uint64_t alignment, void* stream,
                        SyBuffer* out, SyError* error) {
  (void)device, (void)alignment, (void)stream, (void)error;
  out->handle = malloc(bytes);
  out->bytes = bytes;
  return out->handle == NULL ? SY_E_OUT_OF_MEMORY : SY_OK;
}
static void Free(void* device, const SyBuffer* buffer, void* stream) {
  (void)device, (void)stream;
  free(buffer->handle);
}
static int32_t Copy(void* device, const SyCopy* c, void* stream, SyError* error) {
  (void)device, (void)stream, (void)error;
  const void* from = c->kind == SY_COPY_HOST_TO_DEVICE
                         ? c->host_source
                         : (const char*)c->source->handle + c->source_offset;
  void* to = c->kind == SY_COPY_DEVICE_TO_HOST
                 ? c->host_destination
                 : (char*)c->destination->handle + c->destination_offset;
  memcpy(to, from, c->bytes);
  return SY_OK;
}
/* Handles are not said to be addresses: for devices without them. */
static const SyDeviceFunctions functions = {
    .size = sizeof(SyDeviceFunctions), .allocate = Allocate, .free = Free, .copy = Copy};
static const SyDeviceDef devices[] = {
    {.size = sizeof(SyDeviceDef), .name = "two_symbols", .functions = &functions}};
static const SyPlugin plugin = {.size = sizeof(SyPlugin),
                                .name = "two_symbols",
                                .version = "1.0",
                                .devices = devices,
                                .n_devices = 1,
                                .device_stride = sizeof(SyDeviceDef)};

SY_PLUGIN_NOTE("two_symbols", 0);
SY_EXPORT const SyPlugin* sy_plugin_v1(uint32_t host_minor, SyError* error) {
  (void)host_minor, (void)error;
  return &plugin;
}
SY_EXPORT int one_too_many(void);
int one_too_many(void) { return 1; }
/* What compilers leave visible of the C++ library, whatever flags say: the digits of std::to_string
 * here, and the guard of something like it. Neither is one too many. */
#define DIGITS "NSt8__detail18__to_chars_10_implIjEEvPcjT_E8__digits"
SY_EXPORT const char digits[] __asm__("_ZZ" DIGITS) = "00";
SY_EXPORT const char guard[] __asm__("_ZGVZ" DIGITS) = "0";
