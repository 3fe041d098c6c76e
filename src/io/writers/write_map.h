/* SPDX-License-Identifier: MIT */
/* Internal: writing a map: the checks of each format, and its output. */
#ifndef WEND_SRC_IO_WRITERS_WRITE_MAP_H
#define WEND_SRC_IO_WRITERS_WRITE_MAP_H

#include "io/readers/teleports.h"
#include "io/text/sink.h"
#include "map/store/map_layout.h"

typedef struct wend__map_writer {
    const wend_map *map;
    wend__version *version; ///< the version to write; a reference
    int32_t format;
    wend_map_markers markers;
    char letters[256]; ///< the byte that stands for each class; 0: none does
    uint32_t next_way; ///< index of the first link that is still to be written
    wend_file_error *error;
} wend__map_writer;

/// The name of a format for messages, such as "a MovingAI map".
const char *wend__format_name(int32_t format);

/// The size of the buffer for wend__name_cell().
#define WEND__CELL_BYTES 40
/// The name of a cell for messages: "cell 3,1", in space "cell 3,1,0", on a graph "node 7".
void wend__name_cell(const wend__map_writer *writer, wend_cell cell, char out[WEND__CELL_BYTES]);
/// Fail with a text such as "cell 3,1 is of class 5, which grid text cannot hold".
wend_error wend__refuse_class(const wend__map_writer *writer, wend_cell cell, uint8_t terrain);

/* write_cells.c: grid text, .map, .3dmap */
void wend__fill_letters(int32_t format, char letters[256]);
wend_error wend__check_cells(const wend__map_writer *writer);
wend_error wend__check_markers(const wend__map_writer *writer);
wend_error wend__put_cells(wend__map_writer *writer, wend__sink *sink);

/* write_links.c */
/// Returns whether all links are for all movers: no format names movers.
wend_error wend__check_link_movers(const wend__map_writer *writer);
/// Returns whether the format can hold the links. In grid text all must be teleports; other formats have none.
wend_error wend__check_links(const wend__map_writer *writer);
/// The number of the teleport on a cell, or 0. Call it for cells in the order of their numbers.
uint32_t wend__teleport_number(wend__map_writer *writer, uint32_t cell);

/* write_baked.c */
/// Returns whether a baked map can hold the map: WEND_OK or WEND_UNSUPPORTED.
wend_error wend__check_baked(const wend__map_writer *writer);
void wend__put_baked(wend__map_writer *writer, wend__sink *sink);

/* write_graph.c */
wend_error wend__check_graph(const wend__map_writer *writer);
void wend__put_graph(const wend__map_writer *writer, wend__sink *sink);
bool wend__has_coordinates(const wend__map_writer *writer);
/// Returns whether a .co file can hold them.
wend_error wend__check_coordinates(const wend__map_writer *writer);
void wend__put_coordinates(const wend__map_writer *writer, wend__sink *sink);

#endif
