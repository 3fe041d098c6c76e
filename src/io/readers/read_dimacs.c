/* SPDX-License-Identifier: MIT */
/* Reading DIMACS shortest-path graphs: comments, the size, then a line for each arc. */
#include "io/readers/map_readers.h"
#include "io/text/text.h"

#include <stdio.h>
#include <string.h>
#include <wend/graph.h>

/// Moves past a line that numbers_line() parsed.
static inline void skip_line(wend__reader *reader, const unsigned char *next) {
    WEND__DEBUG_ASSERT(next > reader->at && next <= reader->end);
    reader->line_begin = reader->at;
    reader->at = next;
    if (reader->line < INT32_MAX) reader->line++;
}

/* ---- usual lines ---- */

/* Parse the next line if it is `letter` and three numbers of up to nine digits, with one blank between them. A
 * minus may stand before a number. Nearly every line of a DIMACS file has this form.
 * @return the start of the line after it, for skip_line(); NULL: the line has another form */
static const unsigned char *numbers_line(const wend__reader *reader, unsigned char letter, int32_t out[3]) {
    const unsigned char *at = reader->at, *end = reader->end;
    if (at == end || *at++ != letter) return NULL;
    for (int i = 0; i < 3; i++) {
        if (at == end || *at++ != ' ') return NULL;
        bool negative = at < end && *at == '-';
        if (negative) at++;
        const unsigned char *last = end - at > 9 ? at + 9 : end, *first = at;
        int32_t value = 0;
        while (at < last && (unsigned char)(*at - '0') <= 9) value = value * 10 + (*at++ - '0');
        if (at == first) return NULL;
        out[i] = negative ? -value : value;
    }
    if (at < end && *at == '\r') at++;
    return at < end && *at == '\n' ? at + 1 : NULL;
}

/* ---- the .co file next to a graph: the number of nodes, then the coordinates of each ---- */

enum { UNSAID = -1 }; /* the z of a node without its line */

typedef struct co_parser {
    wend__reader reader;
    wend_file_error *error;
    bool sized;
    int32_t nodes, said;
    wend_cell *coordinates;
} co_parser;

/* The rest of the line after "p": "aux sp co" and the number of nodes. */
static wend_error parse_co_size(co_parser *p, wend__line *line, const wend__word *name) {
    static const char *const words[] = {"aux", "sp", "co"};
    wend__word word;
    int32_t nodes;
    if (p->sized) return wend__fail(p->error, WEND_BAD_FORMAT, name, "a second 'p' line");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        wend__next_word(line, &word);
        if (!wend__word_is(&word, words[i])) return wend__expected(p->error, WEND_BAD_FORMAT, &word, "%s", words[i]);
    }
    wend__next_word(line, &word);
    if (!wend__word_number(&word, p->nodes, p->nodes, &nodes))
        return wend__expected(p->error, WEND_BAD_FORMAT, &word, "%d, the graph's number of nodes", (int)p->nodes);
    p->sized = true;
    return wend__expect_line_end(line, p->error);
}

static wend_error expect_coordinate(co_parser *p, wend__line *line, const char *what, int32_t *out) {
    wend__word word;
    wend__next_word(line, &word);
    if (wend__word_signed(&word, out)) return WEND_OK;
    return wend__expected(p->error, WEND_BAD_FORMAT, &word, "a node's %s, a whole number of 32 bits", what);
}

static wend_error parse_node(co_parser *p, wend__line *line, const wend__word *name) {
    int32_t node = 0, x = 0, y = 0;
    if (!p->sized) return wend__expected(p->error, WEND_BAD_FORMAT, name, "a 'p aux sp co' line before the first node");
    int32_t code = wend__expect_number(line, "a node", 1, p->nodes, &node, p->error);
    if (!code) code = expect_coordinate(p, line, "x", &x);
    if (!code) code = expect_coordinate(p, line, "y", &y);
    if (!code) code = wend__expect_line_end(line, p->error);
    if (code) return code;
    if (p->coordinates[node].z != UNSAID)
        return wend__fail(p->error, WEND_BAD_FORMAT, name, "a second 'v' line of node %d", (int)node);
    p->coordinates[node] = (wend_cell){x, y, 0};
    p->said++;
    return WEND_OK;
}

static wend_error parse_co_line(co_parser *p, wend__line *line, const wend__word *name) {
    line->at = name->end;
    if (wend__word_is(name, "c")) return WEND_OK;
    if (wend__word_is(name, "p")) return parse_co_size(p, line, name);
    if (wend__word_is(name, "v")) return parse_node(p, line, name);
    return wend__expected(p->error, WEND_BAD_FORMAT, name, p->sized ? "v, c" : "p, c");
}

static bool parse_node_fast(co_parser *p) {
    int32_t n[3];
    const unsigned char *next = p->sized ? numbers_line(&p->reader, 'v', n) : NULL;
    if (!next || n[0] < 1 || n[0] > p->nodes || p->coordinates[n[0]].z != UNSAID) return false;
    WEND__DEBUG_ASSERT(p->said < p->nodes);
    p->coordinates[n[0]] = (wend_cell){n[1], n[2], 0};
    p->said++;
    skip_line(&p->reader, next);
    return true;
}

