/* SPDX-License-Identifier: MIT */
/* Internal: what the parts of the reader of Tiled maps share: the file as JSON, its tilesets, and errors that name. */
#ifndef WEND_SRC_EXTRA_TILED_H
#define WEND_SRC_EXTRA_TILED_H

#include <jansson.h>
#include <stdbool.h>

#include <wend/extra.h>

/// A tile with a class of its own; tiles that have none are of class 1.
typedef struct wend__tile {
    uint32_t id; ///< within its tileset
    uint8_t terrain;
} wend__tile;

typedef struct wend__tileset {
    uint32_t first;    ///< number of its tile 0 in layers
    uint32_t count;    ///< tile ids are below
    wend__tile *tiles; ///< by id
    size_t tile_count;
} wend__tileset;

/// A map that is being read.
typedef struct wend__tiled {
    const char *folder; ///< may be NULL
    wend_map_def def;
    wend_file_error *error; ///< may be NULL
    json_t *root;
    bool infinite;
    int32_t tile_width, tile_height; ///< pixels
    wend__tileset *tilesets;         ///< by first
    size_t tileset_count;
    int32_t left, top;     ///< of the map's box in Tiled's cells
    int32_t width, height; ///< of the box; of a finite map known from the start
    uint8_t *classes;      ///< of the box, row by row
} wend__tiled;

/// Room for a name in quotes.
#define WEND__NAME_BYTES 112

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int32_t
wend__tiled_fail(const wend__tiled *t, int32_t code, const char *format, ...);

/// Read JSON. @param file   what to call it where it is not the map itself, else NULL
wend_error wend__tiled_json(const wend__tiled *t, const void *bytes, size_t size, const char *file, json_t **out);
/// A whole file into memory for free(). `what` begins the text of an error ("tileset 'x': "), or is empty.
wend_error wend__tiled_file(const wend__tiled *t, const char *path, const char *what, char **bytes, size_t *size);

/// Quote a text, printable and short; "(no name)" where it is NULL or empty.
void wend__tiled_quote(const char *text, char out[WEND__NAME_BYTES]);
/// The string under a key, or NULL.
const char *wend__tiled_string(const json_t *object, const char *key);
/// A whole number under a key. `what` begins the error's text.
wend_error wend__tiled_whole(const wend__tiled *t, const json_t *object, const char *what, const char *key, int64_t min,
                             int64_t max, int64_t *out);
/// The value of a custom property, or NULL where it has none of this name.
wend_error wend__tiled_property(const wend__tiled *t, const json_t *object, const char *what, const char *name,
                                json_t **out);

wend_error wend__tilesets_read(wend__tiled *t);
void wend__tilesets_drop(wend__tiled *t);
/// The class of a tile by its number in layers, flips already taken off; −1: it belongs to no tileset.
int32_t wend__tile_class(const wend__tiled *t, uint32_t number);

/// Some tiles of a layer, row by row: all of a finite layer, or a chunk.
typedef struct wend__tile_block {
    char what[WEND__NAME_BYTES + 64]; ///< "layer 'ground'", begins errors
    const json_t *data;
    const char *encoding, *compression; ///< may be NULL
    int32_t x, y, width, height;
} wend__tile_block;

/// Could its data hold as many tiles as it claims? Asked before memory is taken for them.
wend_error wend__tile_block_check(const wend__tiled *t, const wend__tile_block *block);
/// Handed each tile's number, flips and all, in order. @return WEND_OK, or an error that ends it
typedef int32_t wend__tile_fn(wend__tiled *t, const wend__tile_block *block, size_t index, uint32_t number);
wend_error wend__tile_block_read(wend__tiled *t, const wend__tile_block *block, wend__tile_fn *put);

/// Find the map's box, and the class of each cell in it.
wend_error wend__tiled_cells(wend__tiled *t);

/// Walk all layers, those in groups too, in order. @return the first error
typedef int32_t wend__layer_fn(wend__tiled *t, const json_t *layer, void *context);
wend_error wend__tiled_layers(wend__tiled *t, const char *type, wend__layer_fn *visit, void *context);

/// Add the links to the batch, and fill in markers and routes. What `beside` then has is freed by the caller, always.
wend_error wend__tiled_objects(wend__tiled *t, wend_edit *edit, wend_tiled *beside);

#endif
