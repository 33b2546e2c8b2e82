/* A C program with Switchyard inside: makes a tensor, calls operators by name, reads a result. */

#include <stdio.h>
#include <stdlib.h>

#include "switchyard/c/runtime.h"

static char text[256];
static SyError error = {sizeof(SyError), sizeof(text), text};

static void Check(int32_t code) {
  if (code == SY_OK) return;
  fprintf(stderr, "error %d: %s\n", (int)code, text);
  exit(1);
}

int main(void) {
  const int64_t sizes[] = {2, 2};
  const float numbers[] = {1, 2, 3, 4};
  SyTensor x;
  Check(sy_empty(SY_FLOAT32, 2, sizes, sy_host(), &x, &error));
  Check(sy_write(&x, numbers, sizeof(numbers), &error));

  /* y = x @ (2 * x) */
  const SyValue twice[] = {sy_tensor(&x), sy_int(2)};
  SyValue doubled, y;
  uint32_t n = 1;
  Check(sy_call("mul", twice, 2, NULL, 0, &doubled, &n, &error));
  const SyValue product[] = {sy_tensor(&x), doubled};
  Check(sy_call("matmul", product, 2, NULL, 0, &y, &n, &error));

  float read[4];
  Check(sy_read(y.u.tensor, read, sizeof(read), &error));
  printf("%g %g %g %g\n", read[0], read[1], read[2], read[3]);

  /* Keywords, and an error that names the nearest operator. */
  const SyKeyword dim = {"dim", sy_int(1)};
  SyValue sums;
  Check(sy_call("sum", &y, 1, &dim, 1, &sums, &n, &error));
  char shown[128];
  Check(sy_print(sums.u.tensor, shown, sizeof(shown), &error));
  puts(shown);
  SyValue none;
  if (sy_call("matmull", product, 2, NULL, 0, &none, &n, &error) == SY_E_NOT_FOUND) puts(text);

  sy_free_results(&sums, 1);
  sy_free_results(&y, 1);
  sy_free_results(&doubled, 1);
  sy_release(&x);
  return 0;
}
