/* SPDX-License-Identifier: MIT */
/* What a store promises, of a folder and of NATS: each check is made of both. Where nats-server is missing, or wend was
 * built without its library, those of NATS are skipped. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/store.h"

/* ---- a folder, and a server that ends with the test ---- */

static char folder[64], url[128], why[CLUSTER_WHY_BYTES];
static int port;

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/wend-store-XXXXXX");
    cr_assert(mkdtemp(folder));
}

static void remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/store/%s", folder, name);
    return path;
}

static int dial(void) {
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int sock = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(sock, (const struct sockaddr *)&to, sizeof to) == 0) return sock;
    close(sock);
    return -1;
}

static int free_port(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int sock = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(bind(sock, (const struct sockaddr *)&at, size) == 0 &&
              getsockname(sock, (struct sockaddr *)&at, &size) == 0);
    close(sock);
    return ntohs(at.sin_port);
}

static cluster_store *open_store(void) {
    cluster_store *store = cluster_store_open(url, why);
    cr_assert(store, "%s", why);
    return store;
}

static pid_t server;

static void start_server(void) {
    char text[16], data[96];
    if (port == 0) port = free_port();
    snprintf(text, sizeof text, "%d", port);
    snprintf(data, sizeof data, "%s/nats", folder);
    server = fork();
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
        execlp("nats-server", "nats-server", "-js", "-sd", data, "-a", "127.0.0.1", "-p", text, (char *)NULL);
        _exit(127);
    }
    int sock = -1;
    for (int i = 0; i < 400 && (sock = dial()) < 0 && waitpid(server, NULL, WNOHANG) == 0; i++) sleep_ms(50);
    if (sock < 0) cr_skip_test("no nats-server here");
    close(sock);
    snprintf(url, sizeof url, "nats://127.0.0.1:%d", port);
}

/* Says a line of NATS' own protocol. */
static void say(const char *line) {
    static const char hello[] = "CONNECT {\"verbose\":false,\"headers\":true}\r\n", end[] = "PING\r\n";
    char answer[4096];
    const int sock = dial();
    cr_assert(sock >= 0 && write(sock, hello, strlen(hello)) > 0 && write(sock, line, strlen(line)) > 0 &&
              write(sock, end, strlen(end)) > 0);
    size_t used = 0;
    while (used < sizeof answer - 1) {
        const ssize_t count = read(sock, answer + used, sizeof answer - 1 - used);
        cr_assert(count > 0);
        used += (size_t)count;
        answer[used] = '\0';
        if (strstr(answer, "PONG")) break;
    }
    close(sock);
    sleep_ms(100); /* the stream takes it up */
}

static void publish(const char *subject, const char *text) {
    char line[2048];
    snprintf(line, sizeof line, "PUB %s %zu\r\n%s\r\n", subject, strlen(text), text);
    say(line);
}

static void begin_file(void) {
    make_folder();
    snprintf(url, sizeof url, "file:%s/store", folder);
}

static void begin_nats(void) {
    make_folder();
    start_server();
    cluster_store *store = cluster_store_open(url, why);
    if (!store && strstr(why, "without libnats")) cr_skip_test("%s", why);
    cr_assert(store, "%s", why);
    store->close(store);
}

static void end_file(void) {
    remove_folder();
}

static void end_nats(void) {
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    remove_folder();
}

TestSuite(store_file, .init = begin_file, .fini = end_file);
TestSuite(store_nats, .init = begin_nats, .fini = end_nats);

/* The same check of both. */
#define OF_BOTH(name)                                                                                                  \
    static void name(cluster_store *store);                                                                            \
    Test(store_file, name) {                                                                                           \
        cluster_store *store = open_store();                                                                           \
        name(store);                                                                                                   \
        store->close(store);                                                                                           \
    }                                                                                                                  \
    Test(store_nats, name) {                                                                                           \
        cluster_store *store = open_store();                                                                           \
        name(store);                                                                                                   \
        store->close(store);                                                                                           \
    }                                                                                                                  \
    static void name(cluster_store *store)

/* ---- texts ---- */

static cluster_outcome set_text(cluster_store *store, const char *key, uint64_t revision, const char *text,
                                cluster_value *out) {
    *out = (cluster_value){.revision = revision};
    snprintf(out->text, sizeof out->text, "%s", text);
    return store->set(store, key, out);
}

