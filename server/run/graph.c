/* SPDX-License-Identifier: MIT */
/* Nodes and edges. The map is made at the line `graph`: lines up to the first frame, update or `publish` are read ahead
 * for it, and read again in order, when their errors are reported. Later lines are edits; the map has room for their
 * nodes. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/world/heap.h"
#include "script/script.h"

static uint64_t highest_node(const script_state *script) {
    const uint64_t most = script->options->most_cells;
    return (most > 0 ? most : wend__script_nodes(script->size)) - 1;
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
    uint64_t capacity; ///< ids of all lines, those of edits, too, are below it
    bool without_coordinates, asked, over;
} ahead;

static bool keep_node(ahead *a, const wend_order *said) {
    if (!WEND__ARRAY_ROOM(a->nodes, a->node_capacity, a->node_count + 1)) return false;
    a->nodes[a->node_count++] = (node){(uint32_t)said->change.from.x, said->change.to};
    if (!said->change.value) a->without_coordinates = true;
    return true;
}

static bool keep_edge(ahead *a, const wend_order *said) {
    if (!WEND__ARRAY_ROOM(a->edges, a->edge_capacity, a->edge_count + 1)) return false;
    a->edges[a->edge_count++] =
        (wend_edge){(uint32_t)said->change.from.x, (uint32_t)said->change.to.x, said->change.value};
    return true;
}

/* Wrong lines are skipped here: they end the script when they are read in order, before any frame. */
static bool scan_line(script_state *script, ahead *a) {
    static const char *const words[] = {"node", "edge", "publish", "drain", "walk", "frame", "update"};
    const script_word word = script->reader.words[0];
    wend_order said;
    bool known = false, ends = true;
    a->asked = a->asked || script_word_is(word, "request") || script_word_is(word, "nearest");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) known = known || script_word_is(word, words[i]);
    if (!known || script_read(script, &said)) return true;
    const uint64_t id = (uint64_t)said.change.from.x;
    switch (said.kind) {
    case WEND_ORDER_NODE:
        if (id > highest_node(script)) return true;
        if (id >= a->capacity) a->capacity = id + 1;
        return a->over || keep_node(a, &said);
    case WEND_ORDER_EDGE: return a->over || keep_edge(a, &said);
    case WEND_ORDER_DRAIN: ends = a->asked; break;
    case WEND_ORDER_FRAME: ends = said.frame.count > 0; break;
    default: break;
    }
    if (ends && !a->over) script->graph.end = script->line;
    a->over = a->over || ends;
    return true;
}

/* @return false where memory ran out */
static bool read_ahead(script_state *script, ahead *a) {
    script_place place = script_mark(script);
    int status;
    bool good = true;
    script->graph.end = INT_MAX;
    while (good && script_next_line(script, &status))
        if (script->reader.word_count > 0) good = scan_line(script, a);
    return script_return(script, &place) && good;
}

/* ---- the map ---- */

static bool mark_nodes(script_graph *graph, const ahead *a) {
    uint32_t highest = 0;
    for (size_t i = 0; i < a->node_count; i++)
        if (a->nodes[i].id > highest) highest = a->nodes[i].id;
    graph->count = (uint64_t)highest + 1;
    graph->known = cli_alloc_zero((size_t)graph->count, 1);
    if (!graph->known) return false;
    for (size_t i = 0; i < a->node_count; i++) graph->known[a->nodes[i].id] = 1;
    graph->empty = a->node_count == 0;
    return true;
}

/* Edges between missing nodes are errors of their lines; the map must not see them. */
static void drop_edges(const script_graph *graph, ahead *a) {
    size_t kept = 0;
    for (size_t i = 0; i < a->edge_count; i++) {
        wend_edge edge = a->edges[i];
        if (edge.from < graph->count && edge.to < graph->count && graph->known[edge.from] && graph->known[edge.to])
            a->edges[kept++] = edge;
    }
    a->edge_count = kept;
}

static wend_error create(script_state *script, const ahead *a) {
    script_graph *graph = &script->graph;
    wend_graph_def def;
    wend_graph_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    wend_cell *coordinates = NULL;
    if (!a->without_coordinates && !graph->empty) {
        coordinates = calloc((size_t)graph->count, sizeof *coordinates);
        if (!coordinates) return WEND_OUT_OF_MEMORY;
        for (size_t i = 0; i < a->node_count; i++) coordinates[a->nodes[i].id] = a->nodes[i].at;
    }
    def.node_count = (uint32_t)graph->count;
    def.node_capacity = (uint32_t)a->capacity;
    def.present = graph->empty ? NULL : graph->known;
    def.coordinates = coordinates;
    def.edges = a->edges;
    def.edge_count = a->edge_count;
    wend_error error = wend_graph_create(&def, &script->built.map);
    free(coordinates);
    return error;
}

int script_act_graph(script_state *script, wend_order *order) {
    ahead a = {0};
    wend_error error = WEND_OUT_OF_MEMORY;
    (void)order;
    script->graph.line = script->line;
    if (read_ahead(script, &a) && mark_nodes(&script->graph, &a)) {
        drop_edges(&script->graph, &a);
        error = create(script, &a);
    }
    free(a.nodes);
    free(a.edges);
    if (error) return script_fail(script, script->reader.words[0].column, "graph: %s", wend_error_detail(error));
    script->world.nodes = script->graph.known;
    script->world.node_count = script->graph.count;
    script_read_size(script);
    return CLI_DONE;
}

/* ---- lines in order ---- */

/* Returns whether a line is an edit: the map was made without it. All lines of the map were read by then, so the nodes
 * are those of the map. */
static bool is_edit(script_state *script) {
    if (script->graph.known && script->line < script->graph.end) return false;
    script->world.nodes = NULL;
    return true;
}

int script_act_node(script_state *script, wend_order *order) {
    const uint64_t id = (uint64_t)order->change.from.x, most = highest_node(script);
    if (script->graph.known && id > most)
        return script_fail(script, script->reader.words[1].column,
                           "a script of this size has nodes up to %" PRIu64 ", not %" PRIu64, most, id);
    if (is_edit(script)) return script_act_change(script, order);
    if (script->graph.known[id] == 2)
        return script_fail(script, script->reader.words[1].column, "there is a node %" PRIu64 " already", id);
    script->graph.known[id] = 2;
    return CLI_DONE;
}

int script_act_edge(script_state *script, wend_order *order) {
    const int32_t ends[] = {order->change.from.x, order->change.to.x};
    int status = CLI_DONE;
    if (is_edit(script)) return script_act_change(script, order);
    for (size_t i = 0; !status && i < 2; i++)
        if (!world_is_on_map(&script->world, (wend_cell){ends[i], 0, 0}))
            status = script_fail(script, script->reader.words[1 + i].column, "there is no node %" PRId32, ends[i]);
    return status;
}
