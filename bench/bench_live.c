/* SPDX-License-Identifier: MIT */
/* Requests a second of compiled clients, as lines and over WebSocket, next to a bare echo of the same bytes: of 4
 * clients with 100 requests in flight each, or by `CLIENTS IN_FLIGHT`. With `idle COUNT`: that many connections
 * that are idle, next to 200 busy ones. Prints CSV. */
#define _GNU_SOURCE

#include "harness.h"
#include <sys/resource.h>
#include <uv.h>

#include "live_peer.h"

enum { MOST_CLIENTS = 200, CLIENTS = 4, IN_FLIGHT = 100, REQUESTS = 4096, ROUNDS = 5, WARM_MS = 100, RUN_MS = 400 };

typedef struct bench bench;

typedef struct client {
    bench *bench;
    uv_tcp_t tcp;
    uv_connect_t connect;
    char in[1 << 17], out[1 << 16];
    size_t in_used, out_used;
    uint64_t next_id;
    bool upgraded;
} client;

struct bench {
    uv_loop_t *loop;
    client *clients;
    int count, open, in_flight;
    bool web, echo, single; ///< single: a write for each request, else one write for the requests of a read
    uint64_t answers;
    struct {
        char text[40];
        int length;
    } requests[REQUESTS]; ///< the text after the id
};

/* ---- the requests: paths of at most 16 cells ---- */

static void make_requests(bench *b) {
    enum { SPAN = 14 };
    wend_map *map = peer_map();
    uint64_t seed = 1;
    for (int i = 0; i < REQUESTS;) {
        size_t count = 0;
        wend_cell from = {0, 0, 0}, to = {0, 0, 0};
        from.x = (int32_t)draw(&seed, PEER_SIDE - SPAN), from.y = (int32_t)draw(&seed, PEER_SIDE - SPAN);
        to.x = from.x + (int32_t)draw(&seed, SPAN), to.y = from.y + (int32_t)draw(&seed, SPAN);
        if (wend_find_path(map, from, to, NULL, 0, &count, NULL) || count == 0 || count > MOST_PATH_CELLS) continue;
        b->requests[i].length = snprintf(b->requests[i].text, sizeof b->requests[i].text,
                                         ",\"from\":[%d,%d],\"to\":[%d,%d]}", from.x, from.y, to.x, to.y);
        i++;
    }
    wend_map_release(map);
}

/* ---- writing ---- */

static void send_out(client *c) {
    uv_buf_t all = uv_buf_init(c->out, (unsigned)c->out_used);
    if (c->out_used > 0 && uv_try_write((uv_stream_t *)&c->tcp, &all, 1) != (int)c->out_used)
        need(false, "the server does not read");
    c->out_used = 0;
}

/* A line, or a text frame with a mask of zeros. */
static void ask(client *c) {
    bench *b = c->bench;
    char *start = c->out + c->out_used, *at = start + (b->web ? 6 : 0), *body = at;
    const uint64_t id = c->next_id++;
    at += sprintf(at, "{\"op\":\"request\",\"id\":%llu", (unsigned long long)id);
    memcpy(at, b->requests[id % REQUESTS].text, (size_t)b->requests[id % REQUESTS].length);
    at += b->requests[id % REQUESTS].length;
    if (b->web) {
        memset(start, 0, 6);
        start[0] = (char)0x81;
        start[1] = (char)(0x80 | (at - body));
        need(at - body <= 125, "a request is too long for a short frame");
    } else {
        *at++ = '\n';
    }
    c->out_used = (size_t)(at - c->out);
    if (b->single) send_out(c);
}

/* ---- reading ---- */

/* `{"type":"done",…` counts, `{"id":N,"ok"…` does not. Of an echo everything counts. */
static void take_message(client *c, const char *bytes, size_t count) {
    static const char ok[] = "{\"id\":", done[] = "{\"type\":\"done\",";
    const bool echo = c->bench->echo, completes = count >= sizeof done - 1 && !memcmp(bytes, done, sizeof done - 1);
    if (!echo && count >= sizeof ok - 1 && !memcmp(bytes, ok, sizeof ok - 1)) {
        const char *comma = memchr(bytes, ',', count);
        need(comma && comma[2] == 'o', "a request was refused");
        return;
    }
    need(echo || completes, "an answer that is none");
    c->bench->answers++;
    ask(c);
}

