/* SPDX-License-Identifier: MIT */
/* A store in a folder, for the processes of one machine and for tests. A text is a file that is replaced by rename; a
 * log is a file that grows, and that one without its first entries replaces. A lock of the folder (flock) makes each
 * call one step. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "store/store.h"

enum { PATH_BYTES = 4096, HEAD_BYTES = 64 };

/// How far a log was read.
typedef struct position {
    char map[CLUSTER_KEY_BYTES + 1];
    uint64_t first;    ///< sequence of the file's first entry: another one once it was cut
    uint64_t sequence; ///< of the entry before `offset`
    off_t offset;
} position;

typedef struct file_store {
    cluster_store calls;
    char *folder;
    bool syncs;
    position reading, writing; ///< of read() and of append()
} file_store;

static file_store *of(cluster_store *store) {
    return (file_store *)(void *)store;
}

static bool path_of(const file_store *store, const char *kind, const char *key, char out[PATH_BYTES]) {
    const int length = snprintf(out, PATH_BYTES, "%s/%s.%s", store->folder, kind, key);
    return length > 0 && length < PATH_BYTES;
}

/* @return a descriptor that holds the lock of a key until it is closed; -1: errno gives the reason */
static int lock(const file_store *store, const char *key) {
    char path[PATH_BYTES];
    if (!path_of(store, "lock", key, path)) return -1;
    const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) return -1;
    while (flock(descriptor, LOCK_EX) != 0)
        if (errno != EINTR) {
            close(descriptor);
            return -1;
        }
    return descriptor;
}

static bool write_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno != EINTR) return false;
        if (written < 0) continue;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* @return false: there are not this many bytes there */
static bool read_all(int descriptor, char *out, size_t size, off_t offset) {
    while (size > 0) {
        const ssize_t count = pread(descriptor, out, size, offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        out += count;
        offset += count;
        size -= (size_t)count;
    }
    return true;
}

/* ---- texts ---- */

/* A file has its revision in the first line, then the bytes. One without was cut by a machine that lost power: the text
 * is not there, as where a bucket was lost. */
static cluster_outcome load(const file_store *store, const char *kind, const char *key, cluster_bytes *out) {
    char path[PATH_BYTES];
    struct stat about;
    *out = (cluster_bytes){0};
    if (!path_of(store, kind, key, path)) return CLUSTER_UNKNOWN;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errno == ENOENT ? CLUSTER_NOTHING : CLUSTER_UNKNOWN;
    const bool known = fstat(descriptor, &about) == 0;
    const size_t size = known ? (size_t)about.st_size : 0;
    char *bytes = malloc(size + 1);
    const bool good = known && bytes && read_all(descriptor, bytes, size, 0);
    close(descriptor);
    if (good) {
        bytes[size] = '\0';
        const char *end = strchr(bytes, '\n');
        if (end && sscanf(bytes, "%" SCNu64, &out->sequence) == 1 && out->sequence > 0) {
            out->size = size - (size_t)(end + 1 - bytes);
            memmove(bytes, end + 1, out->size + 1);
            out->bytes = bytes;
            return CLUSTER_DONE;
        }
    }
    free(bytes);
    out->sequence = 0;
    return good ? CLUSTER_NOTHING : CLUSTER_UNKNOWN;
}

/* Replaced in one step, so a reader needs no lock; a writer has it. */
static cluster_outcome store_bytes(const file_store *store, const char *kind, const char *key, uint64_t revision,
                                   const char *bytes, size_t size) {
    char path[PATH_BYTES], name[PATH_BYTES], fresh[PATH_BYTES], head[HEAD_BYTES];
    snprintf(name, sizeof name, "%s.%s", kind, key);
    if (!path_of(store, kind, key, path) || !path_of(store, "new", name, fresh)) return CLUSTER_UNKNOWN;
    const int descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return CLUSTER_UNKNOWN;
    const int length = snprintf(head, sizeof head, "%" PRIu64 "\n", revision);
    bool good = write_all(descriptor, head, (size_t)length) && write_all(descriptor, bytes, size);
    close(descriptor);
    good = good && rename(fresh, path) == 0;
    if (!good) unlink(fresh);
    return good ? CLUSTER_DONE : CLUSTER_UNKNOWN;
}

static cluster_outcome get(cluster_store *store, const char *key, cluster_value *out) {
    cluster_bytes bytes;
    *out = (cluster_value){0};
    const cluster_outcome outcome = load(of(store), "key", key, &bytes);
    if (outcome != CLUSTER_DONE) return outcome;
    if (bytes.size > CLUSTER_TEXT_BYTES) bytes.size = CLUSTER_TEXT_BYTES;
    memcpy(out->text, bytes.bytes, bytes.size);
    out->revision = bytes.sequence;
    free(bytes.bytes);
    return CLUSTER_DONE;
}

static cluster_outcome set(cluster_store *store, const char *key, cluster_value *value) {
    cluster_value now;
    const int held = lock(of(store), key);
    if (held < 0) return CLUSTER_UNKNOWN;
    cluster_outcome outcome = get(store, key, &now);
    if (outcome == CLUSTER_NOTHING) outcome = CLUSTER_DONE;
    if (outcome == CLUSTER_DONE && now.revision != value->revision) outcome = CLUSTER_REFUSED;
    if (outcome == CLUSTER_DONE)
        outcome = store_bytes(of(store), "key", key, value->revision + 1, value->text, strlen(value->text));
    if (outcome == CLUSTER_DONE) value->revision++;
    close(held);
    return outcome;
}

static cluster_outcome put(cluster_store *store, const char *key, const char *bytes, size_t size) {
    const int held = lock(of(store), key);
    if (held < 0) return CLUSTER_UNKNOWN;
    const cluster_outcome outcome = store_bytes(of(store), "bytes", key, 1, bytes, size);
    close(held);
    return outcome;
}

static cluster_outcome load_bytes(cluster_store *store, const char *key, cluster_bytes *out) {
    return load(of(store), "bytes", key, out);
}

static cluster_outcome list(cluster_store *store, const char *prefix, void (*found)(void *context, const char *key),
                            void *context) {
    static const char kind[] = "key.";
    DIR *folder = opendir(of(store)->folder);
    if (!folder) return CLUSTER_UNKNOWN;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const char *key = entry->d_name + sizeof kind - 1;
        if (strncmp(entry->d_name, kind, sizeof kind - 1) == 0 && strncmp(key, prefix, strlen(prefix)) == 0)
            found(context, key);
    }
    closedir(folder);
    return CLUSTER_DONE;
}

