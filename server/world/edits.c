/* SPDX-License-Identifier: MIT */
/* Changes of the map: what each has to fulfil, those that wait, and their publication. */
#include <string.h>

#include "base/array.h"
#include "cli/output/cells.h"
#include "world/rows.h"
#include <wend/stream.h>
#include <wend/versions.h>

/* ---- links with all waiting changes: a hash table, so that a list of changes takes no quadratic time ---- */

static host_link *find_link(const host_edits *edits, wend_cell from, wend_cell to) {
    size_t at = (size_t)host_hash_cell(host_hash_cell(0, from), to) & (edits->link_capacity - 1);
    for (;; at = (at + 1) & (edits->link_capacity - 1)) {
        host_link *link = &edits->links[at];
        if (!link->used || (host_same_cell(link->from, from) && host_same_cell(link->to, to))) return link;
    }
}

static bool grow_links(host_edits *edits) {
    host_edits larger = {.link_capacity = edits->link_capacity == 0 ? 64 : edits->link_capacity * 2};
    larger.links = calloc(larger.link_capacity, sizeof *larger.links);
    if (!larger.links) return false;
    for (size_t i = 0; i < edits->link_capacity; i++) {
        const host_link *link = &edits->links[i];
        if (link->used) *find_link(&larger, link->from, link->to) = *link;
    }
    free(edits->links);
    edits->links = larger.links;
    edits->link_capacity = larger.link_capacity;
    return true;
}

/* Returns the entry of a link, which may not be there. NULL: no memory */
static host_link *make_link(host_edits *edits, wend_cell from, wend_cell to) {
    if (2 * (edits->link_entries + 1) > edits->link_capacity && !grow_links(edits)) return NULL;
    host_link *link = find_link(edits, from, to);
    if (!link->used) *link = (host_link){from, to, true, false}, edits->link_entries++;
    return link;
}

static void set_link(host_edits *edits, host_link *link, bool there) {
    edits->link_count += there ? !link->there : -(size_t)link->there;
    link->there = there;
}

static void drop_links(host_edits *edits) {
    free(edits->links);
    edits->links = NULL;
    edits->link_capacity = edits->link_entries = edits->link_count = 0;
    edits->has_links = false;
}

/* Those of the map, then what waits. */
static bool load_links(host *h) {
    host_edits *edits = &h->edits;
    size_t count;
    if (edits->has_links) return true;
    wend_map_get_links(h->map, NULL, 0, &count);
    wend_link *own = malloc((count + 1) * sizeof *own);
    bool good = own;
    if (good) wend_map_get_links(h->map, own, count, &count);
    for (size_t i = 0; good && i < count; i++) {
        host_link *link = make_link(edits, own[i].from, own[i].to);
        good = link;
        if (good) set_link(edits, link, true);
    }
    free(own);
    for (size_t i = 0; good && i < edits->count; i++) {
        const wend_change_item *item = &edits->items[i].item;
        if (item->kind != WEND_ORDER_LINK && item->kind != WEND_ORDER_UNLINK) continue;
        host_link *link = make_link(edits, item->change.from, item->change.to);
        good = link;
        if (good) set_link(edits, link, item->kind == WEND_ORDER_LINK);
    }
    edits->has_links = good;
    if (!good) drop_links(edits);
    return good;
}

/* ---- rules ---- */

static int32_t distance(int32_t a, int32_t b) {
    return a < b ? b - a : a - b;
}

/* Returns how many axes a step may use at once. A recording has also those that the map's rules do not allow. */
static int32_t most_axes(const host *h) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    if (h->recorded) return 3;
    wend_map_get_rules(h->map, &rules);
    switch (rules.neighbours) {
    case 4:
    case 6: return 1;
    case 8:
    case 18: return 2;
    default: return 3;
    }
}

