/* SPDX-License-Identifier: MIT */
/* Keeps what the reader of Tiled maps assumed, and makes the warnings of it. */
#include "tiled/tiled.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { NOTE_BYTES = 2 * WEND__NAME_BYTES + 160 };

typedef struct note_kind {
    size_t count;
    char first[NOTE_BYTES];
} note_kind;

struct wend__tiled_notes {
    note_kind kinds[WEND__NOTE_KINDS];
    bool said; ///< the map defines what blocks or costs
    size_t shaped_blocked, shaped_open;
};

wend__tiled_notes *wend__tiled_notes_make(void) {
    return calloc(1, sizeof(wend__tiled_notes));
}

void wend__tiled_notes_drop(wend__tiled_notes *notes) {
    free(notes);
}

void wend__tiled_note(const wend__tiled *t, int32_t kind, const char *format, ...) {
    note_kind *k = &t->notes->kinds[kind];
    if (k->count++) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(k->first, sizeof k->first, format, arguments);
    va_end(arguments);
}

void wend__tiled_note_said(const wend__tiled *t) {
    t->notes->said = true;
}

void wend__tiled_note_shapes(const wend__tiled *t, bool blocked) {
    *(blocked ? &t->notes->shaped_blocked : &t->notes->shaped_open) += 1;
}

/// The texts while they are put together.
typedef struct texts {
    char **list;
    size_t count;
    bool no_memory;
} texts;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add_text(texts *to, const char *format, ...) {
    char text[NOTE_BYTES + 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char **grown = realloc(to->list, (to->count + 1) * sizeof *grown);
    if (grown) to->list = grown;
    char *copy = grown ? malloc(strlen(text) + 1) : NULL;
    if (copy)
        to->list[to->count++] = memcpy(copy, text, strlen(text) + 1);
    else
        to->no_memory = true;
}

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

static void add_name(texts *to, const wend__tiled_name *name) {
    char quote[WEND__NAME_BYTES];
    wend__tiled_quote(name->text, quote);
    if (name->tiles && !name->known)
        add_text(to, "%zu tile%s blocked by %s%s", name->tiles, plural(name->tiles), quote,
                 name->inverted ? " = false" : "");
    if (name->layers)
        add_text(to, "%zu layer%s blocked by %s: %zu tile%s", name->layers, plural(name->layers), quote,
                 name->layer_tiles, plural(name->layer_tiles));
    if (name->shapes)
        add_text(to, "%zu shape%s blocked by %s: %zu cell%s", name->shapes, plural(name->shapes), quote,
                 name->shape_cells, plural(name->shape_cells));
    if (name->no_area)
        add_text(to, "%zu object%s of %s left out: no rectangle, polygon or ellipse", name->no_area,
                 plural(name->no_area), quote);
}

static void add_names(texts *to, const wend__tiled *t) {
    for (size_t i = 0; i < t->blocked->count; i++) {
        wend__tiled_name name = t->blocked->list[i];
        if (name.known && name.where == WEND__NAMES_ALL && t->how.blocked_names)
            name.layers = name.shapes = 0; /* the caller's own name */
        add_name(to, &name);
    }
    const wend__tiled_notes *notes = t->notes;
    const size_t shaped = notes->shaped_blocked + notes->shaped_open;
    if (shaped)
        add_text(to, "%zu tile%s %s shapes: %zu blocked, %zu open", shaped, plural(shaped),
                 shaped == 1 ? "has" : "have", notes->shaped_blocked, notes->shaped_open);
    for (size_t i = 0; i < t->costs->count; i++) {
        char quote[WEND__NAME_BYTES];
        const wend__tiled_name *name = &t->costs->list[i];
        wend__tiled_quote(name->text, quote);
        if (name->tiles && !name->known)
            add_text(to, "%zu tile%s with the cost of %s", name->tiles, plural(name->tiles), quote);
    }
}

/// Writes a number with a comma before each three digits.
static void write_count(uint64_t number, char out[32]) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *at = out;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) *at++ = ',';
        *at++ = digits[i];
    }
    *at = 0;
}

static bool anything_blocks(const wend__tiled *t) {
    for (size_t i = 0; i < t->blocked->count; i++) {
        const wend__tiled_name *name = &t->blocked->list[i];
        if (name->tiles || name->layer_tiles || name->shape_cells) return true;
    }
    return t->notes->said || t->notes->shaped_blocked;
}

/* Without walls a map is of little use, and most probably the reader did not find them. */
static void add_open(texts *to, const wend__tiled *t) {
    char count[32];
    if (anything_blocks(t)) return;
    write_count((uint64_t)t->width * (uint64_t)t->height * (uint64_t)(t->storeys ? t->storeys : 1), count);
    add_text(to, "no tile, layer or object of this map says what blocks: all %s cells are open (--blocked NAME)",
             count);
}

wend_error wend__tiled_notes_give(wend__tiled *t, wend_tiled *beside) {
    texts all = {0};
    for (int32_t i = 0; i < WEND__NOTE_KINDS; i++) {
        const note_kind *k = &t->notes->kinds[i];
        if (k->count == 1) add_text(&all, "%s", k->first);
        if (k->count > 1) add_text(&all, "%s (and %zu more)", k->first, k->count - 1);
    }
    add_names(&all, t);
    add_open(&all, t);
    beside->warnings = (const char *const *)all.list;
    beside->warning_count = all.count;
    if (all.no_memory) return wend__tiled_no_memory(t);
    if (!t->how.strict || !all.count) return WEND_OK;
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s", all.list[0]);
}
