/* SPDX-License-Identifier: MIT */
/* A host of libwend-live with a loop, a map and a service of its own, and a client that sends lines. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live/private/live_private.h"

#include "models/defaults.h"
#include "server/live/starved.h"

typedef struct host {
    uv_loop_t loop;
    wend_map *map;
    wend_service *service;
    wend_live *live;
    wend_frame last;
    uint64_t reference; ///< reference of the last order
    int32_t order;
    int client;
    bool closed;
    char got[65536], line[1024]; ///< text that the client has read; its last line
    size_t used;
    uint64_t once;
    char name[64]; ///< session of the last order
} host;

static void open_host(host *h, wend_live_def *def) {
    const char *why = "";
    wend_map_def map = default_map();
    wend_service_def service = default_service();
    memset(h, 0, sizeof *h);
    h->last.struct_bytes = sizeof h->last;
    map.width = map.height = 20;
    service.nodes = 65536;
    cr_assert_eq(uv_loop_init(&h->loop), 0);
    cr_assert_eq(wend_map_create(&map, &h->map), WEND_OK);
    cr_assert_eq(wend_service_create(&service, &h->service), WEND_OK);
    def->listen = "127.0.0.1:0";
    def->lines = "127.0.0.1:0";
    def->context = h;
    cr_assert_eq(wend_live_open(&h->loop, def, &h->live, &why), 0, "%s", why);
    cr_assert_eq(wend_live_set_map(h->live, h->map, NULL, 0), 0);
    wend_live_set_service(h->live, h->service);
}

static void connect_client(host *h) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)live_get_lines_port(h->live))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    h->client = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(h->client, (struct sockaddr *)&address, sizeof address), 0);
}

static void say(const host *h, const char *text) {
    cr_assert_eq(send(h->client, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
    cr_assert_eq(send(h->client, "\n", 1, MSG_NOSIGNAL), 1);
}

/* Run the loop until the client has read some words. */
static bool hears(host *h, const char *words) {
    for (int i = 0; i < 600000; i++) {
        uv_run(&h->loop, UV_RUN_NOWAIT);
        const ssize_t count = recv(h->client, h->got + h->used, sizeof h->got - 1 - h->used, MSG_DONTWAIT);
        if (count > 0) h->used += (size_t)count;
        h->got[h->used] = '\0';
        char *found = strstr(h->got, words);
        if (found == NULL) {
            if (count <= 0) usleep(100);
            continue;
        }
        char *end = strchr(found, '\n');
        if (end == NULL) continue;
        snprintf(h->line, sizeof h->line, "%.*s", (int)(end - found), found);
        h->used -= (size_t)(end + 1 - h->got);
        memmove(h->got, end + 1, h->used + 1);
        return true;
    }
    cr_log_warn("not heard: %s; but: %s", words, h->got);
    return false;
}

static void run_frame(host *h, const wend_live_positions *positions) {
    cr_assert_eq(wend_service_tick(h->service, NULL, &h->last), WEND_OK);
    wend_live_send_frame(h->live, &h->last, positions);
}

static void note_closed(void *context) {
    ((host *)context)->closed = true;
}

static void close_host(host *h) {
    wend_live_close(h->live, note_closed, h);
    uv_run(&h->loop, UV_RUN_DEFAULT);
    cr_assert(h->closed);
    cr_assert_eq(uv_loop_close(&h->loop), 0);
    wend_service_destroy(h->service);
    wend_map_release(h->map);
    close(h->client);
}

static void take_order(void *context, uint64_t reference, const wend_live_sender *sender, const wend_order *order) {
    host *h = context;
    cr_assert(sender->session > 0 && sender->owner == 1);
    h->reference = reference, h->order = order->kind, h->once = sender->once;
    snprintf(h->name, sizeof h->name, "%s", sender->name ? sender->name : "");
}

