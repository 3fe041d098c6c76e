/* SPDX-License-Identifier: MIT */
/* Refused happenings, their conditions, and the sentences of the documents. */
#include "pairs/pairs.h"

#define ANY_MOMENT (BIT(BEFORE) | BIT(UNDER_WAY) | BIT(FINISHED) | BIT(EDITED))
#define SEARCHING (BIT(UNDER_WAY) | BIT(FINISHED) | BIT(EDITED))
#define GRAPHS (BIT(GRAPH) | BIT(PLACED))
#define NO_GRAPH (0x1ffu & ~GRAPHS)
#define NOT_STREAMED (0x1ffu & ~BIT(STREAMED))

const refusal refusals[] = {
    {"step closed", ANY_MOMENT, GROUND, GRAPHS, false, WEND_BAD_ARGUMENT, "wend_edit_set_step(): a graph"},
    {"step opened", ANY_MOMENT, GROUND, GRAPHS, false, WEND_BAD_ARGUMENT, "wend_edit_set_step(): a graph"},
    {"line pulled", ANY_MOMENT, GROUND, GRAPHS | BIT(HEX), true, WEND_UNSUPPORTED, "wend_path_pull(): no lines there"},
    {"node added", ANY_MOMENT, GROUND, NO_GRAPH, false, WEND_UNSUPPORTED, "wend_edit_add_node(): no graph"},
    {"node removed", ANY_MOMENT, GROUND, NO_GRAPH, false, WEND_UNSUPPORTED, "wend_edit_remove_node(): no graph"},
    {"edge set", ANY_MOMENT, GROUND, NO_GRAPH, false, WEND_UNSUPPORTED, "wend_edit_set_edge(): no graph"},
    {"edge removed", ANY_MOMENT, GROUND, NO_GRAPH, false, WEND_UNSUPPORTED, "wend_map_get_edges(): no graph"},
    {"chunk loaded", ANY_MOMENT, GROUND, NOT_STREAMED, false, WEND_BAD_ARGUMENT, "wend_edit_load(): not streamed"},
    {"chunk known", ANY_MOMENT, GROUND, NOT_STREAMED, false, WEND_BAD_ARGUMENT, "wend_map_get_land(): not streamed"},
    {"chunk gone", ANY_MOMENT, GROUND, NOT_STREAMED, false, WEND_BAD_ARGUMENT, "wend_map_get_land(): not streamed"},
    {"chunk gone under repair", ANY_MOMENT, GROUND, NOT_STREAMED, false, WEND_BAD_ARGUMENT,
     "wend_map_get_land(): not streamed"},
    {"agent flees", ANY_MOMENT, GROUND, GRAPHS, true, WEND_UNSUPPORTED, "wend_crowd_go(): FLEE on a graph"},
    {"mover changed", ANY_MOMENT, CROWD, BIT(BODIES), true, WEND_BAD_ARGUMENT, "wend_crowd_set_mover(): it has a body"},
    {"mover changed", ANY_MOMENT, GROUND, BIT(STREAMED), true, WEND_BAD_ARGUMENT, "wend_crowd_set_mover(): it is away"},
    {"rules set", ANY_MOMENT, GROUND, 0x1ff, true, WEND_IN_USE, "wend_map_set_rules(): while a search runs"},
};
const size_t refusal_count = sizeof refusals / sizeof refusals[0];
