/* SPDX-License-Identifier: MIT */
/* Finds the complete part of a journal, by its seals. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "script/script.h"
#include "journal/journal_read.h"
#include "cli/output/messages.h"

static const char seal_word[] = "# sealed ";
enum { SEAL_WORD_BYTES = sizeof seal_word - 1, HASH_DIGITS = 16 };

void serve_journal_seal(uint64_t hash, char out[SERVE_JOURNAL_SEAL_BYTES + 1]) {
    snprintf(out, SERVE_JOURNAL_SEAL_BYTES + 1, "%s%016" PRIx64 "\n", seal_word, hash);
}

/* ---- completeness ---- */

typedef struct scan {
    const char *file, *text;
    size_t size;
    size_t sealed;      ///< bytes up to the last seal
    int line, unsealed; ///< line being read; first unsealed line
    uint64_t hash;      ///< hash of the bytes up to the line being read
} scan;

static int fail_line(const char *file, int line, size_t column, const char *what) {
    return cli_fail_at(file, line, (int)column, "the journal is damaged: %s", what);
}

/* After a power failure a part of the last write may be missing on the disk: the file has zeros there. */
static bool has_hole(const char *bytes, size_t size) {
    enum { SECTOR = 512 };
    size_t zeros = 0;
    for (size_t i = 0; i < size && zeros < SECTOR; i++) zeros = bytes[i] == '\0' ? zeros + 1 : 0;
    return zeros == SECTOR;
}

static int scan_line(scan *s, size_t begin, size_t length) {
    const char *line = s->text + begin;
    char seal[SERVE_JOURNAL_SEAL_BYTES + 1];
    if (length + 1 == SERVE_JOURNAL_SEAL_BYTES && memcmp(line, seal_word, SEAL_WORD_BYTES) == 0) {
        serve_journal_seal(s->hash, seal);
        if (memcmp(line, seal, length) == 0) {
            s->sealed = begin + length + 1;
            s->unsealed = s->line + 1;
        } else if (!has_hole(s->text + s->sealed, begin - s->sealed)) {
            return fail_line(s->file, s->line, SEAL_WORD_BYTES + 1, "the lines above are not those that were sealed");
        }
    }
    s->hash = wend__hash_bytes(s->hash, line, length + 1);
    return CLI_DONE;
}

/* Returns how many of the first bytes of a seal match none, whatever its hash. */
static int strange_bytes(const char *seal, size_t count) {
    int strange = 0;
    for (size_t i = 0; i < count; i++) {
        const bool digit = (seal[i] >= '0' && seal[i] <= '9') || (seal[i] >= 'a' && seal[i] <= 'f');
        strange += i < SEAL_WORD_BYTES                 ? seal[i] != seal_word[i]
                   : i < SEAL_WORD_BYTES + HASH_DIGITS ? !digit
                                                       : seal[i] != '\n';
    }
    return strange;
}

/* Fails if the text ends with a seal except for one byte: its last record was acknowledged, and was changed. */
static int check_end(const scan *s) {
    int line = s->unsealed;
    if (s->size - s->sealed < SERVE_JOURNAL_SEAL_BYTES) return CLI_DONE;
    const size_t end = s->size - SERVE_JOURNAL_SEAL_BYTES;
    if (strange_bytes(s->text + end, SERVE_JOURNAL_SEAL_BYTES) > 1) return CLI_DONE;
    if (has_hole(s->text + s->sealed, end - s->sealed)) return CLI_DONE;
    for (size_t i = s->sealed; i < end; i++) line += s->text[i] == '\n';
    return fail_line(s->file, line, 1, "this is not the seal of the lines above");
}

/* Reads whole lines up to the last seal. Bytes behind it are arbitrary. */
static int scan_text(scan *s) {
    int status = CLI_DONE;
    s->hash = WEND__HASH_START;
    s->unsealed = 1;
    for (size_t at = 0; at < s->size && !status;) {
        const char *end = memchr(s->text + at, '\n', s->size - at);
        if (!end) break;
        const size_t length = (size_t)(end - s->text) - at;
        s->line++;
        status = scan_line(s, at, length);
        at += length + 1;
    }
    return !status ? check_end(s) : status;
}

/* ---- the world of a journal ---- */

static const char first_line[] = SERVE_JOURNAL_FIRST_LINE;

/* Returns the folder of a path, to be freed. NULL: errno gives the reason. */
static char *whole_folder(const char *path) {
    char *folder = cli_folder_of(path), *whole = !folder ? NULL : realpath(folder, NULL);
    free(folder);
    return whole;
}

/* Finds the line that names the world: by its name alone if both are in one folder, so that they can be moved. */
static bool write_head(const char *path, const char *folder, char **out) {
    const size_t length = strlen(folder);
    const bool beside = strncmp(path, folder, length) == 0 && path[length] == '/' && !strchr(path + length + 1, '/');
    const int made = asprintf(out, "map %s", beside ? path + length + 1 : path);
    if (made < 0) *out = NULL;
    return made >= 0;
}

