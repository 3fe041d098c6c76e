/* SPDX-License-Identifier: MIT */
/* The request that a NAME means: a hash table, so that scripts with many requests take no quadratic time. */
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"

/* FNV-1a */
static size_t hash_of(const char *text, size_t length) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

/* The entry of a word, or the empty entry where it belongs. */
static cli_name **place_of(cli_name **names, size_t capacity, const char *text, size_t length) {
    size_t at = hash_of(text, length) & (capacity - 1);
    while (names[at] != NULL && (names[at]->length != length || memcmp(names[at]->text, text, length) != 0))
        at = (at + 1) & (capacity - 1);
    return &names[at];
}

cli_name *cli_name_find(const cli_script *script, cli_word word) {
    if (script->name_count == 0) return NULL;
    return *place_of(script->names, script->name_capacity, word.text, word.length);
}

static bool grow(cli_script *script) {
    size_t capacity = script->name_capacity == 0 ? 64 : script->name_capacity * 2;
    cli_name **names = calloc(capacity, sizeof(cli_name *));
    if (names == NULL) return false;
    for (size_t i = 0; i < script->name_capacity; i++) {
        cli_name *name = script->names[i];
        if (name != NULL) *place_of(names, capacity, name->text, name->length) = name;
    }
    free(script->names);
    script->names = names;
    script->name_capacity = capacity;
    return true;
}

cli_name *cli_name_make(cli_script *script, cli_word word) {
    cli_name *name = cli_name_find(script, word);
    if (name != NULL) return name;
    if (2 * (script->name_count + 1) > script->name_capacity && !grow(script)) return NULL;
    name = calloc(1, sizeof *name + word.length + 1);
    if (name == NULL) return NULL;
    name->script = script;
    name->length = word.length;
    memcpy(name->text, word.text, word.length);
    *place_of(script->names, script->name_capacity, name->text, name->length) = name;
    script->name_count++;
    return name;
}

void cli_names_free(cli_script *script) {
    for (size_t i = 0; i < script->name_capacity; i++) free(script->names[i]);
    free(script->names);
    script->names = NULL;
    script->name_count = script->name_capacity = 0;
}
