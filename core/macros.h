// Compiler spellings used across the tree.
#ifndef SWITCHYARD_CORE_MACROS_H_
#define SWITCHYARD_CORE_MACROS_H_

// Everything is compiled with hidden visibility; what other shared objects may use is marked.
#define SY_API __attribute__((visibility("default")))

// Out of the way of hot code: error paths, first calls.
#define SY_COLD __attribute__((noinline, cold))

#define SY_NOINLINE __attribute__((noinline))
#define SY_INLINE inline __attribute__((always_inline))

// Thread-local data of the heart is read on every call; this model reads it in one instruction.
#define SY_INITIAL_EXEC __attribute__((tls_model("initial-exec")))

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SY_SANITIZED 1
#endif
#endif
#ifndef SY_SANITIZED
#define SY_SANITIZED 0
#endif

#endif  // SWITCHYARD_CORE_MACROS_H_
