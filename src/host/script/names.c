/* SPDX-License-Identifier: MIT */
/* Names of a script: hash tables, so that scripts with many names take no quadratic time. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/script/script.h"

/* The entry of a text, or the empty entry where it belongs. */
static host_label **place_of(const host_labels *labels, const char *text, size_t length) {
    size_t at = (size_t)wend__hash_name(WEND__HASH_START, text, length) & (labels->capacity - 1);
    host_label **items = labels->items;
    while (items[at] && (items[at]->length != length || memcmp(items[at]->text, text, length) != 0))
        at = (at + 1) & (labels->capacity - 1);
    return &items[at];
}

void *host_label_find(const host_labels *labels, host_word word) {
    return labels->count == 0 ? NULL : *place_of(labels, word.text, word.length);
}

static bool grow(host_labels *labels) {
    host_labels larger = {.count = labels->count, .capacity = labels->capacity == 0 ? 64 : labels->capacity * 2};
    larger.items = calloc(larger.capacity, sizeof *larger.items);
    if (!larger.items) return false;
    for (size_t i = 0; i < labels->capacity; i++) {
        host_label *label = labels->items[i];
        if (label) *place_of(&larger, label->text, label->length) = label;
    }
    free(labels->items);
    *labels = larger;
    return true;
}

void *host_label_make(host_labels *labels, host_word word, size_t bytes) {
    host_label *label = host_label_find(labels, word);
    if (label) return label;
    if (2 * (labels->count + 1) > labels->capacity && !grow(labels)) return NULL;
    label = calloc(1, bytes + word.length + 1);
    if (!label) return NULL;
    label->text = (char *)label + bytes;
    label->length = word.length;
    memcpy(label->text, word.text, word.length);
    *place_of(labels, word.text, word.length) = label;
    labels->count++;
    return label;
}

void host_labels_free(host_labels *labels) {
    for (size_t i = 0; i < labels->capacity; i++) free(labels->items[i]);
    free(labels->items);
    *labels = (host_labels){NULL, 0, 0};
}
