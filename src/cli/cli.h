/* SPDX-License-Identifier: MIT */
/* What the program's commands share: options, words for people, cells, worlds. Only wend's public headers are used. */
#ifndef WEND_SRC_CLI_H
#define WEND_SRC_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include <wend/extra.h>
#include <wend/wend.h>

enum { CLI_DONE = 0, CLI_ANSWER_IS_NO = 1, CLI_BAD_INPUT = 2 };

/* options.c: a table of options for each command. */

typedef enum cli_kind {
    CLI_FLAG,          ///< bool *
    CLI_TEXT,          ///< const char **
    CLI_NUMBER,        ///< uint64_t *, whole, between min and max
    CLI_DECIMAL_MILLI, ///< int32_t *: a decimal such as 1.25, times 1,000; between min and max, also times 1,000
    CLI_CHOICE,        ///< int32_t *: index of the word among `choices` ("never|one|always")
    CLI_LIST           ///< cli_list *: each use adds one
} cli_kind;

typedef struct cli_list {
    const char *items[64];
    size_t count;
} cli_list;

typedef struct cli_option {
    const char *name; ///< without the dashes
    cli_kind kind;
    void *target;
    const char *choices; ///< CLI_CHOICE: words parted by |; else what --help shows for the value (N, FILE, …)
    uint64_t min, max;   ///< CLI_NUMBER, CLI_DECIMAL_MILLI
    const char *help;
} cli_option;

typedef struct cli_command {
    const char *name;
    const char *usage;                 ///< "MAP [--from CELL] …": what stands behind the name
    const char *summary;               ///< a line
    const char *details;               ///< printed by --help below the options; may be NULL
    int (*run)(int argc, char **argv); ///< argv[0] is the command's name
} cli_command;

extern const cli_command cli_solve, cli_scen, cli_run, cli_stress, cli_generate, cli_convert, cli_info;

/// Options may stand anywhere; --name=value works. Positionals end up in order in words (up to word_capacity).
/// Handles --help itself. @return −1 to go on, else the exit status.
int cli_parse(const cli_command *command, const cli_option *options, size_t option_count, int argc, char **argv,
              const char **words, size_t word_capacity, size_t *word_count);

/* say.c: words for people go to stderr. */

/// "wend: …" and a line end. Returns CLI_BAD_INPUT.
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// "file:line:column: …"; line and column are left out where 0. Returns CLI_BAD_INPUT.
int cli_fail_at(const char *file, int line, int column, const char *format, ...) __attribute__((format(printf, 4, 5)));
/// A file's error, or wend_error_text() where it says nothing. Returns CLI_BAD_INPUT.
int cli_fail_file(const char *file, wend_error error, const wend_file_error *where);

/// Words that are no error: "wend: …", or "file: …".
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_note_at(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A progress bar with the time taken and the time left, on stderr where that is a terminal; nothing elsewhere. Call
/// often, it paints rarely.
void cli_progress(const char *what, uint64_t done, uint64_t total);
void cli_progress_end(void);

/// A JSON string with its quotes, escaped.
void cli_json_string(FILE *out, const char *text);

/* rules.c: the options that say how a map is walked and searched, shared by solve, scen, stress. */

#define CLI_NEIGHBOURS "4|8|6|18|26"
#define CLI_CORNERS "never|one|always"
#define CLI_HEURISTICS "exact|manhattan|euclid|zero"
#define CLI_ENGINES "auto|astar|jump"
#define CLI_DRAWS "ansi|svg|png"

typedef struct cli_rules {
    int32_t neighbours;        ///< index into CLI_NEIGHBOURS, −1 where not given
    int32_t corners;           ///< WEND_CORNERS_…, −1 where not given
    const char *cost;          ///< "S,D[,T]" or NULL
    int32_t heuristic, engine; ///< both index into the words above
    int32_t weight_milli;
} cli_rules;

/// Write the given settings over the rules of a map of that kind; kind 0: not known yet, only what no kind has is refused.
/// @return −1 to go on, else the exit status (after a message).
/// How a map is walked now.
wend_map_rules cli_map_rules(const wend_map *map);
int cli_rules_apply(const cli_rules *given, int32_t kind, wend_map_rules *rules);
/// Records for one complete search of a map, in the widest form there is.
uint64_t cli_search_nodes(const wend_map_info *info);
/// Is a service's memory to be touched when it is made? Up to 256 MiB: what takes more is handed out as it is needed.
uint32_t cli_prefault(const wend_service_def *def);
/// Make jump tables, and so many landmarks to go with them, where the engine asked for can use them. Once the rules are set.
/// @return −1 to go on, else the exit status (after a message).
int cli_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks);
/// Between frames: look after what edits left behind of them. @return as above.
int cli_engine_upkeep(wend_map *map);
/// As JSON has it: of an engine that answered.
const char *cli_engine_name(int32_t engine);

/// A cell of a map of that kind: "X,Y" or "X,Y,Z", of a graph a number. False where it is not that.
bool cli_parse_cell(const char *text, int32_t kind, wend_cell *out);
/// Is it a cell, or a node, of the map?
bool cli_has_cell(const wend_map *map, const wend_map_info *info, wend_cell cell);
/// x,y; in space x,y,z; of a graph a number.
void cli_print_cell(FILE *out, int32_t kind, wend_cell cell);
/// [x,y]; in space [x,y,z]; of a graph a number.
void cli_json_cell(FILE *out, int32_t kind, wend_cell cell);
/// [[x,y],…]
void cli_json_cells(FILE *out, int32_t kind, const wend_cell *cells, size_t count);

/* world.c (with script.c): a MAP argument is any map file or a world file, that is, a script without requests and frames. */

typedef struct cli_world {
    wend_map *map;
    wend_map_markers markers;
    wend_tiled *tiled; ///< where the map came from Tiled: routes and markers; else NULL
    char **movers;     ///< names of the map's movers, the first is that of mover 1
    size_t mover_count;
    int32_t default_mover; ///< which of them `default` is: 0, or one that was added because it is larger
} cli_world;

/// Load a MAP argument ("-": standard input). Prints what is wrong. @return −1 to go on, else the exit status.
int cli_world_load(const char *path, cli_world *out);
/// Keep a mover's name, that of the map's newest. False where memory ran out.
bool cli_world_name_mover(cli_world *world, const char *name, size_t length);
/// The mover of a name, or −1. ("default" is default_mover.)
int32_t cli_world_mover(const cli_world *world, const char *name, size_t length);
void cli_world_free(cli_world *world);

/// The whole of a file or of standard input ("-"), to be freed with free(). Prints what is wrong; NULL then.
char *cli_read_file(const char *path, size_t *size);

/* draw.c: pictures and files from --draw and --output. */

enum { CLI_DRAW_NONE = -1, CLI_DRAW_ANSI = 0, CLI_DRAW_SVG = 1, CLI_DRAW_PNG = 2 };

/// What --draw, --output and --json ask for together: without --draw the kind of picture follows from the name.
/// @return −1 to go on, else the exit status.
int cli_draw_settle(int32_t *draw, const char *output, bool json);

/// Write a picture to `output`, or to stdout where that is NULL. Prints what is wrong. @return −1 to go on, else the exit status.
int cli_draw(wend_picture *picture, int32_t draw, const char *output);

/// A wend_write_fn for a FILE * as context.
wend_error cli_write_to_file(void *file, const void *bytes, size_t size);

/// Close a file that was written. Prints what is wrong, also with what was written before. @return −1 or the exit status.
int cli_close_output(FILE *file, const char *name);

#endif