static void expect_text(cluster_store *store, const char *key, const char *text, uint64_t revision) {
    cluster_value value;
    cr_assert_eq(store->get(store, key, &value), CLUSTER_DONE);
    cr_assert_str_eq(value.text, text);
    cr_assert_eq(value.revision, revision);
}

OF_BOTH(of_two_writers_one_wins) {
    cluster_store *other = open_store();
    cluster_value one, two;
    cr_assert_eq(store->get(store, "m", &one), CLUSTER_NOTHING);
    cr_assert(one.revision == 0 && one.text[0] == '\0');
    cr_assert_eq(set_text(store, "m", 0, "first", &one), CLUSTER_DONE);
    cr_assert_gt(one.revision, 0);
    cr_assert_eq(set_text(other, "m", 0, "second", &two), CLUSTER_REFUSED);
    expect_text(other, "m", "first", one.revision);
    cr_assert_eq(set_text(other, "m", one.revision, "third", &two), CLUSTER_DONE);
    cr_assert_gt(two.revision, one.revision);
    cr_assert_eq(set_text(store, "m", one.revision, "fourth", &one), CLUSTER_REFUSED);
    expect_text(store, "m", "third", two.revision);
    cr_assert_eq(set_text(store, "m", two.revision + 100, "fifth", &one), CLUSTER_REFUSED);
    cr_assert_eq(set_text(store, "m", two.revision, "", &one), CLUSTER_DONE);
    expect_text(store, "m", "", one.revision);
    other->close(other);
}

enum { WRITERS = 4, ROUNDS = 40 };

static void *count_up(void *context) {
    cluster_store *store = context ? context : open_store();
    for (int done = 0; done < ROUNDS;) {
        cluster_value value;
        const cluster_outcome read = store->get(store, "n", &value);
        if (read != CLUSTER_DONE && read != CLUSTER_NOTHING) continue;
        snprintf(value.text, sizeof value.text, "%d", atoi(value.text) + 1);
        const cluster_outcome outcome = store->set(store, "n", &value);
        cr_assert(outcome == CLUSTER_DONE || outcome == CLUSTER_REFUSED, "%d", outcome);
        done += outcome == CLUSTER_DONE;
    }
    if (!context) store->close(store);
    return NULL;
}

/* Two threads share a store, and two have their own, as processes have. */
OF_BOTH(no_write_is_lost_under_many_writers) {
    pthread_t threads[WRITERS];
    cluster_value value;
    for (int i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, count_up, i < 2 ? store : NULL);
    for (int i = 0; i < WRITERS; i++) pthread_join(threads[i], NULL);
    cr_assert_eq(store->get(store, "n", &value), CLUSTER_DONE);
    cr_assert_eq(atoi(value.text), WRITERS * ROUNDS);
}

static void check_deleted(cluster_store *store, uint64_t old) {
    cluster_value value;
    cr_assert_eq(store->get(store, "m", &value), CLUSTER_NOTHING);
    cr_assert_eq(value.revision, 0);
    cr_assert_eq(set_text(store, "m", old, "late", &value), CLUSTER_REFUSED);
    cr_assert_eq(set_text(store, "m", 0, "again", &value), CLUSTER_DONE);
    expect_text(store, "m", "again", value.revision);
}

Test(store_file, a_key_that_was_deleted) {
    cluster_store *store = open_store();
    cluster_value value;
    set_text(store, "m", 0, "one", &value);
    cr_assert_eq(set_text(store, "m", value.revision, "two", &value), CLUSTER_DONE);
    cr_assert_eq(unlink(path_of("key.m")), 0);
    check_deleted(store, value.revision);
    store->close(store);
}

Test(store_nats, a_key_that_was_deleted) {
    cluster_store *store = open_store();
    cluster_value value;
    set_text(store, "m", 0, "one", &value);
    publish("$JS.API.STREAM.PURGE.KV_wend", "{\"filter\":\"$KV.wend.m\"}");
    check_deleted(store, value.revision);
    store->close(store);
}

