/* SPDX-License-Identifier: MIT */
/* Internal: sorting of numbers. */
#ifndef WEND_SRC_MAP_STORE_SORT_H
#define WEND_SRC_MAP_STORE_SORT_H

#include "base/base.h"

/// Sort numbers; scratch has room for as many.
void wend__sort_numbers(uint64_t *numbers, uint64_t *scratch, size_t count);

#endif
