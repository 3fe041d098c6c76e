/* SPDX-License-Identifier: MIT */
/* Changes of the map: the conditions of each, the waiting ones, and their publication. */
#include <string.h>

#include "base/array.h"
#include "cli/output/cells.h"
#include "cli/world/heap.h"
#include "world/rows.h"
#include <wend/stream.h>
#include <wend/versions.h>

/* ---- links with all waiting changes: a hash table, so that a list of changes takes no quadratic time ---- */

static world_link *find_link(const world_edits *edits, wend_cell from, wend_cell to) {
    size_t at = (size_t)cli_hash_cell(cli_hash_cell(0, from), to) & (edits->link_capacity - 1);
    for (;; at = (at + 1) & (edits->link_capacity - 1)) {
        world_link *link = &edits->links[at];
        if (!link->used || (cli_same_cell(link->from, from) && cli_same_cell(link->to, to))) return link;
    }
}

static bool grow_links(world_edits *edits) {
    world_edits larger = {.link_capacity = edits->link_capacity == 0 ? 64 : edits->link_capacity * 2};
    larger.links = cli_alloc_zero(larger.link_capacity, sizeof *larger.links);
    if (!larger.links) return false;
    for (size_t i = 0; i < edits->link_capacity; i++) {
        const world_link *link = &edits->links[i];
        if (link->used) *find_link(&larger, link->from, link->to) = *link;
    }
    cli_free(edits->links);
    edits->links = larger.links;
    edits->link_capacity = larger.link_capacity;
    return true;
}

/* Returns the entry of a link, which may be new. NULL: no memory */
static world_link *make_link(world_edits *edits, wend_cell from, wend_cell to) {
    if (2 * (edits->link_entries + 1) > edits->link_capacity && !grow_links(edits)) return NULL;
    world_link *link = find_link(edits, from, to);
    if (!link->used) *link = (world_link){.from = from, .to = to, .used = true}, edits->link_entries++;
    return link;
}

static void set_link(world_edits *edits, world_link *link, bool there) {
    edits->link_count += there ? !link->there : -(size_t)link->there;
    link->there = there;
}

static void drop_links(world_edits *edits) {
    cli_free(edits->links);
    edits->links = NULL;
    edits->link_capacity = edits->link_entries = edits->link_count = 0;
    edits->has_links = false;
}

/* ---- edges and nodes, by the same table ---- */

static const wend_cell of_node = {-1, 0, 0}; /* in place of an edge's end */

/* Returns whether the map has an edge; also false if memory runs out. */
static bool has_edge(const world_state *w, wend_cell from, wend_cell to) {
    size_t count = 0;
    bool found = false;
    if (wend_map_get_edges(w->map, (uint32_t)from.x, NULL, 0, &count)) return false;
    wend_edge *edges = cli_alloc((count + 1) * sizeof *edges);
    if (!edges) return false;
    wend_map_get_edges(w->map, (uint32_t)from.x, edges, count, &count);
    for (size_t i = 0; i < count && !found; i++) found = edges[i].to == (uint32_t)to.x;
    cli_free(edges);
    return found;
}

/* Reads an entry's edges at its first use; later only changes update them. */
static void know_edge(const world_state *w, world_link *link) {
    if (link->edge_known) return;
    link->edge_known = true;
    link->edge = w->kind == WEND_KIND_GRAPH && link->to.x >= 0 && has_edge(w, link->from, link->to);
}

/* Returns whether a cell is on the map after all waiting changes. */
static bool will_be_on_map(const world_state *w, wend_cell cell) {
    const world_edits *edits = &w->edits;
    if (world_is_on_map(w, cell)) return true;
    return edits->has_links && edits->link_capacity > 0 && find_link(edits, cell, of_node)->edge;
}

static bool is_of_links(int32_t kind) {
    return kind == WEND_ORDER_NODE || kind == WEND_ORDER_EDGE || kind == WEND_ORDER_LINK || kind == WEND_ORDER_UNLINK;
}