/* The bucket keeps a mark with a revision of its own, and another bucket's client sees no key. */
Test(store_nats, a_key_that_a_client_of_buckets_deleted) {
    cluster_store *store = open_store();
    cluster_value value, now;
    set_text(store, "m", 0, "one", &value);
    say("HPUB $KV.wend.m 31 31\r\nNATS/1.0\r\nKV-Operation: DEL\r\n\r\n\r\n");
    cr_assert_eq(store->get(store, "m", &now), CLUSTER_DONE);
    cr_assert(now.text[0] == '\0' && now.revision > value.revision);
    cr_assert_eq(set_text(store, "m", value.revision, "late", &value), CLUSTER_REFUSED);
    cr_assert_eq(set_text(store, "m", now.revision, "again", &value), CLUSTER_DONE);
    store->close(store);
}

/* Leases are claimed again where their bucket was deleted, and the log is as it was. */
Test(store_nats, a_bucket_that_was_deleted_is_made_again) {
    cluster_store *store = open_store();
    cluster_value value;
    uint64_t sequence;
    set_text(store, "m", 0, "one", &value);
    cr_assert_eq(store->append(store, "m", 0, "a", 1, &sequence), CLUSTER_DONE);
    publish("$JS.API.STREAM.DELETE.KV_wend", "");
    cluster_outcome outcome = CLUSTER_UNKNOWN;
    for (int i = 0; i < 20 && outcome == CLUSTER_UNKNOWN; i++) outcome = store->get(store, "m", &value);
    cr_assert_eq(outcome, CLUSTER_NOTHING);
    cr_assert_eq(set_text(store, "m", 0, "two", &value), CLUSTER_DONE);
    cr_assert_eq(store->append(store, "m", 0, "b", 1, &sequence), CLUSTER_REFUSED);
    store->close(store);
}

typedef struct keys {
    char text[1024];
    int count;
} keys;

static void found(void *context, const char *key) {
    keys *out = context;
    const size_t used = strlen(out->text);
    snprintf(out->text + used, sizeof out->text - used, " %s ", key);
    out->count++;
}

OF_BOTH(keys_are_listed_by_how_they_begin) {
    static const char *const names[] = {"node.town.a", "node.town.newton", "node.town.b.new1", "node.two.c", "town"};
    cluster_value value;
    uint64_t sequence;
    keys all = {.count = 0}, some = {.count = 0}, none = {.count = 0};
    cr_assert_eq(store->list(store, "", found, &none), CLUSTER_DONE);
    cr_assert_eq(none.count, 0);
    for (int i = 0; i < 5; i++) cr_assert_eq(set_text(store, names[i], 0, "x", &value), CLUSTER_DONE);
    cr_assert_eq(store->put(store, "places.town", "x", 1), CLUSTER_DONE);
    cr_assert_eq(store->append(store, "town", 0, "x", 1, &sequence), CLUSTER_DONE);
    cr_assert_eq(store->list(store, "", found, &all), CLUSTER_DONE);
    cr_assert_eq(all.count, 5, "%s", all.text);
    cr_assert_eq(store->list(store, "node.town.", found, &some), CLUSTER_DONE);
    cr_assert_eq(some.count, 3, "%s", some.text);
    cr_assert(strstr(some.text, " node.town.newton "));
    cr_assert_eq(store->list(store, "node.town.x", found, &none), CLUSTER_DONE);
    cr_assert_eq(none.count, 0);
}

/* ---- bytes of which the last ones count ---- */

static cluster_outcome take_at_last(cluster_store *store, const char *key, size_t size, cluster_bytes *out) {
    cluster_outcome outcome = CLUSTER_NOTHING;
    for (int i = 0; i < 200; i++) { /* nobody waits for them */
        outcome = store->take(store, key, out);
        if (outcome == CLUSTER_DONE && out->size == size) return outcome;
        if (outcome == CLUSTER_DONE) free(out->bytes);
        sleep_ms(20);
    }
    return CLUSTER_UNKNOWN;
}

OF_BOTH(the_last_bytes_win) {
    enum { MANY = 900000 };
    static char many[MANY];
    cluster_bytes bytes;
    cr_assert_eq(store->take(store, "p", &bytes), CLUSTER_NOTHING);
    cr_assert_null(bytes.bytes);
    memset(many, '\n', sizeof many);
    many[7] = '\0';
    static const struct {
        const char *bytes;
        size_t size;
    } puts[] = {{"one", 3}, {"a\0b\nc", 5}, {"", 0}, {many, MANY}, {"two2", 4}};
    for (size_t i = 0; i < sizeof puts / sizeof puts[0]; i++) {
        cr_assert_eq(store->put(store, "p", puts[i].bytes, puts[i].size), CLUSTER_DONE);
        cr_assert_eq(take_at_last(store, "p", puts[i].size, &bytes), CLUSTER_DONE, "%zu", i);
        cr_assert(memcmp(bytes.bytes, puts[i].bytes, puts[i].size) == 0 && bytes.bytes[bytes.size] == '\0');
        free(bytes.bytes);
    }
}

