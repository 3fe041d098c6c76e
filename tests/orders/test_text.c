/* SPDX-License-Identifier: MIT */
/* The whole catalogue as lines of a script: written orders are read again, each range ends at its limit, and errors
 * have a place. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "models/defaults.h"
#include "random_orders.h"

enum { IN_LINES = WEND__SCRIPT | WEND__JOURNAL };

static order_text text;

static bool is_line(int32_t kind) {
    return (wend__order_rows[kind].where & IN_LINES) != 0;
}

Test(orders_text, each_order_is_read_as_it_was_written) {
    uint64_t seed = 1;
    for (int32_t axes = 1; axes <= 3; axes++) {
        OWNED(wend__order_reader_free) wend__order_reader reader = {.axes = axes, .where = IN_LINES};
        for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++)
            for (int turn = 0; turn < 200 && is_line(kind); turn++) {
                random_lists lists = {0};
                wend_order order, again;
                random_order(&seed, kind, axes, WEND__JSON_ONLY, UINT64_MAX, &lists, &order);
                text.used = 0;
                wend__order_write(&order, axes, put_order_text, &text);
                const int status = wend__order_read(&reader, text.bytes, text.used, &again);
                cr_assert_eq(status, 1, "%.*s: %s", (int)text.used, text.bytes, reader.why);
                const char *difference = order_difference(&order, &again, WEND__JSON_ONLY);
                cr_assert(!difference && !again.bad_argument, "%.*s: %s", (int)text.used, text.bytes, difference);
            }
    }
}

/* The reader's memory is used again, so a copy keeps none of it. */
Test(orders_text, a_copy_has_lists_and_names_of_its_own) {
    uint64_t seed = 5;
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++)
        for (int turn = 0; turn < 50; turn++) {
            random_lists lists = {0};
            wend_order order;
            random_order(&seed, kind, 2, WEND__JSON_ONLY, UINT64_MAX, &lists, &order);
            wend_order *copy = wend__order_copy(&order);
            cr_assert(copy && !order_difference(&order, copy, 0));
            text.used = 0;
            wend__order_write(&order, 2, put_order_text, &text);
            const size_t bytes = text.used;
            memset(&lists, 'x', sizeof lists);
            wend__order_write(copy, 2, put_order_text, &text);
            cr_assert(text.used == 2 * bytes && memcmp(text.bytes, text.bytes + bytes, bytes) == 0, "%.*s",
                      (int)text.used, text.bytes);
            free(copy);
        }
}

/* Movers by their bits have the names that recordings give them. */
Test(orders_text, links_name_movers_by_their_bits) {
    const wend_order order = {
        .kind = WEND_ORDER_LINK,
        .change = {.from = {1, 2, 0}, .to = {3, 4, 0}, .value = 5, .movers = wend__movers_of(UINT32_C(0x80000005))}};
    static const char expected[] = "link 1,2 3,4 5 movers=default;m2;m31";
    text.used = 0;
    wend__order_write(&order, 2, put_order_text, &text);
    cr_assert(text.used == sizeof expected - 1 && memcmp(text.bytes, expected, text.used) == 0, "%.*s", (int)text.used,
              text.bytes);
}

/* Writes the order with one number, and reads it. */
static int read_with(wend__order_reader *reader, wend_order order, const wend__order_field *field, int64_t value,
                     wend_order *out) {
    wend__value_set(field, &order, value);
    order.given |= UINT64_C(1) << (field - wend__order_rows[order.kind].fields);
    text.used = 0;
    wend__order_write(&order, reader->axes, put_order_text, &text);
    return wend__order_read(reader, text.bytes, text.used, out);
}

static void check_range(wend__order_reader *reader, const wend_order *order, const wend__order_field *field) {
    wend_order out;
    int64_t least;
    uint64_t most;
    wend__value_range(field, order, &least, &most);
    for (int64_t by = -1; by <= 1; by++) {
        const bool below = by < 0 && least <= (field->size == 4 ? INT32_MIN : INT64_MIN);
        if (!below && (least > 0 || by >= 0 || least < 0)) {
            const int status = read_with(reader, *order, field, least + by, &out);
            const bool good = by >= 0 || wend__value_word(field, least + by);
            cr_expect_eq(status == 1 && !out.bad_argument, good, "%.*s: %s", (int)text.used, text.bytes, reader->why);
            cr_expect(status == 1 || reader->wrong > 1, "%.*s", (int)text.used, text.bytes);
            cr_expect_eq(status == 1, good || field->loose, "%.*s", (int)text.used, text.bytes);
        }
        if (by > 0 && field->size == sizeof(bool)) continue;
        if (by > 0 && most >= (field->size == 4 ? (uint64_t)INT32_MAX : (uint64_t)INT64_MAX)) continue;
        const int status = read_with(reader, *order, field, (int64_t)most + by, &out);
        cr_expect_eq(status == 1 && !out.bad_argument, by <= 0, "%.*s: %s", (int)text.used, text.bytes, reader->why);
        cr_expect_eq(status == 1, by <= 0 || field->loose, "%.*s", (int)text.used, text.bytes);
    }
}

