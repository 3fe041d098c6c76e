/* SPDX-License-Identifier: MIT */
/* A journal is read while the C library's allocator fails, once or for good, at each of its calls in turn: all its
 * records, or one message; nothing stays allocated. A plain program, as it defines malloc(). */
#define _POSIX_C_SOURCE 200809L
#include "models/starving.h"
#include "server/run/starved_messages.h"

#include <string.h>

#include "base/hash.h"
#include "journal/journal_orders.h"

#if !STARVING
int main(void) {
    return 77;
}
#else

static const char world_name[] = "starved.world", journal_name[] = "starved.journal";

static const char *const records[] = {
    "set 1,1 blocked\npublish\n",
    "fill 2,2 4,4 blocked\nlink 0,0 7,7 3\npublish\n",
    "unlink 0,0 7,7\nset 1,1 5\nset 1,2 5\nset 1,3 5\nset 1,4 5\nset 1,5 5\npublish\n",
};
enum { RECORDS = sizeof records / sizeof *records };

static void put_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(99);
}

/* Writes a journal of the records, each sealed. */
static void write_journal(void) {
    static char text[4096] = SERVE_JOURNAL_FIRST_LINE "map starved.world\n";
    size_t used = strlen(text);
    for (int i = -1; i < RECORDS; i++) {
        if (i >= 0) used += (size_t)sprintf(text + used, "%s", records[i]);
        serve_journal_seal(wend__hash_bytes(WEND__HASH_START, text, used), text + used);
        used += SERVE_JOURNAL_SEAL_BYTES;
        text[used] = '\0';
    }
    put_file(world_name, "grid 8 8\n");
    put_file(journal_name, text);
}

/* Reads all records. @return how many orders they have; -1 after an error */
static int read_journal(void) {
    serve_journal_past past;
    if (serve_journal_read(journal_name, world_name, &past) != CLI_DONE) return -1;
    serve_journal_orders orders = {.past = &past, .kind = WEND_KIND_GRID};
    serve_journal_record record = {0};
    bool found = true;
    int count = 0, status = CLI_DONE;
    while (found && (status = serve_journal_next_record(&orders, &record, &found)) == CLI_DONE && found) {
        if (record.wrong) exit(98);
        count += (int)record.count;
    }
    serve_journal_record_free(&record);
    serve_journal_orders_free(&orders);
    serve_journal_forget(&past);
    return status == CLI_DONE ? count : -1;
}

int main(void) {
    static char page[1 << 12];
    int bad = 0, refused = 0;
    setvbuf(stdout, page, _IOFBF, sizeof page); /* else it takes memory that stays */
    write_journal();
    const int whole = read_journal();
    if (whole <= 0) printf("%d orders: %s\n", whole, said), bad++;
    for (int for_good = 0; for_good < 2; for_good++) {
        size_t calls = 1;
        for (size_t at = 1; calls + 1 >= at; at++) { /* until a run makes fewer calls */
            const size_t live = starving_live;
            messages = 0;
            starving_begin(at, for_good);
            const int count = read_journal();
            calls = starving_end();
            refused += count < 0;
            if (count < 0 ? messages != 1 : count != whole || messages != 0)
                printf("allocation %zu: %d orders, %d messages, %s\n", at, count, messages, said), bad++;
            if (starving_live != live)
                printf("allocation %zu: %td blocks are left\n", at, (ptrdiff_t)(starving_live - live)), bad++;
        }
    }
    remove(journal_name), remove(world_name);
    printf("%d orders, %d refusals, %d wrong answers\n", whole, refused, bad);
    return bad > 0 || refused < 20;
}
#endif
