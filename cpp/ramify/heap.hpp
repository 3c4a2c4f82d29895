// What the heap holds beyond what is in use.
#pragma once

#include <cstddef>  // defines __GLIBC__ where it is

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace ramify {

// Gives free pages back to the system, those between others too. Where large arrays of ever different sizes come
// and go, the heap would keep what it can't fill again.
inline void give_back_free_pages() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace ramify