/* @return the bytes of the first message with its header; 0: it is not complete */
static size_t take_frame(client *c, const char *bytes, size_t count) {
    size_t header = 2, length = count < 2 ? 0 : (unsigned char)bytes[1] & 0x7f;
    if (count < 2) return 0;
    if (length == 126) {
        if (count < 4) return 0;
        length = (size_t)(unsigned char)bytes[2] << 8 | (unsigned char)bytes[3];
        header = 4;
    }
    if (bytes[1] & 0x80) header += 4;
    if (count < header + length) return 0;
    take_message(c, bytes + header, length);
    return header + length;
}

static size_t take_line(client *c, const char *bytes, size_t count) {
    const char *end = memchr(bytes, '\n', count);
    if (end == NULL) return 0;
    take_message(c, bytes, (size_t)(end - bytes));
    return (size_t)(end - bytes) + 1;
}

static void begin(client *c) {
    c->upgraded = true;
    for (int i = 0; i < c->bench->in_flight; i++) ask(c);
    send_out(c);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    client *c = stream->data;
    size_t at = 0, taken;
    (void)buffer;
    if (count == 0) return;
    need(count >= 0, "a connection was closed");
    c->in_used += (size_t)count;
    if (!c->upgraded) {
        if (c->in_used < 4 || memcmp(c->in + c->in_used - 4, "\r\n\r\n", 4) != 0) return;
        c->in_used = 0;
        begin(c);
        return;
    }
    do {
        taken = c->bench->web ? take_frame(c, c->in + at, c->in_used - at) : take_line(c, c->in + at, c->in_used - at);
        at += taken;
    } while (taken > 0);
    c->in_used -= at;
    memmove(c->in, c->in + at, c->in_used);
    send_out(c);
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    client *c = handle->data;
    (void)suggested;
    *out = uv_buf_init(c->in + c->in_used, (unsigned)(sizeof c->in - c->in_used));
}

static void on_connected(uv_connect_t *connect, int status) {
    static const char hello[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Key: MDAwMDAwMDAwMDAwMDAwMA==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    client *c = connect->data;
    need(status >= 0, "no connection");
    uv_tcp_nodelay(&c->tcp, 1);
    uv_read_start((uv_stream_t *)&c->tcp, give_buffer, on_read);
    if (!c->bench->web || c->bench->echo) {
        begin(c);
        return;
    }
    memcpy(c->out, hello, sizeof hello - 1);
    c->out_used = sizeof hello - 1;
    send_out(c);
}

static void on_closed(uv_handle_t *handle) {
    client *c = handle->data;
    c->bench->open--;
}

static void on_time(uv_timer_t *timer) {
    uv_stop(timer->loop);
}

static void run_for(uv_loop_t *loop, uint64_t ms) {
    uv_timer_t timer;
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_time, ms, 0);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(loop, UV_RUN_NOWAIT);
}

/* ---- measuring ---- */

typedef struct speed {
    double per_second, server_us; ///< answers; processor time of the server for each
} speed;

static void connect_all(bench *b, int port) {
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", port, &address);
    for (int i = 0; i < b->count; i++) {
        client *c = &b->clients[i];
        c->bench = b;
        c->in_used = c->out_used = 0;
        c->upgraded = false;
        c->next_id = (uint64_t)i * 101;
        uv_tcp_init(b->loop, &c->tcp);
        c->tcp.data = c->connect.data = c;
        uv_tcp_connect(&c->connect, &c->tcp, (struct sockaddr *)&address, on_connected);
        b->open++;
    }
}

static speed measure(bench *b, const live_peer *peer, int port) {
    connect_all(b, port);
    run_for(b->loop, WARM_MS);
    const uint64_t answers = b->answers, began = uv_hrtime();
    const double cpu = peer_cpu_us(peer);
    run_for(b->loop, RUN_MS);
    const double count = (double)(b->answers - answers), ns = (double)(uv_hrtime() - began);
    const speed result = {count * 1e9 / ns, (peer_cpu_us(peer) - cpu) / count};
    for (int i = 0; i < b->count; i++) uv_close((uv_handle_t *)&b->clients[i].tcp, on_closed);
    while (b->open > 0) uv_run(b->loop, UV_RUN_ONCE);
    return result;
}