static wend_cell end_of(const wend_change_item *item) {
    return item->kind == WEND_ORDER_NODE ? of_node : item->change.to;
}

/* Records a change, with the former state in it. */
static void note_change(world_edits *edits, world_link *link, world_edit *edit) {
    const int32_t kind = edit->item.kind;
    edit->of_edge = kind == WEND_ORDER_NODE || kind == WEND_ORDER_EDGE || (kind == WEND_ORDER_UNLINK && !link->there);
    edit->was_there = edit->of_edge ? link->edge : link->there;
    if (edit->of_edge)
        link->edge = kind != WEND_ORDER_UNLINK;
    else
        set_link(edits, link, kind == WEND_ORDER_LINK);
}

/* Adds links of the map first, then waiting changes. */
static bool load_links(world_state *w) {
    world_edits *edits = &w->edits;
    size_t count;
    if (edits->has_links) return true;
    wend_map_get_links(w->map, NULL, 0, &count);
    wend_link *own = cli_alloc((count + 1) * sizeof *own);
    bool good = own;
    if (good) wend_map_get_links(w->map, own, count, &count);
    for (size_t i = 0; good && i < count; i++) {
        world_link *link = make_link(edits, own[i].from, own[i].to);
        good = link;
        if (good) set_link(edits, link, true);
    }
    cli_free(own);
    for (size_t i = 0; good && i < edits->count; i++) {
        world_edit *edit = &edits->items[i];
        if (!is_of_links(edit->item.kind)) continue;
        world_link *link = make_link(edits, edit->item.change.from, end_of(&edit->item));
        good = link;
        if (good) know_edge(w, link), note_change(edits, link, edit);
    }
    edits->has_links = good;
    if (!good) drop_links(edits);
    return good;
}

/* ---- rules ---- */

static int32_t distance(int32_t a, int32_t b) {
    return a < b ? b - a : a - b;
}

/* Returns how many axes a step may use at once; between hexagons two, if it leads `across`: along both with different
 * signs. A recording also has steps that the map's rules do not allow. */
static int32_t most_axes(const world_state *w, bool across) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    if (w->recorded) return 3;
    wend_map_get_rules(w->map, &rules);
    switch (rules.neighbours) {
    case 4: return 1;
    case 6: return w->kind == WEND_KIND_GRID && across ? 2 : 1;
    case 8:
    case 18: return 2;
    default: return 3;
    }
}

static bool check_step(const world_state *w, const wend_change *change, world_error *error) {
    const wend_cell a = change->from, b = change->to;
    const int32_t x = distance(a.x, b.x), y = distance(a.y, b.y), z = distance(a.z, b.z), axes = x + y + z;
    if (w->kind == WEND_KIND_GRAPH)
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "a graph has no steps: its ways are edges and links");
    if (x <= 1 && y <= 1 && z <= 1 && axes >= 1 && axes <= most_axes(w, b.x - a.x == a.y - b.y)) return true;
    return world_refuse(error, WORLD_BAD_ARGUMENT, &change->to, "%s is not a neighbour of %s: there is no such step",
                        cli_cell_text(w->kind, b).text, cli_cell_text(w->kind, a).text);
}

/* Returns whether cells are neighbours over the rim of a map that wraps. */
static bool meet_over_rim(const world_state *w, wend_cell a, wend_cell b) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(w->map, &info);
    const int32_t x = distance(a.x, b.x), y = distance(a.y, b.y);
    const bool over_x = info.wrap & WEND_WRAP_X && x == info.width - 1;
    const bool over_y = info.wrap & WEND_WRAP_Y && y == info.height - 1;
    return (over_x || over_y) && (over_x || x <= 1) && (over_y || y <= 1);
}

