// Devices are open: a device type is a name that a backend registers, mapped to a small integer.
// There is no enum.
//
//   Device d = "cuda:1";  d.str() == "cuda:1";
//   Tensor x = sy::zeros({2, 3}, {.device = "cuda"});
//
// Row 0 stands for "no tensor" and row 1 for the host ("cpu"), which every program has: numbers,
// sizes and printing live there. All other rows are given out in the order in which names are
// registered.
// Owns: names live for the process.
// Threads: any.
// Errors: making a Device of a text throws what ParseDevice does.
#ifndef SWITCHYARD_CORE_DEVICE_H_
#define SWITCHYARD_CORE_DEVICE_H_

#include <concepts>
#include <cstddef>
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

// A row, so that comparing two is comparing numbers. ATen's DeviceType is an enum of those it
// knows.
struct DeviceType {
  Row row = kNoRow;
  // "cpu", "cuda"; "undefined" of row 0. Lives for the process.
  SY_API std::string_view name() const;
  friend constexpr bool operator==(DeviceType, DeviceType) = default;
};
inline constexpr DeviceType kHost{kHostRow};

// What names a device: "cuda:0" in any form but a null pointer.
template <class T>
concept DeviceText = std::convertible_to<T, std::string_view> && !std::same_as<T, std::nullptr_t>;

// A type and an index: four bytes, passed by value. The host's index is -1.
struct Device {
  DeviceType type;
  int16_t index = -1;  // -1: the current device of that type

  constexpr Device() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Device(DeviceType t, int16_t i = -1) : type(t), index(i) {}
  template <DeviceText T>
  Device(const T& text);           // NOLINT(google-explicit-constructor): as ParseDevice
  SY_API std::string str() const;  // "cpu", "cuda:0"
  friend constexpr bool operator==(Device, Device) = default;
};
inline constexpr Device kCpu{kHost};

// "cpu", "cuda", "cuda:1". Errors: kNotFound for a type that no backend registered,
// kInvalidArgument when malformed.
SY_API Device ParseDevice(std::string_view text);
template <DeviceText T>
Device::Device(const T& text) : Device(ParseDevice(text)) {}
// The registered type of that name, else row 0: a way to ask without an error.
SY_API DeviceType FindDeviceType(std::string_view name);
// The type of that name, given a row if it had none: what registration calls. A name has at most 32
// letters, digits and _, and begins with no digit.
// Errors: kInvalidArgument when malformed or when all rows are taken.
SY_API DeviceType InternDeviceType(std::string_view name);
SY_API int NumRows();  // rows in use are 1 … NumRows() - 1

}  // namespace sy

#endif  // SWITCHYARD_CORE_DEVICE_H_