/* A list with as many cells as it may have, and one more. */
static void check_count(wend__order_reader *reader, uint64_t *seed, int32_t kind, const wend__order_field *field) {
    for (size_t more = 0; more <= 1; more++) {
        random_lists lists = {0};
        wend_order order, out;
        random_order(seed, kind, 2, WEND__JSON_ONLY, UINT64_MAX, &lists, &order);
        give_cells(&order, field, (size_t)field->most + more);
        text.used = 0;
        wend__order_write(&order, 2, put_order_text, &text);
        const int status = wend__order_read(reader, text.bytes, text.used, &out);
        cr_expect_eq(status == 1 && !out.bad_argument, more == 0, "%.*s", (int)text.used, text.bytes);
    }
}

Test(orders_text, each_range_ends_where_the_table_says) {
    uint64_t seed = 2;
    int ranges = 0;
    OWNED(wend__order_reader_free) wend__order_reader reader = {.axes = 2, .where = IN_LINES};
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) {
        const wend__row *row = &wend__order_rows[kind];
        for (uint32_t i = 0; i < row->field_count && is_line(kind); i++) {
            const wend__order_field *field = &row->fields[i];
            const int limits = kind == WEND_ORDER_LIMIT && i == 1 ? WEND__LIMIT_COUNT : 1;
            if (is_line(kind) && field->only != WEND__JSON_ONLY && has_most_cells(field))
                check_count(&reader, &seed, kind, field);
            if (field->kind != WEND__NUMBER && field->kind != WEND__MILLI) continue;
            for (int what = 0; what < limits; what++, ranges++) {
                random_lists lists = {0};
                wend_order order;
                random_order(&seed, kind, 2, WEND__JSON_ONLY, UINT64_MAX, &lists, &order);
                if (kind == WEND_ORDER_LIMIT) order.limit.what = what;
                if (kind == WEND_ORDER_NODE) order.given |= 14;
                if (kind == WEND_ORDER_COST) order.given |= 4, order.rules.cost_space = 17;
                check_range(&reader, &order, field);
            }
        }
    }
    cr_expect_gt(ranges, 60);
}

/* Checks that a new order equals the library's own init function, field by field, as structs have padding. */
#define EXPECT_DEFAULTS(ORDER_KIND, place, init)                                                                       \
    do {                                                                                                               \
        wend_order ours, library;                                                                                      \
        wend__order_init(&ours, ORDER_KIND);                                                                           \
        wend__order_init(&library, ORDER_KIND);                                                                        \
        memset(&library.place, 0x55, sizeof library.place);                                                            \
        init(&library.place, sizeof library.place);                                                                    \
        const char *differs = order_difference(&ours, &library, 0);                                                    \
        cr_expect_null(differs, "%s: %s", wend__order_rows[ORDER_KIND].name, differs);                                 \
    } while (0)

static void init_prepare(wend_acceleration *def, uint32_t size) {
    wend_acceleration_init(def, size);
    def->landmarks = 0; /* recordings state it */
}

Test(orders_text, defaults_are_those_of_the_library) {
    wend_order order;
    wend_crowd_goal goal = default_crowd_goal();
    EXPECT_DEFAULTS(WEND_ORDER_REQUEST, request.def, wend_request_init);
    EXPECT_DEFAULTS(WEND_ORDER_AGENT, agent.def, wend_agent_def_init);
    EXPECT_DEFAULTS(WEND_ORDER_PREPARE, accelerate.def, init_prepare);
    EXPECT_DEFAULTS(WEND_ORDER_FRAME, frame.limits, wend_frame_limits_init);
    wend__order_init(&order, WEND_ORDER_FLEE);
    cr_expect_eq(order.go.def.distance, goal.distance);
    wend__order_init(&order, WEND_ORDER_FRAME);
    cr_expect_eq(order.frame.count, 1);
}

Test(orders_text, limits_are_fields_of_the_service) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    for (int32_t what = 0; what < WEND__LIMIT_VERSIONS; what++) {
        wend__limit_set(what, wend__limits[what].most & UINT32_MAX, &def, &tuning);
        cr_expect_eq(wend__limit_get(what, &def, &tuning), wend__limits[what].most & UINT32_MAX, "%s",
                     wend__limit_words[what].text);
    }
    cr_expect_eq(def.queue, 1 << 24);
    cr_expect_eq(tuning.rush, 1000);
    cr_expect_eq(wend__limit_get(WEND__LIMIT_VERSIONS, &def, &tuning), 0);
}

Test(orders_text, each_row_says_what_it_is) {
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) {
        const wend__row *row = &wend__order_rows[kind];
        const size_t length = strlen(row->name);
        cr_assert(row->says && row->usage && strncmp(row->usage, row->name, length) == 0, "%d", kind);
        cr_expect_leq(row->field_count, WEND__MOST_FIELDS, "%s", row->name);
        cr_expect(row->where & (WEND__SCRIPT | WEND__WIRE), "%s", row->name);
        const uint32_t what = row->where & (WEND__ASKS | WEND__ALTERS | WEND__LOOKS | WEND__TIME);
        cr_expect((row->where & WEND__WIRE) ? what && !(what & (what - 1)) : !what, "%s", row->name);
        for (uint32_t i = 0; i < row->field_count; i++) cr_expect(row->fields[i].says, "%s", row->fields[i].name);
        for (int32_t other = 0; other < kind; other++) {
            const wend__row *before = &wend__order_rows[other];
            cr_expect(strcmp(row->name, before->name) != 0 ||
                          !(row->where & before->where & (WEND__SCRIPT | WEND__WIRE)),
                      "%s", row->name);
        }
    }
}

