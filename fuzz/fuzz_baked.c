/* SPDX-License-Identifier: MIT */
/* Baked maps whose magic word, version, length and checksum are corrected first, to reach the code behind: there is a
 * map or an error with a place. A good map is searched and edited, bakes again, and reads back the same. */
#include "fuzz_bytes.h"
#include "io/baked/baked.h"
#include "io/baked/checksum.h"
#include <wend/formats.h>
#include <wend/search.h>

enum { QUERIES = 20, EDITS = 3 };

static uint32_t drawn(uint32_t *state, int32_t below) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % (uint32_t)below;
}

static wend_cell any_cell(const wend_map_info *info, uint32_t *state) {
    return (wend_cell){(int32_t)drawn(state, info->width), (int32_t)drawn(state, info->height),
                       (int32_t)drawn(state, info->depth)};
}

static void search_all(wend_map *map, const wend_map_info *info, uint32_t *state) {
    static wend_search *search;
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    if (!search) FUZZ_CHECK(wend_search_create(&def, &search) == WEND_OK);
    for (int i = 0; i < QUERIES; i++) {
        wend_request request;
        uint64_t used;
        wend_request_init(&request, sizeof request);
        request.map = map, request.start = any_cell(info, state), request.goal = any_cell(info, state);
        FUZZ_CHECK(wend_search_begin(search, &request) == WEND_OK);
        const int32_t status = wend_search_step(search, 1 << 22, &used);
        if (status != WEND_STATUS_FOUND) continue;
        wend_completion result = {.struct_bytes = sizeof result};
        wend_search_get_result(search, &result);
        size_t count;
        wend_cell *cells = malloc(result.cell_count * sizeof *cells);
        FUZZ_CHECK(cells && wend_search_get_path(search, cells, result.cell_count, &count) == WEND_OK);
        free(cells);
    }
}

static void edit_all(wend_map *map, const wend_map_info *info, uint32_t *state) {
    for (int i = 0; i < EDITS; i++) {
        wend_edit *edit;
        FUZZ_CHECK(wend_edit_begin(map, &edit) == WEND_OK);
        for (int n = 0; n < 9; n++) wend_edit_set_cell(edit, any_cell(info, state), (uint8_t)(drawn(state, 4)));
        const int32_t code = wend_edit_publish(edit, NULL);
        FUZZ_CHECK(code == WEND_OK || code == WEND_OUT_OF_MEMORY);
        search_all(map, info, state);
    }
    FUZZ_CHECK(wend_map_maintain(map, WEND_MAINTAIN_ALL, 100000, NULL) != WEND_BAD_ARGUMENT);
}

static void bake_again(const wend_map *map) {
    fuzz_bytes file = {0}, again = {0};
    wend_map *back = NULL;
    FUZZ_CHECK(wend_map_write(map, WEND_FORMAT_BAKED, NULL, fuzz_append, &file, NULL) == WEND_OK);
    FUZZ_CHECK(wend_map_parse(file.bytes, file.size, NULL, &back, NULL, NULL) == WEND_OK);
    FUZZ_CHECK(wend_map_write(back, WEND_FORMAT_BAKED, NULL, fuzz_append, &again, NULL) == WEND_OK);
    FUZZ_CHECK(file.size == again.size && memcmp(file.bytes, again.bytes, file.size) == 0);
    wend_map_release(back);
    free(file.bytes);
    free(again.bytes);
}

/* Returns a copy with a head that fits its data. */
static uint8_t *put_right(const uint8_t *data, size_t size) {
    uint8_t *bytes = malloc(size);
    wend__baked_head head;
    wend__checksum sum;
    FUZZ_CHECK(bytes);
    memcpy(bytes, data, size);
    memcpy(&head, data, sizeof head);
    memcpy(head.magic, WEND__BAKED_MAGIC, sizeof head.magic);
    head.version = WEND__BAKED_VERSION, head.bytes = size, head.checksum = 0;
    memcpy(bytes, &head, sizeof head);
    wend__checksum_begin(&sum);
    wend__checksum_add(&sum, bytes, size);
    head.checksum = wend__checksum_of(&sum);
    memcpy(bytes, &head, sizeof head);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    wend_map_def def;
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    if (size < sizeof(wend__baked_head)) return 0;
    wend_map_def_init(&def, sizeof def);
    def.max_bytes = 16u << 20;
    uint8_t *bytes = put_right(data, size);
    const int32_t result = wend_map_parse(bytes, size, &def, &map, NULL, &error);
    const uint32_t last = bytes[size - 1];
    free(bytes);
    if (result != WEND_OK) {
        const int in_file = result == WEND_BAD_FORMAT || result == WEND_UNSUPPORTED;
        FUZZ_CHECK(map == NULL && (in_file || result == WEND_OUT_OF_MEMORY));
        fuzz_check_error(&error, in_file);
        return 0;
    }
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    uint32_t state = last + 1;
    search_all(map, &info, &state);
    edit_all(map, &info, &state);
    if (info.cells < 1 << 20) bake_again(map);
    wend_map_release(map);
    return 0;
}
