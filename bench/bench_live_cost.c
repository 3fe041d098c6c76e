/* SPDX-License-Identifier: MIT */
/* The page's share of a frame: what wend_live_send_frame() and its sending take next to ticks of a millisecond, with
 * 2,000 agents that walk. Three clients watch, or none, as lines or by binary WebSocket frames. */
#define _GNU_SOURCE

#include "harness.h"
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include <wend/live.h>
#include <wend/query.h>

enum { AGENTS = 2000, FRAMES = 400, SIDE = 512, TICK_US = 1000, MOST_WATCHERS = 3 };

typedef struct scene {
    uv_loop_t loop;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_live *live;
    wend_frame last;
    const char *names[AGENTS];
    char texts[AGENTS][8];
    uint64_t seed;
    int watchers[MOST_WATCHERS], watcher_count;
    pthread_t reader;
    atomic_ullong got; ///< bytes that the watchers read
} scene;

static void send_on(scene *s, wend_agent_id id, wend_cell from) {
    wend_cell goal;
    check(wend_map_random_cell(s->map, WEND_MOVER_DEFAULT, from, s->seed++, &goal));
    send_to(s->crowd, &id, 1, goal);
}

static void on_event(void *context, const wend_agent_event *event) {
    if (event->event != WEND_AGENT_EVENT_REROUTED) send_on(context, event->agent, event->cell);
}

static void get_positions(void *context, wend_live_positions *out) {
    scene *s = context;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_get_view(s->crowd, &view);
    out->count = view.count;
    out->names = s->names;
    out->cells = view.cells;
    out->points = view.points;
    out->states = view.states;
}

static void open_scene(scene *s) {
    const char *why = "no memory";
    wend_live_def live;
    wend_agent_id id;
    s->service = open_service(NULL);
    wend_crowd_def crowd = default_crowd();
    s->map = grid_of(NULL, SIDE, SIDE);
    check(wend_map_accelerate(s->map, NULL));
    crowd.agents = AGENTS, crowd.service = s->service, crowd.map = s->map;
    crowd.on_event = on_event, crowd.context = s;
    s->crowd = open_crowd(&crowd);
    wend_agent_def agent = default_agent();
    for (int i = 0; i < AGENTS; i++) {
        agent.cell = (wend_cell){i % 60 * 8, i / 60 * 8, 0};
        check(wend_crowd_add(s->crowd, &agent, &id));
        snprintf(s->texts[i], sizeof s->texts[i], "a%d", i);
        s->names[id.index] = s->texts[i];
        send_on(s, id, agent.cell);
    }
    wend_live_def_init(&live, sizeof live);
    live.listen = live.lines = "127.0.0.1:0";
    live.read_only = 1, live.get_positions = get_positions, live.context = s;
    uv_loop_init(&s->loop);
    const wend_error error = wend_live_open(&s->loop, &live, &s->live, &why);
    need(error == WEND_OK, why);
    wend_live_set_map(s->live, s->map, NULL, 0);
}

/* ---- watchers: a thread reads what they get ---- */

static void *read_all(void *context) {
    scene *s = context;
    static char bytes[1 << 20];
    struct pollfd polls[MOST_WATCHERS];
    for (;;) {
        int open = 0;
        for (int i = 0; i < s->watcher_count; i++) polls[i] = (struct pollfd){s->watchers[i], POLLIN, 0};
        poll(polls, (nfds_t)s->watcher_count, -1);
        for (int i = 0; i < s->watcher_count; i++) {
            const ssize_t count = polls[i].revents == 0 ? 0 : recv(s->watchers[i], bytes, sizeof bytes, MSG_DONTWAIT);
            if (count > 0) s->got += (unsigned long long)count;
            open += polls[i].revents == 0 || count > 0;
        }
        if (open < s->watcher_count) return NULL;
    }
}

static int connect_to(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    need(connect(client, (struct sockaddr *)&address, sizeof address) == 0, "no connection");
    return client;
}

static void say(scene *s, int client, const char *bytes, size_t count) {
    need(send(client, bytes, count, MSG_NOSIGNAL) == (ssize_t)count, "nothing is sent");
    for (int i = 0; i < 20; i++) {
        uv_run(&s->loop, UV_RUN_NOWAIT);
        usleep(500);
    }
}

