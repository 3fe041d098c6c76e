/* SPDX-License-Identifier: MIT */
/* A host of libwend-live that ticks in each turn of its loop where requests wait, and an echo next to it. */
#define _GNU_SOURCE

#include "harness.h"
#include "live_peer.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live/private/live_private.h"
#include <wend/control.h>

wend_map *peer_map(void) {
    wend_map *map = grid_of(NULL, PEER_SIDE, PEER_SIDE);
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < PEER_SIDE * PEER_SIDE / 16; i++)
        wend_edit_set_cell(edit, (wend_cell){i % (PEER_SIDE / 4) * 4, i / (PEER_SIDE / 4) * 4, 0}, WEND_CLASS_BLOCKED);
    publish(edit);
    check(wend_map_accelerate(map, NULL));
    return map;
}

/* ---- the echo ---- */

typedef struct echo_client {
    uv_tcp_t tcp;
    char bytes[65536];
} echo_client;

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    echo_client *client = handle->data;
    (void)suggested;
    *out = uv_buf_init(client->bytes, sizeof client->bytes);
}

static void free_client(uv_handle_t *handle) {
    free(handle->data);
}

/* Echoes. A client that left ends its echo; clients never have more in flight than a socket holds. */
static void echo(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count == 0) return;
    uv_buf_t all = uv_buf_init(buffer->base, count > 0 ? (unsigned)count : 0);
    const int sent = count > 0 ? uv_try_write(stream, &all, 1) : (int)count;
    need(sent != UV_EAGAIN && (sent < 0 || sent == count), "the echo is not read");
    if (sent < 0) uv_close((uv_handle_t *)stream, free_client);
}

static void on_echo_client(uv_stream_t *listener, int status) {
    echo_client *client = calloc(1, sizeof *client);
    need(status >= 0 && client, "no client of the echo");
    uv_tcp_init(listener->loop, &client->tcp);
    client->tcp.data = client;
    need(uv_accept(listener, (uv_stream_t *)&client->tcp) == 0, "no client of the echo");
    uv_tcp_nodelay(&client->tcp, 1);
    uv_read_start((uv_stream_t *)&client->tcp, give_buffer, echo);
}

static int open_echo(uv_loop_t *loop, uv_tcp_t *listener) {
    struct sockaddr_in address;
    int length = sizeof address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(loop, listener);
    need(uv_tcp_bind(listener, (struct sockaddr *)&address, 0) == 0 &&
             uv_listen((uv_stream_t *)listener, 511, on_echo_client) == 0,
         "the echo cannot listen");
    uv_tcp_getsockname(listener, (struct sockaddr *)&address, &length);
    return (address.sin_port >> 8 & 0xff) | (address.sin_port & 0xff) << 8;
}

/* ---- the host ---- */

typedef struct host {
    uv_loop_t loop;
    uv_check_t check; ///< a frame after the requests that came
    uv_idle_t idle;   ///< keeps the loop awake while requests wait
    uv_tcp_t echo;
    wend_map *map;
    wend_service *service;
    wend_live *live;
    wend_frame last;
} host;

static void stay_awake(uv_idle_t *idle) {
    (void)idle;
}

static void run_frame(uv_check_t *check) {
    host *h = check->data;
    wend_budget budget;
    if (wend_service_get_work(h->service) == 0) {
        uv_idle_stop(&h->idle);
        return;
    }
    wend_budget_init(&budget, sizeof budget);
    wend_service_tick(h->service, &budget, &h->last);
    wend_live_send_frame(h->live, &h->last, NULL);
    uv_idle_start(&h->idle, stay_awake);
}

static void open_host(host *h, uint64_t clients, int ports[3]) {
    const char *why = "";
    wend_live_def live;
    wend_live_limits limits;
    h->last.struct_bytes = sizeof h->last;
    h->map = peer_map();
    h->service = open_service(NULL);
    wend_live_limits_init(&limits);
    limits.clients = clients, limits.messages = 100000000;
    wend_live_def_init(&live, sizeof live);
    live.listen = live.lines = "127.0.0.1:0";
    live.limits = &limits;
    uv_loop_init(&h->loop);
    const wend_error error = wend_live_open(&h->loop, &live, &h->live, &why);
    need(error == WEND_OK, why);
    wend_live_set_map(h->live, h->map, NULL, 0);
    wend_live_set_service(h->live, h->service);
    uv_check_init(&h->loop, &h->check);
    uv_idle_init(&h->loop, &h->idle);
    h->check.data = h;
    uv_check_start(&h->check, run_frame);
    ports[PEER_LINES] = live_get_lines_port(h->live);
    ports[PEER_WEB] = wend_live_get_port(h->live);
    ports[PEER_ECHO] = open_echo(&h->loop, &h->echo);
}

live_peer peer_start(uint64_t clients) {
    static host h;
    live_peer peer;
    int ends[2];
    need(pipe(ends) == 0, "no pipe");
    peer.process = fork();
    need(peer.process >= 0, "no process");
    if (peer.process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        open_host(&h, clients, peer.ports);
        if (write(ends[1], peer.ports, sizeof peer.ports) != (ssize_t)sizeof peer.ports) _exit(1);
        uv_run(&h.loop, UV_RUN_DEFAULT);
        _exit(0);
    }
    close(ends[1]);
    need(read(ends[0], peer.ports, sizeof peer.ports) == (ssize_t)sizeof peer.ports, "the peer ended");
    close(ends[0]);
    return peer;
}

void peer_stop(const live_peer *peer) {
    kill(peer->process, SIGKILL);
    waitpid(peer->process, NULL, 0);
}

double peer_cpu_us(const live_peer *peer) {
    clockid_t clock;
    struct timespec time;
    need(clock_getcpuclockid(peer->process, &clock) == 0 && clock_gettime(clock, &time) == 0, "no clock");
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1000;
}

long peer_kib(const live_peer *peer) {
    char line[128], path[64];
    long kib = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)peer->process);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0) kib = strtol(line + 6, NULL, 10);
    if (file != NULL) fclose(file);
    return kib;
}
