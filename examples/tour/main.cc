#include "tour.h"

int main() {
  tour::Creation();
  tour::Arithmetic();
  tour::MoreMath();
  tour::InPlace();
  tour::Devices();
  tour::Shapes();
  tour::IndexCopy();
  tour::Dispatch();
  tour::Accelerator();
}
