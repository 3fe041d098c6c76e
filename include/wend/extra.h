/* SPDX-License-Identifier: MIT */
/* Growing: kinds of pictures and parts of Tiled files may be added. See docs/stability.md. */
/* libwend-extra: maps of the editor Tiled, and pictures of maps, paths and searches. */
#ifndef WEND_EXTRA_H
#define WEND_EXTRA_H

#include <wend/wend.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most bytes that are read of a Tiled map, and of each file that it names. A larger file is refused
/// (WEND_UNSUPPORTED), and the error text names the limit.
#define WEND_MAX_TILED_BYTES (UINT64_C(1) << 30)

/// Formats of pictures.
enum {
    WEND_PICTURE_ANSI = 1, ///< letters for a terminal
    WEND_PICTURE_SVG = 2,  ///< a drawing
    WEND_PICTURE_PNG = 3   ///< pixels
};

/// A path to draw: its cells in order.
typedef struct wend_picture_path {
    const wend_cell *cells;
    size_t cell_count;
} wend_picture_path;

/// A line to draw, by its points, as wend_path_round() has them.
typedef struct wend_picture_line {
    const wend_point *points;
    size_t point_count;
    uint32_t
        radius_milli; ///< a band this wide on both sides shows the way of a disc, below the paths: thousandths of a
                      ///< cell; 0: none
} wend_picture_line;

/// Styles of paths.
enum {
    WEND_TRACK_LINE = 0, ///< lines
    WEND_TRACK_FEET = 1  ///< footprints; lines in PNG and SVG where a cell has less than 24 pixels
};

/// Places of the legend.
enum {
    WEND_LEGEND_NONE = 0,  ///< there is none
    WEND_LEGEND_BELOW = 1, ///< below the picture
    WEND_LEGEND_ONLY = 2   ///< the legend alone, without the picture; ANSI only
};

/// Longest caption, in bytes.
#define WEND_PICTURE_MAX_CAPTION 240

/// The contents of a picture. Letters in quotes are those of ANSI.
/// - Terrain: by its cost: open '.', blocked '#', water '~', swamp 's', slow terrain '2' to '9' by its factor ('9': 9
///   and more).
/// - Colours: up to 216 paths have one each; then they repeat. Red-green blind people can tell the colours of terrain,
///   markers and neighbouring paths apart.
/// - Links: a mark at both ends ('o'). Up to 1,024 links have an arc too, with an arrow where no link leads back (not
///   in ANSI).
/// - A closed step: a thin line on the side that it is closed from (not in ANSI, and not between layers).
/// - Voxels: layers are drawn one by one, each below its number. Where a path leaves its layer there is a triangle, up
///   or down ('^', 'v'). Where it arrives there is a hollow one (not in ANSI).
/// - A graph (not in ANSI): by its nodes' coordinates, y down, z ignored; without coordinates on a circle. An edge has
///   an arrow where no edge leads back and where there is room.
typedef struct wend_picture {
    uint32_t struct_bytes;
    int32_t format; ///< WEND_PICTURE_…
    const wend_map *map;
    const wend_picture_path *paths; ///< the first is drawn last, on top; straight lines between cells that are apart
    size_t path_count;
    const wend_cell *starts; ///< green discs (A)
    size_t start_count;
    const wend_cell *goals; ///< orange squares (B)
    size_t goal_count;
    int32_t cell_pixels; ///< PNG and SVG: size of a cell in pixels, 1 to 64; 0: the longer side has about 1,000.
                         ///< Graphs: size of a node in pixels; the longer side always has about 1,000
    bool colours;        ///< ANSI: with escape codes (256 colours, narrow maps two columns a cell), or plain letters
    int32_t track;       ///< WEND_TRACK_…; on graphs always lines
    int32_t legend; ///< WEND_LEGEND_…: the caption, a scale in cells (not in ANSI), the map's size, and a word for
                    ///< each kind of thing in the picture. A picture narrower than its legend is widened
    const char *caption;    ///< the legend's first line, ASCII, up to WEND_PICTURE_MAX_CAPTION bytes; may be NULL
    const wend_cell *units; ///< black discs ('@')
    size_t unit_count;
    const wend_cell *expanded; ///< yellow squares ('+') inside the cells that a search has expanded
    size_t expanded_count;
    const wend_picture_line *lines; ///< above the paths, the first on top, in colours that follow those of the paths;
                                    ///< not in ANSI, not on graphs, and not where two points are on different layers
    size_t line_count;
} wend_picture;