static atomic_bool puts_end;

static void *put_often(void *context) {
    enum { BYTES = 30000 };
    cluster_store *store = context;
    char *bytes = malloc(BYTES);
    for (int turn = 0; !puts_end; turn++) {
        const size_t size = (size_t)(1 + turn % BYTES);
        memset(bytes, 'a' + turn % 26, size);
        (void)store->put(store, "p", bytes, size);
    }
    free(bytes);
    return NULL;
}

Test(store_file, bytes_are_whole_while_two_threads_put_them) {
    cluster_store *store = open_store();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, put_often, store);
    for (int i = 0; i < 3000; i++) {
        cluster_bytes bytes;
        const cluster_outcome outcome = store->take(store, "p", &bytes);
        if (outcome == CLUSTER_NOTHING) continue;
        cr_assert_eq(outcome, CLUSTER_DONE);
        for (size_t k = 1; k < bytes.size; k++) cr_assert(bytes.bytes[k] == bytes.bytes[0] && bytes.size > 0);
        free(bytes.bytes);
    }
    puts_end = true;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    store->close(store);
}

/* ---- the log ---- */

static uint64_t append_text(cluster_store *store, uint64_t last, const char *text) {
    uint64_t sequence = 0;
    const cluster_outcome outcome = store->append(store, "m", last, text, strlen(text), &sequence);
    cr_assert_eq(outcome, CLUSTER_DONE, "%s: %d", text, outcome);
    cr_assert_gt(sequence, last);
    return sequence;
}

static void refuse_text(cluster_store *store, uint64_t last, const char *text) {
    uint64_t sequence = 0;
    cr_assert_eq(store->append(store, "m", last, text, strlen(text), &sequence), CLUSTER_REFUSED, "%s", text);
}

static uint64_t expect_entry(cluster_store *store, uint64_t after, const char *text) {
    cluster_bytes bytes;
    cr_assert_eq(store->read(store, "m", after, 0, &bytes), CLUSTER_DONE, "%s", text);
    cr_assert(bytes.size == strlen(text) && strcmp(bytes.bytes, text) == 0, "%s is not %s", bytes.bytes, text);
    free(bytes.bytes);
    return bytes.sequence;
}

static void expect_end(cluster_store *store, uint64_t after) {
    cluster_bytes bytes;
    cr_assert_eq(store->read(store, "m", after, 0, &bytes), CLUSTER_NOTHING);
}

OF_BOTH(the_log_refuses_who_was_replaced) {
    cluster_store *other = open_store();
    uint64_t ignored;
    expect_end(store, 0);
    const uint64_t one = append_text(store, 0, "one");
    cr_assert_eq(store->append(store, "another", 0, "x", 1, &ignored), CLUSTER_DONE); /* a map of its own */
    const uint64_t two = append_text(other, one, "two");
    refuse_text(store, one, "late");
    refuse_text(store, 0, "much too late");
    refuse_text(store, two + 1, "too early");
    const uint64_t three = append_text(store, two, "three");
    cr_assert_eq(expect_entry(other, 0, "one"), one);
    cr_assert_eq(expect_entry(other, one, "two"), two);
    cr_assert_eq(expect_entry(other, two, "three"), three);
    expect_end(other, three);
    cr_assert_eq(expect_entry(other, one, "two"), two, "back again");
    other->close(other);
}

/* As member.c does where no answer came. */
OF_BOTH(the_same_append_again_is_the_same_entry) {
    cluster_store *other = open_store();
    const uint64_t one = append_text(store, 0, "one"), two = append_text(store, one, "two");
    cr_assert_eq(append_text(store, one, "two"), two);
    cr_assert_eq(append_text(other, one, "two"), two);
    refuse_text(store, one, "twO");
    refuse_text(store, one, "two and more");
    const uint64_t three = append_text(store, two, "three");
    cr_assert_eq(expect_entry(store, two, "three"), three);
    expect_end(store, three);
    other->close(other);
}

static void *append_later(void *context) {
    sleep_ms(200);
    append_text(context, 0, "at last");
    return NULL;
}