/* Returns the number of a mover in a name of a recording, m and the number, also of one that comes later; else −1. */
static int32_t recorded_mover(const world_state *w, const wend_name *name) {
    int32_t number = 0;
    if (!w->recorded || !name->text || name->length < 2 || name->length > 3 || name->text[0] != 'm') return -1;
    for (uint32_t i = 1; i < name->length; i++) {
        if (name->text[i] < '0' || name->text[i] > '9') return -1;
        number = 10 * number + name->text[i] - '0';
    }
    return number;
}

/* Reads the movers that a link is for, from their names or bits. @return false: refused */
static bool read_movers(const world_state *w, const wend_change *change, uint32_t *bits, world_error *error) {
    const wend_names *names = &change->movers;
    *bits = names->bits;
    for (size_t i = 0; names->bits == 0 && i < names->count; i++) {
        const wend_name name = wend__names_at(names, i);
        const int32_t recorded = recorded_mover(w, &name);
        const int32_t mover = recorded > 0 ? recorded : world_mover_of(w, &name, error);
        error->member = names;
        if (mover < 0) return false;
        if (mover >= WEND_LINK_MOVERS)
            return world_refuse(error, WORLD_BAD_ARGUMENT, names,
                                "links are for movers up to number %d, and '%s' is %d", WEND_LINK_MOVERS - 1,
                                wend__show_word((wend__span){name.text, name.length, 0}).text, (int)mover);
        *bits |= UINT32_C(1) << mover;
    }
    if (*bits == 0 || change->value != WEND_LINK_SEAM) return true;
    return world_refuse(error, WORLD_BAD_ARGUMENT, names, "a seam is for all movers");
}

/* A second link between two cells replaces the first. */
static bool check_link(world_state *w, const wend_change *change, world_error *error) {
    size_t sheets;
    if (cli_same_cell(change->from, change->to))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &change->to, "a link leads to another cell than its own");
    if (meet_over_rim(w, change->from, change->to))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &change->to,
                            "%s and %s are neighbours over the rim: no link joins such cells",
                            cli_cell_text(w->kind, change->from).text, cli_cell_text(w->kind, change->to).text);
    wend_map_get_sheets(w->map, NULL, 0, &sheets);
    if (change->value == WEND_LINK_SEAM && sheets == 0)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &change->value, "a seam joins sheets, and the map has none");
    world_link *link = load_links(w) ? make_link(&w->edits, change->from, change->to) : NULL;
    if (!link) return world_no_memory(error);
    if (!link->there && w->edits.link_count >= WEND_MAX_LINKS)
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "a map has at most %d links", WEND_MAX_LINKS);
    return true;
}

static bool check_unlink(world_state *w, const wend_change *change, world_error *error) {
    world_link *link = load_links(w) ? make_link(&w->edits, change->from, change->to) : NULL;
    if (!link) return world_no_memory(error);
    know_edge(w, link);
    if (link->there || link->edge) return true;
    return world_refuse(error, WORLD_BAD_ARGUMENT, &change->from, "there is no link from %s to %s%s",
                        cli_cell_text(w->kind, change->from).text, cli_cell_text(w->kind, change->to).text,
                        w->kind == WEND_KIND_GRAPH ? ", and no edge" : "");
}

static bool check_edge(world_state *w, const wend_change *change, world_error *error) {
    world_link *link = load_links(w) ? make_link(&w->edits, change->from, change->to) : NULL;
    if (!link) return world_no_memory(error);
    know_edge(w, link);
    return true;
}

static bool check_node(world_state *w, const wend_change *change, world_error *error) {
    wend_map_info info = {.struct_bytes = sizeof info};
    const int32_t id = change->from.x;
    wend_map_get_info(w->map, &info);
    if (will_be_on_map(w, change->from))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &change->from, "there is a node %d already", (int)id);
    if (id < 0 || id >= info.width)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &change->from, "the graph has room for nodes up to %d, not %d",
                            (int)info.width - 1, (int)id);
    if (info.has_coordinates && !change->value)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &change->from,
                            "the nodes of this graph have coordinates, and node %d has none", (int)id);
    world_link *link = load_links(w) ? make_link(&w->edits, change->from, of_node) : NULL;
    return link || world_no_memory(error);
}