/* ---- logs ---- */

/* The head of an entry: its sequence, its bytes, their hash. */
static int write_head(uint64_t sequence, const char *bytes, size_t size, char out[HEAD_BYTES]) {
    return snprintf(out, HEAD_BYTES, "entry %016" PRIx64 " %016zx %016" PRIx64 "\n", sequence, size,
                    wend__hash_bytes(WEND__HASH_START, bytes, size));
}

enum { ENTRY_HEAD = 57 };

/* Reads the entry at a position. @return DONE, NOTHING (the file ends there, or a write was torn), UNKNOWN */
static cluster_outcome read_entry(int descriptor, const position *at, cluster_bytes *out) {
    char head[HEAD_BYTES] = "", check[HEAD_BYTES];
    size_t size;
    *out = (cluster_bytes){0};
    if (!read_all(descriptor, head, ENTRY_HEAD, at->offset)) return CLUSTER_NOTHING;
    if (sscanf(head, "entry %" SCNx64 " %zx ", &out->sequence, &size) != 2 || size > CLUSTER_ENTRY_BYTES ||
        (at->offset > 0 && out->sequence != at->sequence + 1))
        return CLUSTER_NOTHING;
    out->bytes = malloc(size + 1);
    if (!out->bytes) return CLUSTER_UNKNOWN;
    out->size = size;
    const bool whole = read_all(descriptor, out->bytes, size, at->offset + ENTRY_HEAD);
    if (whole) out->bytes[size] = '\0';
    if (whole && write_head(out->sequence, out->bytes, size, check) == ENTRY_HEAD && strcmp(head, check) == 0)
        return CLUSTER_DONE;
    free(out->bytes);
    *out = (cluster_bytes){0};
    return CLUSTER_NOTHING;
}