OF_BOTH(a_reader_waits_for_the_next_entry) {
    cluster_store *writer = open_store();
    cluster_bytes bytes;
    pthread_t thread;
    uint64_t begin = now_ms();
    cr_assert_eq(store->read(store, "m", 0, 300, &bytes), CLUSTER_NOTHING);
    cr_assert(now_ms() - begin >= 250, "%" PRIu64 " ms", now_ms() - begin);
    pthread_create(&thread, NULL, append_later, writer);
    begin = now_ms();
    cr_assert_eq(store->read(store, "m", 0, 20000, &bytes), CLUSTER_DONE);
    cr_assert(now_ms() - begin < 10000, "%" PRIu64 " ms", now_ms() - begin);
    cr_assert_str_eq(bytes.bytes, "at last");
    free(bytes.bytes);
    pthread_join(thread, NULL);
    writer->close(writer);
}

OF_BOTH(keys_texts_and_entries_have_limits) {
    char key[CLUSTER_KEY_BYTES + 1], text[CLUSTER_TEXT_BYTES + 1];
    char *entry = malloc(CLUSTER_ENTRY_BYTES + 1);
    cluster_value value;
    cluster_bytes bytes;
    uint64_t sequence;
    memset(key, 'k', sizeof key - 1), key[sizeof key - 1] = '\0';
    memset(text, 't', sizeof text - 1), text[sizeof text - 1] = '\0';
    memset(entry, 'e', CLUSTER_ENTRY_BYTES + 1);
    cr_assert_eq(set_text(store, key, 0, text, &value), CLUSTER_DONE);
    expect_text(store, key, text, value.revision);
    key[CLUSTER_KEY_BYTES - 1] = 'l';
    cr_assert_eq(store->get(store, key, &value), CLUSTER_NOTHING);
    cr_assert_eq(store->put(store, key, "x", 1), CLUSTER_DONE);
    cr_assert_eq(take_at_last(store, key, 1, &bytes), CLUSTER_DONE);
    free(bytes.bytes);
    cr_assert_eq(store->append(store, "m", 0, entry, CLUSTER_ENTRY_BYTES + 1, &sequence), CLUSTER_FAILED);
    expect_end(store, 0);
    cr_assert_eq(store->append(store, "m", 0, entry, CLUSTER_ENTRY_BYTES, &sequence), CLUSTER_DONE);
    cr_assert_eq(store->append(store, "m", sequence, entry, 0, &sequence), CLUSTER_DONE, "an entry may be empty");
    cr_assert_eq(store->read(store, "m", 0, 0, &bytes), CLUSTER_DONE);
    cr_assert(bytes.size == CLUSTER_ENTRY_BYTES && memcmp(bytes.bytes, entry, bytes.size) == 0);
    free(bytes.bytes);
    free(entry);
}

/* ---- a folder that is damaged, full, or gone ---- */

static void put_file(const char *name, const char *bytes, size_t size) {
    FILE *out = fopen(path_of(name), "wb");
    cr_assert(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
}

Test(store_file, a_text_that_was_cut_is_none) {
    static const char *const cut[] = {"", "7", "x\n", "\n", "0\nterm"};
    cluster_store *store = open_store();
    cluster_value value;
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        put_file("key.m", cut[i], strlen(cut[i]));
        cr_assert_eq(store->get(store, "m", &value), CLUSTER_NOTHING, "%zu", i);
        cr_assert_eq(value.revision, 0);
        cr_assert_eq(set_text(store, "m", 7, "x", &value), CLUSTER_REFUSED);
        cr_assert_eq(set_text(store, "m", 0, "x", &value), CLUSTER_DONE);
        expect_text(store, "m", "x", 1);
    }
    char most[CLUSTER_TEXT_BYTES + 100] = "9\n";
    memset(most + 2, 'x', sizeof most - 2);
    put_file("key.m", most, sizeof most);
    cr_assert_eq(store->get(store, "m", &value), CLUSTER_DONE);
    cr_assert_eq(strlen(value.text), CLUSTER_TEXT_BYTES);
    store->close(store);
}

static off_t log_size(void) {
    struct stat about;
    cr_assert_eq(stat(path_of("log.m"), &about), 0);
    return about.st_size;
}

