/* SPDX-License-Identifier: MIT */
/* A Tiled map while it is read: what the parts of the reader share. */
#ifndef WEND_EXTRA_TILED_TILED_H
#define WEND_EXTRA_TILED_TILED_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include <wend/extra.h>

typedef struct wend__tileset wend__tileset;
typedef struct wend__tiled_notes wend__tiled_notes;

/// A place in pixels.
typedef struct wend__pixels {
    double x, y;
} wend__pixels;

/// Where the middles of cells lie: on squares, or on rows that are shifted in turns.
typedef struct wend__tiled_lattice {
    wend__pixels cell;   ///< from one middle to the next
    wend__pixels corner; ///< half a cell before the middle of the first one
    bool flat;           ///< columns are shifted, not rows
    double shifts[2];    ///< shifts of even and odd rows, in cells
} wend__tiled_lattice;

/// A name by which something blocks, and what it blocked.
typedef struct wend__tiled_name {
    const char *text;
    int32_t where; ///< WEND__NAMES_…
    bool inverted; ///< `false` blocks
    bool known;    ///< documented, or the caller's: it needs no warning
    size_t tiles, layers, layer_tiles, shapes, shape_cells, no_area;
} wend__tiled_name;

/// Where a name counts: as a property, as the name of a layer.
enum { WEND__NAMES_PROPERTY = 1, WEND__NAMES_LAYER = 2, WEND__NAMES_ALL = 3 };

typedef struct wend__tiled_names {
    wend__tiled_name list[WEND_TILED_MAX_NAMES + 1];
    size_t count;
} wend__tiled_names;

/// Properties of a layer and of the groups around it.
typedef struct wend__layer_state {
    int32_t number;         ///< number among all layers, in the order in which they are drawn
    int32_t storey;         ///< storey in a map with storeys; NO_STOREY: none is given
    wend__pixels offset;    ///< pixels
    double see_through;     ///< 0: opaque, 1: not seen
    wend__tiled_name *name; ///< name by which it blocks; NULL: it does not
} wend__layer_state;

/// What Tiled draws, while it is collected.
typedef struct wend__tiled_scene {
    json_t *root, *sets, *blocks; ///< the lists are the root's
    json_t *images;               ///< an object: numbers by path
    json_t *runs;                 ///< runs of the current block
    uint32_t number, count;       ///< number and count of its last run
} wend__tiled_scene;

/// The state of one call of the reader.
typedef struct wend__tiled {
    const char *folder; ///< where other files are looked up; may be NULL
    wend_map_def def;
    wend_map_rules rules; ///< def points here
    wend_tiled_def how;
    wend_map_markers *markers; ///< where those of the file go
    wend_file_error *error;    ///< may be NULL
    wend__tiled_notes *notes;  ///< what was assumed
    wend__tiled_names *blocked, *costs;
    json_t *root;
    json_t *templates; ///< templates already read, by their name in the map
    bool infinite;
    bool isometric;
    wend__tiled_lattice lattice;
    int32_t slant;                   ///< WEND_TILED_HEXAGONAL, _STAGGERED: rows or columns are shifted; else 0
    int32_t layout;                  ///< as in wend_tiled, where slanted
    int32_t side;                    ///< side of a hexagon: pixels of its straight side; else 0
    int32_t tile_width, tile_height; ///< pixels
    int32_t cell_width, cell_height; ///< size of a cell in the coordinates of objects
    wend__tileset *tilesets;         ///< tilesets by first number
    size_t tileset_count;
    int32_t left, top;       ///< corner of the map's box in Tiled's cells
    int32_t width, height;   ///< size of the box; for a finite map known from the start
    int32_t columns, rows;   ///< size of the box in Tiled's cells
    wend_cell first;         ///< where slanted: what the least column and row of the map stand for
    wend_cell corner;        ///< where slanted: the cell of `left` and `top`
    int32_t layers;          ///< number of visited layers, of any type
    int32_t storeys;         ///< highest storey of a layer of tiles, plus 1; 0: no layer has one, the map is flat
    wend__layer_state layer; ///< the visited layer; its storey is never NO_STOREY
    uint8_t *classes;        ///< classes of the box, row by row, storey by storey
    uint8_t *floors;         ///< 1 where a storey has a tile; behind `classes`
    wend__tiled_scene scene; ///< its root NULL: not asked for
} wend__tiled;

