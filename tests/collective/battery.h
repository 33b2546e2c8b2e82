// The collectives against what they are worked out to be, in whatever world the rank is in: for
// every engine the same.
#ifndef TESTS_COLLECTIVE_BATTERY_H_
#define TESTS_COLLECTIVE_BATTERY_H_

namespace sy::collective {

// [each rank] Returns how many results were compared. Throws an Error at the first that differs.
int RunBattery();

}  // namespace sy::collective

#endif  // TESTS_COLLECTIVE_BATTERY_H_