static int make_head(const char *file, const char *world_path, serve_journal_past *out) {
    int status = CLI_DONE;
    if (strcmp(world_path, "-") == 0) return cli_fail("serve: a journal needs a world with a name, not standard input");
    char *path = realpath(world_path, NULL), *folder = NULL;
    if (!path)
        status = cli_fail_at(world_path, 0, 0, "%s", strerror(errno));
    else if (!(folder = whole_folder(file)))
        status = cli_fail_at(file, 0, 0, "%s", strerror(errno));
    else if (!write_head(path, folder, &out->head))
        status = cli_fail("out of memory");
    else if (strpbrk(out->head + sizeof "map", " \t\r\n#"))
        status = cli_fail("serve: a journal cannot name '%s': blanks and # part the words of a script", world_path);
    free(path);
    free(folder);
    return status;
}

/* Returns whether the text's first lines name this world. */
static bool begins_with_head(const serve_journal_past *past) {
    const size_t first = sizeof first_line - 1, head = strlen(past->head);
    return past->size > first + head && memcmp(past->text, first_line, first) == 0 &&
           memcmp(past->text + first, past->head, head) == 0 && past->text[first + head] == '\n';
}

static int fail_head(const char *file, const serve_journal_past *past) {
    const size_t first = sizeof first_line - 1;
    if (past->size < first || memcmp(past->text, first_line, first) != 0)
        return cli_fail_at(file, 1, 1, "this is no journal: it does not begin with '%.*s'", (int)first - 1, first_line);
    return cli_fail_at(file, 2, 1, "this is the journal of another world: it has no '%s'", past->head);
}

/* Handles a file without a seal: a new journal if it is empty or a part of a head, else no journal. */
static int judge_unsealed(const char *file, serve_journal_past *past) {
    const size_t first = sizeof first_line - 1, head = first + strlen(past->head) + 1;
    const size_t same = past->size < first ? past->size : first;
    if (memcmp(past->text, first_line, same) != 0) return fail_head(file, past);
    if (past->size > head && !begins_with_head(past)) return fail_head(file, past);
    if (past->size > head && strange_bytes(past->text + head, past->size - head) > 0)
        return fail_line(file, 3, 1, "this is not the seal of the lines above");
    past->size = 0;
    return CLI_DONE;
}

static int judge(const char *file, serve_journal_past *past) {
    scan s = {.file = file, .text = past->text, .size = past->size};
    const size_t first = sizeof first_line - 1;
    if (past->size >= first && memcmp(past->text, first_line, first) != 0) return fail_head(file, past);
    int status = scan_text(&s);
    if (status) return status;
    if (s.sealed == 0) return judge_unsealed(file, past);
    if (!begins_with_head(past)) return fail_head(file, past);
    if (s.sealed < past->size)
        cli_note_at(file, "line %d begins a record that is not whole: %zu bytes dropped", s.unsealed,
                    past->size - s.sealed);
    past->size = s.sealed;
    past->text[past->size] = '\0';
    past->hash = wend__hash_bytes(WEND__HASH_START, past->text, past->size);
    return CLI_DONE;
}

int serve_journal_read(const char *file, const char *world_path, serve_journal_past *out) {
    struct stat about;
    *out = (serve_journal_past){0};
    int status = make_head(file, world_path, out);
    const bool there = stat(file, &about) == 0 || errno != ENOENT;
    if (!status && !there) return CLI_DONE;
    if (!status && stat(file, &about) == 0 && !S_ISREG(about.st_mode))
        status = cli_fail_at(file, 0, 0, "a journal is a file");
    if (!status) {
        out->text = cli_read_file(file, SERVE_JOURNAL_MOST_BYTES, &out->size);
        out->file_bytes = out->size;
        status = !out->text ? CLI_BAD_INPUT : judge(file, out);
    }
    if (status) serve_journal_forget(out);
    return status;
}

int serve_journal_read_entry(const char *name, char *text, size_t size, serve_journal_past *out) {
    scan s = {.file = name, .text = text, .size = size};
    *out = (serve_journal_past){.text = text, .size = size};
    const int status = scan_text(&s);
    if (status) return status;
    if (s.sealed == size) return CLI_DONE;
    return fail_line(name, s.unsealed, 1, "the entry is not whole");
}

void serve_journal_forget(serve_journal_past *past) {
    free(past->text);
    free(past->head);
    *past = (serve_journal_past){0};
}

/* ---- its contents ---- */

static size_t line_length(const char *text, size_t left) {
    const char *end = memchr(text, '\n', left);
    return end ? (size_t)(end - text) : left;
}

bool serve_journal_next(const serve_journal_past *past, serve_journal_line_at *at) {
    while (at->next < past->size) {
        at->text = past->text + at->next;
        at->length = line_length(at->text, past->size - at->next);
        at->next += at->length + 1;
        at->line++;
        const bool seal =
            at->length + 1 == SERVE_JOURNAL_SEAL_BYTES && memcmp(at->text, seal_word, SEAL_WORD_BYTES) == 0;
        if (seal) at->record++;
        if (at->line > 2 && at->length > 0 && !seal) return true;
    }
    return false;
}