/* ---- tiled_json.c: error texts ---- */

/// Room for a name in quotes.
#define WEND__NAME_BYTES 112

/// Has the caller's error a size that the library can fill? NULL has.
bool wend__tiled_error_fits(const wend_file_error *error);

#if defined(__GNUC__)
#define WEND__TILED_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define WEND__TILED_PRINTF(text, first)
#endif

/// Writes the error's text, where the caller wants one. @return code
wend_error wend__tiled_fail(const wend__tiled *t, int32_t code, const char *format, ...) WEND__TILED_PRINTF(3, 4);
/// The error of memory that is not there.
wend_error wend__tiled_no_memory(const wend__tiled *t);
/// The error of a text that is no JSON or XML. @param file   as in wend__tiled_tree()
wend_error wend__tiled_fail_at(const wend__tiled *t, const char *file, int line, int column, const char *text);
/// Quote a text, printable and short; "(no name)" where it is NULL or empty.
void wend__tiled_quote(const char *text, char out[WEND__NAME_BYTES]);

/* ---- tiled_notes.c: what was assumed ---- */

/// A kind of warning. Each is said once, in this order, with how many more of it there were.
enum {
    WEND__NOTE_NO_TYPE,
    WEND__NOTE_OLD,
    WEND__NOTE_SET_TYPE,
    WEND__NOTE_SET_MISSING,
    WEND__NOTE_SET_ORDER,
    WEND__NOTE_SET_SAME,
    WEND__NOTE_SET_COUNT,
    WEND__NOTE_TEMPLATE,
    WEND__NOTE_SAME_ID,
    WEND__NOTE_OFFSET,
    WEND__NOTE_OFF_MAP,
    WEND__NOTE_COST,
    WEND__NOTE_KINDS
};

/// Note an assumption. The first text of a kind is kept, the others are counted.
void wend__tiled_note(const wend__tiled *t, int32_t kind, const char *format, ...) WEND__TILED_PRINTF(3, 4);
/// Note that the map defines what blocks or costs.
void wend__tiled_note_said(const wend__tiled *t);
/// Counts a tile with collision shapes.
void wend__tiled_note_shapes(const wend__tiled *t, bool blocked);
wend__tiled_notes *wend__tiled_notes_make(void);
void wend__tiled_notes_drop(wend__tiled_notes *notes);
/// Gives the warnings to the caller; where the caller is strict, fails with the first.
wend_error wend__tiled_notes_give(wend__tiled *t, wend_tiled *beside);

/* ---- tiled_names.c: names that block or cost ---- */

/// Takes the caller's names, or the common ones. @return false: the caller's lists are wrong
bool wend__tiled_names_take(wend__tiled_names *blocked, wend__tiled_names *costs, const wend_tiled_def *how);
/// Finds out whether something's properties block.
/// @param said   receives whether they say so or the contrary
/// @param by     receives the name by which they block; NULL: they do not
wend_error wend__tiled_blocks(const wend__tiled *t, const json_t *owner, const char *what, bool *said,
                              wend__tiled_name **by);
/// Returns the name by which a layer of this name blocks, or an object of this class; NULL: none.
wend__tiled_name *wend__tiled_blocking_name(const wend__tiled *t, const char *text, int32_t where);
/// Finds a tile's cost. @param out   0: it has none
wend_error wend__tiled_cost(const wend__tiled *t, const json_t *owner, const char *what, int32_t *out);