Test(orders_text, errors_have_a_place) {
    static const struct {
        const char *line, *why;
        size_t column;
    } bad[] = {
        {"frob 1", "there is no command 'frob'", 1},
        {"set 1,1", "a word is missing: set CELL open|blocked|N", 8},
        {"set 1,1 open 2", "a word too many: set CELL open|blocked|N", 14},
        {"set 1 open", "a cell is X,Y or X,Y,Z in whole numbers, not '1'", 5},
        {"set 1,99999999999999999999 open", "a cell: '1,99999999999999999999' is too large to read", 5},
        {"set 1,1 256", "ground is open, blocked or a class; a class is a whole number from 0 to 255, not '256'", 9},
        {"  limit queue 0", "queue is a whole number from 1 to 16777216, not '0'", 15},
        {"limit frames 4", "there is no limit 'frames'", 7},
        {"corners both", "corners is never, one or always, not 'both'", 9},
        {"step 1,1 1,2 shut", "a step is open or blocked, not 'shut'", 14},
        {"request a 1,1 2,2 max=1 max=2", "max is given twice", 25},
        {"request a 1,1 2,2 urgency=high", "urgency is a whole number, not 'high'", 19},
        {"request a 1,1 2,2 weight=1.", "weight is a number such as 1.25, not '1.'", 19},
        {"urgency a 1001", "urgency is from -1000 to 1000, not '1001'", 11},
        {"mover m 7=1 7=2", "class 7 is given twice", 13},
        {"mover m 0=1", "class 0 is blocked for every mover", 9},
        {"go a b",
         "a word is missing: "
         "go NAME... to CELL [reach=N] [as=crowd|line|column|wedge|box] [spacing=N] [pace=own|slowest] [near=N]",
         7},
        {"go a b to",
         "a word is missing: "
         "go NAME... to CELL [reach=N] [as=crowd|line|column|wedge|box] [spacing=N] [pace=own|slowest] [near=N]",
         10},
        {"node 1 2", "a word is missing: node ID [X Y [Z]]", 9},
        {"frame budget=18446744073709551616", "budget: '18446744073709551616' is too large to read", 7},
        {"ghost\x01 x", "there is no command 'ghost?'", 1}};
    OWNED(wend__order_reader_free) wend__order_reader reader = {.axes = 2, .where = IN_LINES};
    wend_order order;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_eq(wend__order_read(&reader, bad[i].line, strlen(bad[i].line), &order), -1, "%s", bad[i].line);
        cr_expect_eq(strcmp(reader.why, bad[i].why), 0, "%s: %s", bad[i].line, reader.why);
        cr_expect_eq(reader.wrong, bad[i].column, "%s: column %zu", bad[i].line, reader.wrong);
    }
    cr_expect_eq(wend__order_read(&reader, "go\0a", 4, &order), -1);
    cr_expect_eq(reader.wrong, 3);
    cr_expect_eq(wend__order_read(&reader, " \t# set", 7, &order), 0);
    cr_expect_eq(wend__order_read(&reader, "", 0, &order), 0);
}

Test(orders_text, words_and_numbers_mean_the_same) {
    OWNED(wend__order_reader_free) wend__order_reader reader = {.axes = 2, .where = WEND__SCRIPT};
    wend_order order;
    static const char line[] = "request a%20b 1,2 3,4,5 occupied=block goals=7,8;9,9 far_begin # a comment\r";
    cr_assert_eq(wend__order_read(&reader, line, sizeof line - 1, &order), 1, "%s", reader.why);
    cr_expect_eq(order.request.options.occupied, WEND_OCCUPIED_BLOCK);
    cr_expect_eq(order.request.id.length, 3);
    cr_expect_eq(memcmp(order.request.id.text, "a b", 3), 0);
    cr_expect_eq(order.request.def.goal.z, 5);
    cr_expect_eq(order.request.goals.count, 2);
    cr_expect_eq(order.request.goals.items[1].y, 9);
    cr_expect(order.request.options.far_begin);
    cr_expect_eq(wend__order_word(&reader, &order, &order.request.def.goal, 0).column, 19);
    cr_expect_not(wend_order_gave(&order, &order.request.def.reach));
    cr_assert_eq(wend__order_read(&reader, "go a to b to 1,1 reach=2", 24, &order), -1); /* b is no cell */
    cr_assert_eq(wend__order_read(&reader, "go to a to 1,1", 14, &order), 1);
    cr_expect_eq(order.go.names.count, 2);
    cr_expect_eq(wend__order_read(&reader, "step", 4, &order), -1);
}