Test(host, answers_requests_and_denies_orders) {
    static host h;
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    open_host(&h, &def);
    connect_client(&h);
    say(&h, "{\"op\":\"request\",\"id\":1,\"from\":[0,0],\"to\":[3,0]}");
    cr_assert(hears(&h, "{\"id\":1,\"ok\":true}"));
    run_frame(&h, NULL);
    cr_assert(hears(&h, "\"id\":1,\"done\":{\"frame\":1,\"id\":1,\"status\":\"found\",\"cost\":30,"));
    say(&h, "{\"op\":\"edit\",\"id\":2,\"set\":[[[1,1],0]]}");
    cr_assert(hears(&h, "{\"id\":2,\"error\":\"denied\""));
    say(&h, "{\"op\":\"request\",\"id\":3,\"from\":[0,0],\"to\":[20,0]}");
    cr_assert(hears(&h, "{\"id\":3,\"error\":\"out_of_range\""));
    close_host(&h);
}

Test(host, answers_orders_when_it_likes) {
    static host h;
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.on_order = take_order;
    open_host(&h, &def);
    connect_client(&h);
    say(&h, "{\"op\":\"subscribe\",\"id\":0,\"what\":[\"edits\"]}");
    say(&h, "{\"op\":\"edit\",\"id\":\"e\",\"set\":[[[1,1],0]]}");
    say(&h, "{\"op\":\"stats\",\"id\":\"e\"}");
    cr_assert(hears(&h, "{\"id\":\"e\",\"error\":\"bad_argument\",\"text\":\"the id is in use\"}"));
    cr_assert_eq(h.order, WEND_ORDER_EDIT);
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    cr_assert_eq(wend_map_set_cell(h.map, (wend_cell){1, 1, 0}, 0, &reply.epoch), WEND_OK);
    wend_live_answer(h.live, h.reference, &reply);
    wend_live_answer(h.live, h.reference, &reply); /* the second answer has no receiver */
    cr_assert(hears(&h, "{\"id\":\"e\",\"ok\":true,\"epoch\":1}"));
    cr_assert(hears(&h, "{\"type\":\"event\",\"event\":{\"event\":\"edit\",\"epoch\":1,\"set\":[[[1,1],0]]}}"));
    say(&h, "{\"op\":\"map\",\"id\":2,\"box\":[[0,1],[2,1]]}");
    cr_assert(hears(
        &h, "\"epoch\":1,\"links\":0,\"closed_steps\":0,\"movers\":[\"default\"],\"layers\":[],\"classes\":[1,0,1]}"));
    close_host(&h);
}

Test(host, tells_of_what_it_did_itself) {
    static host h;
    static const wend_cell cells[] = {{1, 1, 0}, {2, 1, 0}};
    static const wend_change_item changes[] = {{WEND_ORDER_SET, {.from = {1, 1, 0}, .to = {1, 1, 0}}},
                                               {WEND_ORDER_FILL, {.from = {2, 1, 0}, .to = {3, 4, 0}, .value = 7}}};
    const wend_order occupy = {.kind = WEND_ORDER_OCCUPY, .cells = {cells, 2}};
    const wend_order vacate = {.kind = WEND_ORDER_VACATE, .cells = {cells, 1}};
    const wend_order edit = {.kind = WEND_ORDER_EDIT, .changes = {changes, 2}}, reset = {.kind = WEND_ORDER_RESET};
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.on_order = take_order;
    open_host(&h, &def);
    connect_client(&h);
    wend_live_send_order(h.live, &occupy, 0); /* without watchers */
    say(&h, "{\"op\":\"subscribe\",\"id\":0,\"what\":[\"edits\"]}");
    cr_assert(hears(&h, "{\"id\":0,\"ok\":true}"));
    wend_live_send_order(h.live, &occupy, 0);
    cr_assert(hears(&h, "{\"type\":\"event\",\"event\":{\"event\":\"occupy\",\"cells\":[[1,1],[2,1]]}}"));
    wend_live_send_order(h.live, &vacate, 0);
    cr_assert(hears(&h, "{\"type\":\"event\",\"event\":{\"event\":\"vacate\",\"cells\":[[1,1]]}}"));
    wend_live_send_order(h.live, &edit, 4);
    cr_assert(hears(&h, "{\"type\":\"event\",\"event\":{\"event\":\"edit\",\"epoch\":4,\"set\":[[[1,1],0]],"
                        "\"fill\":[[[2,1],[3,4],7]]}}"));
    wend_live_send_order(h.live, &reset, 0);
    cr_assert(hears(&h, "{\"type\":\"event\",\"event\":{\"event\":\"reset\",\"epoch\":0}}"));
    close_host(&h);
}

