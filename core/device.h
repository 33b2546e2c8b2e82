// Devices are open: a device type is a name that a backend registers, mapped to a small integer.
// There is no enum.
//
//   Device d = ParseDevice("cuda:1");  d.str() == "cuda:1";
//
// Row 0 stands for "no tensor" and row 1 for the host ("cpu"), which every program has: numbers,
// sizes and printing live there. All other rows are given out in the order in which names are
// registered.
// Owns: names live for the process.
// Threads: any.
#ifndef SWITCHYARD_CORE_DEVICE_H_
#define SWITCHYARD_CORE_DEVICE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

// Index of a device type in the tables of the dispatcher.
using Row = uint16_t;
inline constexpr Row kNoRow = 0;
inline constexpr Row kHostRow = 1;
inline constexpr int kMaxRows = 64;

struct DeviceType {
  Row row = kNoRow;
  SY_API std::string_view name() const;
  friend constexpr bool operator==(DeviceType, DeviceType) = default;
};
inline constexpr DeviceType kHost{kHostRow};

struct Device {
  DeviceType type;
  int16_t index = -1;              // -1: the current device of that type
  SY_API std::string str() const;  // "cpu", "cuda:0"
  friend constexpr bool operator==(Device, Device) = default;
};

// "cpu", "cuda", "cuda:1". Errors: kNotFound for a type that no backend registered,
// kInvalidArgument when malformed.
SY_API Device ParseDevice(std::string_view text);
// The registered type of that name, else row 0.
SY_API DeviceType FindDeviceType(std::string_view name);
// The type of that name, given a row if it had none: what registration calls.
// Errors: kInvalidArgument when malformed or when all rows are taken.
SY_API DeviceType InternDeviceType(std::string_view name);
SY_API int NumRows();  // rows in use are 1 … NumRows() - 1

}  // namespace sy

#endif  // SWITCHYARD_CORE_DEVICE_H_
