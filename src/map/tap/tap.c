/* SPDX-License-Identifier: MIT */
/* Lines of a script for a tap: the changes of a batch, units, movers, acceleration. */
#include "map/tap/tap.h"

#include "base/phrase.h"
#include "map/kinds/graph.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"

enum { LINE_BYTES = 128, FIRST_BYTES = 1024 };

wend__tap *wend__map_tap(const wend_map *map) {
    return atomic_load_explicit(&map->tap, memory_order_acquire);
}

void wend__map_set_tap(wend_map *map, wend__tap *tap) {
    atomic_store_explicit(&map->tap, tap, memory_order_release);
}

int32_t wend__map_axes(const wend_map *map) {
    return map->kind == WEND_KIND_GRAPH ? 1 : map->kind == WEND_KIND_VOXEL ? 3 : 2;
}

/* ---- the log of a batch ---- */

/* Room for one more line; NULL: none. */
static char *reserve(const wend_map *map, wend__edit_log *log) {
    if (log->lost) return NULL;
    if (log->capacity - log->used >= LINE_BYTES) return log->text + log->used;
    const size_t capacity = log->capacity ? log->capacity * 2 : FIRST_BYTES;
    char *text = wend__map_alloc((wend_map *)map, capacity);
    if (!text) {
        log->lost = true;
        return NULL;
    }
    if (log->used > 0) memcpy(text, log->text, log->used);
    wend__map_free((wend_map *)map, log->text, log->capacity);
    log->text = text;
    log->capacity = capacity;
    return text + log->used;
}

static void end(wend__edit_log *log, const wend__phrase *line) {
    *line->at = '\n';
    log->used = (size_t)(line->at + 1 - log->text);
}

static void put_two(wend__phrase *line, const wend_map *map, const char *verb, wend_cell a, wend_cell b) {
    wend__phrase_text(line, verb);
    wend__phrase_cell(line, wend__map_axes(map), a);
    wend__phrase_text(line, " ");
    wend__phrase_cell(line, wend__map_axes(map), b);
}

void wend__log_fill(const wend_map *map, wend__edit_log *log, wend_box box, uint8_t terrain) {
    wend__phrase line = {log->kept ? reserve(map, log) : NULL};
    if (!line.at) return;
    if (memcmp(&box.min, &box.max, sizeof box.min) == 0) {
        wend__phrase_text(&line, "set ");
        wend__phrase_cell(&line, wend__map_axes(map), box.min);
    } else {
        put_two(&line, map, "fill ", box.min, box.max);
    }
    wend__phrase_option(&line, " ", terrain);
    end(log, &line);
}

void wend__log_step(const wend_map *map, wend__edit_log *log, wend_cell from, wend_cell to, bool open) {
    wend__phrase line = {log->kept ? reserve(map, log) : NULL};
    if (!line.at) return;
    put_two(&line, map, "step ", from, to);
    wend__phrase_text(&line, open ? " open" : " blocked");
    end(log, &line);
}

void wend__log_link(const wend_map *map, wend__edit_log *log, wend_cell from, wend_cell to, int32_t cost) {
    wend__phrase line = {log->kept ? reserve(map, log) : NULL};
    if (!line.at) return;
    put_two(&line, map, "link ", from, to);
    wend__phrase_option(&line, " ", (uint64_t)cost);
    end(log, &line);
}

void wend__log_unlink(const wend_map *map, wend__edit_log *log, wend_cell from, wend_cell to) {
    wend__phrase line = {log->kept ? reserve(map, log) : NULL};
    if (!line.at) return;
    put_two(&line, map, "unlink ", from, to);
    end(log, &line);
}

void wend__log_free(wend_map *map, wend__edit_log *log) {
    wend__map_free(map, log->text, log->capacity);
    *log = (wend__edit_log){0};
}

/* ---- what happened ---- */

static void note_line(const wend__tap *tap, char *text, wend__phrase *line) {
    *line->at++ = '\n';
    tap->note(tap->context, text, (size_t)(line->at - text));
}