/* At every byte: the whole entries are there, a writer writes over the rest, and nobody sees a part. */
Test(store_file, a_log_that_is_cut_anywhere) {
    cluster_store *store = open_store();
    append_text(store, 0, "one");
    const off_t first = log_size();
    append_text(store, 1, "two");
    const off_t second = log_size();
    for (off_t cut = 0; cut < second; cut++) {
        cluster_store *after = open_store();
        unlink(path_of("log.m"));
        append_text(after, 0, "one"), append_text(after, 1, "two");
        cr_assert_eq(truncate(path_of("log.m"), cut), 0);
        const uint64_t left = cut < first ? 0 : 1;
        expect_end(after, left);
        refuse_text(after, 2, "behind what is lost");
        if (left == 0) refuse_text(after, 1, "behind what is lost");
        if (left == 1) expect_entry(after, 0, "one");
        append_text(after, left, "new");
        expect_entry(after, left, "new");
        expect_end(after, left + 1);
        after->close(after);
    }
    store->close(store);
}

Test(store_file, a_byte_of_the_last_entry_that_changed) {
    cluster_store *store = open_store();
    append_text(store, 0, "one");
    const off_t first = log_size();
    append_text(store, 1, "two");
    for (off_t at = first; at < log_size(); at++) {
        const int file = open(path_of("log.m"), O_RDWR | O_CLOEXEC);
        char byte;
        cr_assert(pread(file, &byte, 1, at) == 1);
        byte ^= 1;
        cr_assert(pwrite(file, &byte, 1, at) == 1);
        expect_entry(store, 0, "one");
        expect_end(store, 1);
        byte ^= 1;
        cr_assert(pwrite(file, &byte, 1, at) == 1);
        close(file);
    }
    expect_entry(store, 1, "two");
    store->close(store);
}

Test(store_file, folders_that_cannot_be_used) {
    char long_name[CLUSTER_WHY_BYTES + 4096 + 16];
    cluster_value value;
    cluster_bytes bytes;
    uint64_t sequence;
    keys none = {.count = 0};
    cr_assert_null(cluster_store_open("file:/nowhere/at/all", why));
    cr_assert(strstr(why, "No such file"), "%s", why);
    cr_assert_null(cluster_store_open("file:/dev/null", why));
    cr_assert_null(cluster_store_open("file:", why));
    cr_assert_null(cluster_store_open("http://x", why));
    memset(long_name, 'x', sizeof long_name), memcpy(long_name, "file:", 5), long_name[sizeof long_name - 1] = '\0';
    cr_assert_null(cluster_store_open(long_name, why));
    cluster_store *store = open_store();
    remove_folder();
    cr_assert_eq(store->get(store, "m", &value), CLUSTER_NOTHING);
    cr_assert_eq(set_text(store, "m", 0, "x", &value), CLUSTER_UNKNOWN);
    cr_assert_eq(store->append(store, "m", 0, "x", 1, &sequence), CLUSTER_UNKNOWN);
    cr_assert_eq(store->read(store, "m", 0, 0, &bytes), CLUSTER_NOTHING);
    cr_assert_eq(store->put(store, "m", "x", 1), CLUSTER_UNKNOWN);
    cr_assert_eq(store->take(store, "m", &bytes), CLUSTER_NOTHING);
    cr_assert_eq(store->list(store, "", found, &none), CLUSTER_UNKNOWN);
    store->close(store);
}