static wend_error parse_co_lines(co_parser *p) {
    wend__line line;
    wend__word word;
    for (;;) {
        while (parse_node_fast(p)) {
        }
        if (!wend__next_full_line(&p->reader, &line, &word)) break;
        int32_t code = parse_co_line(p, &line, &word);
        if (code) return code;
    }
    if (!p->sized) return wend__expected(p->error, WEND_BAD_FORMAT, &word, "a 'p aux sp co' line");
    if (p->said == p->nodes) return WEND_OK;
    int32_t node = 1;
    while (p->coordinates[node].z != UNSAID) node++;
    return wend__expected(p->error, WEND_BAD_FORMAT, &word, "a 'v' line of node %d", (int)node);
}

wend_error wend__coordinates_parse(const wend__coordinates_file *file, int32_t nodes, wend_cell *coordinates,
                                   wend_file_error *error) {
    wend_file_error inside = {.struct_bytes = sizeof inside};
    co_parser p = {.error = &inside, .nodes = nodes, .coordinates = coordinates};
    wend__reader_init(&p.reader, file->bytes, file->size);
    for (int32_t i = 0; i < nodes; i++) coordinates[i + 1] = (wend_cell){0, 0, UNSAID};
    int32_t code = parse_co_lines(&p);
    if (!code) {
        coordinates[0] = (wend_cell){0, 0, 0};
        return WEND_OK;
    }
    return wend__fail(error, code, NULL, "%s:%d:%d: %s", file->name, (int)inside.line, (int)inside.column, inside.text);
}

/* A file of any size may have this many nodes, and one more for each byte. */
enum { FREE_NODES = 65536, SHORTEST_ARC = sizeof "a 1 1 1" /* with its line end */ };

typedef struct dimacs_parser {
    wend__map_source *source;
    wend_allocator allocator;
    wend__reader reader;
    bool sized;
    int32_t nodes, arcs; /* from the header */
    wend_edge *edges;
    size_t count, capacity, free_arcs;
    uint8_t *present;
    wend_cell *coordinates; /* NULL: the graph has none */
} dimacs_parser;

static void *allocate_array(const dimacs_parser *p, size_t count, size_t each) {
    if (count > SIZE_MAX / each) return NULL;
    return wend__allocate(&p->allocator, count * each, _Alignof(max_align_t));
}

static void give_back(const dimacs_parser *p, void *pointer, size_t bytes) {
    if (pointer) p->allocator.free(p->allocator.context, pointer, bytes);
}

static void drop(const dimacs_parser *p) {
    give_back(p, p->edges, p->capacity * sizeof *p->edges);
    give_back(p, p->present, (size_t)p->nodes + 1);
    give_back(p, p->coordinates, ((size_t)p->nodes + 1) * sizeof *p->coordinates);
}

/* No memory is taken for nodes and arcs that the header claims but the bytes cannot hold. */
static wend_error check_nodes(const dimacs_parser *p, const wend__word *number) {
    uint64_t bytes = (uint64_t)p->source->size + (p->source->coordinates ? p->source->coordinates->size : 0);
    if ((uint64_t)p->nodes <= FREE_NODES + bytes) return WEND_OK;
    return wend__expected(p->source->error, WEND_BAD_FORMAT, number, "at most %llu nodes in a file of this size",
                          (unsigned long long)(FREE_NODES + bytes));
}

static wend_error allocate_edges(dimacs_parser *p) {
    size_t fit = (size_t)(p->reader.end - p->reader.at) / SHORTEST_ARC + 1, arcs = (size_t)p->arcs;
    size_t capacity = arcs < fit ? arcs : fit;
    if (capacity == 0) return WEND_OK;
    p->edges = allocate_array(p, capacity, sizeof *p->edges);
    if (!p->edges) return WEND_OUT_OF_MEMORY;
    p->capacity = capacity;
    return WEND_OK;
}

/* The rest of the line after "p": "sp", the number of nodes and the number of arcs. */
static wend_error parse_size(dimacs_parser *p, wend__line *line, const wend__word *name) {
    wend_file_error *error = p->source->error;
    wend__word word;
    if (p->sized) return wend__fail(error, WEND_BAD_FORMAT, name, "a second 'p' line");
    wend__next_word(line, &word);
    if (wend__word_is(&word, "aux"))
        return wend__fail(
            error, WEND_BAD_FORMAT, name,
            "coordinates without their graph: read the .gr file, and those of the .co beside it come along");
    if (!wend__word_is(&word, "sp")) return wend__expected(error, WEND_BAD_FORMAT, &word, "sp");
    wend__line ahead = *line;
    wend__next_word(&ahead, &word);
    int32_t code = wend__expect_number(line, "the number of nodes", 1, INT32_MAX, &p->nodes, error);
    if (!code) code = check_nodes(p, &word);
    if (!code) code = wend__expect_number(line, "the number of arcs", 0, INT32_MAX, &p->arcs, error);
    if (!code) code = wend__expect_line_end(line, error);
    p->sized = true;
    return code ? code : allocate_edges(p);
}