static bool check_end(const world_state *w, const wend_cell *cell, world_error *error) {
    return will_be_on_map(w, *cell) || world_check_cell(w, cell, error);
}

static bool check_ground(world_state *w, int32_t kind, const wend_change *change, world_error *error) {
    const wend_change_item item = {kind, *change};
    return world_check_loaded(w, world_box(&item), &change->from, error);
}

static bool check_change(world_state *w, int32_t kind, const wend_change *change, world_error *error) {
    if (kind == WEND_ORDER_LOAD && change->value == WEND_FROM_FILE)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &change->value, "only lines of scripts load from a file");
    if (world_is_land(kind)) return world_check_chunk(w, kind, &change->from, error);
    if ((kind == WEND_ORDER_NODE || kind == WEND_ORDER_EDGE) && w->kind != WEND_KIND_GRAPH)
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "%s is for graphs", wend__order_rows[kind].name);
    if (kind == WEND_ORDER_NODE) return check_node(w, change, error);
    if (!check_end(w, &change->from, error)) return false;
    if (kind != WEND_ORDER_SET && !check_end(w, &change->to, error)) return false;
    switch (kind) {
    case WEND_ORDER_EDGE: return check_edge(w, change, error);
    case WEND_ORDER_STEP: return check_step(w, change, error) && check_ground(w, WEND_ORDER_SET, change, error);
    case WEND_ORDER_LINK: return check_link(w, change, error);
    case WEND_ORDER_UNLINK: return check_unlink(w, change, error);
    default: return check_ground(w, kind, change, error);
    }
}

/* ---- changes that wait ---- */

/* Adds a change that was checked, with the movers of a link as bits. */
static bool add_change(world_state *w, int32_t kind, const wend_change *change, world_error *error) {
    world_edits *edits = &w->edits;
    world_edit edit = {.item = {kind, *change}};
    uint32_t movers;
    if (!read_movers(w, change, &movers, error)) return false;
    edit.item.change.movers = wend__movers_of(movers);
    if (!CLI_ARRAY_ROOM(edits->items, edits->capacity, edits->count + 1)) return world_no_memory(error);
    if (is_of_links(kind)) {
        note_change(edits, find_link(edits, change->from, end_of(&edit.item)), &edit);
    } else if (world_is_land(kind)) {
        uint8_t *loaded = world_land_at(&edits->land, change->from);
        edit.was_there = *loaded;
        *loaded = kind == WEND_ORDER_LOAD;
    }
    edits->items[edits->count++] = edit;
    return true;
}

static void forget_changes(world_state *w, size_t count) {
    world_edits *edits = &w->edits;
    for (; count > 0; count--) {
        const world_edit *edit = &edits->items[--edits->count];
        world_link *link = is_of_links(edit->item.kind) && edits->has_links
                               ? find_link(edits, edit->item.change.from, end_of(&edit->item))
                               : NULL;
        if (link && edit->of_edge)
            link->edge = edit->was_there;
        else if (link)
            set_link(edits, link, edit->was_there);
        if (world_is_land(edit->item.kind)) *world_land_at(&edits->land, edit->item.change.from) = edit->was_there;
    }
}

bool world_check_change(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    (void)who;
    return check_change(w, order->kind, &order->change, error) && add_change(w, order->kind, &order->change, error);
}

void world_forget_change(world_state *w, const wend_order *order) {
    (void)order;
    forget_changes(w, 1);
}

