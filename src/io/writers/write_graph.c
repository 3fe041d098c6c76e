/* SPDX-License-Identifier: MIT */
/* Writing graphs as DIMACS .gr, and their coordinates as .co. */
#include "io/writers/write_map.h"
#include "map/kinds/graph.h"

static const wend__graph *graph_of(const wend__map_writer *writer) {
    return writer->version->graph;
}

static wend_error refuse_node(const wend__map_writer *writer, uint32_t node, const char *why) {
    return wend__fail(writer->error, WEND_UNSUPPORTED, NULL,
                      "%s %lu, but those of a DIMACS graph are 1 to their number", why, (unsigned long)node);
}

wend_error wend__check_graph(const wend__map_writer *writer) {
    const wend__graph *graph = graph_of(writer);
    if (wend__graph_has(graph, 0)) return refuse_node(writer, 0, "there is a node");
    for (uint32_t node = 1; node < graph->nodes; node++) {
        wend_cell cell = {(int32_t)node, 0, 0};
        if (!wend__graph_has(graph, node)) return refuse_node(writer, node, "there is no node");
        wend__place place = wend__place_of(writer->version, cell);
        uint8_t terrain = wend__chunk_class(wend__version_chunk(writer->version, place.column, place.row), place.local);
        if (terrain != WEND_CLASS_OPEN) return wend__refuse_class(writer, cell, terrain);
    }
    return WEND_OK;
}

/* Each node gets a line of its own, even without arcs. So a reader can check the number of nodes in the header
   against the size of the file. */
void wend__put_graph(const wend__map_writer *writer, wend__sink *sink) {
    const wend__graph *graph = graph_of(writer);
    wend__sink_print(sink, "p sp %lu %llu\n", (unsigned long)graph->nodes - 1, (unsigned long long)graph->edges);
    for (uint32_t node = 1; node < graph->nodes && !sink->error; node++) {
        const wend__arcs arcs = wend__graph_arcs(graph, node);
        if (arcs.first == arcs.end) wend__sink_print(sink, "c no arc leaves node %lu\n", (unsigned long)node);
        for (const wend__arc *arc = arcs.first; arc != arcs.end; arc++)
            wend__sink_print(sink, "a %lu %lu %lu\n", (unsigned long)node, (unsigned long)arc->to,
                             (unsigned long)arc->cost);
    }
}

bool wend__has_coordinates(const wend__map_writer *writer) {
    return graph_of(writer)->coordinates != NULL;
}

wend_error wend__check_coordinates(const wend__map_writer *writer) {
    const wend__graph *graph = graph_of(writer);
    for (uint32_t node = 1; node < graph->nodes; node++) {
        wend_cell at = graph->coordinates[node];
        if (at.z != 0)
            return wend__fail(writer->error, WEND_UNSUPPORTED, NULL,
                              "node %lu lies at z = %ld, but DIMACS coordinates are x and y", (unsigned long)node,
                              (long)at.z);
    }
    return WEND_OK;
}

void wend__put_coordinates(const wend__map_writer *writer, wend__sink *sink) {
    const wend__graph *graph = graph_of(writer);
    wend__sink_print(sink, "p aux sp co %lu\n", (unsigned long)graph->nodes - 1);
    for (uint32_t node = 1; node < graph->nodes && !sink->error; node++)
        wend__sink_print(sink, "v %lu %ld %ld\n", (unsigned long)node, (long)graph->coordinates[node].x,
                         (long)graph->coordinates[node].y);
}