/* ---- tiled_json.c: values ---- */

/// Parse JSON. @param file   the name of the file in errors; NULL: the map's own file
wend_error wend__tiled_json(const wend__tiled *t, const char *text, size_t size, const char *file, json_t **out);
/// The string under a key, or NULL.
const char *wend__tiled_string(const json_t *object, const char *key);
/// Returns the class of an object; NULL: it has none.
const char *wend__tiled_class(const json_t *json);
/// A finite number under a key, of up to 2^30; missing is 0. @return false: it is none
bool wend__tiled_number(const json_t *json, const char *key, double *out);
/// A whole number under a key. `what` begins the error's text.
wend_error wend__tiled_whole(const wend__tiled *t, const json_t *object, const char *what, const char *key, int64_t min,
                             int64_t max, int64_t *out);
/// The value of a custom property; NULL where the object has none of this name.
wend_error wend__tiled_property(const wend__tiled *t, const json_t *object, const char *what, const char *name,
                                json_t **out);
/// The same as a truth: true, false, 1, 0, or one of them as a string. @param given   receives whether it is there
wend_error wend__tiled_yes(const wend__tiled *t, const json_t *object, const char *what, const char *name, bool *given,
                           bool *out);
/// Do two names differ in case only?
bool wend__tiled_same_name(const char *a, const char *b);
/// Returns 1: true, 0: false, −1: neither.
int32_t wend__tiled_truth(const json_t *value);
/// Returns whether a value is a whole number, or a string of one.
bool wend__tiled_integer(const json_t *value, int64_t *out);

/* ---- tiled_xml.c, tiled_files.c: from bytes to one form of JSON ---- */

/// Parse XML into the JSON that Tiled would write. @param file   as in wend__tiled_json()
wend_error wend__tiled_xml(const wend__tiled *t, const char *text, size_t size, const char *file, json_t **out);
/// Parse a file of Tiled: JSON or XML, of any version.
wend_error wend__tiled_tree(const wend__tiled *t, const void *bytes, size_t size, const char *file, json_t **out);
/// Reads a whole file into memory for free(). `what` begins the text of an error ("tileset 'x': "), or is empty.
wend_error wend__tiled_file(const wend__tiled *t, const char *path, const char *what, char **bytes, size_t *size);
/// Reads a file that the map names. @param out   receives its tree; NULL: there is no such file
wend_error wend__tiled_beside(const wend__tiled *t, const char *source, const char *what, json_t **out);

/// Complete the objects that are made from templates. An object without its template is removed.
wend_error wend__tiled_templates(wend__tiled *t);

/* ---- tiled_layers.c ---- */

/// Visits all layers of a type in order, also those in groups; `t->layer` is that of each. @return the first error
typedef int32_t wend__layer_fn(wend__tiled *t, const json_t *layer, void *context);
wend_error wend__tiled_layers(wend__tiled *t, const char *type, wend__layer_fn *visit, void *context);
/// The cells by which the layer that is visited is moved.
wend_error wend__tiled_layer_shift(const wend__tiled *t, const char *what, int32_t *dx, int32_t *dy);
/// The same in the coordinates of objects, where the axes of an isometric map lie across the screen.
wend__pixels wend__tiled_object_offset(const wend__tiled *t);

/* ---- tiled_cells.c, tiled_shapes.c: the class of each cell ---- */

/// Finds the map's box and the class of each cell in it.
wend_error wend__tiled_cells(wend__tiled *t);

/// Returns the height of a storey's floor, in levels; of a flat map 0.
static inline int32_t wend__tiled_level(const wend__tiled *t) {
    return t->layer.storey * WEND_TILED_LEVELS;
}
/// Gets the classes of a level, row by row. @param out   width × height bytes
void wend__tiled_level_classes(const wend__tiled *t, int32_t level, uint8_t *out);

