/* SPDX-License-Identifier: MIT */
/* Whether the library has acceleration. libwend-core refuses it, and answers the same without. */
#ifndef WEND_TESTS_MODELS_FAST_H
#define WEND_TESTS_MODELS_FAST_H

#include <wend/acceleration.h>

#ifdef TEST_CORE
enum { ACCELERATED = WEND_UNSUPPORTED }; ///< result of wend_map_accelerate() for a map that may have tables
enum { HAS_FAST = 0 };
#define NEEDS_FAST() cr_skip_test("libwend-core has no acceleration")
#else
enum { ACCELERATED = WEND_OK };
enum { HAS_FAST = 1 };
#define NEEDS_FAST() (void)0
#endif

#endif
