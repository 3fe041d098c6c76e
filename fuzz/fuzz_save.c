/* SPDX-License-Identifier: MIT */
/* Saves: bytes of a good one are changed, and its checksum is set right. Each part is restored or refused by name, and
 * a restored world runs on; a good save restores behind it. */
#include "fuzz_bytes.h"
#include "save/save_town.h"

static town here;
static town_save good;

static wend_error restore_part(int part, const uint8_t *bytes, size_t size) {
    const wend_save_host host = town_host(&here);
    if (part == 0) return wend_map_restore_state(here.map, bytes, size);
    if (part == 1) return wend_service_restore_state(here.service, &host, bytes, size);
    return wend_crowd_restore_state(here.crowd, &host, bytes, size);
}

static void begin(void) {
    town_open(&here, 0);
    town_fill(&here);
    for (int i = 0; i < 9; i++) town_frame(&here);
    FUZZ_CHECK(town_store(&here, &good) == WEND_OK);
}

/* The first byte names the part; each three behind it are a place and the value written there. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!here.map) begin();
    if (size == 0) return 0;
    const int part = data[0] % 3;
    size_t from = 0;
    for (int k = 0; k < part; k++) from += good.of[k];
    const size_t bytes = good.of[part];
    uint8_t *copy = malloc(bytes);
    FUZZ_CHECK(copy);
    memcpy(copy, good.bytes + from, bytes);
    for (size_t at = 1; at + 3 <= size; at += 3)
        copy[32 + ((size_t)data[at] << 8 | data[at + 1]) % (bytes - 32)] = data[at + 2];
    town_sum(copy, bytes);
    const wend_error error = restore_part(part, copy, bytes);
    FUZZ_CHECK(error == WEND_OK || wend_error_detail(error)[0] != 0);
    if (part == 2 && error == WEND_OK) town_frame(&here);
    free(copy);
    FUZZ_CHECK(town_restore(&here, &good) == WEND_OK);
    town_frame(&here);
    FUZZ_CHECK(town_restore(&here, &good) == WEND_OK);
    return 0;
}