/* Takes a position of this log, as long as its file begins as it did. */
static void find_position(int descriptor, const char *map, position *at) {
    char head[HEAD_BYTES] = "";
    struct stat about;
    uint64_t first = 0;
    if (read_all(descriptor, head, ENTRY_HEAD, 0)) (void)sscanf(head, "entry %" SCNx64, &first);
    const bool shrank = fstat(descriptor, &about) != 0 || about.st_size < at->offset;
    if (strcmp(at->map, map) == 0 && at->first == first && !shrank) return;
    *at = (position){.first = first};
    snprintf(at->map, sizeof at->map, "%s", map);
}

/* Goes over the entries up to a sequence, or to the last one. @return the sequence that it came to */
static uint64_t skip_to(int descriptor, position *at, uint64_t sequence) {
    cluster_bytes entry;
    if (at->sequence > sequence) at->sequence = 0, at->offset = 0;
    while (at->sequence < sequence && read_entry(descriptor, at, &entry) == CLUSTER_DONE) {
        const bool goes_on = entry.sequence <= sequence;
        if (goes_on) at->sequence = entry.sequence, at->offset += ENTRY_HEAD + (off_t)entry.size;
        free(entry.bytes);
        if (!goes_on) break;
    }
    return at->sequence;
}

static int open_log(const file_store *store, const char *map, int flags) {
    char path[PATH_BYTES];
    return path_of(store, "log", map, path) ? open(path, flags | O_CLOEXEC, 0600) : -1;
}

static void sync_folder(const file_store *store) {
    const int folder = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    (void)fsync(folder);
    close(folder);
}

static bool write_entry(int descriptor, off_t offset, uint64_t sequence, const char *bytes, size_t size) {
    char head[HEAD_BYTES];
    const int length = write_head(sequence, bytes, size, head);
    return lseek(descriptor, offset, SEEK_SET) == offset && write_all(descriptor, head, (size_t)length) &&
           write_all(descriptor, bytes, size);
}

/* Bytes behind the last whole entry were never answered: they are cut off. An entry that is there already, by a try
 * with a failed sync, is written over as it is: the system may have dropped what it could not sync. */
static cluster_outcome append_locked(int descriptor, bool syncs, position *end, uint64_t last, const char *bytes,
                                     size_t size, uint64_t *sequence) {
    cluster_bytes next;
    if (skip_to(descriptor, end, last) != last) return CLUSTER_REFUSED;
    const cluster_outcome there = read_entry(descriptor, end, &next);
    const bool same = there == CLUSTER_DONE && next.size == size && memcmp(next.bytes, bytes, size) == 0;
    free(next.bytes);
    if (there == CLUSTER_UNKNOWN) return there;
    if (there == CLUSTER_DONE && !same) return CLUSTER_REFUSED;
    if (!same && ftruncate(descriptor, end->offset) != 0) return CLUSTER_UNKNOWN;
    if (!write_entry(descriptor, end->offset, last + 1, bytes, size)) /* a full disk: nothing of it is an entry */
        return !same && ftruncate(descriptor, end->offset) == 0 ? CLUSTER_FAILED : CLUSTER_UNKNOWN;
    if (syncs && fdatasync(descriptor) != 0) return CLUSTER_UNKNOWN;
    *sequence = last + 1;
    return CLUSTER_DONE;
}

static cluster_outcome append(cluster_store *store, const char *map, uint64_t last, const char *bytes, size_t size,
                              uint64_t *sequence) {
    position *end = &of(store)->writing;
    if (size > CLUSTER_ENTRY_BYTES) return CLUSTER_FAILED;
    const int held = lock(of(store), map);
    if (held < 0) return CLUSTER_UNKNOWN;
    const int descriptor = open_log(of(store), map, O_RDWR | O_CREAT);
    cluster_outcome outcome = CLUSTER_UNKNOWN;
    if (descriptor >= 0) find_position(descriptor, map, end);
    if (descriptor >= 0) outcome = append_locked(descriptor, of(store)->syncs, end, last, bytes, size, sequence);
    if (outcome == CLUSTER_DONE && last == 0) sync_folder(of(store));
    if (descriptor >= 0) close(descriptor);
    close(held);
    return outcome;
}

static void wait_a_little(void) {
    enum { NS = 10000000 };
    nanosleep(&(struct timespec){.tv_nsec = NS}, NULL);
}