static bool check_step(const host *h, const wend_change *change, host_error *error) {
    const wend_cell a = change->from, b = change->to;
    const int32_t x = distance(a.x, b.x), y = distance(a.y, b.y), z = distance(a.z, b.z), axes = x + y + z;
    if (h->kind == WEND_KIND_GRAPH)
        return host_refuse(error, HOST_BAD_ARGUMENT, NULL, "a graph has no steps: its ways are edges and links");
    if (x <= 1 && y <= 1 && z <= 1 && axes >= 1 && axes <= most_axes(h)) return true;
    return host_refuse(error, HOST_BAD_ARGUMENT, &change->to, "%s is not a neighbour of %s: there is no such step",
                       host_cell_text(h->kind, b).text, host_cell_text(h->kind, a).text);
}

/* Used only to choose a message, so it is false where memory runs out. */
static bool is_edge(const host *h, wend_cell from, wend_cell to) {
    size_t count = 0;
    bool found = false;
    if (wend_map_get_edges(h->map, (uint32_t)from.x, NULL, 0, &count)) return false;
    wend_edge *edges = malloc((count + 1) * sizeof *edges);
    if (!edges) return false;
    wend_map_get_edges(h->map, (uint32_t)from.x, edges, count, &count);
    for (size_t i = 0; i < count && !found; i++) found = edges[i].to == (uint32_t)to.x;
    free(edges);
    return found;
}

/* A second link between two cells replaces the first. */
static bool check_link(host *h, const wend_change *change, host_error *error) {
    if (host_same_cell(change->from, change->to))
        return host_refuse(error, HOST_BAD_ARGUMENT, &change->to, "a link leads to another cell than its own");
    host_link *link = load_links(h) ? make_link(&h->edits, change->from, change->to) : NULL;
    if (!link) return host_no_memory(error);
    if (!link->there && h->edits.link_count >= WEND_MAX_LINKS)
        return host_refuse(error, HOST_BAD_ARGUMENT, NULL, "a map has at most %d links", WEND_MAX_LINKS);
    return true;
}

static bool check_unlink(host *h, const wend_change *change, host_error *error) {
    host_link *link = load_links(h) ? make_link(&h->edits, change->from, change->to) : NULL;
    if (!link) return host_no_memory(error);
    if (link->there) return true;
    return host_refuse(error, HOST_BAD_ARGUMENT, &change->from, "there is no link from %s to %s%s",
                       host_cell_text(h->kind, change->from).text, host_cell_text(h->kind, change->to).text,
                       is_edge(h, change->from, change->to) ? ", only an edge, and edges stay" : "");
}

static bool check_ground(host *h, int32_t kind, const wend_change *change, host_error *error) {
    const wend_change_item item = {kind, *change};
    return host_check_loaded(h, host_box(&item), &change->from, error);
}

static bool check_change(host *h, int32_t kind, const wend_change *change, host_error *error) {
    if (kind == WEND_ORDER_LOAD && change->value == WEND_FROM_FILE)
        return host_refuse(error, HOST_BAD_ARGUMENT, &change->value, "only lines of scripts load from a file");
    if (host_is_land(kind)) return host_check_chunk(h, kind, &change->from, error);
    if (!host_check_cell(h, &change->from, error)) return false;
    if (kind != WEND_ORDER_SET && !host_check_cell(h, &change->to, error)) return false;
    switch (kind) {
    case WEND_ORDER_STEP: return check_step(h, change, error) && check_ground(h, WEND_ORDER_SET, change, error);
    case WEND_ORDER_LINK: return check_link(h, change, error);
    case WEND_ORDER_UNLINK: return check_unlink(h, change, error);
    default: return check_ground(h, kind, change, error);
    }
}

/* ---- changes that wait ---- */

/* The change was checked. */
static bool note_change(host *h, int32_t kind, const wend_change *change, host_error *error) {
    host_edits *edits = &h->edits;
    host_edit edit = {{kind, *change}, false};
    if (!WEND__ARRAY_ROOM(edits->items, edits->capacity, edits->count + 1)) return host_no_memory(error);
    if (kind == WEND_ORDER_LINK || kind == WEND_ORDER_UNLINK) {
        host_link *link = find_link(edits, change->from, change->to);
        edit.was_there = link->there;
        set_link(edits, link, kind == WEND_ORDER_LINK);
    } else if (host_is_land(kind)) {
        uint8_t *loaded = host_land_at(&edits->land, change->from);
        edit.was_there = *loaded;
        *loaded = kind == WEND_ORDER_LOAD;
    }
    edits->items[edits->count++] = edit;
    return true;
}

