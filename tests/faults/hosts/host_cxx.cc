// A program in C++ that opens the shim while it runs:  host_cxx SHIM
// What belongs to the C++ library is the program's: its streams, locale and handlers.

#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <iomanip>
#include <iostream>
#include <locale>
#include <new>
#include <sstream>
#include <string>

namespace {

std::string StateOf(const std::ostream& s) {
  std::ostringstream text;
  text << s.flags() << " " << s.precision() << " " << s.width() << " " << int{s.fill()} << " "
       << s.exceptions() << " " << s.rdstate() << " " << s.rdbuf() << " " << s.tie() << " "
       << s.getloc().name();
  return text.str();
}
std::string State() {
  std::ostringstream text;
  text << StateOf(std::cout) << "\n"
       << StateOf(std::cerr) << "\n"
       << StateOf(std::clog) << "\n"
       << std::locale().name() << "\n"
       << reinterpret_cast<void*>(std::get_terminate()) << "\n"
       << reinterpret_cast<void*>(std::get_new_handler()) << "\n"
       << std::uncaught_exceptions();
  return text.str();
}

[[noreturn]] void Terminate() { std::abort(); }

}  // namespace

int main(int, char** argv) {
  std::ostringstream printed;
  std::streambuf* const before_stream = std::cout.rdbuf(printed.rdbuf());
  std::cout << std::hex << std::setprecision(3) << std::setfill('*') << std::showpos;
  std::set_terminate(Terminate);
  const std::string before = State();
  void* const shim = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (shim == nullptr) {
    std::cerr << dlerror() << "\n";
    return 1;
  }
  bool failed = false;
  for (const char* name : {"shim_use", "shim_print"}) {
    const auto call = reinterpret_cast<const char* (*)()>(dlsym(shim, name));
    const std::string error = call();
    if (!error.empty()) std::cerr << name << ": " << error << "\n";
    if (State() != before) std::cerr << name << " changes:\n" << before << "\nto\n" << State();
    failed |= !error.empty() || State() != before;
  }
  std::cout.rdbuf(before_stream);
  if (printed.str() != "tensor([1.5000, 2.0000])\n") {
    std::fprintf(stderr, "printed: %s\n", printed.str().c_str());
    failed = true;
  }
  return failed ? 1 : 0;
}
