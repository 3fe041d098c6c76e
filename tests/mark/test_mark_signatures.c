/* SPDX-License-Identifier: MIT */
/* The public headers have no function that takes two objects and is not in the list below: a new one is either refused
 * for objects of two sides of an arena, or it is stated why it need not be. */
#include <criterion/criterion.h>

#include "mark/arenas.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64, MOST_NAMES = 100, MOST_TEXT = 1 << 20 };

/// What a function does with objects of two sides: REFUSES is tried for each pair, OWNS makes an object in the other's
/// memory, READS keeps nothing, COPIES fills structs of the host's, OUTSIDE is of a library beside libwend, which uses
/// objects as a host does (wend/mark.h).
typedef enum deed { REFUSES, OWNS, READS, COPIES, OUTSIDE } deed;

static const struct {
    const char *name;
    deed deed;
} known[] = {{"wend_crowd_create", REFUSES},
             {"wend_crowd_restore_state", READS}, /* of the host only functions */
             {"wend_edit_begin", OWNS},
             {"wend_field_create", REFUSES},
             {"wend_ground_create", OUTSIDE},
             {"wend_ground_update", OUTSIDE},
             {"wend_live_send_order", OUTSIDE},
             {"wend_live_set_map", OUTSIDE},
             {"wend_live_set_service", OUTSIDE},
             {"wend_map_fork", OWNS},
             {"wend_search_begin", REFUSES},
             {"wend_service_add_field", REFUSES},
             {"wend_service_adopt", REFUSES},
             {"wend_service_cancel_map", READS},
             {"wend_service_get_lanes", COPIES},
             {"wend_service_get_wanted", READS},
             {"wend_service_record_map", REFUSES},
             {"wend_service_record_state", REFUSES},
             {"wend_service_remove_field", READS},
             {"wend_service_restore_state", REFUSES},
             {"wend_service_save_state", REFUSES},
             {"wend_service_set_figures", REFUSES},
             {"wend_service_submit", REFUSES},
             {"wend_uv_attach", OUTSIDE},
             {"wend_world_hash", READS}};

enum { KNOWN = sizeof known / sizeof known[0] };

/* ---- the headers ---- */

static char text[MOST_TEXT]; /* of all, without comments */

static void blank_comments(void) {
    for (char *at = text; *at; at++) {
        const bool line = !strncmp(at, "//", 2), block = !strncmp(at, "/*", 2);
        if (!line && !block) continue;
        char *end = strstr(at + 2, line ? "\n" : "*/");
        cr_assert_not_null(end);
        memset(at, ' ', (size_t)(end - at) + (line ? 0 : 2));
    }
}

static void read_headers(void) {
    DIR *folder = opendir(TEST_DATA "/../include/wend");
    size_t length = 0;
    cr_assert_not_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".h") != 0) continue;
        snprintf(path, sizeof path, "%s/../include/wend/%s", TEST_DATA, entry->d_name);
        FILE *file = fopen(path, "r");
        cr_assert_not_null(file, "%s", path);
        length += fread(text + length, 1, MOST_TEXT - 1 - length, file);
        fclose(file);
    }
    closedir(folder);
    cr_assert_lt(length, MOST_TEXT - 1);
    blank_comments();
}

/* Finds the next name of wend. @return the place behind it; NULL: there is none */
static const char *next_name(const char *at, const char *end, char name[NAME]) {
    for (; at < end; at++) {
        if (strncmp(at, "wend_", 5) != 0 || isalnum((unsigned char)at[-1]) || at[-1] == '_') continue;
        size_t length = 0;
        while (length < NAME - 1 && (isalnum((unsigned char)at[length]) || at[length] == '_')) length++;
        memcpy(name, at, length), name[length] = '\0';
        return at + length;
    }
    return NULL;
}

/* ---- objects, and structs that name one ---- */

static char objects[MOST_NAMES][NAME];
static size_t object_count;

static bool is_object(const char *name) {
    for (size_t i = 0; i < object_count; i++)
        if (!strcmp(objects[i], name)) return true;
    return false;
}

static size_t count_objects(const char *at, const char *end) {
    size_t count = 0;
    for (char name[NAME]; (at = next_name(at, end, name));) count += is_object(name);
    return count;
}

/* An object is a struct whose members no header has. Adds those, then structs with members that are objects. */
static void find_objects(void) {
    size_t before;
    do {
        before = object_count;
        for (const char *at = text; (at = strstr(at, "typedef struct wend_"));) {
            char name[NAME], body[NAME + 10];
            at = next_name(at, text + MOST_TEXT, name);
            snprintf(body, sizeof body, "struct %s {", name);
            const char *open = strstr(text, body), *end = open ? strstr(open, "\n}") : NULL;
            if (is_object(name) || (open && count_objects(open + strlen(body), end) == 0)) continue;
            cr_assert_lt(object_count, MOST_NAMES);
            memcpy(objects[object_count++], name, NAME);
        }
    } while (object_count > before);
}

/* ---- functions ---- */

static size_t find_known(const char *name) {
    size_t i = 0;
    while (i < KNOWN && strcmp(known[i].name, name) != 0) i++;
    return i;
}

Test(sides, every_function_that_takes_two_objects_is_known) {
    bool found[KNOWN] = {false};
    read_headers();
    find_objects();
    cr_assert(is_object("wend_map") && is_object("wend_request") && !is_object("wend_budget"));
    for (const char *at = text; (at = strstr(at, "\nWEND_API ")); at++) {
        char name[NAME] = "";
        const char *end = strchr(at, ';'), *open = memchr(at, '(', (size_t)(end - at));
        for (const char *word = at; (word = next_name(word, open, name));) continue;
        if (count_objects(open, end) < 2) continue;
        const size_t i = find_known(name);
        cr_expect_lt(i, KNOWN, "%s() takes two objects: what if they are of two sides of an arena?", name);
        if (i < KNOWN) found[i] = true;
    }
    for (size_t i = 0; i < KNOWN; i++) {
        cr_expect(found[i], "%s() is in no header, or takes no two objects", known[i].name);
        cr_expect(known[i].deed != REFUSES || is_tried(known[i].name), "%s() is not tried", known[i].name);
    }
}