static void forget_changes(host *h, size_t count) {
    host_edits *edits = &h->edits;
    for (; count > 0; count--) {
        const host_edit *edit = &edits->items[--edits->count];
        const bool links = edit->item.kind == WEND_ORDER_LINK || edit->item.kind == WEND_ORDER_UNLINK;
        if (links && edits->has_links)
            set_link(edits, find_link(edits, edit->item.change.from, edit->item.change.to), edit->was_there);
        if (host_is_land(edit->item.kind)) *host_land_at(&edits->land, edit->item.change.from) = edit->was_there;
    }
}

bool host_check_change(host *h, const host_client *who, const wend_order *order, host_error *error) {
    (void)who;
    return check_change(h, order->kind, &order->change, error) && note_change(h, order->kind, &order->change, error);
}

void host_forget_change(host *h, const wend_order *order) {
    (void)order;
    forget_changes(h, 1);
}

/* All changes or none. */
bool host_check_edit(host *h, const host_client *who, const wend_order *order, host_error *error) {
    (void)who;
    for (size_t i = 0; i < order->changes.count; i++) {
        const wend_change_item *item = &order->changes.items[i];
        error->index = i;
        if (check_change(h, item->kind, &item->change, error) && note_change(h, item->kind, &item->change, error))
            continue;
        forget_changes(h, i);
        return false;
    }
    return true;
}

void host_forget_edit(host *h, const wend_order *order) {
    forget_changes(h, order->changes.count);
}

void host_edits_free(host_edits *edits) {
    drop_links(edits);
    host_land_free(&edits->land);
    free(edits->items);
    *edits = (host_edits){0};
}

/* ---- publication ---- */

static void sort(int32_t *a, int32_t *b) {
    const int32_t first = *a;
    if (first <= *b) return;
    *a = *b;
    *b = first;
}

wend_box host_box(const wend_change_item *item) {
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

static wend_error make_change(wend_edit *batch, const wend_change_item *item) {
    const wend_change *change = &item->change;
    switch (item->kind) {
    case WEND_ORDER_STEP: return wend_edit_set_step(batch, change->from, change->to, change->value);
    case WEND_ORDER_LINK: return wend_edit_add_link(batch, change->from, change->to, change->value);
    case WEND_ORDER_UNLINK: return wend_edit_remove_link(batch, change->from, change->to);
    case WEND_ORDER_LOAD: return load(batch, change->from, change->value);
    case WEND_ORDER_UNLOAD:
        return wend_edit_unload(batch, change->from.x, change->from.y,
                                change->value ? WEND_LAND_ABSENT : WEND_LAND_KNOWN);
    default: return wend_edit_fill_box(batch, host_box(item), (uint8_t)change->value);
    }
}

static wend_error publish(const host *h, size_t count) {
    wend_edit *batch;
    wend_error error = wend_edit_begin(h->map, &batch);
    if (error) return error;
    for (size_t i = 0; !error && i < count; i++) error = make_change(batch, &h->edits.items[i].item);
    if (!error) return wend_edit_publish(batch, NULL);
    wend_edit_discard(batch);
    return error;
}

wend_error host_publish(host *h, size_t count) {
    host_edits *edits = &h->edits;
    const wend_error error = publish(h, count);
    edits->count -= count;
    if (edits->count > 0) memmove(edits->items, edits->items + count, edits->count * sizeof *edits->items);
    if (error) drop_links(edits), host_land_free(&edits->land); /* they were noted as made */
    return error;
}

bool host_do_edit(host *h, const host_client *who, const wend_order *order, host_error *error) {
    (void)who;
    return host_refuse_error(error, host_publish(h, order->changes.count), NULL);
}