/* The limit of a file's size is an error of write(), as a full disk is. */
static void limit_files(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(store_file, a_full_disk_changes_nothing) {
    cluster_store *store = open_store(), *other = open_store();
    cluster_value value, ignored;
    cluster_bytes bytes;
    uint64_t sequence = 77;
    append_text(store, 0, "one");
    const off_t before = log_size();
    cr_assert_eq(set_text(store, "m", 0, "text", &value), CLUSTER_DONE);
    cr_assert_eq(store->put(store, "p", "text", 4), CLUSTER_DONE);
    for (int more = 0; more < 60; more++) {
        limit_files((rlim_t)before + (rlim_t)more);
        cr_assert_eq(store->append(store, "m", 1, "two", 3, &sequence), CLUSTER_FAILED);
        cr_assert_eq(log_size(), before);
        expect_end(other, 1);
    }
    limit_files(3);
    cr_assert_eq(set_text(store, "m", value.revision, "another", &ignored), CLUSTER_UNKNOWN);
    cr_assert_eq(store->put(store, "p", "another", 7), CLUSTER_UNKNOWN);
    limit_files(RLIM_INFINITY);
    cr_assert_eq(sequence, 77);
    expect_text(store, "m", "text", value.revision);
    cr_assert_eq(store->take(store, "p", &bytes), CLUSTER_DONE);
    cr_assert_str_eq(bytes.bytes, "text");
    free(bytes.bytes);
    cr_assert_eq(append_text(store, 1, "two"), 2);
    expect_entry(other, 1, "two");
    store->close(store), other->close(other);
}

static bool sync_fails;
int __real_fdatasync(int descriptor);
__attribute__((visibility("default"))) int __wrap_fdatasync(int descriptor);
int __wrap_fdatasync(int descriptor) {
    if (!sync_fails) return __real_fdatasync(descriptor);
    errno = EIO;
    return -1;
}

/* Nobody can say whether it is there; the next try that succeeds has it once. */
Test(store_file, a_sync_that_fails) {
    cluster_store *store = open_store(), *other = open_store();
    uint64_t sequence = 0;
    append_text(store, 0, "one");
    sync_fails = true;
    for (int i = 0; i < 3; i++) cr_assert_eq(store->append(store, "m", 1, "two", 3, &sequence), CLUSTER_UNKNOWN);
    sync_fails = false;
    cr_assert_eq(append_text(store, 1, "two"), 2);
    expect_entry(other, 1, "two");
    expect_end(other, 2);
    cr_assert_eq(append_text(other, 2, "three"), 3);
    store->close(store), other->close(other);
}

/* ---- a server that is full, or away ---- */

/* Those who run NATS make the streams themselves, with limits of their own. */
Test(store_nats, a_full_stream_changes_nothing) {
    cluster_store *store = open_store();
    uint64_t sequence = 0;
    char entry[3000];
    memset(entry, 'e', sizeof entry);
    publish("$JS.API.STREAM.DELETE.WEND_LOG", "");
    publish("$JS.API.STREAM.CREATE.WEND_LOG", "{\"name\":\"WEND_LOG\",\"subjects\":[\"wend.log.*\"],\"max_bytes\":4000,"
                                              "\"discard\":\"new\",\"allow_direct\":true}");
    const uint64_t one = append_text(store, 0, "one");
    cr_assert_eq(store->append(store, "m", one, entry, sizeof entry, &sequence), CLUSTER_DONE);
    uint64_t last = sequence;
    cr_assert_eq(store->append(store, "m", last, entry, sizeof entry, &sequence), CLUSTER_FAILED);
    cr_assert_eq(append_text(store, last, "a small one"), last + 1);
    store->close(store);
}

Test(store_nats, a_server_that_is_killed_comes_back) {
    cluster_store *store = open_store();
    cluster_value value;
    uint64_t sequence = 0;
    const uint64_t one = append_text(store, 0, "one");
    set_text(store, "m", 0, "text", &value);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    cluster_value there;
    cr_assert_eq(store->get(store, "m", &there), CLUSTER_UNKNOWN);
    cr_assert_eq(store->append(store, "m", one, "two", 3, &sequence), CLUSTER_UNKNOWN);
    start_server();
    cluster_outcome outcome = CLUSTER_UNKNOWN;
    for (int i = 0; i < 100 && outcome == CLUSTER_UNKNOWN; i++) {
        outcome = store->append(store, "m", one, "two", 3, &sequence);
        sleep_ms(50);
    }
    cr_assert_eq(outcome, CLUSTER_DONE);
    for (int i = 0; i < 100 && store->get(store, "m", &there) == CLUSTER_UNKNOWN; i++)
        sleep_ms(50); /* texts come later */
    expect_text(store, "m", "text", value.revision);
    cr_assert_eq(expect_entry(store, one, "two"), sequence);
    store->close(store);
}

/* An empty log must not say that nothing ever happened. */
Test(store_nats, a_log_that_was_deleted_is_not_made_again) {
    cluster_store *store = open_store();
    cluster_bytes bytes;
    uint64_t sequence = 0;
    const uint64_t one = append_text(store, 0, "one");
    publish("$JS.API.STREAM.DELETE.WEND_LOG", "");
    cr_assert_eq(store->read(store, "m", 0, 0, &bytes), CLUSTER_UNKNOWN);
    cr_assert_eq(store->append(store, "m", one, "two", 3, &sequence), CLUSTER_REFUSED);
    store->close(store);
}
