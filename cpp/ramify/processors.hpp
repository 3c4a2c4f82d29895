// Functions compiled for several processors where that is possible; the one at hand is chosen when the program
// starts.
#pragma once

// Clang does not take templates for this.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RAMIFY_FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
// Where one text does not do for all, or more is asked for: two functions of the same name. Not defined where
// there is but one.
#define RAMIFY_FOR_AVX2 __attribute__((target("avx2,bmi2")))
#define RAMIFY_FOR_OTHERS __attribute__((target("default")))
// A part of the former.
#define RAMIFY_PART_FOR_AVX2 __attribute__((target("avx2,bmi2"), always_inline)) inline
#else
#define RAMIFY_FOR_EACH_PROCESSOR
#endif

// A function that is part of every function that calls it, compiled for the caller's processor: vectors must not
// be handed from one to the other.
#if defined(__GNUC__)
#define RAMIFY_PART_OF_CALLER [[gnu::always_inline]] inline
#define RAMIFY_WITH_ALL_ITS_CALLS [[gnu::flatten]]
#else
#define RAMIFY_PART_OF_CALLER inline
#define RAMIFY_WITH_ALL_ITS_CALLS
#endif

// Asks for memory that will be read soon.
#if defined(__GNUC__)
#define RAMIFY_FETCH(address) __builtin_prefetch(address)
#else
#define RAMIFY_FETCH(address) static_cast<void>(address)
#endif

// Before a loop of a few steps over vectors: so that these can stay in registers.
#if defined(__GNUC__) && !defined(__clang__)
#define RAMIFY_UNROLLED _Pragma("GCC unroll 8")
#elif defined(__clang__)
#define RAMIFY_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define RAMIFY_UNROLLED
#endif