Test(host, tells_of_events_owners_and_epochs_until_it_drains) {
    static host h;
    const wend_agent_event arrived = {
        .struct_bytes = sizeof arrived, .event = WEND_AGENT_EVENT_ARRIVED, .cell = {3, 4, 0}, .update = 9};
    const wend_agent_event clear = {
        .struct_bytes = sizeof clear, .event = WEND_AGENT_EVENT_CLEAR, .box = {{1, 1, 0}, {2, 2, 0}}, .update = 9};
    const wend_agent_event leap = {.struct_bytes = sizeof leap,
                                   .event = WEND_AGENT_EVENT_LINK_AHEAD,
                                   .cell = {3, 4, 0},
                                   .to = {5, 6, 0},
                                   .ahead = 1};
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    open_host(&h, &def);
    cr_assert_gt(wend_live_get_port(h.live), 0);
    cr_assert_neq(wend_live_get_port(h.live), live_get_lines_port(h.live));
    connect_client(&h);
    live_send_event(h.live, 0, 1, "a", &arrived); /* without watchers */
    say(&h, "{\"op\":\"subscribe\",\"id\":0,\"what\":[\"agents\",\"frames\"]}");
    cr_assert(hears(&h, "{\"id\":0,\"ok\":true}"));
    live_send_event(h.live, UINT64_MAX, 7, "a \"b\"", &arrived); /* a session that there is not */
    cr_assert(hears(&h, "{\"frame\":7,\"agent\":\"a \\\"b\\\"\",\"event\":\"arrived\",\"cell\":[3,4]}"));
    live_send_event(h.live, 0, 7, "b", &leap);
    cr_assert(hears(&h, "\"agent\":\"b\",\"event\":\"link_ahead\",\"cell\":[3,4],\"to\":[5,6],\"ahead\":1}"));
    live_send_event(h.live, 0, 8, NULL, &clear);
    cr_assert(hears(&h, "\"event\":\"clear\",\"box\":[[1,1],[2,2]]"));
    cr_assert_eq(live_get_epoch(h.live), 0);
    cr_assert_eq(wend_map_set_cell(h.map, (wend_cell){1, 1, 0}, 0, NULL), WEND_OK);
    cr_assert_eq(live_get_epoch(h.live), 1);
    live_set_epoch(h.live, UINT64_C(1) << 40);
    cr_assert_eq(live_get_epoch(h.live), UINT64_C(1) << 40);
    live_set_owner(h.live, 3, "one", "127.0.0.1:1", NULL);
    cr_assert(hears(&h, "\"term\":3"));
    live_set_owner(h.live, 4, NULL, NULL, NULL);
    cr_assert(hears(&h, "\"term\":4"));
    cr_assert_eq(wend_service_tick(h.service, NULL, &h.last), WEND_OK);
    live_skip_frame(h.live, &h.last);
    say(&h, "{\"op\":\"stats\",\"id\":2}");
    cr_assert(hears(&h, "{\"id\":2,\"ok\":true,"));
    cr_assert_not(strstr(h.got, "{\"type\":\"frame\""), "a skipped frame is told of");
    live_drain(h.live);
    live_drain(h.live);
    say(&h, "{\"op\":\"request\",\"id\":3,\"from\":[0,0],\"to\":[3,0]}");
    run_frame(&h, NULL);
    for (int i = 0; i < 200; i++) uv_run(&h.loop, UV_RUN_NOWAIT);
    cr_assert_eq(wend_service_get_pending(h.service), 0, "a draining server takes no request");
    close_host(&h);
}