/* The echo and the server take turns, so that other load on the machine meets both. */
static void compare_with_echo(bench *b, const live_peer *peer, bool web, bool single) {
    double per_second[2][ROUNDS], us[2][ROUNDS], ratios[ROUNDS];
    b->web = web;
    b->single = single;
    for (int round = 0; round < ROUNDS; round++) {
        for (int echo = 0; echo < 2; echo++) {
            b->echo = echo;
            const speed s = measure(b, peer, peer->ports[echo ? PEER_ECHO : web ? PEER_WEB : PEER_LINES]);
            per_second[echo][round] = s.per_second;
            us[echo][round] = s.server_us;
        }
        ratios[round] = per_second[0][round] / per_second[1][round];
    }
    const double echo_us = median(us[1], ROUNDS), server_us = median(us[0], ROUNDS);
    printf("%s,%s,%.0f,%.0f,%.3f,%.2f,%.2f,%.3f\n", web ? "websocket" : "lines", single ? "one" : "gathered",
           median(per_second[1], ROUNDS), median(per_second[0], ROUNDS), median(ratios, ROUNDS), echo_us, server_us,
           echo_us / server_us);
    fflush(stdout);
}

/* ---- idle connections ---- */

static void open_idle(bench *b, int port, int count) {
    client *idle = calloc((size_t)count, sizeof *idle);
    need(idle, "no memory");
    client *active = b->clients;
    enum { AT_ONCE = 250 };
    const int in_flight = b->in_flight;
    b->in_flight = 0;
    for (int opened = 0; opened < count; opened += b->count) {
        b->clients = idle + opened;
        b->count = count - opened < AT_ONCE ? count - opened : AT_ONCE;
        connect_all(b, port);
        for (int i = 0; i < b->count; i++)
            while (!b->clients[i].upgraded) uv_run(b->loop, UV_RUN_ONCE);
    }
    b->clients = active;
    b->in_flight = in_flight;
    b->open = 0;
}

static void run_idle(bench *b, int count) {
    const live_peer peer = peer_start((uint64_t)count + 2 * MOST_CLIENTS);
    b->in_flight = 10;
    printf("transport,idle,active,requests_per_s,server_us,server_kib\n");
    for (int idle = 0; idle < 2; idle++) {
        for (int web = 0; web < 2; web++) {
            const int port = peer.ports[web ? PEER_WEB : PEER_LINES];
            b->web = web;
            if (idle) open_idle(b, port, web ? count - count / 2 : count / 2);
            b->count = MOST_CLIENTS;
            const speed s = measure(b, &peer, port);
            printf("%s,%d,%d,%.0f,%.2f,%ld\n", web ? "websocket" : "lines",
                   !idle ? 0
                   : web ? count
                         : count / 2,
                   MOST_CLIENTS, s.per_second, s.server_us, peer_kib(&peer));
            fflush(stdout);
        }
    }
    peer_stop(&peer);
}

/* Each process needs a descriptor for each connection and some more. */
static void raise_descriptors(rlim_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = wanted;
    if (limit.rlim_max < wanted) limit.rlim_max = wanted;
    need(setrlimit(RLIMIT_NOFILE, &limit) == 0, "the system allows too few descriptors (ulimit -Hn)");
}

int main(int argc, char **argv) {
    static bench b;
    const int idle = argc == 3 && strcmp(argv[1], "idle") == 0 ? atoi(argv[2]) : 0;
    raise_descriptors((rlim_t)(idle + 2 * MOST_CLIENTS + 100));
    b.loop = uv_default_loop();
    b.clients = calloc(MOST_CLIENTS, sizeof *b.clients);
    need(b.clients, "no memory");
    make_requests(&b);
    if (idle > 0) {
        run_idle(&b, idle);
        return 0;
    }
    const live_peer peer = peer_start(MOST_CLIENTS);
    const bool given = argc == 3;
    b.count = given ? atoi(argv[1]) : CLIENTS;
    b.in_flight = given ? atoi(argv[2]) : IN_FLIGHT;
    need(b.count >= 1 && b.count <= MOST_CLIENTS && b.in_flight >= 1, "bench_live [CLIENTS IN_FLIGHT | idle COUNT]");
    printf("transport,writes,echo_per_s,wend_per_s,ratio,echo_server_us,wend_server_us,ratio_of_server_time\n");
    for (int kind = 0; kind < 4; kind++) compare_with_echo(&b, &peer, kind & 1, kind < 2);
    peer_stop(&peer);
    return 0;
}
