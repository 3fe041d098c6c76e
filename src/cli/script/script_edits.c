/* SPDX-License-Identifier: MIT */
/* Commands that change the map: terrain, steps, links. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"

/* ---- steps ---- */

static int32_t distance(int32_t a, int32_t b) {
    return a < b ? b - a : a - b;
}

/* The number of axes that a step may use at once. A recording has also those that the map's rules do not allow. */
static int32_t most_directions(const cli_script *script) {
    wend_map_rules rules;
    if (script->recorded) return 3;
    cli_script_rules(script, &rules);
    switch (rules.neighbours) {
    case 4:
    case 6: return 1;
    case 8:
    case 18: return 2;
    default: return 3;
    }
}

static bool are_neighbours(const cli_script *script, wend_cell a, wend_cell b) {
    int32_t x = distance(a.x, b.x), y = distance(a.y, b.y), z = distance(a.z, b.z);
    return x <= 1 && y <= 1 && z <= 1 && x + y + z >= 1 && x + y + z <= most_directions(script);
}

static int check_ends(cli_script *script, const wend__order *order) {
    const int status = cli_check_cell(script, order, &order->change.from);
    return status == -1 ? cli_check_cell(script, order, &order->change.to) : status;
}

/* ---- edits wait for the next frame: no batch is open while rules may still change ---- */

static int keep(cli_script *script, const wend__order *order) {
    if (script->edit_count == script->edit_capacity) {
        size_t capacity = script->edit_capacity == 0 ? 64 : script->edit_capacity * 2;
        wend__change_item *edits = realloc(script->edits, capacity * sizeof *edits);
        if (edits == NULL) return cli_script_no_memory(script);
        script->edits = edits;
        script->edit_capacity = capacity;
    }
    script->edits[script->edit_count++] = (wend__change_item){order->kind, order->change};
    return -1;
}

int cli_act_fill(cli_script *script, wend__order *order) {
    const int status =
        order->kind == WEND__ORDER_SET ? cli_check_cell(script, order, &order->change.from) : check_ends(script, order);
    if (status != -1) return status;
    script->changed = true;
    return keep(script, order);
}

int cli_act_step(cli_script *script, wend__order *order) {
    const wend__change_order *change = &order->change;
    const cli_word *words = script->reader.words;
    if (script->kind == WEND_KIND_GRAPH)
        return cli_script_fail(script, words[0].column, "a graph has no steps: its ways are edges and links");
    const int status = check_ends(script, order);
    if (status != -1) return status;
    if (!are_neighbours(script, change->from, change->to))
        return cli_script_fail(script, words[2].column, "%s is not a neighbour of %s: there is no such step",
                               cli_quoted(words[2]).text, cli_quoted(words[1]).text);
    script->stepped = true;
    return keep(script, order);
}

int cli_act_link(cli_script *script, wend__order *order) {
    const wend__change_order *change = &order->change;
    const int status = check_ends(script, order);
    if (status != -1) return status;
    if (memcmp(&change->from, &change->to, sizeof change->from) == 0)
        return cli_script_fail(script, script->reader.words[2].column, "a link leads to another cell than its own");
    cli_way *way = cli_links_place(script, change->from, change->to);
    if (way == NULL) return cli_script_no_memory(script);
    if (!way->there && script->links.there >= WEND_MAX_LINKS)
        return cli_script_fail(script, script->reader.words[0].column, "a map has at most %d links", WEND_MAX_LINKS);
    if (!way->there) script->links.there++;
    way->there = true;
    return keep(script, order);
}

/* Does an edge of the graph lead there? Used only to choose a message, so it is false where memory runs out. */
static bool is_edge(const cli_script *script, wend_cell from, wend_cell to) {
    size_t count = 0;
    bool found = false;
    if (wend_map_get_edges(script->built.map, (uint32_t)from.x, NULL, 0, &count) != WEND_OK) return false;
    wend_edge *edges = malloc((count + 1) * sizeof *edges);
    if (edges == NULL) return false;
    wend_map_get_edges(script->built.map, (uint32_t)from.x, edges, count, &count);
    for (size_t i = 0; i < count && !found; i++) found = edges[i].to == (uint32_t)to.x;
    free(edges);
    return found;
}

int cli_act_unlink(cli_script *script, wend__order *order) {
    const cli_word *words = script->reader.words;
    const int status = check_ends(script, order);
    if (status != -1) return status;
    cli_way *way = cli_links_place(script, order->change.from, order->change.to);
    if (way == NULL) return cli_script_no_memory(script);
    if (!way->there) {
        bool edge = is_edge(script, way->from, way->to);
        return cli_script_fail(script, words[1].column, "there is no link from %s to %s%s", cli_quoted(words[1]).text,
                               cli_quoted(words[2]).text, edge ? ", only an edge, and edges stay" : "");
    }
    way->there = false;
    script->links.there--;
    return keep(script, order);
}

/* ---- the next version ---- */

static int publish(cli_script *script) {
    for (size_t i = 0; i < script->edit_count; i++) {
        const wend__change_item *edit = &script->edits[i];
        cli_film_edit(script, edit);
        if (edit->kind == WEND__ORDER_LINK || edit->kind == WEND__ORDER_UNLINK)
            cli_world_forget_teleport(&script->built, edit->change.from, edit->change.to);
    }
    const wend_error error = host_publish(&script->host, (wend__changes){script->edits, script->edit_count});
    script->edit_count = 0;
    if (error == WEND_OK) return -1;
    return cli_script_fail(script, script->reader.word_count > 0 ? script->reader.words[0].column : 1,
                           "the map cannot be edited: %s", wend_error_detail(error));
}

int cli_script_publish(cli_script *script) {
    return script->edit_count > 0 ? publish(script) : -1;
}

/* A recording says of a batch without changes, too, that it made an epoch. */
int cli_act_publish(cli_script *script, wend__order *order) {
    (void)order;
    script->changed = true;
    return script->recorded ? publish(script) : cli_script_publish(script);
}
