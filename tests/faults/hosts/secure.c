/* Whether the process that runs it has more rights than its user: 0 if so. */
#include <sys/auxv.h>
int main(void) { return getauxval(AT_SECURE) != 0 ? 0 : 1; }
