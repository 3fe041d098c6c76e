/* SPDX-License-Identifier: MIT */
/* The memory of a world and of its named objects. A script that has marks opens the heap, which is an arena
 * (wend/mark.h): then all of that goes back together. Else it is the C library's. One heap for the process. */
#ifndef WEND_SRC_CLI_WORLD_HEAP_H
#define WEND_SRC_CLI_WORLD_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include <wend/mark.h>

/// Opens it, before anything of the world is made. @param marks   how many it can have
wend_error cli_heap_open(uint32_t marks);
/// Closes the heap, if it is open. @return WEND_OK, WEND_IN_USE (some memory was not returned: a bug, and lost)
wend_error cli_heap_close(void);
/// Returns the arena; NULL: it is not open.
wend_arena *cli_heap_arena(void);
/// Returns the allocator for maps and small objects; services and crowds have cli_lazy_allocator().
wend_allocator cli_heap_allocator(void);

/* As their namesakes of the C library. Their memory may be passed only to each other. */

void *cli_alloc(size_t bytes);
void *cli_alloc_zero(size_t count, size_t bytes);
void *cli_grow(void *memory, size_t bytes);
char *cli_copy_text(const char *text, size_t length);
void cli_free(void *memory);

/// As WEND__ARRAY_ROOM().
#define CLI_ARRAY_ROOM(array, capacity, wanted)                                                                        \
    ((wanted) <= (capacity) || wend__array_grow(cli_grow, &(array), &(capacity), (wanted), sizeof *(array)))

#endif
