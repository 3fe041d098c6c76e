/* SPDX-License-Identifier: MIT */
/* Internal: the baked format: a map with its rules, links, closed steps and landmarks, in their memory layout.
 *
 * A head, a table of sections, the sections. All numbers are little-endian. A section begins at a multiple of 64 bytes,
 * zeros fill the gap before it, and the last one ends the file. The checksum is of the whole file with `checksum` 0.
 *
 * Landmarks are used where they lie, so a file only has to be read and summed up. Any index of a search is
 * recomputed from the terrain or compared with its limits: docs/design/baking.md. */
#ifndef WEND_SRC_IO_BAKED_BAKED_H
#define WEND_SRC_IO_BAKED_BAKED_H

#include "base/base.h"
#include <wend/map.h>
#include <string.h>

/// As PNG's: a byte that no text has, and line ends that a transfer as text would change.
#define WEND__BAKED_MAGIC "\x89WEND\r\n\x1A"

enum { WEND__BAKED_VERSION = 1, WEND__BAKED_ALIGNMENT = 64, WEND__BAKED_NAME = 16 };

typedef struct wend__baked_head {
    char magic[8];
    uint32_t version, sections;
    uint64_t bytes; ///< size of the file
    uint64_t checksum;
} wend__baked_head;

typedef struct wend__baked_section {
    char name[WEND__BAKED_NAME]; ///< zeros behind it
    uint64_t offset, bytes;
} wend__baked_section;

/// The sections, in the order in which they come; a section without bytes is left out.
enum {
    WEND__BAKED_SHAPE,     ///< wend__baked_shape
    WEND__BAKED_SHEETS,    ///< wend_sheet
    WEND__BAKED_TERRAIN,   ///< each chunk, row by row: WEND__BAKED_UNIFORM, … and its classes
    WEND__BAKED_LINKS,     ///< wend__baked_link, by their cells; a seam between sheets has the cost WEND_LINK_SEAM
    WEND__BAKED_STEPS,     ///< wend__baked_step: closed steps
    WEND__BAKED_LANDMARKS, ///< fast/landmarks/landmark_tables.h
    WEND__BAKED_SECTIONS
};
static const char wend__baked_names[WEND__BAKED_SECTIONS][WEND__BAKED_NAME] = {
    [WEND__BAKED_SHAPE] = "shape", [WEND__BAKED_SHEETS] = "sheets", [WEND__BAKED_TERRAIN] = "terrain",
    [WEND__BAKED_LINKS] = "links", [WEND__BAKED_STEPS] = "steps",   [WEND__BAKED_LANDMARKS] = "landmarks",
};

typedef struct wend__baked_shape {
    int32_t kind, width, height, depth;
    int32_t neighbours, corners, cost_straight, cost_diagonal, cost_space;
    uint32_t tables, landmarks; ///< requests of the map: wend_map_accelerate()
    uint32_t wrap;              ///< WEND_WRAP_…
    uint64_t publish_effort;
    uint8_t factors[256];
} wend__baked_shape;

/// The first byte of a chunk.
enum {
    WEND__BAKED_UNIFORM, ///< its class
    WEND__BAKED_BITS,    ///< two classes; a bit for each cell
    WEND__BAKED_BYTES    ///< a byte for each cell
};

typedef struct wend__baked_link {
    uint32_t from, to, cost; ///< numbers of cells
} wend__baked_link;

typedef struct wend__baked_step {
    wend_cell from, to;
} wend__baked_step;

/// Returns whether this processor stores numbers as the format does.
static inline bool wend__baked_fits_host(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

#endif