static wend_error parse_arc(dimacs_parser *p, wend__line *line, const wend__word *name) {
    wend_file_error *error = p->source->error;
    int32_t from = 0, to = 0, cost = 0;
    if (!p->sized) return wend__expected(error, WEND_BAD_FORMAT, name, "a 'p sp' line before the first arc");
    if (p->count == (size_t)p->arcs)
        return wend__expected(error, WEND_BAD_FORMAT, name, "the end of the file after %d arcs", (int)p->arcs);
    int32_t code = wend__expect_number(line, "the node that an arc leaves", 1, p->nodes, &from, error);
    if (!code) code = wend__expect_number(line, "the node that an arc enters", 1, p->nodes, &to, error);
    if (!code) code = wend__expect_number(line, "an arc's cost", 0, WEND_MAX_COST, &cost, error);
    if (!code) code = wend__expect_line_end(line, error);
    if (code) return code;
    if (cost == 0) cost = 1, p->free_arcs++; /* no estimate of the remaining cost could tell such arcs apart */
    WEND__ASSERT(p->count < p->capacity);
    p->edges[p->count++] = (wend_edge){(uint32_t)from, (uint32_t)to, cost};
    return WEND_OK;
}

static wend_error parse_line(dimacs_parser *p, wend__line *line, const wend__word *name) {
    line->at = name->end;
    if (wend__word_is(name, "c")) return WEND_OK;
    if (wend__word_is(name, "p")) return parse_size(p, line, name);
    if (wend__word_is(name, "a")) return parse_arc(p, line, name);
    return wend__expected(p->source->error, WEND_BAD_FORMAT, name, p->sized ? "a, c" : "p, c");
}

static bool parse_arc_fast(dimacs_parser *p) {
    int32_t n[3];
    if (p->count == p->capacity) return false;
    const unsigned char *next = numbers_line(&p->reader, 'a', n);
    if (!next || n[0] < 1 || n[0] > p->nodes || n[1] < 1 || n[1] > p->nodes || n[2] < 1 || n[2] > WEND_MAX_COST)
        return false;
    p->edges[p->count++] = (wend_edge){(uint32_t)n[0], (uint32_t)n[1], n[2]};
    skip_line(&p->reader, next);
    return true;
}

static wend_error parse_lines(dimacs_parser *p) {
    wend__line line;
    wend__word word;
    for (;;) {
        while (parse_arc_fast(p)) {
        }
        if (!wend__next_full_line(&p->reader, &line, &word)) break;
        int32_t code = parse_line(p, &line, &word);
        if (code) return code;
    }
    if (!p->sized) return wend__expected(p->source->error, WEND_BAD_FORMAT, &word, "a 'p sp' line");
    if (p->count == (size_t)p->arcs) return WEND_OK;
    return wend__expected(p->source->error, WEND_BAD_FORMAT, &word, "arc %zu of %d", p->count + 1, (int)p->arcs);
}

static wend_error read_coordinates(dimacs_parser *p) {
    const wend__coordinates_file *file = p->source->coordinates;
    if (!file) return WEND_OK;
    p->coordinates = allocate_array(p, (size_t)p->nodes + 1, sizeof *p->coordinates);
    if (!p->coordinates) return WEND_OUT_OF_MEMORY;
    return wend__coordinates_parse(file, p->nodes, p->coordinates, p->source->error);
}

static wend_error make_graph(dimacs_parser *p, wend_map **out) {
    const wend_map_def *def = p->source->def;
    wend_graph_def graph;
    wend_graph_def_init(&graph, sizeof graph);
    p->present = allocate_array(p, (size_t)p->nodes + 1, 1);
    if (!p->present) return WEND_OUT_OF_MEMORY;
    memset(p->present, 1, (size_t)p->nodes + 1);
    p->present[0] = 0; /* the file numbers nodes from 1 */
    WEND__DEBUG_ASSERT(p->sized && p->nodes > 0);
    graph.node_count = (uint32_t)p->nodes + 1;
    graph.present = p->present;
    graph.coordinates = p->coordinates;
    graph.edges = p->edges;
    graph.edge_count = p->count;
    graph.max_versions = def->max_versions;
    graph.max_bytes = def->max_bytes;
    graph.allocator = def->allocator;
    memcpy(graph.factors, def->rules->factors, sizeof graph.factors);
    return wend_graph_create(&graph, out);
}

static void report_free_arcs(dimacs_parser *p) {
    char text[64];
    if (!p->free_arcs) return;
    snprintf(text, sizeof text, "%zu arc%s of cost 0 read as 1", p->free_arcs, p->free_arcs == 1 ? "" : "s");
    wend__assume(p->source, text);
}

wend_error wend__dimacs_parse(wend__map_source *source, wend_map **out) {
    dimacs_parser p = {.source = source, .allocator = wend__allocator_or_default(source->def->allocator)};
    wend__reader_init(&p.reader, source->bytes, source->size);
    int32_t code = parse_lines(&p);
    if (!code) code = read_coordinates(&p);
    if (!code) code = make_graph(&p, out);
    report_free_arcs(&p);
    drop(&p);
    return code;
}
