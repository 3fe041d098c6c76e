/* SPDX-License-Identifier: MIT */
/* wend scen: the command, a scenario file with its maps, the run, the comparison of answers. */
#ifndef WEND_LAB_SCEN_SCEN_H
#define WEND_LAB_SCEN_SCEN_H

#include "cli/world/world.h"
#include "cli/shared/rules.h"
#include "scen/scenario.h"

typedef struct scen_settings {
    const char *maps; ///< folder given with --maps, or NULL
    cli_rules rules;
    uint64_t slice, repeat, workers; ///< slice 0: not given
    uint64_t landmarks;              ///< landmarks as well as jump tables
    bool bare, json;
} scen_settings;

/// A query's answer.
typedef struct scen_result {
    wend_status status;
    int64_t cost;
    uint64_t expansions;
    size_t first, count; ///< range of its cells in the set's
    double us;           ///< time of this query, −1 where it was not timed alone
    uint64_t steps[3];   ///< straight, diagonal, through space: counted on the way
    const char *wrong;   ///< the difference from the file, or NULL
} scen_result;

typedef struct scen_map {
    const char *name;
    cli_world world;
    wend_map_info info;
    wend_map_rules rules;
} scen_map;

/// A scenario file with its maps and the answers to its queries.
typedef struct scen_set {
    const char *path;
    char *text;
    size_t text_size;
    scenario file;
    const scenario_query *queries; ///< those of the file
    size_t count;
    scen_map *maps;
    size_t map_count;
    const scen_map **map_of; ///< the map of each query
    scen_result *results;
    wend_cell *cells; ///< cells of all answers, one answer after another
    size_t cell_count, cell_capacity;
} scen_set;

typedef struct scen_figures {
    uint64_t queries, mismatches, unreachable, expansions, frames;
    double search_us, tick_us;
} scen_figures;

/* scen_file.c */

/// Reads a scenario and its maps, and sets their rules. Prints what is wrong. @return CLI_DONE, or the exit status.
int scen_load(const char *path, const scen_settings *settings, scen_set *out);
/// Makes the jump tables and landmarks that the engine needs on its maps. @return CLI_DONE, or the exit status.
int scen_prepare(const scen_set *set, const scen_settings *settings);
void scen_free(scen_set *set);
/// Returns the line of a query in the file.
int scen_line(const scen_set *set, size_t query);
/// Makes room for the cells of all paths. @return false where memory ran out
bool scen_reserve(scen_set *set, size_t cells);

/* scen_run.c */

/// Answer all queries through the service, or one by one with --bare. @return CLI_DONE, or the exit status.
int scen_run(scen_set *set, const scen_settings *settings, scen_figures *out);

/* scen_check.c */

/// Compare every answer with the file and the map; sets `wrong`, and counts mismatches and unreachable goals.
void scen_check(scen_set *set, scen_figures *figures);
/// Returns the length of an answer's path, by its steps; −1 where there is none.
double scen_length(const scen_result *result);

#endif
