/* SPDX-License-Identifier: MIT */
/* The table as lines of JSON, for tests in other languages. */
#include "pairs/pairs.h"

#include <stdio.h>

static void print_values(int factor, unsigned values) {
    printf("\"factor\":\"%s\",\"values\":[", factor_names[factor]);
    for (int i = 0, begun = 0; i < value_count(factor); i++)
        if (values >> i & 1) printf("%s\"%s\"", begun++ ? "," : "", value_names[factor][i]);
    printf("]");
}

static void print_forbidden(const forbidden *row) {
    printf("{\"forbidden\":[");
    for (int i = 0; i < 3 && row->has[i].values; i++) {
        printf("%s{", i ? "," : "");
        print_values(row->has[i].factor, row->has[i].values);
        printf("}");
    }
    printf("],\"call\":\"%s\",\"error\":\"%s\"}\n", row->call, wend_error_name(row->error));
}

/* "may": it may also be taken. */
static void print_refusal(const refusal *row) {
    printf("{\"refused\":\"%s\",", row->happening);
    print_values(row->factor, row->values);
    printf(",\"may\":%s}\n", row->may ? "true" : "false");
}

void print_table(void) {
    for (int i = 0; i < FACTORS; i++) {
        printf("{");
        print_values(i, ~0u);
        printf("}\n");
    }
    for (int i = 0; i < MOMENTS; i++) printf("{\"moment\":\"%s\"}\n", moment_names[i]);
    for (size_t i = 0; i < happening_count; i++) {
        const unsigned needs = happenings[i]->needs;
        printf("{\"happening\":\"%s\",\"crowd\":%s,\"bodies\":%s,\"ends\":%s}\n", happenings[i]->name,
               needs & (NEEDS_CROWD | NEEDS_BODIES) ? "true" : "false", needs & NEEDS_BODIES ? "true" : "false",
               needs & ENDS ? "true" : "false");
    }
    for (size_t i = 0; i < forbidden_count; i++) print_forbidden(&forbidden_rows[i]);
    for (size_t i = 0; i < refusal_count; i++) print_refusal(&refusals[i]);
}
