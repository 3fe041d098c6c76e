/* SPDX-License-Identifier: MIT */
/* Nodes and edges. The map is made where the script says `graph`: lines up to the first frame are read ahead for it,
   and read again in order, when their errors are reported. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"

/* ---- parsers ---- */

int cli_parse_node(cli_script *script, cli_arguments *out) {
    int32_t at[3] = {0, 0, 0};
    if (script->word_count == 3)
        return cli_script_fail(script, script->end_column, "a word is missing: node ID [X Y [Z]]");
    int status = cli_read_range(script, script->words[1], "a node", 0, CLI_MAX_NODE, &out->numbers[0]);
    for (size_t i = 2; status == -1 && i < script->word_count; i++) {
        bool negative;
        uint64_t magnitude;
        status = cli_read_number(script, script->words[i], "a coordinate", &negative, &magnitude);
        if (status == -1 && magnitude > (uint64_t)INT32_MAX + negative)
            return cli_script_fail(script, script->words[i].column, "a coordinate is from %" PRId32 " to %" PRId32,
                                   INT32_MIN, INT32_MAX);
        if (status == -1) status = cli_read_int(script, script->words[i], "a coordinate", &at[i - 2]);
    }
    out->cells[0] = (wend_cell){at[0], at[1], at[2]};
    out->count = script->word_count - 2;
    return status;
}

int cli_parse_edge(cli_script *script, cli_arguments *out) {
    int status = cli_read_ranges(script, 1, 2, "a node", 0, CLI_MAX_NODE, out->numbers);
    return status == -1 ? cli_read_range(script, script->words[3], "a cost", 1, WEND_MAX_COST, &out->numbers[2])
                        : status;
}

/* ---- reading ahead ---- */

typedef struct node {
    uint32_t id;
    wend_cell at;
} node;

typedef struct ahead {
    node *nodes;
    wend_edge *edges;
    size_t node_count, node_capacity, edge_count, edge_capacity;
    bool without_coordinates, asked, over;
} ahead;

/* Make room for one more. */
static bool reserve(void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t more = *capacity == 0 ? 256 : *capacity * 2;
    void *moved = more > SIZE_MAX / 2 / size ? NULL : realloc(*items, more * size);
    if (moved == NULL) return false;
    *items = moved;
    *capacity = more;
    return true;
}

static bool keep_node(ahead *a, const cli_arguments *said) {
    void *items = a->nodes;
    bool good = reserve(&items, a->node_count, &a->node_capacity, sizeof *a->nodes);
    a->nodes = items;
    if (!good) return false;
    a->nodes[a->node_count++] = (node){(uint32_t)said->numbers[0], said->cells[0]};
    if (said->count == 0) a->without_coordinates = true;
    return true;
}

static bool keep_edge(ahead *a, const cli_arguments *said) {
    void *items = a->edges;
    bool good = reserve(&items, a->edge_count, &a->edge_capacity, sizeof *a->edges);
    a->edges = items;
    if (!good) return false;
    const uint64_t *numbers = said->numbers;
    a->edges[a->edge_count++] = (wend_edge){(uint32_t)numbers[0], (uint32_t)numbers[1], (int32_t)numbers[2]};
    return true;
}

static bool is_zero(cli_word word) {
    size_t zeros = 0;
    while (zeros < word.length && word.text[zeros] == '0') zeros++;
    return zeros > 0 && zeros == word.length;
}

/* Wrong lines are skipped here: they end the script when they are read in order, before any frame. */
static bool look_at(cli_script *script, ahead *a) {
    cli_word word = script->words[0];
    size_t count = script->word_count;
    cli_arguments said;
    if (cli_word_is(word, "node") && count >= 2 && count <= 5) {
        memset(&said, 0, sizeof said);
        if (cli_parse_node(script, &said) != -1) return true;
        uint64_t most = script->options->most_cells;
        return (most > 0 && said.numbers[0] >= most) || keep_node(a, &said);
    }
    if (cli_word_is(word, "edge") && count == 4) {
        memset(&said, 0, sizeof said);
        return cli_parse_edge(script, &said) != -1 || keep_edge(a, &said);
    }
    if (cli_word_is(word, "request")) a->asked = true;
    if (cli_word_is(word, "drain") && a->asked) a->over = true;
    if (cli_word_is(word, "frame") && !(count > 1 && is_zero(script->words[1]))) a->over = true;
    return true;
}

