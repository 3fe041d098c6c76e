/* SPDX-License-Identifier: MIT */
/* wend orders: prints the catalogue of orders as docs/orders.md. Help does not list the command. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/shared/options.h"
#include "orders/orders.h"
#include "server_version.h"

static void print_words(const wend__choice *words) {
    for (const wend__choice *word = words; word && word->text; word++)
        printf("%s`%s`", word == words ? "" : ", ", word->text);
}

static void print_number(int64_t value, const wend__order_field *field) {
    const char *word = wend__value_word(field, value);
    if (word)
        printf("`%s`", word);
    else if (field->fallback == -1 && value == -1 && field->least >= 0)
        printf("none"); /* WEND_NO_LIMIT and its like */
    else if (field->kind == WEND__MILLI)
        printf("%g", (double)value / 1000);
    else
        printf("%" PRId64, value);
}

static void print_range(const wend__order_field *field) {
    const double least = (double)field->least / 1000, most = (double)field->most / 1000;
    if (field->kind == WEND__MILLI)
        printf("%g to %g", least, most);
    else if (field->most >= UINT64_MAX - 1)
        printf("from %" PRId64, field->least);
    else
        printf("%" PRId64 " to %" PRIu64, field->least, field->most);
}

static void print_value(const wend__order_field *field) {
    static const char *const kinds[] = {[WEND__FLAG] = "true",       [WEND__SWITCH] = "true, false",
                                        [WEND__CELL] = "cell",       [WEND__CELLS] = "cells",
                                        [WEND__NAME] = "name",       [WEND__ID] = "name or number",
                                        [WEND__NAMES] = "names",     [WEND__FACTORS] = "factors",
                                        [WEND__CHANGES] = "changes", [WEND__WEIGHTS] = "weights of layers",
                                        [WEND__CLASSES] = "classes"};
    print_words(field->words);
    if (field->words && field->kind != WEND__CHOICE) printf("; ");
    if (field->kind == WEND__NUMBER || field->kind == WEND__MILLI)
        print_range(field);
    else if (field->kind != WEND__CHOICE)
        printf("%s", kinds[field->kind]);
}

static void print_field(const wend__order_field *field) {
    static const char *const sides[] = {"", " (text)", " (JSON)"};
    const bool number = field->kind <= WEND__MILLI;
    const bool standard = field->form == WEND__OPTION || field->form == WEND__STATED;
    printf("- `%s`%s: %s (", field->name, sides[field->only], field->says);
    print_value(field);
    printf(")");
    if (field->form == WEND__PLACED || field->form == WEND__KEYED) printf("; needed");
    const bool is_zero = field->fallback == 0 && !field->words && field->kind != WEND__MILLI;
    if (standard && number && !is_zero) {
        printf("; default ");
        print_number(field->fallback, field);
    }
    printf("\n");
}

static void print_row(const wend__row *row) {
    static const struct {
        uint32_t bit;
        const char *name;
    } places[] = {{WEND__SCRIPT, "scripts"},
                  {WEND__WIRE, "messages"},
                  {WEND__JOURNAL, "journals"},
                  {WEND__RECORDED, "recordings"}};
    printf("\n## %s\n```\n%s\n```\n%s. In", row->name, row->usage, row->says);
    const char *before = " ";
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if ((row->where & places[i].bit) != 0) printf("%s%s", before, places[i].name), before = ", ";
    printf(".\n");
    if (row->field_count > 0) printf("\n");
    for (uint32_t i = 0; i < row->field_count; i++) print_field(&row->fields[i]);
}

static int run(int argc, char **argv) {
    (void)argv;
    if (argc > 1) return CLI_BAD_INPUT;
    printf(
        "# Orders\n\nAll that can be said to a world: as lines of scripts, journals and recordings, and as messages.\n"
        "`wend orders` prints this page. Messages have the fields by name; so have options in lines.\n"
        "Options that have no other default are 0 or absent.\n");
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) print_row(&wend__order_rows[kind]);
    printf("\n## Limits\n\n");
    for (int32_t i = 0; i < WEND__LIMIT_COUNT; i++) {
        const wend__order_field range = {
            .kind = WEND__NUMBER, .least = (int64_t)wend__limits[i].least, .most = wend__limits[i].most};
        printf("- `%s`: %s (", wend__limit_words[i].text, wend__limits[i].says);
        print_range(&range);
        printf(")\n");
    }
    return CLI_DONE;
}

const cli_command cli_orders = {
    .name = "orders",
    .usage = "",
    .summary = "print the catalogue of orders",
    .run = run,
    .package = SERVER_VERSION,
};
