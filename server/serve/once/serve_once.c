/* SPDX-License-Identifier: MIT */
/* Numbers of orders that are executed once. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "live/must/must.h"
#include "serve/once/serve_once.h"

static const char order_word[] = "# once ", table_word[] = "# numbers ";

static struct serve_once_session *find(const serve_once *once, const char *name) {
    const uint64_t hash = wend__hash_bytes(WEND__HASH_START, name, strlen(name));
    for (size_t i = 0; i < once->count; i++)
        if (once->sessions[i].hash == hash && strcmp(once->sessions[i].name, name) == 0) return &once->sessions[i];
    return NULL;
}

serve_once_verdict serve_once_look(const serve_once *once, const char *session, uint64_t number) {
    const struct serve_once_session *of = find(once, session);
    if (!of) return number == 1 ? ONCE_NEW : ONCE_FORGOTTEN;
    if (number > of->highest) return ONCE_NEW;
    if (number == of->highest) return ONCE_AGAIN;
    const uint64_t behind = of->highest - 1 - number;
    if (behind >= SERVE_ONCE_BELOW) return ONCE_TOO_OLD;
    return (of->below >> behind & 1) != 0 ? ONCE_AGAIN : ONCE_NEW;
}

/* Returns a session, in place of the least recently used one if all places are taken. NULL: no memory */
static struct serve_once_session *add(serve_once *once, const char *name) {
    if (!once->sessions) once->sessions = calloc(SERVE_ONCE_SESSIONS, sizeof *once->sessions);
    if (!once->sessions) return NULL;
    struct serve_once_session *of = once->sessions;
    if (once->count < SERVE_ONCE_SESSIONS)
        of = &once->sessions[once->count++];
    else
        for (size_t i = 1; i < once->count; i++)
            if (once->sessions[i].used < of->used) of = &once->sessions[i];
    *of = (struct serve_once_session){.hash = wend__hash_bytes(WEND__HASH_START, name, strlen(name))};
    snprintf(of->name, sizeof of->name, "%s", name);
    return of;
}

bool serve_once_note(serve_once *once, const char *session, uint64_t number) {
    struct serve_once_session *of = find(once, session);
    if (!of) of = add(once, session);
    if (!of) return false;
    of->used = ++once->uses;
    if (number > of->highest) {
        const uint64_t above = number - of->highest;
        const uint64_t one = of->highest > 0 && above <= SERVE_ONCE_BELOW ? UINT64_C(1) << (above - 1) : 0;
        of->below = (above < SERVE_ONCE_BELOW ? of->below << above : 0) | one;
        of->highest = number;
    } else if (number < of->highest && of->highest - 1 - number < SERVE_ONCE_BELOW) {
        of->below |= UINT64_C(1) << (of->highest - 1 - number);
    }
    MUST(of->highest >= number && once->count <= SERVE_ONCE_SESSIONS);
    return true;
}

/* ---- lines ---- */

static void write_hex(const char *name, char out[2 * SERVE_ONCE_NAME_BYTES + 1]) {
    out[0] = '\0';
    for (size_t i = 0; name[i] != '\0' && i < SERVE_ONCE_NAME_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", (unsigned)(unsigned char)name[i]);
}

static bool read_hex(const char *hex, char out[SERVE_ONCE_NAME_BYTES + 1]) {
    const size_t count = strlen(hex) / 2;
    unsigned byte = 0;
    for (size_t i = 0; i < count && sscanf(hex + 2 * i, "%2x", &byte) == 1; i++) out[i] = (char)byte;
    out[count] = '\0';
    return count > 0 && hex[2 * count] == '\0';
}

void serve_once_line(const char *session, uint64_t number, char out[SERVE_ONCE_LINE_BYTES]) {
    char hex[2 * SERVE_ONCE_NAME_BYTES + 1];
    write_hex(session, hex);
    snprintf(out, SERVE_ONCE_LINE_BYTES, "%s%s %" PRIu64, order_word, hex, number);
}

static bool take_line(serve_once *once, const char *line) {
    char hex[2 * SERVE_ONCE_NAME_BYTES + 1], name[SERVE_ONCE_NAME_BYTES + 1];
    uint64_t number, below;
    const bool order = strncmp(line, order_word, sizeof order_word - 1) == 0;
    const char *rest = line + (order ? sizeof order_word : sizeof table_word) - 1;
    const int count = sscanf(rest, "%128[0-9a-f] %" SCNu64 " %" SCNx64, hex, &number, &below);
    if (count < (order ? 2 : 3) || !read_hex(hex, name)) return true;
    if (!serve_once_note(once, name, number)) return false;
    if (!order) find(once, name)->below = below;
    return true;
}

bool serve_once_take(serve_once *once, const char *text) {
    bool good = true;
    for (const char *line = text, *next; good && line; line = next ? next + 1 : NULL) {
        next = strchr(line, '\n');
        if (strncmp(line, order_word, sizeof order_word - 1) == 0 ||
            strncmp(line, table_word, sizeof table_word - 1) == 0)
            good = take_line(once, line);
    }
    return good;
}

static int compare_uses(const void *a, const void *b) {
    const struct serve_once_session *const *one = a, *const *two = b;
    return (*one)->used < (*two)->used ? -1 : (*one)->used > (*two)->used;
}

void serve_once_write(const serve_once *once, FILE *out) {
    const struct serve_once_session *sorted[SERVE_ONCE_SESSIONS];
    char hex[2 * SERVE_ONCE_NAME_BYTES + 1];
    for (size_t i = 0; i < once->count; i++) sorted[i] = &once->sessions[i];
    if (once->count > 0) qsort(sorted, once->count, sizeof sorted[0], compare_uses);
    for (size_t i = 0; i < once->count; i++) {
        write_hex(sorted[i]->name, hex);
        fprintf(out, "%s%s %" PRIu64 " %016" PRIx64 "\n", table_word, hex, sorted[i]->highest, sorted[i]->below);
    }
}

uint64_t serve_once_hash(const serve_once *once) {
    uint64_t sum = 0;
    for (size_t i = 0; i < once->count; i++) {
        const struct serve_once_session *of = &once->sessions[i];
        sum += wend__mix64(wend__hash_u64(wend__hash_u64(of->hash, of->highest), of->below));
    }
    return sum;
}

void serve_once_clear(serve_once *once) {
    free(once->sessions);
    *once = (serve_once){0};
}