/* Entries that are not whole are not there. */
static cluster_outcome read_next(file_store *store, const char *map, uint64_t after, cluster_bytes *out) {
    position *at = &store->reading;
    const int descriptor = open_log(store, map, O_RDONLY);
    if (descriptor < 0) return errno == ENOENT ? CLUSTER_NOTHING : CLUSTER_UNKNOWN;
    find_position(descriptor, map, at);
    (void)skip_to(descriptor, at, after);
    const cluster_outcome outcome = read_entry(descriptor, at, out);
    close(descriptor);
    return outcome;
}

static cluster_outcome read_log(cluster_store *store, const char *map, uint64_t after, int wait_ms,
                                cluster_bytes *out) {
    enum { STEP_MS = 10 };
    cluster_outcome outcome = read_next(of(store), map, after, out);
    for (int waited = 0; outcome == CLUSTER_NOTHING && waited < wait_ms; waited += STEP_MS) {
        wait_a_little();
        outcome = read_next(of(store), map, after, out);
    }
    return outcome;
}

/* Copies the entries from an offset on to a new file. Bytes behind the last whole one come along. */
static bool copy_entries(int descriptor, off_t offset, int to) {
    enum { MANY = 1 << 16 };
    char bytes[MANY];
    for (ssize_t count; (count = pread(descriptor, bytes, sizeof bytes, offset)) != 0; offset += count)
        if (count < 0 || !write_all(to, bytes, (size_t)count)) return false;
    return true;
}

/* The new file takes the log's place once it is on the disk. */
static cluster_outcome replace_log(const file_store *store, const char *map, int descriptor, off_t offset) {
    char path[PATH_BYTES], fresh[PATH_BYTES + 8];
    if (!path_of(store, "log", map, path)) return CLUSTER_UNKNOWN;
    snprintf(fresh, sizeof fresh, "%s.new", path);
    const int to = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = to >= 0 && copy_entries(descriptor, offset, to) && (!store->syncs || fsync(to) == 0);
    if (to >= 0) close(to);
    good = good && rename(fresh, path) == 0;
    if (good) sync_folder(store);
    if (!good) unlink(fresh);
    return good ? CLUSTER_DONE : CLUSTER_FAILED;
}

/* Where no entry is left, sequences begin again. */
static cluster_outcome cut(cluster_store *store, const char *map, uint64_t sequence) {
    position begin = {.offset = 0};
    cluster_bytes entry = {0};
    cluster_outcome outcome = CLUSTER_UNKNOWN;
    if (sequence <= 1) return CLUSTER_DONE; /* the first one has no entries before it */
    const int held = lock(of(store), map);
    if (held < 0) return CLUSTER_UNKNOWN;
    const int descriptor = open_log(of(store), map, O_RDONLY);
    if (descriptor >= 0) {
        (void)skip_to(descriptor, &begin, sequence - 1);
        outcome = read_entry(descriptor, &begin, &entry);
        free(entry.bytes);
        if (outcome == CLUSTER_NOTHING) of(store)->reading = of(store)->writing = (position){.sequence = 0};
        if (outcome == CLUSTER_NOTHING || (outcome == CLUSTER_DONE && begin.offset > 0))
            outcome = replace_log(of(store), map, descriptor, begin.offset);
        close(descriptor);
    }
    close(held);
    return outcome;
}

/* ---- opening ---- */

static void close_store(cluster_store *store) {
    free(of(store)->folder);
    free(store);
}

cluster_store *cluster_store_open_file(const char *folder, bool syncs, char why[CLUSTER_WHY_BYTES]) {
    if ((mkdir(folder, 0700) != 0 && errno != EEXIST) || access(folder, R_OK | W_OK | X_OK) != 0) {
        snprintf(why, CLUSTER_WHY_BYTES, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    file_store *store = calloc(1, sizeof *store);
    char *copy = strdup(folder);
    if (!store || !copy) {
        snprintf(why, CLUSTER_WHY_BYTES, "out of memory");
        free(store);
        free(copy);
        return NULL;
    }
    *store = (file_store){{get, set, append, read_log, cut, put, load_bytes, list, close_store},
                          copy,
                          syncs,
                          {.sequence = 0},
                          {.sequence = 0}};
    return &store->calls;
}