/* Adds all changes or none. */
bool world_check_edit(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    (void)who;
    for (size_t i = 0; i < order->changes.count; i++) {
        const wend_change_item *item = &order->changes.items[i];
        error->index = i;
        if (check_change(w, item->kind, &item->change, error) && add_change(w, item->kind, &item->change, error))
            continue;
        forget_changes(w, i);
        return false;
    }
    return true;
}

void world_forget_edit(world_state *w, const wend_order *order) {
    forget_changes(w, order->changes.count);
}

void world_edits_free(world_edits *edits) {
    drop_links(edits);
    world_land_free(&edits->land);
    cli_free(edits->items);
    *edits = (world_edits){0};
}

/* ---- publication ---- */

static void sort(int32_t *a, int32_t *b) {
    const int32_t first = *a;
    if (first <= *b) return;
    *a = *b;
    *b = first;
}

wend_box world_box(const wend_change_item *item) {
    wend_box box = {item->change.from, item->kind == WEND_ORDER_SET ? item->change.from : item->change.to};
    sort(&box.min.x, &box.max.x);
    sort(&box.min.y, &box.max.y);
    sort(&box.min.z, &box.max.z);
    return box;
}

static wend_error load(wend_edit *batch, wend_cell chunk, int32_t ground) {
    static const uint8_t blocked[WEND_CHUNK_SIDE * WEND_CHUNK_SIDE];
    return wend_edit_load(batch, chunk.x, chunk.y, ground == WEND_CLASS_OPEN ? NULL : blocked, WEND_CHUNK_SIDE);
}

/* Removes a link, or else the edges of a graph. */
static wend_error unlink_cells(wend_edit *batch, const wend_change *change) {
    const wend_error error = wend_edit_remove_link(batch, change->from, change->to);
    if (error != WEND_EMPTY) return error;
    return wend_edit_remove_edge(batch, (uint32_t)change->from.x, (uint32_t)change->to.x);
}

static wend_error make_change(wend_edit *batch, const wend_change_item *item) {
    const wend_change *change = &item->change;
    const uint32_t node = (uint32_t)change->from.x;
    switch (item->kind) {
    case WEND_ORDER_NODE: return wend_edit_add_node(batch, node, change->to, WEND_CLASS_OPEN, NULL);
    case WEND_ORDER_EDGE: return wend_edit_set_edge(batch, node, (uint32_t)change->to.x, change->value);
    case WEND_ORDER_STEP: return wend_edit_set_step(batch, change->from, change->to, change->value != 0);
    case WEND_ORDER_LINK:
        return wend_edit_add_link(batch, &(wend_link){change->from, change->to, change->value, change->movers.bits});
    case WEND_ORDER_UNLINK: return unlink_cells(batch, change);
    case WEND_ORDER_LOAD: return load(batch, change->from, change->value);
    case WEND_ORDER_UNLOAD:
        return wend_edit_unload(batch, change->from.x, change->from.y,
                                change->value ? WEND_LAND_ABSENT : WEND_LAND_KNOWN);
    default: return wend_edit_fill_box(batch, world_box(item), (uint8_t)change->value);
    }
}

static wend_error publish(const world_state *w, size_t count) {
    wend_edit *batch;
    wend_error error = wend_edit_begin(w->map, &batch);
    if (error) return error;
    for (size_t i = 0; !error && i < count; i++) error = make_change(batch, &w->edits.items[i].item);
    if (!error) return wend_edit_publish(batch, NULL);
    wend_edit_discard(batch);
    return error;
}

wend_error world_publish(world_state *w, size_t count) {
    world_edits *edits = &w->edits;
    const wend_error error = publish(w, count);
    edits->count -= count;
    if (edits->count > 0) memmove(edits->items, edits->items + count, edits->count * sizeof *edits->items);
    if (error) drop_links(edits), world_land_free(&edits->land); /* they were recorded as made */
    return error;
}

bool world_do_edit(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    (void)who;
    return world_refuse_error(error, world_publish(w, order->changes.count), NULL);
}
