/* SPDX-License-Identifier: MIT */
/* Journals, and entries of a log: any bytes give whole records or one message with a place, and the records are read
 * again to the same records; each record is orders, or what is wrong with it, and where. */
#define _GNU_SOURCE
#include "fuzz_bytes.h"

#include <stdarg.h>
#include <unistd.h>

#include "base/hash.h"
#include "journal/journal_orders.h"
#include "cli/output/messages.h"

static size_t messages, notes;

/* In place of src/cli/output/messages.c, which prints. */
int cli_fail(const char *format, ...) {
    FUZZ_CHECK(format == NULL); /* a journal's error has a place */
    return CLI_BAD_INPUT;
}

int cli_fail_at(const char *file, int line, int column, const char *format, ...) {
    FUZZ_CHECK(file[0] != '\0' && line >= 1 && column >= 1 && format[0] != '\0');
    messages++;
    return CLI_BAD_INPUT;
}

int cli_fail_file(const char *file, wend_error error, const wend_file_error *where) {
    (void)error, (void)where;
    return cli_fail_at(file, 1, 1, "no file is opened here");
}

void cli_note_at(const char *file, const char *format, ...) {
    FUZZ_CHECK(file[0] != '\0' && format[0] != '\0');
    notes++;
}

void cli_json_string(FILE *out, const char *text) {
    fprintf(out, "\"%zu\"", strlen(text));
}

static char folder[] = "/tmp/fuzz_journalXXXXXX", world_file[64], name[64];

static void put_file(const char *path, const void *bytes, size_t size) {
    FILE *out = fopen(path, "wb");
    FUZZ_CHECK(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
}

static void remove_files(void) {
    unlink(world_file), unlink(name), rmdir(folder);
}

static void read_orders(const serve_journal_past *past) {
    serve_journal_orders orders = {.past = past, .kind = WEND_KIND_GRID};
    serve_journal_record record = {0};
    bool found = true;
    int line = 0;
    messages = 0;
    while (serve_journal_next_record(&orders, &record, &found) == CLI_DONE && found) {
        FUZZ_CHECK(record.line > line && (record.wrong == NULL || record.wrong_line >= record.line));
        line = record.line;
        for (size_t i = 0; i < record.count; i++) {
            wend_order *copy = wend__order_copy(record.orders[i]);
            FUZZ_CHECK(copy != NULL && copy->kind == record.orders[i]->kind);
            free(copy);
        }
    }
    FUZZ_CHECK(!found && messages == 0);
    serve_journal_record_free(&record);
    serve_journal_orders_free(&orders);
}

/* An entry of a cluster's log comes from another node: it is whole, or an error with a place. */
static void read_as_entry(const char *bytes, size_t size) {
    serve_journal_past past;
    char *text = malloc(size + 1);
    FUZZ_CHECK(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    messages = 0;
    const int status = serve_journal_read_entry("log", text, size, &past);
    FUZZ_CHECK(messages == (status != CLI_DONE));
    if (status == CLI_DONE) {
        FUZZ_CHECK(past.size == size);
        read_orders(&past);
    }
    free(text);
}

/* Reads the bytes unchanged, and behind a valid head with each line sealed, so that the lines are parsed. */
static size_t make_text(const uint8_t *data, size_t size, char *out) {
    static const char head[] = SERVE_JOURNAL_FIRST_LINE "map w\n";
    size_t used = sizeof head - 1;
    memcpy(out, head, used);
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, out, used), out + used);
    used += SERVE_JOURNAL_SEAL_BYTES;
    memcpy(out + used, data, size);
    used += size;
    out[used++] = '\n';
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, out, used), out + used);
    return used + SERVE_JOURNAL_SEAL_BYTES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    serve_journal_past past, again;
    if (world_file[0] == '\0') {
        FUZZ_CHECK(mkdtemp(folder));
        snprintf(world_file, sizeof world_file, "%s/w", folder);
        snprintf(name, sizeof name, "%s/j", folder);
        put_file(world_file, "grid 8 8\n", 9);
        atexit(remove_files);
    }
    char *text = malloc(size + 256);
    FUZZ_CHECK(text);
    for (int turn = 0; turn < 2; turn++) {
        const size_t bytes = turn == 0 ? size : make_text(data, size, text);
        if (turn == 0 && size > 0) memcpy(text, data, size);
        put_file(name, text, bytes);
        read_as_entry(text, bytes);
        messages = notes = 0;
        const int status = serve_journal_read(name, world_file, &past);
        FUZZ_CHECK(messages == (status != CLI_DONE));
        if (status != CLI_DONE) continue;
        FUZZ_CHECK(past.size <= bytes && notes == (past.size > 0 && past.size < bytes));
        read_orders(&past);
        put_file(name, past.size > 0 ? past.text : "", past.size);
        notes = 0;
        FUZZ_CHECK(serve_journal_read(name, world_file, &again) == CLI_DONE && notes == 0);
        FUZZ_CHECK(again.size == past.size && again.hash == past.hash);
        serve_journal_forget(&again);
        serve_journal_forget(&past);
    }
    free(text);
    return 0;
}
