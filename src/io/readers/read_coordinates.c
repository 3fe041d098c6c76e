/* SPDX-License-Identifier: MIT */
/* Reading the DIMACS .co file beside a graph: the number of nodes, then the coordinates of each. */
#include "io/readers/dimacs_lines.h"
#include "io/readers/map_readers.h"
#include "io/text/file_error.h"
#include "io/text/number.h"

#include <stdio.h>

enum { UNSAID = -1 }; /* the z of a node whose line was not read yet */

typedef struct co_parser {
    wend__reader reader;
    wend_file_error *error;
    bool sized;
    int32_t nodes, said;
    wend_cell *coordinates;
} co_parser;

/* The rest of the line after "p": "aux sp co" and the number of nodes. */
static wend_error parse_size(co_parser *p, wend__line *line, const wend__word *name) {
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

static wend_error parse_line(co_parser *p, wend__line *line, const wend__word *name) {
    line->at = name->end;
    if (wend__word_is(name, "c")) return WEND_OK;
    if (wend__word_is(name, "p")) return parse_size(p, line, name);
    if (wend__word_is(name, "v")) return parse_node(p, line, name);
    return wend__expected(p->error, WEND_BAD_FORMAT, name, p->sized ? "v, c" : "p, c");
}

static bool parse_node_fast(co_parser *p) {
    int32_t n[3];
    const unsigned char *next = p->sized ? wend__numbers_line(&p->reader, 'v', n) : NULL;
    if (!next || n[0] < 1 || n[0] > p->nodes || p->coordinates[n[0]].z != UNSAID) return false;
    p->coordinates[n[0]] = (wend_cell){n[1], n[2], 0};
    p->said++;
    wend__skip_line(&p->reader, next);
    return true;
}

static wend_error parse_lines(co_parser *p) {
    wend__line line;
    wend__word word;
    for (;;) {
        while (parse_node_fast(p)) {
        }
        if (!wend__next_full_line(&p->reader, &line, &word)) break;
        int32_t code = parse_line(p, &line, &word);
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
    int32_t code = parse_lines(&p);
    if (!code) {
        coordinates[0] = (wend_cell){0, 0, 0};
        return WEND_OK;
    }
    return wend__fail(error, code, NULL, "%s:%d:%d: %s", file->name, (int)inside.line, (int)inside.column, inside.text);
}