Test(host, shows_where_agents_are) {
    static host h;
    static const char *const names[] = {"a", NULL, "c"};
    static const wend_cell cells[] = {{1, 2, 0}, {0, 0, 0}, {3, 4, 0}};
    const wend_live_positions positions = {
        .struct_bytes = sizeof positions, .count = 3, .names = names, .cells = cells};
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    open_host(&h, &def);
    connect_client(&h);
    say(&h, "{\"op\":\"subscribe\",\"id\":0,\"what\":[\"frames\",\"agents\"],\"every\":2}");
    cr_assert(hears(&h, "{\"id\":0,\"ok\":true}"));
    run_frame(&h, &positions);
    run_frame(&h, &positions);
    cr_assert(hears(&h, "{\"type\":\"frame\",\"frame\":{\"number\":2,"));
    cr_assert(hears(&h, "{\"type\":\"agents\",\"agents\":{\"a\":[1,2],\"c\":[3,4]},\"number\":2}"));
    close_host(&h);
}

static void give_positions(void *context, wend_live_positions *out) {
    static const char *const names[] = {"one"};
    static const wend_cell cells[] = {{5, 6, 0}};
    (void)context;
    out->count = 1, out->names = names, out->cells = cells;
}

Test(host, shows_a_new_watcher_how_things_stand) {
    static host h;
    static const char *const names[] = {"new"};
    static const wend_cell cells[] = {{7, 8, 0}};
    const wend_live_positions changed = {.struct_bytes = sizeof changed, .count = 1, .names = names, .cells = cells};
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.get_positions = give_positions;
    open_host(&h, &def);
    connect_client(&h);
    say(&h, "{\"op\":\"subscribe\",\"id\":0,\"what\":[\"frames\",\"agents\",\"queue\"]}");
    cr_assert(hears(&h, "{\"id\":0,\"ok\":true}"));
    cr_assert(hears(&h, "{\"type\":\"queue\",\"queue\":{\"frame\":0,"));
    cr_assert(hears(&h, "{\"type\":\"agents\",\"agents\":{\"one\":[5,6]},\"number\":0}"));
    run_frame(&h, NULL);
    cr_assert(hears(&h, "{\"type\":\"frame\",\"frame\":{\"number\":1,"));
    say(&h, "{\"op\":\"subscribe\",\"id\":1,\"what\":[\"frames\",\"agents\"],\"every\":7}");
    cr_assert(hears(&h, "{\"id\":1,\"ok\":true}"));
    cr_assert(hears(&h, "{\"type\":\"frame\",\"frame\":{\"number\":1,"));
    cr_assert(hears(&h, "{\"type\":\"agents\",\"agents\":{\"one\":[5,6]},\"number\":1}"));
    wend_live_send_frame(h.live, &h.last, &changed); /* the same frame again: the host is paused */
    cr_assert(hears(&h, "{\"type\":\"agents\",\"agents\":{\"new\":[7,8]},\"number\":1}"));
    cr_assert_eq(strstr(h.got, "frame"), NULL, "more is told: %s", h.got);
    close_host(&h);
}

Test(host, closes_with_requests_pending) {
    static host h;
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.on_order = take_order;
    open_host(&h, &def);
    connect_client(&h);
    say(&h, "{\"op\":\"hello\",\"id\":0,\"session\":\"bob\"}");
    say(&h, "{\"op\":\"request\",\"id\":1,\"from\":[0,0],\"to\":[3,0]}");
    say(&h, "{\"op\":\"pause\",\"id\":2}");
    cr_assert(hears(&h, "{\"id\":1,\"ok\":true}"));
    for (int i = 0; i < 1000 && h.reference == 0; i++) uv_run(&h.loop, UV_RUN_NOWAIT);
    close_host(&h); /* the service delivers the cancelled request after the server is destroyed */
}

