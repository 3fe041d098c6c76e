/* SPDX-License-Identifier: MIT */
/* A save that goes from one machine to another: `carried FILE write` writes that of a town, `carried FILE` restores it
 * elsewhere. Both print one hash of the 1,000 frames that follow. */
#include "save/save_town.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WRITTEN_AT = 25, FRAMES = 1000, HEAD = 4 };

static void need(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "carried: %s\n", what);
    exit(1);
}

/* Each part, with its length before it: four bytes, the least first. */
static void write_save(const char *name, const town_save *save) {
    FILE *file = fopen(name, "wb");
    const uint8_t *at = save->bytes;
    need(file != NULL, "the file cannot be written");
    for (int part = 0; part < 3; at += save->of[part++]) {
        uint8_t head[HEAD];
        for (int i = 0; i < HEAD; i++) head[i] = (uint8_t)(save->of[part] >> 8 * i);
        need(fwrite(head, 1, HEAD, file) == HEAD && fwrite(at, 1, save->of[part], file) == save->of[part], "writing");
    }
    need(fclose(file) == 0, "closing");
}

static void read_save(const char *name, town_save *save) {
    FILE *file = fopen(name, "rb");
    uint8_t *at = save->bytes;
    need(file != NULL, "the file cannot be read");
    for (int part = 0; part < 3; at += save->of[part++]) {
        uint8_t head[HEAD];
        need(fread(head, 1, HEAD, file) == HEAD, "it ends early");
        save->of[part] = 0;
        for (int i = HEAD; i-- > 0;) save->of[part] = save->of[part] << 8 | head[i];
        need(save->of[part] <= TOWN_BYTES / 3 && fread(at, 1, save->of[part], file) == save->of[part], "it ends early");
    }
    need(fgetc(file) == EOF, "bytes follow");
    (void)fclose(file);
}

int main(int argc, char **argv) {
    static town_save save;
    static town t;
    need(argc > 1, "usage: carried FILE [write]");
    town_open(&t, 0);
    if (argc > 2) {
        town_fill(&t);
        for (int i = 0; i < WRITTEN_AT; i++) (void)town_frame(&t);
        need(town_store(&t, &save) == WEND_OK, "save");
        write_save(argv[1], &save);
    } else {
        read_save(argv[1], &save);
        need(town_restore(&t, &save) == WEND_OK, "restore");
    }
    t.heard = WEND__HASH_START;
    uint64_t hash = WEND__HASH_START;
    for (int i = 0; i < FRAMES; i++) hash = wend__hash_u64(hash, town_frame(&t));
    town_close(&t);
    printf("carried %016" PRIx64 "\n", hash);
}