/* @return false where memory ran out */
static bool read_ahead(cli_script *script, ahead *a) {
    cli_place place = cli_script_mark(script);
    int status;
    bool good = true;
    while (good && !a->over && cli_script_next_line(script, &status))
        if (script->word_count > 0) good = look_at(script, a);
    script->graph.end = a->over ? script->line : INT_MAX;
    return cli_script_return(script, place) && good;
}

/* ---- the map ---- */

static bool note_nodes(cli_graph *graph, const ahead *a) {
    uint32_t highest = 0;
    for (size_t i = 0; i < a->node_count; i++)
        if (a->nodes[i].id > highest) highest = a->nodes[i].id;
    graph->count = (uint64_t)highest + 1;
    graph->known = calloc((size_t)graph->count, 1);
    if (graph->known == NULL) return false;
    for (size_t i = 0; i < a->node_count; i++) graph->known[a->nodes[i].id] = 1;
    graph->empty = a->node_count == 0;
    return true;
}

/* Edges between missing nodes are errors of their lines; the map must not see them. */
static void drop_edges(const cli_graph *graph, ahead *a) {
    size_t kept = 0;
    for (size_t i = 0; i < a->edge_count; i++) {
        wend_edge edge = a->edges[i];
        if (edge.from < graph->count && edge.to < graph->count && graph->known[edge.from] && graph->known[edge.to])
            a->edges[kept++] = edge;
    }
    a->edge_count = kept;
}

static wend_error create(cli_script *script, const ahead *a) {
    cli_graph *graph = &script->graph;
    wend_graph_def def;
    wend_graph_def_init(&def, sizeof def);
    wend_cell *coordinates = NULL;
    if (!a->without_coordinates && !graph->empty) {
        coordinates = calloc((size_t)graph->count, sizeof *coordinates);
        if (coordinates == NULL) return WEND_OUT_OF_MEMORY;
        for (size_t i = 0; i < a->node_count; i++) coordinates[a->nodes[i].id] = a->nodes[i].at;
    }
    def.node_count = (uint32_t)graph->count;
    def.present = graph->empty ? NULL : graph->known;
    def.coordinates = coordinates;
    def.edges = a->edges;
    def.edge_count = a->edge_count;
    wend_error error = wend_graph_create(&def, &script->built.map);
    free(coordinates);
    return error;
}

int cli_act_graph(cli_script *script, const cli_arguments *arguments) {
    ahead a = {0};
    wend_error error = WEND_OUT_OF_MEMORY;
    (void)arguments;
    script->graph.line = script->line;
    if (read_ahead(script, &a) && note_nodes(&script->graph, &a)) {
        drop_edges(&script->graph, &a);
        error = create(script, &a);
    }
    free(a.nodes);
    free(a.edges);
    if (error != WEND_OK)
        return cli_script_fail(script, script->words[0].column, "graph: %s", wend_error_detail(error));
    cli_script_take_size(script);
    return -1;
}

/* ---- lines in order ---- */

bool cli_node_there(const cli_script *script, int64_t id) {
    const cli_graph *graph = &script->graph;
    uint8_t terrain;
    if (id < 0 || id > INT32_MAX) return false;
    if (graph->known != NULL) return (uint64_t)id < graph->count && graph->known[id] == 2;
    return wend_map_get_terrain(script->built.map, (wend_cell){(int32_t)id, 0, 0}, &terrain) == WEND_OK;
}

static int check_turn(cli_script *script, const char *what) {
    if (script->graph.known == NULL)
        return cli_script_fail(script, script->words[0].column, "%s is for a graph that the script makes itself", what);
    if (script->frames == 0 && script->line < script->graph.end) return -1;
    return cli_script_fail(script, script->words[0].column, "%s comes before the first frame", what);
}

int cli_act_node(cli_script *script, const cli_arguments *arguments) {
    uint64_t id = arguments->numbers[0], most = script->options->most_cells;
    int status = check_turn(script, "node");
    if (status != -1) return status;
    if (most > 0 && id >= most) return cli_script_fail(script, script->words[1].column, "more than %" PRIu64, most);
    if (script->graph.known[id] == 2)
        return cli_script_fail(script, script->words[1].column, "there is a node %" PRIu64 " already", id);
    script->graph.known[id] = 2;
    return -1;
}

int cli_act_edge(cli_script *script, const cli_arguments *arguments) {
    int status = check_turn(script, "edge");
    for (size_t i = 0; status == -1 && i < 2; i++)
        if (!cli_node_there(script, (int64_t)arguments->numbers[i]))
            status = cli_script_fail(script, script->words[1 + i].column, "there is no node %" PRIu64,
                                     arguments->numbers[i]);
    return status;
}