static uint32_t clients_of(const host *h) {
    const live_stats counts = live_get_stats(h->live);
    return counts.clients;
}

Test(host, answers_a_repeated_request_once) {
    OWNED(close_host) host h;
    wend_live_def def;
    char secret[33] = "", hello[160];
    wend_live_def_init(&def, sizeof def);
    open_host(&h, &def);
    connect_client(&h);
    say(&h, "{\"op\":\"hello\",\"id\":0,\"session\":\"bob\"}");
    cr_assert(hears(&h, "\"secret\":\""));
    memcpy(secret, h.line + strlen("\"secret\":\""), 32);
    say(&h, "{\"op\":\"request\",\"id\":1,\"from\":[0,0],\"to\":[3,0]}");
    cr_assert(hears(&h, "{\"id\":1,\"ok\":true}"));
    say(&h, "{\"op\":\"request\",\"id\":1,\"from\":[0,0],\"to\":[3,0]}");
    cr_assert(hears(&h, "{\"id\":1,\"error\":\"bad_argument\""), "it never went away");
    close(h.client);
    for (int i = 0; i < 1000 && clients_of(&h) > 0; i++) uv_run(&h.loop, UV_RUN_NOWAIT), usleep(100);
    connect_client(&h);
    snprintf(hello, sizeof hello, "{\"op\":\"hello\",\"id\":0,\"session\":\"bob\",\"secret\":\"%s\"}", secret);
    say(&h, hello);
    say(&h, "{\"op\":\"request\",\"id\":1,\"from\":[0,0],\"to\":[3,0]}");
    cr_assert(hears(&h, "{\"id\":1,\"ok\":true}"));
    say(&h, "{\"op\":\"request\",\"id\":1,\"from\":[0,0],\"to\":[3,0]}");
    cr_assert(hears(&h, "{\"id\":1,\"error\":\"bad_argument\""));
    run_frame(&h, NULL);
    cr_assert(hears(&h, "\"id\":1,\"done\":{\"frame\":1,\"id\":1,\"status\":\"found\""));
    run_frame(&h, NULL);
    say(&h, "{\"op\":\"stats\",\"id\":2}");
    cr_assert(hears(&h, "{\"id\":2,\"ok\":true"));
    cr_assert_not(strstr(h.got, "done"), "one completion");
}

Test(host, refuses_definitions_that_are_not_right) {
    uv_loop_t loop;
    wend_live *live;
    wend_live_def def;
    wend_live_limits limits;
    const char *why;
    cr_assert_eq(uv_loop_init(&loop), 0);
    wend_live_def_init(&def, sizeof def);
    def.listen = "0.0.0.0:0";
    cr_assert_eq(wend_live_open(&loop, &def, &live, &why), WEND_BAD_ARGUMENT, "no token");
    cr_assert(strstr(why, "token") != NULL);
    def.listen = "nowhere";
    cr_assert_eq(wend_live_open(&loop, &def, &live, &why), WEND_BAD_ARGUMENT);
    wend_live_def_init(&def, sizeof def);
    wend_live_limits_init(&limits);
    limits.message_bytes = 1;
    def.limits = &limits;
    cr_assert_eq(wend_live_open(&loop, &def, &live, &why), WEND_BAD_ARGUMENT);
    uv_run(&loop, UV_RUN_DEFAULT);
    cr_assert_eq(uv_loop_close(&loop), 0);
}

/* ---- orders that are done once ---- */

