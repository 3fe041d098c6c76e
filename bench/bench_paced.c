/* SPDX-License-Identifier: MIT */
/* `wend serve` under a paced load: 10,000 requests a second over 100 line connections, one a write, at 20 Hz.
 *
 *   bench_paced MAP WEND...
 *
 * The programs take turns, so that an older one stands next to a newer one. CSV, the median of the rounds: answers a
 * second, processor time of the server for each, and milliseconds from write to answer, within 32 cells and
 * anywhere. */
#define _GNU_SOURCE

#include "harness.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <wend/io.h>
#include <wend/query.h>

enum { CONNECTIONS = 100, RATE = 10000, SECONDS = 3, COUNT = RATE * SECONDS, ROUNDS = 3, NEAR = 32, TEXTS = 4096 };

typedef struct peer {
    pid_t pid;
    int port;
} peer;

typedef struct line {
    int socket;
    char in[1 << 16];
    size_t used;
} line;

static line lines[CONNECTIONS];
static char texts[TEXTS][64];
static double sent_ms[COUNT], waited_ms[COUNT];
static size_t answered;

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Processor time of a process, in microseconds; the clock of the system counts hundredths of a second. */
static double cpu_of(pid_t pid) {
    char path[64], text[1024];
    unsigned long user, system;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    need(file && fgets(text, sizeof text, file), "the server is gone");
    fclose(file);
    need(sscanf(strrchr(text, ')') + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2,
         "no processor time");
    return (double)(user + system) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static peer start(const char *wend, const char *map) {
    int said[2];
    char text[256];
    peer p = {0, 0};
    need(pipe(said) == 0, "no pipe");
    p.pid = fork();
    if (p.pid == 0) {
        dup2(said[1], STDERR_FILENO);
        execl(wend, wend, "serve", map, "--listen", "127.0.0.1:0", "--lines", "127.0.0.1:0", "--hz", "20",
              (char *)NULL);
        _exit(127);
    }
    close(said[1]);
    FILE *words = fdopen(said[0], "r");
    while (p.port == 0 && fgets(text, sizeof text, words)) {
        const char *at = strstr(text, "lines at ");
        if (at) p.port = atoi(strrchr(at, ':') + 1);
    }
    need(p.port > 0, "the server does not begin");
    return p; /* the pipe stays: the server may write more */
}

static void stop(const peer *p) {
    kill(p->pid, SIGTERM);
    waitpid(p->pid, NULL, 0);
}

/* ---- requests ---- */

/* Makes requests with goals within `span` cells; 0: anywhere. */
static void make_texts(wend_map *map, int32_t span) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    const wend_cell origin = open_near(map, (wend_cell){info.width / 2, info.height / 2, 0});
    uint64_t seed = 1;
    wend_cell from, to;
    for (int i = 0; i < TEXTS;) {
        check(wend_map_random_cell(map, WEND_MOVER_DEFAULT, origin, seed++, &from));
        check(wend_map_random_cell(map, WEND_MOVER_DEFAULT, from, seed++, &to));
        if (span > 0) {
            to = (wend_cell){from.x + (int32_t)bench_random(&seed, (uint32_t)(2 * span + 1)) - span,
                             from.y + (int32_t)bench_random(&seed, (uint32_t)(2 * span + 1)) - span, 0};
            if (to.x < 0 || to.y < 0 || to.x >= info.width || to.y >= info.height) continue;
            if (!is_connected(map, WEND_MOVER_DEFAULT, from, to)) continue;
        }
        snprintf(texts[i++], sizeof texts[0], "\"from\":[%d,%d],\"to\":[%d,%d]}\n", from.x, from.y, to.x, to.y);
    }
}

static void connect_all(int port) {
    static const char hello[] = "{\"op\":\"hello\",\"id\":\"h\",\"paths\":\"runs\"}\n"; /* an old one refuses it */
    for (int i = 0; i < CONNECTIONS; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        const int yes = 1;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        lines[i].socket = socket(AF_INET, SOCK_STREAM, 0);
        lines[i].used = 0;
        need(connect(lines[i].socket, (struct sockaddr *)&address, sizeof address) == 0, "no connection");
        setsockopt(lines[i].socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        fcntl(lines[i].socket, F_SETFL, O_NONBLOCK);
        need(write(lines[i].socket, hello, sizeof hello - 1) == sizeof hello - 1, "the server does not read");
    }
}

static void ask(size_t id) {
    char text[128];
    const int length = snprintf(text, sizeof text, "{\"op\":\"request\",\"id\":%zu,%s", id, texts[id % TEXTS]);
    sent_ms[id] = now_ms();
    if (write(lines[id % CONNECTIONS].socket, text, (size_t)length) != length) sent_ms[id] = 0; /* the server lags */
}

static void take(const char *text) {
    static const char done[] = "{\"type\":\"done\",\"id\":";
    if (strncmp(text, done, sizeof done - 1) != 0) return;
    const size_t id = (size_t)atoll(text + sizeof done - 1);
    need(id < COUNT, "an answer to nothing");
    waited_ms[answered++] = now_ms() - sent_ms[id];
}

static void read_lines(line *l) {
    const ssize_t count = read(l->socket, l->in + l->used, sizeof l->in - 1 - l->used);
    need(count > 0 || (count < 0 && errno == EAGAIN), "a connection ended");
    if (count <= 0) return;
    l->used += (size_t)count;
    l->in[l->used] = '\0';
    char *at = l->in, *end;
    for (; (end = memchr(at, '\n', l->used - (size_t)(at - l->in))); at = end + 1) take(at);
    l->used -= (size_t)(at - l->in);
    memmove(l->in, at, l->used);
    if (l->used == sizeof l->in - 1) l->used = 0; /* a long path: its end is no answer */
}

static void read_ready(int wait_ms) {
    struct pollfd ready[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++) ready[i] = (struct pollfd){lines[i].socket, POLLIN, 0};
    if (poll(ready, CONNECTIONS, wait_ms) <= 0) return;
    for (int i = 0; i < CONNECTIONS; i++)
        if (ready[i].revents) read_lines(&lines[i]);
}

/* ---- measuring ---- */

typedef struct figures {
    double per_second[ROUNDS], cpu_us[ROUNDS], p50[ROUNDS], p99[ROUNDS];
} figures;

static void measure(const peer *p, figures *out, int round) {
    connect_all(p->port);
    answered = 0;
    size_t sent = 0;
    const double began = now_ms(), cpu = cpu_of(p->pid);
    while (sent < COUNT) {
        for (; sent < COUNT && (double)sent * 1e3 / RATE <= now_ms() - began; sent++) ask(sent);
        read_ready(1);
    }
    const double until = now_ms() + 200; /* later answers do not count as kept up with */
    while (answered < COUNT && now_ms() < until) read_ready(10);
    const size_t count = answered > 0 ? answered : 1;
    out->per_second[round] = (double)answered / (now_ms() - began) * 1e3;
    out->cpu_us[round] = (cpu_of(p->pid) - cpu) / (double)count;
    out->p50[round] = percentile(waited_ms, count, 500);
    out->p99[round] = percentile(waited_ms, count, 990);
    for (int i = 0; i < CONNECTIONS; i++) close(lines[i].socket);
}

int main(int argc, char **argv) {
    enum { MOST = 8 };
    wend_map *map;
    need(argc >= 3 && argc - 2 <= MOST, "usage: bench_paced MAP WEND...");
    check(wend_map_load(argv[1], NULL, &map, NULL, NULL));
    puts("program,cells,answers_per_s,server_cpu_us,p50_ms,p99_ms");
    for (int far = 0; far < 2; far++) {
        static figures all[MOST];
        make_texts(map, far ? 0 : NEAR);
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 2; i < argc; i++) {
                const peer p = start(argv[i], argv[1]);
                measure(&p, &all[i - 2], round);
                stop(&p);
            }
        for (int i = 2; i < argc; i++)
            printf("%s,%s,%.0f,%.1f,%.2f,%.2f\n", argv[i], far ? "anywhere" : "near",
                   median(all[i - 2].per_second, ROUNDS), median(all[i - 2].cpu_us, ROUNDS),
                   median(all[i - 2].p50, ROUNDS), median(all[i - 2].p99, ROUNDS));
        fflush(stdout);
    }
    wend_map_release(map);
    return 0;
}
