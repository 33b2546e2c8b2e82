/* A library that says when it is opened. */
#include <unistd.h>
__attribute__((constructor)) static void Opened(void) {
  static const char text[] = "a library of the user's was opened\n";
  if (write(2, text, sizeof text - 1) < 0) _exit(1);
}