static void wait_for_order(host *h) {
    const uint64_t end_ns = uv_hrtime() + UINT64_C(600000000000);
    while (h->reference == 0 && uv_hrtime() < end_ns) uv_run(&h->loop, UV_RUN_NOWAIT);
}

Test(host, hears_numbers_of_orders_and_tells_none_again) {
    static const char *const bad[] = {"0", "-1", "1.5", "\"1\"", "null", "18446744073709551616"};
    static host h;
    char text[128];
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.on_order = take_order;
    open_host(&h, &def);
    connect_client(&h);
    say(&h, "{\"op\":\"edit\",\"id\":1,\"once\":1,\"set\":[[[1,1],0]]}");
    cr_assert(hears(&h, "{\"id\":1,\"error\":\"bad_argument\"")); /* the client has no session */
    say(&h, "{\"op\":\"hello\",\"id\":2,\"protocol\":1,\"session\":\"bob\"}");
    cr_assert(hears(&h, "{\"id\":2,\"ok\":true"));
    say(&h, "{\"op\":\"subscribe\",\"id\":3,\"what\":[\"edits\"]}");
    cr_assert(hears(&h, "{\"id\":3,\"ok\":true}"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "{\"op\":\"edit\",\"id\":4,\"once\":%s,\"set\":[[[1,1],0]]}", bad[i]);
        say(&h, text);
        cr_assert(hears(&h, "\"error\":\"bad_"), "%s", h.line);
    }
    for (int again = 0; again < 2; again++) {
        const wend_live_reply reply = {.struct_bytes = sizeof reply, .again = again};
        h.reference = 0;
        say(&h, "{\"op\":\"edit\",\"id\":5,\"once\":7,\"set\":[[[1,1],0]]}");
        wait_for_order(&h);
        cr_assert(h.once == 7 && strcmp(h.name, "bob") == 0);
        wend_live_answer(h.live, h.reference, &reply);
        cr_assert(hears(&h, "{\"id\":5,\"ok\":true"));
        cr_assert_eq(strstr(h.line, "\"again\":true") != NULL, again);
        if (!again) cr_assert(hears(&h, "{\"type\":\"event\",\"event\":{\"event\":\"edit\""));
        cr_assert_not(strstr(h.line, "once"), "%s", h.line);
    }
    say(&h, "{\"op\":\"stats\",\"id\":6}");
    cr_assert(hears(&h, "{\"id\":6,\"ok\":true")); /* and no event before it */
    close_host(&h);
}

/* ---- the map's name ---- */

Test(host, answers_only_for_its_own_map) {
    static const char *const others[] = {"\"any\"", "\"her\"", "\"\""};
    static host h;
    char text[128];
    for (int named = 0; named < 2; named++) {
        wend_live_def def;
        wend_live_def_init(&def, sizeof def);
        def.map = named ? "here" : NULL;
        open_host(&h, &def);
        connect_client(&h);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            snprintf(text, sizeof text, "{\"op\":\"stats\",\"id\":1,\"map\":%s}", others[i]);
            say(&h, text);
            cr_assert(hears(&h, "{\"id\":1,\"error\":\"unknown\",\"text\":\"there is no map of that name\"}"), "%s",
                      text);
        }
        say(&h, "{\"op\":\"stats\",\"id\":2,\"map\":[]}");
        cr_assert(hears(&h, "{\"id\":2,\"error\":\"bad_argument\""));
        say(&h, "{\"op\":\"stats\",\"map\":\"there\"}");
        cr_assert(hears(&h, "{\"id\":null,\"error\":\"bad_message\""));
        say(&h, "{\"op\":\"stats\",\"id\":3,\"map\":\"here\"}");
        cr_assert(hears(&h, named ? "{\"id\":3,\"ok\":true" : "{\"id\":3,\"error\":\"unknown\""));
        close_host(&h);
    }
}

/* ---- without memory ---- */

