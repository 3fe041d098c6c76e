/* SPDX-License-Identifier: MIT */
/* Requests as comments of a journal, and back. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_requests.h"
#include "cli/shared/messages.h"

/* ---- writing ---- */

/* A message without the blanks between its values, which may be line ends. They are as they were within texts. */
static size_t squeeze(const char *message, size_t bytes, char *out) {
    size_t used = 0;
    bool text = false;
    for (size_t i = 0; i < bytes; i++) {
        const char c = message[i];
        if (!text && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) continue;
        out[used++] = c;
        if (text && c == '\\' && i + 1 < bytes)
            out[used++] = message[++i];
        else if (c == '"')
            text = !text;
    }
    return used;
}

/* A session's name as one word. */
static void put_name(FILE *out, const char *name) {
    for (const char *at = name; *at != '\0'; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c > ' ' && c < 0x7F && c != '%')
            fputc(c, out);
        else
            fprintf(out, "%%%02x", c);
    }
}

/* A line with its end, to be freed: `# WORD NUMBER `, for a request its session, and the message. */
static char *make_line(uint64_t number, const char *session, const char *secret, const char *message, size_t bytes) {
    char *line = NULL, *squeezed = malloc(bytes + 1);
    size_t size;
    FILE *out = squeezed != NULL ? open_memstream(&line, &size) : NULL;
    bool good = out != NULL;
    if (good) {
        fprintf(out, session != NULL ? "# request %" PRIu64 " %s " : "# change %" PRIu64 " ", number, secret);
        if (session != NULL) put_name(out, session);
        if (session != NULL) fputc(' ', out);
        fwrite(squeezed, 1, squeeze(message, bytes, squeezed), out);
        fputc('\n', out);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    free(squeezed);
    if (good) return line;
    free(line);
    return NULL;
}

/* ---- the list ---- */

static kept_request *append(kept_requests *all, uint64_t number, char *lines) {
    kept_request *request = lines != NULL ? calloc(1, sizeof *request) : NULL;
    if (request == NULL) {
        free(lines);
        return NULL;
    }
    *request = (kept_request){.previous = all->last, .number = number, .lines = lines, .bytes = strlen(lines)};
    if (all->last != NULL)
        all->last->next = request;
    else
        all->first = request;
    all->last = request;
    all->last_number = number;
    all->bytes += request->bytes;
    all->count++;
    return request;
}

kept_request *kept_requests_add(kept_requests *all, const char *session, const char *secret, const char *message,
                                size_t bytes) {
    const uint64_t number = all->last_number + 1;
    return append(all, number, make_line(number, session, secret, message, bytes));
}

static bool add_line(kept_requests *all, kept_request *request, const char *line, size_t length) {
    char *lines = realloc(request->lines, request->bytes + length + 1);
    if (lines == NULL) return false;
    memcpy(lines + request->bytes, line, length);
    request->lines = lines;
    request->bytes += length;
    lines[request->bytes] = '\0';
    all->bytes += length;
    return true;
}

char *kept_requests_change(kept_requests *all, kept_request *request, const char *message, size_t bytes) {
    char *line = make_line(request->number, NULL, "", message, bytes);
    if (line != NULL && add_line(all, request, line, strlen(line))) {
        request->waits++;
        return line;
    }
    free(line);
    return NULL;
}

void kept_requests_unchange(kept_requests *all, kept_request *request, const char *line) {
    const size_t length = strlen(line);
    char *at = strstr(request->lines, line);
    if (at == NULL || request->over) return;
    memmove(at, at + length, request->bytes - (size_t)(at - request->lines) - length + 1);
    request->bytes -= length;
    all->bytes -= length;
}

static void free_unused(kept_request *request) {
    if (!request->over || request->waits > 0) return;
    free(request->lines);
    free(request);
}

void kept_requests_remove(kept_requests *all, kept_request *request) {
    if (request->previous != NULL)
        request->previous->next = request->next;
    else
        all->first = request->next;
    if (request->next != NULL)
        request->next->previous = request->previous;
    else
        all->last = request->previous;
    all->bytes -= request->bytes;
    all->count--;
    request->over = true;
    free_unused(request);
}

void kept_requests_release(kept_request *request) {
    request->waits--;
    free_unused(request);
}

void kept_requests_free(kept_requests *all) {
    while (all->first != NULL) kept_requests_remove(all, all->first);
}

/* ---- reading ---- */

/* The index of a number among those that were read, which rise; `count` where there is none. */
static size_t find(kept_request *const *read, size_t count, uint64_t number) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (read[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && read[low]->number == number ? low : count;
}

/* The requests of a file by number. Those that are over stay in it until all is read. */
typedef struct reading {
    kept_requests *all;
    kept_request **read;
    bool *over;
    size_t count, capacity;
} reading;

static bool grow(reading *r) {
    if (r->count < r->capacity) return true;
    const size_t capacity = r->capacity == 0 ? 256 : r->capacity * 2;
    kept_request **read = realloc(r->read, capacity * sizeof *read);
    if (read != NULL) r->read = read;
    bool *over = realloc(r->over, capacity * sizeof *over);
    if (over != NULL) r->over = over;
    if (read == NULL || over == NULL) return false;
    r->capacity = capacity;
    return true;
}

/* The word and the number that begin a line. */
static bool begin_line(const char *line, size_t length, char word[16], uint64_t *number) {
    char begin[48];
    snprintf(begin, sizeof begin, "%.*s", (int)(length < sizeof begin ? length : sizeof begin - 1), line);
    return sscanf(begin, "# %15s %" SCNu64, word, number) == 2;
}

/* These return NULL, or what is wrong. */

static const char *read_request(reading *r, const char *line, size_t length, uint64_t number) {
    kept_message message = {0};
    if (number <= r->all->last_number) return "the numbers of requests do not rise";
    if (!grow(r)) return "out of memory";
    kept_request *request = append(r->all, number, strndup(line, length + 1));
    if (request == NULL) return "out of memory";
    r->over[r->count] = false;
    r->read[r->count++] = request;
    return kept_requests_message(request, &message) ? NULL : "no request reads like this";
}

static const char *read_line(reading *r, const char *line, size_t length) {
    char word[16];
    uint64_t number;
    if (!begin_line(line, length, word, &number)) return "no request reads like this";
    if (strcmp(word, "request") == 0) return read_request(r, line, length, number);
    const size_t at = find(r->read, r->count, number);
    if (at == r->count || r->over[at]) return "there is no such request";
    if (strcmp(word, "done") == 0)
        r->over[at] = true;
    else if (strcmp(word, "change") != 0)
        return "no request reads like this";
    else if (!add_line(r->all, r->read[at], line, length + 1))
        return "out of memory";
    return NULL;
}

int kept_requests_read(kept_requests *all, const char *file, const serve_journal_past *past) {
    reading r = {.all = all};
    serve_journal_line_at at = {0};
    int status = -1;
    while (status == -1 && serve_journal_next(past, &at)) {
        const char *wrong = read_line(&r, at.text, at.length);
        if (wrong != NULL) status = cli_fail_at(file, at.line, 1, "%s", wrong);
    }
    for (size_t i = 0; i < r.count; i++)
        if (r.over[i]) kept_requests_remove(all, r.read[i]);
    free(r.read);
    free(r.over);
    if (status != -1) kept_requests_free(all);
    return status;
}

/* %XX is the byte again. */
static void read_name(char *name) {
    char *out = name;
    for (; *name != '\0'; name++) {
        unsigned byte;
        const bool coded = *name == '%' && sscanf(name + 1, "%2x", &byte) == 1;
        if (coded) name += 2;
        *out++ = coded ? (char)byte : *name;
    }
    *out = '\0';
}

bool kept_requests_message(const kept_request *request, kept_message *message) {
    int used = 0;
    if (message->at >= request->bytes) return false;
    const char *line = request->lines + message->at, *end = strchr(line, '\n');
    if (end == NULL) return false;
    if (message->at == 0) {
        if (sscanf(line, "# request %*u %39s %199s %n", message->secret, message->session, &used) != 2) return false;
        read_name(message->session);
    } else {
        sscanf(line, "# change %*u %n", &used);
    }
    if (used == 0 || line + used > end) return false;
    message->text = line + used;
    message->bytes = (size_t)(end - message->text);
    message->at = (size_t)(end + 1 - request->lines);
    return true;
}
