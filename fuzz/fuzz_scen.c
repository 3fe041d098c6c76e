/* SPDX-License-Identifier: MIT */
/* Scenario files: whatever the bytes are, there are queries or an error that says what is wrong; what was read can be
 * written, and reads back as the same queries. */
#include "fuzz_bytes.h"

#include <wend/wend.h>

static void check_same(const wend_scen *a, const wend_scen *b) {
    size_t count, other;
    const wend_scen_query *one = wend_scen_queries(a, &count), *two = wend_scen_queries(b, &other);
    FUZZ_CHECK(count == other);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(one[i].bucket == two[i].bucket && one[i].width == two[i].width && one[i].height == two[i].height);
        FUZZ_CHECK(memcmp(&one[i].start, &two[i].start, sizeof one[i].start) == 0);
        FUZZ_CHECK(memcmp(&one[i].goal, &two[i].goal, sizeof one[i].goal) == 0);
        FUZZ_CHECK(strcmp(one[i].map, two[i].map) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    wend_scen *scen = NULL, *again = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    if (wend_scen_parse(data, size, &scen, &error) != WEND_OK) {
        FUZZ_CHECK(scen == NULL && memchr(error.text, 0, sizeof error.text) && error.text[0]);
        return 0;
    }
    size_t count;
    const wend_scen_query *queries = wend_scen_queries(scen, &count);
    fuzz_bytes file = {0};
    FUZZ_CHECK(wend_scen_write(queries, count, fuzz_append, &file) == WEND_OK);
    FUZZ_CHECK(wend_scen_parse(file.bytes, file.size, &again, &error) == WEND_OK);
    check_same(scen, again);
    wend_scen_free(again);
    wend_scen_free(scen);
    free(file.bytes);
    return 0;
}
