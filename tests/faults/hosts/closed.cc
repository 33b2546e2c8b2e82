// An object with operators that is opened and closed, before anything is called and after:
//   closed OBJECT

#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"

int main(int, char** argv) {
  for (int i = 0; i < 3; ++i) {
    void* const object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    dlclose(object);
    const sy::Tensor x = sy::tensor({{3., 4.}, {30., 40.}}), weight = sy::tensor({1., 2.});
    const std::string y = sy::ToString(sy::call("demo::rms_norm", x, weight, 0.).tensor());
    std::printf("%s\n", y.c_str());
    if (y != "tensor([[0.8485, 2.2627],\n        [0.8485, 2.2627]])") return 1;
  }
}
