/* SPDX-License-Identifier: MIT */
/* Options for a map's rules and for the search, shared by several commands. */
#ifndef WEND_SRC_CLI_SHARED_RULES_H
#define WEND_SRC_CLI_SHARED_RULES_H

#include <wend/map.h>

#define CLI_NEIGHBOURS "4|8|6|18|26"
#define CLI_CORNERS "never|one|always"
#define CLI_HEURISTICS "exact|manhattan|euclid|zero"
#define CLI_ENGINES "auto|astar|jump"

typedef struct cli_rules {
    int32_t neighbours;        ///< index into CLI_NEIGHBOURS, −1 if not given
    int32_t corners;           ///< WEND_CORNERS_…, −1 if not given
    const char *cost;          ///< "S,D[,T]" or NULL
    int32_t heuristic, engine; ///< both index into the words above
    int32_t weight_milli;
} cli_rules;

/// Apply the options to the rules of a map of that kind; kind 0: not known, only options wrong for every kind are
/// refused.
/// @return CLI_DONE, or the exit status after a message
int cli_rules_apply(const cli_rules *given, int32_t kind, wend_map_rules *rules);

#endif