static void add_watcher(scene *s, bool binary) {
    static const char line[] = "{\"op\":\"subscribe\",\"id\":1,\"what\":[\"frames\",\"agents\"]}\n";
    static const char hello[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Key: MDAwMDAwMDAwMDAwMDAwMA==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    static const char subscription[] =
        "{\"op\":\"subscribe\",\"id\":1,\"what\":[\"frames\",\"agents\"],\"binary\":true}";
    char framed[256] = {(char)0x81, (char)(0x80 | (sizeof subscription - 1)), 0, 0, 0, 0}; /* a mask of zeros */
    const int client = connect_to(binary ? wend_live_get_port(s->live) : wend_live_get_lines_port(s->live));
    s->watchers[s->watcher_count++] = client;
    if (!binary) {
        say(s, client, line, sizeof line - 1);
        return;
    }
    say(s, client, hello, sizeof hello - 1);
    memcpy(framed + 6, subscription, sizeof subscription - 1);
    say(s, client, framed, sizeof subscription - 1 + 6);
}

/* ---- measuring ---- */

/* Medians over the frames: of the tick with the crowd's update, and of the page's part, which writes and sends. */
static void measure(scene *s, const char *name) {
    static double frame_us[FRAMES], page_us[FRAMES], write_us[FRAMES], send_us[FRAMES];
    wend_budget budget = default_budget();
    budget.us = TICK_US;
    for (int i = 0; i < FRAMES; i++) {
        const double began = wall_us();
        wend_service_tick(s->service, &budget, &s->last);
        wend_crowd_update(s->crowd, 1000);
        const double ticked = wall_us();
        wend_live_send_frame(s->live, &s->last, NULL);
        const double written = wall_us();
        uv_run(&s->loop, UV_RUN_NOWAIT);
        page_us[i] = wall_us() - ticked;
        write_us[i] = written - ticked;
        send_us[i] = page_us[i] - write_us[i];
        frame_us[i] = ticked - began;
        if (s->watcher_count > 0) usleep(1000); /* the readers catch up */
    }
    const double page = median(page_us, FRAMES);
    printf("%s,%.1f,%.1f,%.1f,%.1f,%.2f,%llu\n", name, median(frame_us, FRAMES), page, median(write_us, FRAMES),
           median(send_us, FRAMES), page / TICK_US * 100, s->got / FRAMES);
}

/* What the system takes to send as many new bytes to the same readers: `each` bytes to each of them. */
static void measure_bare(scene *s, size_t each) {
    static char bytes[MOST_WATCHERS][1 << 16];
    static double us[FRAMES];
    int ends[MOST_WATCHERS], listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, MOST_WATCHERS) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        need(false, "no address");
    for (int i = 0; i < MOST_WATCHERS; i++) {
        s->watchers[s->watcher_count++] = connect_to(ntohs(address.sin_port));
        ends[i] = accept(listener, NULL, NULL);
    }
    need(pthread_create(&s->reader, NULL, read_all, s) == 0, "no thread");
    for (int i = 0; i < FRAMES; i++) {
        for (int j = 0; j < MOST_WATCHERS; j++) memset(bytes[j], i, each);
        const double began = wall_us();
        for (int j = 0; j < MOST_WATCHERS; j++)
            need(send(ends[j], bytes[j], each, MSG_NOSIGNAL) == (ssize_t)each, "nothing is sent");
        us[i] = wall_us() - began;
        usleep(1000);
    }
    for (int i = 0; i < MOST_WATCHERS; i++) close(ends[i]);
    pthread_join(s->reader, NULL);
    for (int i = 0; i < MOST_WATCHERS; i++) close(s->watchers[i]);
    close(listener);
    const double middle = median(us, FRAMES);
    printf("3 by bare sends,0.0,%.1f,0.0,%.1f,%.2f,%llu\n", middle, middle, middle / TICK_US * 100, s->got / FRAMES);
}

static void run(const char *name, int watchers, bool binary) {
    static scene s;
    memset(&s, 0, sizeof s);
    s.last.struct_bytes = sizeof s.last;
    open_scene(&s);
    for (int i = 0; i < watchers; i++) add_watcher(&s, binary);
    need(watchers == 0 || pthread_create(&s.reader, NULL, read_all, &s) == 0, "no thread");
    measure(&s, name);
    wend_live_close(s.live, NULL, NULL);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    if (watchers > 0) pthread_join(s.reader, NULL);
    for (int i = 0; i < watchers; i++) close(s.watchers[i]);
    uv_loop_close(&s.loop);
    wend_crowd_destroy(s.crowd);
    wend_service_destroy(s.service);
    wend_map_release(s.map);
}

int main(void) {
    static scene bare;
    printf("watchers,tick_us,page_us,write_us,send_us,percent_of_a_tick_of_1_ms,bytes_a_frame\n");
    run("nobody", 0, false);
    run("3 by binary frames", MOST_WATCHERS, true);
    run("3 as lines", MOST_WATCHERS, false);
    measure_bare(&bare, 40000);
}
