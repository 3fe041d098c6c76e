/* SPDX-License-Identifier: MIT */
/* Arrays that grow by doubling. */
#include "lab/shared/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool array_room(void *array, size_t *capacity, size_t wanted, size_t element_bytes) {
    char *old;
    size_t larger = *capacity < 256 ? 256 : *capacity;
    if (wanted <= *capacity) return true;
    while (larger < wanted && larger <= SIZE_MAX / 2) larger *= 2;
    if (larger < wanted || larger > SIZE_MAX / element_bytes) return false;
    memcpy(&old, array, sizeof old); /* a pointer of any type */
    char *moved = realloc(old, larger * element_bytes);
    if (!moved) return false;
    memset(moved + *capacity * element_bytes, 0, (larger - *capacity) * element_bytes);
    memcpy(array, &moved, sizeof moved);
    *capacity = larger;
    return true;
}
