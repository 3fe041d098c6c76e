/* SPDX-License-Identifier: MIT */
/* A Tiled map while it is read: what the parts of the reader share. */
#ifndef WEND_EXTRA_TILED_TILED_H
#define WEND_EXTRA_TILED_TILED_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include <wend/extra.h>

typedef struct wend__tileset wend__tileset;

/// Returns what errno holds. fopen() need not set it.
static inline const char *wend__tiled_errno_text(int number) {
    return number ? strerror(number) : "the system gives no reason";
}

/// The state of one call of the reader.
typedef struct wend__tiled {
    const char *folder; ///< where tileset files are looked up; may be NULL
    wend_map_def def;
    wend_map_rules rules;      ///< def points here
    wend_map_markers *markers; ///< where those of the file go
    wend_file_error *error;    ///< may be NULL
    json_t *root;
    bool infinite;
    bool isometric;
    int32_t tile_width, tile_height; ///< pixels
    int32_t cell_width, cell_height; ///< of a cell in the coordinates of objects
    wend__tileset *tilesets;         ///< by first number
    size_t tileset_count;
    int32_t left, top;     ///< of the map's box in Tiled's cells
    int32_t width, height; ///< of the box; of a finite map known from the start
    int32_t storeys;       ///< one more than the highest of a layer of tiles; 0: no layer has one, the map is flat
    int32_t storey;        ///< of the layer that is visited
    uint8_t *classes;      ///< of the box, row by row, storey by storey
    uint8_t *floors;       ///< 1 where a storey has a tile; behind `classes`
} wend__tiled;

/// Add the links to the batch, and fill in markers and routes. The caller frees what `beside` then has, also on error.
wend_error wend__tiled_objects(wend__tiled *t, wend_edit *edit, wend_tiled *beside);

/// Find the map's box and the class of each cell in it.
wend_error wend__tiled_cells(wend__tiled *t);

/// Returns the height of a storey's floor, in levels; of a flat map 0.
static inline int32_t wend__tiled_level(const wend__tiled *t) {
    return t->storey * WEND_TILED_LEVELS;
}
/// Get the classes of a level, row by row. @param out   width × height bytes
void wend__tiled_level_classes(const wend__tiled *t, int32_t level, uint8_t *out);

/// Visit all layers of a type in order, also those in groups; `storey` is that of each. @return the first error
typedef int32_t wend__layer_fn(wend__tiled *t, const json_t *layer, void *context);
wend_error wend__tiled_layers(wend__tiled *t, const char *type, wend__layer_fn *visit, void *context);

/// A tile with a class of its own; tiles that are not listed are of class 1.
typedef struct wend__tile {
    uint32_t id; ///< within its tileset
    uint8_t terrain;
} wend__tile;

struct wend__tileset {
    uint32_t first;    ///< number of its tile 0 in layers
    uint32_t count;    ///< tile ids are below
    wend__tile *tiles; ///< by id
    size_t tile_count;
};

wend_error wend__tilesets_read(wend__tiled *t);
void wend__tilesets_drop(wend__tiled *t);
/// The class of a tile by its number in layers, without the flip bits; −1: the number belongs to no tileset.
int32_t wend__tile_class(const wend__tiled *t, uint32_t number);

/// Room for a name in quotes.
#define WEND__NAME_BYTES 112

/// Has the caller's error a size that the library can fill? NULL has.
bool wend__tiled_error_fits(const wend_file_error *error);

/// Write the error's text, where the caller wants one. @return code
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
wend_error
wend__tiled_fail(const wend__tiled *t, int32_t code, const char *format, ...);

/// Parse JSON. @param file   the name of the file in errors; NULL: the map's own file
wend_error wend__tiled_json(const wend__tiled *t, const void *bytes, size_t size, const char *file, json_t **out);
/// Read a whole file into memory for free(). `what` begins the text of an error ("tileset 'x': "), or is empty.
wend_error wend__tiled_file(const wend__tiled *t, const char *path, const char *what, char **bytes, size_t *size);

/// Quote a text, printable and short; "(no name)" where it is NULL or empty.
void wend__tiled_quote(const char *text, char out[WEND__NAME_BYTES]);
/// The string under a key, or NULL.
const char *wend__tiled_string(const json_t *object, const char *key);
/// A whole number under a key. `what` begins the error's text.
wend_error wend__tiled_whole(const wend__tiled *t, const json_t *object, const char *what, const char *key, int64_t min,
                             int64_t max, int64_t *out);
/// The value of a custom property; NULL where the object has none of this name.
wend_error wend__tiled_property(const wend__tiled *t, const json_t *object, const char *what, const char *name,
                                json_t **out);

/// Some tiles of a layer, row by row: all of a finite layer, or a chunk.
typedef struct wend__tile_block {
    char what[WEND__NAME_BYTES + 64]; ///< "layer 'ground'", begins errors
    const json_t *data;
    const char *encoding, *compression; ///< may be NULL
    int32_t x, y, width, height;
} wend__tile_block;

/// Could its data hold as many tiles as it claims? Called before memory is taken for them.
wend_error wend__tile_block_check(const wend__tiled *t, const wend__tile_block *block);
/// Called with each tile's number, flip bits included, in order. @return WEND_OK, or an error that stops the block
typedef int32_t wend__tile_fn(wend__tiled *t, const wend__tile_block *block, size_t index, uint32_t number);
wend_error wend__tile_block_read(wend__tiled *t, const wend__tile_block *block, wend__tile_fn *put);

#endif