/// Set the defaults of a picture.
/// @param bytes   sizeof *picture
/// Threads: any. Cost: O(1).
WEND_API void wend_picture_init(wend_picture *picture, size_t bytes);

/// Largest side of a map in a PNG, in pixels, without the legend. A map with more cells on a side is refused for PNG.
#define WEND_PICTURE_MAX_SIDE 16384
/// Largest side of a map for ANSI and SVG, in cells.
#define WEND_PICTURE_MAX_TEXT_SIDE 2048

/// Most nodes of a graph, counted up to the highest id: for PNG, for SVG, and for a graph without coordinates.
#define WEND_PICTURE_MAX_NODES 1048576
#define WEND_PICTURE_MAX_TEXT_NODES 65536
#define WEND_PICTURE_MAX_CIRCLE_NODES 512

/// Draw a picture. During the call it takes up to 16 MiB from the C library. In addition it takes 16 bytes a node, 8 an
/// edge, 32 a link and 24 a closed step.
/// @param write     receives the bytes, in several calls; not called again after it returned an error
/// @param context   for write
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (a cell off the map), WEND_UNSUPPORTED (too large, or a
///         graph in ANSI: wend_picture_refusal() tells which), WEND_OUT_OF_MEMORY, or what write returned
/// Threads: any, while no thread edits the map. Cost: O(pixels + cells given + closed steps + n log n of links and
/// edges).
WEND_API wend_error wend_picture_write(const wend_picture *picture, wend_write_fn *write, void *context);

/// Explain why wend_picture_write() would return WEND_UNSUPPORTED. The picture must be valid otherwise.
/// @return a line of text; NULL where the picture would be drawn
/// Threads: any. Cost: O(layers).
WEND_API const char *wend_picture_refusal(const wend_picture *picture);

/// A polyline that a level designer drew, by its corners.
typedef struct wend_tiled_route {
    const char *name;
    const wend_cell *cells; ///< two consecutive ones differ; not necessarily neighbours
    size_t cell_count;
} wend_tiled_route;

/// A custom property, as text: "true", "7", "0.5", what a string holds; of a list or a class its JSON.
typedef struct wend_tiled_property {
    const char *name, *value;
} wend_tiled_property;

/// A named object that means nothing to wend: a spawn point, a door.
typedef struct wend_tiled_object {
    const char *name;
    const char *type;     ///< its class; "" where it has none
    wend_cell cell;       ///< of its middle
    double width, height; ///< pixels, as in the file; 0 and 0: a point
    wend_box box;         ///< the cells under its upright rectangle, as far as they are on the map; of a point its cell
    const wend_tiled_property *properties; ///< in the file's order
    size_t property_count;
} wend_tiled_object;

/// How Tiled shows a map.
enum {
    WEND_TILED_ORTHOGONAL = 0, ///< squares
    WEND_TILED_ISOMETRIC = 1,  ///< diamonds; cells and neighbours are those of squares
    WEND_TILED_HEXAGONAL = 2,  ///< hexagons in axial coordinates, with rules.neighbours 6
    WEND_TILED_STAGGERED = 3 ///< squares that are turned by 45°: with 4 neighbours their steps lead half a tile right
                             ///< or left, and half a tile up or down
};

/// Most storeys of a Tiled map, and the levels of each.
enum { WEND_TILED_MAX_STOREYS = 64, WEND_TILED_LEVELS = 3 };

/// The contents of a Tiled file apart from the map.
typedef struct wend_tiled {
    uint32_t struct_bytes;
    const wend_map_markers *markers; ///< objects of class `start` and `goal`; NULL, only for writing: there are none
    wend_cell origin;                ///< infinite maps: the coordinates in Tiled of the map's cell 0,0
    const wend_tiled_route *routes;  ///< objects of class `route`, in the file's order
    size_t route_count;
    int32_t orientation;              ///< WEND_TILED_…
    int32_t tile_width, tile_height;  ///< pixels, 1 to 65,536; for writing, 0 and 0 mean 16 and 16
    const wend_tiled_object *objects; ///< other objects that have a name, in the file's order; not written
    size_t object_count;
    const char *const *warnings; ///< what the reader assumed, a line each, each kind once; not written
    size_t warning_count;
    /// Hexagonal, staggered: 0, odd rows are shifted to the right; 1, even ones; 2, odd columns are shifted down; 3,
    /// even ones. Tiled's column and row become the axial cell a = from_offset() of examples/hexagons.c, staggered the
    /// cell a.x (layout 2, 3: −a.y), a.x + a.y; less `first`, so that the least x and y are 0.
    int32_t layout;
    wend_cell first;
    /// Where wend_tiled_def.scene is 1: what Tiled draws of the map, as JSON (docs/protocol.md), and the image files
    /// that it counts, as paths from the map's folder, or absolute ones. None was opened. Not written.
    const char *scene;
    size_t scene_bytes;
    const char *const *images;
    size_t image_count;
} wend_tiled;

/// Most names in a list of wend_tiled_def.
#define WEND_TILED_MAX_NAMES 64

/// How to read a Tiled map. Names are compared without regard to case (ASCII).
typedef struct wend_tiled_def {
    uint32_t struct_bytes;
    bool strict; ///< true: where there would be a warning, the map is refused with its text (WEND_BAD_FORMAT)
    const char *const *blocked_names; ///< in place of the common names; "!name": its `false` blocks. NULL: the common
    size_t blocked_name_count;        ///< 0 to WEND_TILED_MAX_NAMES
    const char *const *cost_names;    ///< in place of `weight`, `movementCost`, `ge_cost`; NULL: those
    size_t cost_name_count;           ///< 0 to WEND_TILED_MAX_NAMES
    bool scene;                       ///< true: fill in wend_tiled.scene, too
    bool anywhere; ///< true: tilesets and templates may be anywhere; false: below the map's folder, by symbolic links,
                   ///< too
} wend_tiled_def;

/// Set the defaults: not strict, the common names, files below the map's folder only.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_tiled_def_init(wend_tiled_def *def, size_t bytes);

/// Read a Tiled map (.tmj: JSON; .tmx: XML; finite or infinite) from memory.
/// - A cell has a tile or none from each layer. It is blocked where one of its tiles has the property `blocked` = true.
///   Else its class is the largest `cost` (a whole number, 1 to 255) of its tiles, 1 where none has any.
/// - Layers in groups and hidden layers count like all others. A layer's offset moves it by whole tiles, rounded down.
/// - An infinite map becomes the smallest box that has all its chunks in it. The box may have 256 times as many cells
///   as the chunks, and 2^20 more. A map without a layer of tiles has the size in its header, up to 2^20 cells.
///
/// Where a map has neither `blocked` nor `cost`, common names stand for them, with a warning:
/// - a tile is blocked by one of `collides`, `collide`, `ge_collide`, `collision`, `solid`, `wall`, `obstacle` (true),
///   or `walkable`, `passable` (false)
/// - a layer with such a property, or one named `collision`, `collisions`, `collide`, `walls`, `obstacles`, `blocked`
///   or `solid`, blocks where it has a tile
/// - in a layer of objects of such a name, or with a class of such a name, rectangles, polygons and ellipses block the
///   cells with their centre inside; a shape without any blocks the cells that it covers by half
/// - collision shapes of a tile block it where they cover half of it
///
/// Where a layer of tiles, or a group of layers, has the property `storey` (a whole number, 0 to
/// WEND_TILED_MAX_STOREYS − 1; in other layers 0), the map is of voxels, for walkers of a headroom of 1 or 2:
/// - each storey has WEND_TILED_LEVELS levels: ground, air, and the ceiling. A ceiling is blocked where the storey
///   above has a tile, and a blocked tile blocks all three
/// - stairs (tiles with the property `stairs` = true, WEND_CLASS_STAIRS) lead to stairs in the same cell of the storey
///   above
/// - objects are on the ground of their layer's storey
///
/// The class of an object (Tiled also calls it type) is one of these; other objects with a name and a middle on the map
/// are listed, and all others ignored:
/// - `start`, `goal`
/// - `link` with the properties `to` (an object), `cost` (without it that of a straight step) and `both` (bool): a link
///   from its cell to that object's, and back
/// - `route`: a polyline or polygon with a name; a polygon ends where it begins
///
/// An object is in the cell of its middle; a tileset's `objectalignment` and a rotation are taken into account. On an
/// isometric map an object that is a tile is in the cell with the lowest corner that it stands on.
///
/// Old versions of Tiled, missing files of tilesets and templates, and numbers that are there twice are no errors: the
/// map is read, and `beside->warnings` has what was assumed.
/// @param folder   where files of tilesets and templates are looked up; NULL: they count as missing. Only plain files
///                 are read, and only those below it (wend_tiled_def.anywhere)
/// @param how      names and strictness; NULL: the defaults
/// @param def      as in wend_map_parse(); NULL: the defaults
/// @param beside   receives what the file holds apart from the map, for wend_tiled_free(); may be NULL
/// @param error    may be NULL; has a line and column where JSON or XML is wrong, else names layer, tile or object
/// @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED (a feature of Tiled that wend lacks), WEND_OUT_OF_MEMORY, WEND_IO
///         (a file that cannot or may not be read), WEND_BAD_ARGUMENT
/// Threads: any. Cost: O(bytes + cells); shapes that block, with the boxes round them, may cover each cell 64 times,
/// and 2^23 cells more, where a side counts as 8 cells in each row. Memory other than the map's comes from the C
/// library: about 128 bytes at most for each byte of the files, and 3 a cell; a map with more than max_bytes / 2 cells
/// of a storey is refused.
WEND_API wend_error wend_tiled_parse(const void *bytes, size_t size, const char *folder, const wend_tiled_def *how,
                                     const wend_map_def *def, wend_map **out, wend_tiled **beside,
                                     wend_file_error *error);

/// Read a Tiled map from a file. Its tilesets are looked up from the file's folder. As wend_tiled_parse().
WEND_API wend_error wend_tiled_load(const char *path, const wend_tiled_def *how, const wend_map_def *def,
                                    wend_map **out, wend_tiled **beside, wend_file_error *error);

/// Free what wend_tiled_parse() or wend_tiled_load() returned in `beside`. NULL is ignored.
WEND_API void wend_tiled_free(wend_tiled *beside);

/// Write a map for Tiled: one layer of tiles, a tileset with a tile for each class in use, and objects for links,
/// markers and routes. Voxels, graphs, hexagons, staggered maps and closed steps are refused (WEND_UNSUPPORTED; the
/// error names the reason).
/// @param beside   markers, routes, orientation and tile size to write; may be NULL; origin is ignored
/// @return WEND_OK, WEND_UNSUPPORTED, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (a marker or route off the map),
///         WEND_OUT_OF_MEMORY, or what write returned. Nothing is written before all checks have passed.
/// Threads: any, while no thread edits the map. Cost: O(cells + links).
WEND_API wend_error wend_tiled_write(const wend_map *map, const wend_tiled *beside, wend_write_fn *write, void *context,
                                     wend_file_error *error);

/// Write a map for Tiled to a file. As wend_tiled_write(), and WEND_IO. Files are treated as in wend_map_save().
WEND_API wend_error wend_tiled_save(const wend_map *map, const char *path, const wend_tiled *beside,
                                    wend_file_error *error);

#ifdef __cplusplus
}
#endif
#endif
