// Few of something, mostly no more than kFew, which then take no memory of their own. As
// absl::InlinedVector, of what recording needs of it; a third of its instructions, and every
// recorded call makes four.
#ifndef AUTOGRAD_FEW_INTERNAL_H_
#define AUTOGRAD_FEW_INTERNAL_H_

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "switchyard/core/macros.h"

namespace sy::autograd {

template <class T, uint32_t kFew>
class Few {
 public:
  Few() {}  // NOLINT: what is not used is not written
  Few(Few&& o) noexcept { Take(o); }
  Few& operator=(Few&& o) noexcept {
    if (this == &o) return *this;
    Destroy();
    Take(o);
    return *this;
  }
  ~Few() { Destroy(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return room_ == kFew ? reinterpret_cast<T*>(few_) : many_; }
  const T* data() const { return const_cast<Few*>(this)->data(); }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  operator std::span<const T>() const { return {data(), size_}; }  // NOLINT: they are read as one

  // Errors: std::bad_alloc beyond kFew, and then nothing is changed; likewise resize.
  template <class... A>
  T& emplace_back(A&&... a) {
    if (size_ == room_) [[unlikely]]
      Grow(size_t{size_} * 2);
    T* at = new (data() + size_) T(std::forward<A>(a)...);
    ++size_;
    return *at;
  }
  void push_back(T x) { emplace_back(std::move(x)); }
  void resize(size_t n) {
    if (n > room_) [[unlikely]]
      Grow(n);
    while (size_ > n) data()[--size_].~T();
    for (; size_ < n; ++size_) new (data() + size_) T();
  }
  void clear() {
    T* const first = data();
    while (size_ != 0) first[--size_].~T();
  }

 private:
  void Take(Few& o) noexcept {
    if (o.room_ != kFew) {
      many_ = o.many_;
      room_ = std::exchange(o.room_, kFew);
      size_ = std::exchange(o.size_, 0);
      return;
    }
    T *const from = o.data(), *const to = reinterpret_cast<T*>(few_);
    for (uint32_t i = 0; i < o.size_; ++i) {
      new (to + i) T(std::move(from[i]));
      from[i].~T();
    }
    size_ = std::exchange(o.size_, 0);
  }
  void Destroy() {
    clear();
    if (room_ == kFew) [[likely]]
      return;
    std::allocator<T>().deallocate(many_, room_);
    room_ = kFew;
  }
  SY_COLD void Grow(size_t room) {
    T* to = std::allocator<T>().allocate(room);
    T* const from = data();
    for (uint32_t i = 0; i < size_; ++i) {
      new (to + i) T(std::move(from[i]));
      from[i].~T();
    }
    if (room_ != kFew) std::allocator<T>().deallocate(many_, room_);
    many_ = to;
    room_ = static_cast<uint32_t>(room);
  }

  uint32_t size_ = 0, room_ = kFew;  // room_: kFew as long as they lie here
  union {
    T* many_;
    alignas(T) char few_[kFew * sizeof(T)];
  };
};

}  // namespace sy::autograd

#endif  // AUTOGRAD_FEW_INTERNAL_H_
