/* SPDX-License-Identifier: MIT */
/* Orders that are done once: the table against a list of all numbers that were done. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/owned.h"
#include "serve/once/serve_once.h"

Test(once, a_session_begins_at_one) {
    OWNED(serve_once_clear) serve_once table = {0};
    cr_assert_eq(serve_once_look(&table, "bob", 2), ONCE_FORGOTTEN);
    cr_assert_eq(serve_once_look(&table, "bob", 1), ONCE_NEW);
    cr_assert(serve_once_note(&table, "bob", 1));
    cr_assert_eq(serve_once_look(&table, "bob", 1), ONCE_AGAIN);
    cr_assert_eq(serve_once_look(&table, "eve", 2), ONCE_FORGOTTEN);
    cr_assert_eq(serve_once_look(&table, "bob", 99), ONCE_NEW);
}

/* Numbers in any order: a number in the window is known exactly, a number below is too old. */
Test(once, knows_which_of_the_last_numbers_were_done) {
    enum { MOST = 2000 };
    static bool done[MOST + 1];
    OWNED(serve_once_clear) serve_once table = {0};
    uint64_t highest = 0, random = 7;
    done[1] = true, highest = 1;
    cr_assert(serve_once_note(&table, "s", 1));
    for (int turn = 0; turn < 5000; turn++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const uint64_t low = highest > 100 ? highest - 100 : 1;
        const uint64_t number = low + (random >> 33) % (highest - low + (turn % 50 == 0 ? 90 : 4));
        if (number > MOST) break;
        const serve_once_verdict verdict = serve_once_look(&table, "s", number);
        const bool old = number + SERVE_ONCE_BELOW < highest;
        const serve_once_verdict right = old ? ONCE_TOO_OLD : done[number] ? ONCE_AGAIN : ONCE_NEW;
        cr_assert_eq(verdict, right, "%d of %d: %d", (int)number, (int)highest, (int)verdict);
        if (verdict != ONCE_NEW) continue;
        cr_assert(serve_once_note(&table, "s", number));
        done[number] = true;
        if (number > highest) highest = number;
    }
    cr_assert_gt(highest, 500);
}

static char *lines_of(const serve_once *table) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    serve_once_write(table, out);
    fclose(out);
    return text;
}

/* The names have any bytes; more sessions than the table has places for. */
Test(once, a_table_from_its_lines_is_the_same_and_forgets_the_same) {
    OWNED(serve_once_clear) serve_once one = {0}, two = {0};
    char name[SERVE_ONCE_NAME_BYTES + 1], line[SERVE_ONCE_LINE_BYTES + 1];
    uint64_t random = 3;
    for (int i = 0; i < 3000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        snprintf(name, sizeof name, "a \"%%\xc3\xa9\n%u", (unsigned)(random >> 33) % 1500);
        cr_assert(serve_once_note(&one, name, 1 + (random >> 40) % 200));
        if (i == 1500) {
            char *text = lines_of(&one);
            cr_assert(serve_once_take(&two, text));
            free(text);
        } else if (i > 1500) { /* the other table is rebuilt from a journal's lines */
            serve_once_line(name, 1 + (random >> 40) % 200, line);
            strcat(line, "\n");
            cr_assert(serve_once_take(&two, line));
        }
        if (i >= 1500) cr_assert_eq(serve_once_hash(&one), serve_once_hash(&two), "note %d", i);
    }
    cr_assert_eq(one.count, SERVE_ONCE_SESSIONS);
    char *first = lines_of(&one), *second = lines_of(&two);
    cr_assert_str_eq(first, second);
    free(first);
    free(second);
}

Test(once, lines_of_other_kinds_are_left_out) {
    static const char text[] =
        "# a journal\n# once\n# once 6 \n# once zz 1\n# once 616 2\n# numbers 61 3\nset 1,1 # once 61 9\n";
    OWNED(serve_once_clear) serve_once table = {0};
    cr_assert(serve_once_take(&table, text));
    cr_assert_eq(table.count, 0);
    cr_assert(serve_once_take(&table, "# once 61 1"));
    cr_assert_eq(serve_once_look(&table, "a", 1), ONCE_AGAIN);
}