/* Sends a line if the server still listens. Returns false if it has closed the connection. */
static bool say_if_heard(host *h, const char *text) {
    char line[256];
    const int length = snprintf(line, sizeof line, "%s\n", text);
    if (send(h->client, line, (size_t)length, MSG_NOSIGNAL) != length) return false;
    for (int i = 0; i < 20; i++) uv_run(&h->loop, UV_RUN_NOWAIT);
    return true;
}

/* Until a line was heard, or the server closed the connection. */
static bool hears_or_is_closed(host *h, const char *words) {
    for (int i = 0; i < 5000; i++) {
        uv_run(&h->loop, UV_RUN_NOWAIT);
        const ssize_t count = recv(h->client, h->got + h->used, sizeof h->got - 1 - h->used, MSG_DONTWAIT);
        if (count > 0) h->used += (size_t)count;
        h->got[h->used] = '\0';
        if (count == 0 || strstr(h->got, words) || (count < 0 && errno == ECONNRESET)) return true;
        if (count < 0) usleep(100);
    }
    return false;
}

/* Sends a client's requests, and the host's updates and answers in between. */
static void converse(host *h, int at) {
    static const char *const lines[] = {
        "{\"op\":\"hello\",\"id\":0,\"session\":\"bob\"}",
        "{\"op\":\"subscribe\",\"id\":1,\"what\":[\"frames\",\"agents\",\"edits\",\"queue\"]}",
        "{\"op\":\"request\",\"id\":\"a name longer than a short one of 32 b\",\"from\":[0,0],\"to\":[9,9]}",
        "{\"op\":\"request\",\"id\":3,\"from\":[0,0],\"to\":[3,0]}",
        "{\"op\":\"map\",\"id\":4,\"box\":[[0,0],[9,9]]}",
        "{\"op\":\"edit\",\"id\":5,\"set\":[[[1,1],0],[[2,1],0],[[3,1],0]],\"fill\":[[[5,5],[6,6],1]]}",
        "{\"op\":\"stats\",\"id\":6}"};
    static const char *const names[] = {"a"};
    static const wend_cell cells[] = {{1, 2, 0}};
    const wend_live_positions positions = {
        .struct_bytes = sizeof positions, .count = 1, .names = names, .cells = cells};
    const wend_live_reply reply = {.struct_bytes = sizeof reply};
    bool heard = true;
    for (size_t i = 0; heard && i < sizeof lines / sizeof *lines; i++) {
        heard = say_if_heard(h, lines[i]);
        if (h->reference) wend_live_answer(h->live, h->reference, &reply), h->reference = 0;
        run_frame(h, &positions);
    }
    if (heard)
        cr_expect(hears_or_is_closed(h, "\"id\":6,"), "allocation %d%s: neither answered nor closed: %s", at,
                  starved_for_good ? " for good" : "", h->got);
}

/* Allocation `at` fails while a client talks. Returns false where there were fewer. */
static bool starve_host(int at, bool for_good) {
    static host h;
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.on_order = take_order;
    open_host(&h, &def);
    starved_for_good = for_good;
    starved_left = at;
    connect_client(&h);
    converse(&h, at);
    const bool failed = for_good ? starved_left == 0 : starved_left < 0;
    starved_left = -1;
    close(h.client);
    h.used = 0, h.got[0] = '\0';
    connect_client(&h); /* the next one is served */
    say(&h, "{\"op\":\"request\",\"id\":7,\"from\":[0,0],\"to\":[3,0]}");
    cr_expect(hears(&h, "{\"id\":7,\"ok\":true}"), "allocation %d", at);
    run_frame(&h, NULL);
    cr_expect(hears(&h, "\"id\":7,\"done\":"), "allocation %d", at);
    close_host(&h);
    return failed;
}

Test(host, serves_the_next_client_where_memory_ran_out) {
    for (int for_good = 0; for_good < 2; for_good++) {
        int at = 0;
        while (starve_host(at, for_good)) at++;
        cr_expect_gt(at, 15);
    }
}