/// Reads how rows or columns are shifted.
wend_error wend__tiled_slant_head(wend__tiled *t);
/// Moves the classes from Tiled's columns and rows to the map's cells, and gives the map its size.
wend_error wend__tiled_slant(wend__tiled *t);
/// Returns where the middles of shifted tiles lie.
wend__tiled_lattice wend__tiled_slant_lattice(const wend__tiled *t);
/// Finds the cell with a tile that contains a point. @return false: it is not on the map
bool wend__tiled_slant_cell(const wend__tiled *t, wend__pixels point, wend_cell *out);

/// Block the cells under the objects that block by their layer or class.
wend_error wend__tiled_shapes(wend__tiled *t);
/// Do the collision shapes of a tile cover half of it? @param group   its `objectgroup`
wend_error wend__tiled_half_covered(const wend__tiled *t, const json_t *group, double width, double height, bool *out);

/* ---- tiled_objects.c ---- */

/// Adds the links to the batch; fills in markers and routes. The caller frees what `beside` then has, also on error.
wend_error wend__tiled_objects(wend__tiled *t, wend_edit *edit, wend_tiled *beside);

/// Adds the objects that are tiles, and the layers that are images, to the scene, if the caller wants one.
wend_error wend__tiled_scene_rest(wend__tiled *t);

/* ---- tiled_tiles.c ---- */

/// A tile with a class of its own; tiles that are not listed are of class 1.
typedef struct wend__tile {
    uint32_t id; ///< within its tileset
    uint8_t terrain;
} wend__tile;

struct wend__tileset {
    uint32_t first;     ///< number of its tile 0 in layers
    uint32_t count;     ///< tile ids are below
    size_t order;       ///< its place in the file
    wend__pixels align; ///< where in it the position of an object is: 0 to 1, from its left and upper side
    bool aligned;       ///< the file gives it
    const char *source; ///< its file; NULL: none
    wend__tile *tiles;  ///< tiles by id
    size_t tile_count;
};

wend_error wend__tilesets_read(wend__tiled *t);
void wend__tilesets_drop(wend__tiled *t);
/// Returns the tileset of a tile by its number in layers, without the flip bits; NULL: it belongs to none.
const wend__tileset *wend__tileset_of(const wend__tiled *t, uint32_t number);
/// The class of a tile by its number in layers, without the flip bits; −1: the number belongs to no tileset.
int32_t wend__tile_class(const wend__tiled *t, uint32_t number);

/// Flipped in x, in y, diagonally; turned by 120° (hexagonal maps).
#define WEND__TILE_FLIPS UINT32_C(0xF0000000)

/* ---- tiled_data.c ---- */

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

/* ---- tiled_scene.c: what Tiled draws ---- */

/// Begins the scene, if the caller wants one.
wend_error wend__tiled_scene_begin(wend__tiled *t);
/// Adds a tileset. What is wrong in it is left out: a map is read without its pictures, too.
/// @param source   its file; NULL: it is in the map
wend_error wend__tiled_scene_set(const wend__tiled *t, const json_t *set, uint32_t first, const char *source);
/// Adds the tiles of a block of the layer that is visited. @param x, y   of its first tile, without the layer's offset
wend_error wend__tiled_scene_block(wend__tiled *t, const wend__tile_block *block, int32_t x, int32_t y);
/// Adds a block of the layer that is visited. @param members   what else it has; the reference is taken
wend_error wend__tiled_scene_layer(const wend__tiled *t, json_t *members);
/// Finds the number of a layer's image. @param number   receives −1 where it has none
wend_error wend__tiled_scene_image(const wend__tiled *t, const json_t *layer, json_int_t *number);
/// Gives the scene to the caller, once the map's cells are known. The caller frees what `beside` has, also on error.
wend_error wend__tiled_scene_give(const wend__tiled *t, wend_tiled *beside);
void wend__tiled_scene_drop(wend__tiled_scene *scene);

#endif