void wend__tap_published(wend__tap *tap, const wend__edit_log *log) {
    static const char word[] = "publish\n";
    if (!log->kept || log->lost) {
        const wend_error error = log->lost ? wend__refuse(WEND_OUT_OF_MEMORY, "no memory for the lines of a batch")
                                           : wend__refuse(WEND_IN_USE, "a batch was open when the recording began");
        tap->fail(tap->context, error);
        return;
    }
    if (log->used > 0) tap->note(tap->context, log->text, log->used);
    tap->note(tap->context, word, sizeof word - 1);
}

void wend__tap_moved(const wend_map *map, wend_cell cell, bool came) {
    const wend__tap *tap = wend__map_tap(map);
    char text[LINE_BYTES];
    wend__phrase line = {text};
    if (!tap) return;
    wend__phrase_text(&line, came ? "occupy " : "vacate ");
    wend__phrase_cell(&line, wend__map_axes(map), cell);
    note_line(tap, text, &line);
}

void wend__tap_maintained(const wend_map *map, uint64_t effort) {
    const wend__tap *tap = wend__map_tap(map);
    char text[LINE_BYTES];
    wend__phrase line = {text};
    if (!tap) return;
    wend__phrase_option(&line, "maintain ", effort);
    note_line(tap, text, &line);
}

size_t wend__accelerate_line(char out[WEND__ACCELERATE_LINE_BYTES], const wend_acceleration *def) {
    wend__phrase line = {out};
    wend__phrase_text(&line, "prepare");
    if (def->mover != WEND_MOVER_DEFAULT) wend__phrase_option(&line, " mover=m", (uint64_t)def->mover);
    wend__phrase_option(&line, " landmarks=", (uint64_t)def->landmarks);
    wend__phrase_option(&line, " tables=", (uint64_t)def->tables);
    wend__phrase_option(&line, " effort=", def->publish_effort);
    if (def->max_bytes != WEND_NO_LIMIT) wend__phrase_option(&line, " bytes=", def->max_bytes);
    if (def->later) wend__phrase_text(&line, " later");
    wend__phrase_text(&line, "\n");
    return (size_t)(line.at - out);
}

void wend__tap_accelerated(const wend_map *map, const wend_acceleration *def) {
    const wend__tap *tap = wend__map_tap(map);
    char text[WEND__ACCELERATE_LINE_BYTES];
    if (tap) tap->note(tap->context, text, wend__accelerate_line(text, def));
}

size_t wend__mover_line(char out[WEND__MOVER_LINE_BYTES], const wend_mover *mover, int32_t id,
                        const uint8_t factors[256]) {
    wend__phrase line = {out};
    if (mover->factors[WEND_CLASS_BLOCKED] != 0) return 0;
    if (id == WEND_MOVER_DEFAULT)
        wend__phrase_text(&line, "mover default");
    else
        wend__phrase_option(&line, "mover m", (uint64_t)id);
    if (mover->size > 1) wend__phrase_option(&line, " size=", (uint64_t)mover->size);
    for (unsigned class = 1; class < 256; class ++) {
        if (mover->factors[class] == factors[class]) continue;
        wend__phrase_option(&line, " ", class);
        if (mover->factors[class] == 0)
            wend__phrase_text(&line, "=blocked");
        else
            wend__phrase_option(&line, "=", mover->factors[class]);
    }
    wend__phrase_text(&line, "\n");
    return (size_t)(line.at - out);
}

void wend__tap_mover(const wend_map *map, const wend_mover *mover, int32_t id, const wend_map_rules *rules) {
    const wend__tap *tap = wend__map_tap(map);
    char text[WEND__MOVER_LINE_BYTES];
    if (!tap) return;
    const size_t size = wend__mover_line(text, mover, id, rules->factors);
    if (size > 0)
        tap->note(tap->context, text, size);
    else
        tap->fail(tap->context, wend__refuse(WEND_UNSUPPORTED, "a script cannot say the factors of mover %d", id));
}

void wend__tap_unsupported(const wend_map *map, const char *what) {
    const wend__tap *tap = wend__map_tap(map);
    if (tap)
        tap->fail(tap->context, wend__refuse(WEND_UNSUPPORTED, "%s, which a script has before the first frame", what));
}
