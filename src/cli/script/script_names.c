/* SPDX-License-Identifier: MIT */
/* Names of a script: hash tables, so that scripts with many names take no quadratic time. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/script/script.h"

/* The entry of a text, or the empty entry where it belongs. */
static cli_label **place_of(const cli_labels *labels, const char *text, size_t length) {
    size_t at = (size_t)wend__hash_name(WEND__HASH_START, text, length) & (labels->capacity - 1);
    cli_label **items = labels->items;
    while (items[at] != NULL && (items[at]->length != length || memcmp(items[at]->text, text, length) != 0))
        at = (at + 1) & (labels->capacity - 1);
    return &items[at];
}

void *cli_label_find(const cli_labels *labels, cli_word word) {
    return labels->count == 0 ? NULL : *place_of(labels, word.text, word.length);
}

static bool grow(cli_labels *labels) {
    cli_labels larger = {.count = labels->count, .capacity = labels->capacity == 0 ? 64 : labels->capacity * 2};
    larger.items = calloc(larger.capacity, sizeof *larger.items);
    if (larger.items == NULL) return false;
    for (size_t i = 0; i < labels->capacity; i++) {
        cli_label *label = labels->items[i];
        if (label != NULL) *place_of(&larger, label->text, label->length) = label;
    }
    free(labels->items);
    *labels = larger;
    return true;
}

void *cli_label_make(cli_labels *labels, cli_word word, size_t bytes) {
    cli_label *label = cli_label_find(labels, word);
    if (label != NULL) return label;
    if (2 * (labels->count + 1) > labels->capacity && !grow(labels)) return NULL;
    label = calloc(1, bytes + word.length + 1);
    if (label == NULL) return NULL;
    label->text = (char *)label + bytes;
    label->length = word.length;
    memcpy(label->text, word.text, word.length);
    *place_of(labels, word.text, word.length) = label;
    labels->count++;
    return label;
}

void cli_labels_free(cli_labels *labels) {
    for (size_t i = 0; i < labels->capacity; i++) free(labels->items[i]);
    free(labels->items);
    *labels = (cli_labels){NULL, 0, 0};
}
