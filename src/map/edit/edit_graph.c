/* SPDX-License-Identifier: MIT */
/* A batch's changes of a graph: nodes and edges, in the draft's own copy of the graph. */
#include "map/edit/edit.h"
#include "map/kinds/graph.h"
#include "map/links/links.h"
#include "map/store/memory.h"
#include "map/version/map.h"
#include <wend/ways.h>

static wend_error check_graph(const wend_edit *edit) {
    if (edit->map->kind == WEND_KIND_GRAPH) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "the map is no graph");
}

/* Checks nodes of the draft: nodes that the batch added count. */
static wend_error check_node(const wend_edit *edit, const char *name, uint32_t node) {
    if (wend__graph_has(edit->draft->graph, node)) return WEND_OK;
    return wend__refuse(WEND_OUT_OF_RANGE, "%s is %u, but the graph has no such node: they are 0 to %d", name, node,
                        edit->map->width - 1);
}

/* Returns the draft's own graph. NULL: out of memory. */
static wend__graph *own_graph(wend_edit *edit) {
    wend__version *draft = edit->draft;
    if (draft->graph != edit->base->graph) return (wend__graph *)draft->graph;
    wend__graph *copy = wend__graph_copy(edit->map, draft->graph);
    if (!copy) return NULL;
    wend__graph_release(edit->map, draft->graph);
    draft->graph = copy;
    return copy;
}

static wend_cell cell_of(uint32_t node) {
    return (wend_cell){(int32_t)node, 0, 0};
}

static void log_change(wend_edit *edit, int32_t kind, uint32_t node, wend_cell to, int32_t value) {
    wend__log_change(edit->map, &edit->log,
                     (wend_change_item){kind, {.from = cell_of(node), .to = to, .value = value}});
}

/* ---- edges ---- */

static wend_error check_edge(const wend_edit *edit, uint32_t from, uint32_t to) {
    wend_error error = check_graph(edit);
    if (!error) error = check_node(edit, "from", from);
    return error ? error : check_node(edit, "to", to);
}

static wend_error set_edge(wend_edit *edit, uint32_t from, uint32_t to, int32_t cost) {
    wend_error error = check_edge(edit, from, to);
    if (!error) error = wend__check_range("cost", cost, 1, WEND_MAX_COST);
    if (error) return error;
    if (edit->draft->graph->edges >= WEND_MAX_EDGES && !wend__graph_leads(edit->draft->graph, from, to))
        return wend__refuse(WEND_BAD_ARGUMENT, "the graph has 2^31 edges, the most that it can have");
    wend__graph *graph = own_graph(edit);
    if (!graph) return WEND_OUT_OF_MEMORY;
    log_change(edit, WEND_ORDER_EDGE, from, cell_of(to), cost);
    return wend__graph_set_edge(edit->map, graph, from, to, (uint32_t)cost);
}

wend_error wend_edit_set_edge(wend_edit *edit, uint32_t from, uint32_t to, int32_t cost) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    return wend__edit_keep(edit, set_edge(edit, from, to, cost));
}

static wend_error remove_edge(wend_edit *edit, uint32_t from, uint32_t to) {
    wend_error error = check_edge(edit, from, to);
    if (error) return error;
    if (!wend__graph_leads(edit->draft->graph, from, to))
        return wend__refuse(WEND_EMPTY, "no edge leads from there to there");
    wend__graph *graph = own_graph(edit);
    if (!graph) return WEND_OUT_OF_MEMORY;
    /* `unlink` removes a link rather than an edge: if both exist, no line can express this */
    if (wend__edit_has_link(edit, from, to)) edit->log.unsaid = true;
    log_change(edit, WEND_ORDER_UNLINK, from, cell_of(to), 0);
    return wend__graph_set_edge(edit->map, graph, from, to, 0);
}

wend_error wend_edit_remove_edge(wend_edit *edit, uint32_t from, uint32_t to) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    wend_error error = remove_edge(edit, from, to);
    return error == WEND_EMPTY ? error : wend__edit_keep(edit, error);
}

/* ---- nodes ---- */

/* Returns the lowest id that neither the draft nor a live version has; the graph's number of ids if none is left. */
static uint32_t find_free(const wend_edit *edit) {
    const wend__graph *graph = edit->draft->graph;
    uint32_t found = graph->nodes;
    wend__mutex_lock(edit->map->mutex);
    for (uint32_t first = 0; first < graph->nodes && found == graph->nodes; first += 64) {
        uint64_t taken = graph->blocks[first >> 12]->present[first >> 6 & 63];
        for (const wend__version *v = edit->map->newest; v && ~taken; v = v->older)
            taken |= v->graph->blocks[first >> 12]->present[first >> 6 & 63];
        if (~taken) found = first | wend__ctz64(~taken);
    }
    wend__mutex_unlock(edit->map->mutex);
    return found < graph->nodes ? found : graph->nodes;
}

static wend_error add_node(wend_edit *edit, uint32_t *node, wend_cell place, uint8_t terrain) {
    wend_error error = check_graph(edit);
    if (error) return error;
    const bool any = *node == WEND_ANY_NODE;
    if (any) *node = find_free(edit);
    if (*node >= edit->draft->graph->nodes)
        return any ? wend__refuse(WEND_OUT_OF_RANGE, "the graph has no more ids: its node_capacity is %d",
                                  edit->map->width)
                   : wend__refuse(WEND_OUT_OF_RANGE, "node is %u, but the graph has ids up to %d: its node_capacity",
                                  *node, edit->map->width - 1);
    if (wend__graph_has(edit->draft->graph, *node))
        return wend__refuse(WEND_BAD_ARGUMENT, "there is a node %u already", *node);
    wend__graph *graph = own_graph(edit);
    if (!graph || wend__graph_add_node(edit->map, graph, *node, place)) return WEND_OUT_OF_MEMORY;
    const bool placed = graph->coordinates;
    log_change(edit, WEND_ORDER_NODE, *node, placed ? place : (wend_cell){0, 0, 0}, placed);
    if (terrain != WEND_CLASS_OPEN) log_change(edit, WEND_ORDER_SET, *node, cell_of(*node), terrain);
    return wend__edit_fill(edit, (wend_box){cell_of(*node), cell_of(*node)}, terrain);
}

wend_error wend_edit_add_node(wend_edit *edit, uint32_t node, wend_cell coordinates, uint8_t terrain, uint32_t *out) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    const wend_error error = wend__edit_keep(edit, add_node(edit, &node, coordinates, terrain));
    if (!error && out) *out = node;
    return error;
}

static wend_error remove_node(wend_edit *edit, uint32_t node) {
    wend_error error = check_graph(edit);
    if (!error) error = check_node(edit, "node", node);
    if (!error) error = wend__edit_remove_links(edit, node);
    if (!error) error = wend__edit_fill(edit, (wend_box){cell_of(node), cell_of(node)}, WEND_CLASS_BLOCKED);
    if (error) return error;
    wend__graph *graph = own_graph(edit);
    if (!graph) return WEND_OUT_OF_MEMORY;
    edit->log.unsaid = true;
    return wend__graph_remove_node(edit->map, graph, node);
}

wend_error wend_edit_remove_node(wend_edit *edit, uint32_t node) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    return wend__edit_keep(edit, remove_node(edit, node));
}
