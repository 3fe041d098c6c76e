/* SPDX-License-Identifier: MIT */
/* Calls of fuzz_calls on a service: requests, frames, searches, flow fields, saves. */
#include "calls.h"
#include "field/field_state.h"

/* ---- requests ---- */

void calls_answer(void *context, const wend_completion *completion) {
    calls_request *own = context;
    FUZZ_CHECK(own->accepted && own->answers == 0);
    own->answers++;
    FUZZ_CHECK(completion->status > WEND_STATUS_PENDING && completion->status < WEND_STATUS_COUNT);
    FUZZ_CHECK((completion->cell_count > 0) == (completion->cost >= 0));
    FUZZ_CHECK(completion->first_unloaded <= completion->crossing_count);
}

static void fill_options(calls_world *w, wend_search_options *options) {
    static wend_cell goals[3];
    wend_search_options_init(options, sizeof *options);
    const uint8_t byte = calls_byte(w);
    options->leave_blocked_start = byte & 1, options->far_begin = byte & 1 && calls_count(w, 1);
    options->engine = calls_number(w, 2);
    options->heuristic = byte & 2 ? calls_number(w, 3) : WEND_HEURISTIC_EXACT;
    options->weight_milli = byte & 4 ? 1000 + calls_number(w, 2000) % 200000 : 1000;
    options->on_stale = calls_number(w, 1);
    options->occupied = byte & 8 ? calls_number(w, 30) : WEND_OCCUPIED_IGNORE;
    if (byte & 16) options->occupied_within = calls_number(w, 20);
    options->unloaded = byte & 32 ? calls_number(w, 2) : WEND_UNLOADED_BLOCK;
    if (byte & 64) options->profile = calls_number(w, 2);
    if (byte & 128) options->max_expansions = calls_large(w, 300);
    options->more_goal_count = calls_byte(w) % 8 == 0 ? 1 + calls_byte(w) % 3u : 0;
    for (uint32_t i = 0; i < options->more_goal_count; i++) goals[i] = calls_cell(w);
    options->more_goals = goals;
}

static wend_request any_request(calls_world *w, wend_search_options *options) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    const uint8_t byte = calls_byte(w);
    request.map = w->map;
    request.start = calls_cell(w), request.goal = calls_cell(w);
    if (byte & 1) request.mover = calls_number(w, 2);
    if (byte & 2) request.mode = calls_number(w, 2);
    if (byte & 4) request.reach = calls_number(w, 9);
    if (byte & 8) request.agent = calls_large(w, 3);
    if (byte & 16) request.deadline_frames = calls_large(w, 4);
    if (byte & 32) request.urgency = calls_number(w, WEND_URGENCY_MAX);
    if (byte & 64) fill_options(w, options), request.options = options;
    return request;
}

static void submit(calls_world *w) {
    wend_search_options options;
    if (w->requested == CALLS_REQUESTS) return;
    calls_request *own = &w->requests[w->requested++];
    wend_request request = any_request(w, &options);
    request.on_done = calls_answer, request.context = own;
    own->accepted = true;
    int32_t engine = 77;
    if (!wend_request_explain(&request, &engine, NULL)) FUZZ_CHECK(engine >= 0 && engine < 8);
    wend_ticket ticket = {0, 0};
    const uint64_t pending = wend_service_get_pending(w->service);
    if (wend_service_submit(w->service, &request, &ticket)) {
        own->accepted = false;
        FUZZ_CHECK(wend_service_get_pending(w->service) == pending);
        return;
    }
    own->ticket = ticket;
    w->tickets[w->requested % CALLS_NAMES] = ticket;
}

static void change_request(calls_world *w) {
    const wend_ticket ticket = calls_ticket(w);
    size_t count = 0;
    wend_cell cells[16];
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    wend_progress progress = {.struct_bytes = sizeof progress};
    switch (calls_byte(w) % 7) {
    case 0: (void)wend_service_cancel(w->service, ticket); break;
    case 1: (void)wend_service_set_urgency(w->service, ticket, calls_number(w, WEND_URGENCY_MAX)); break;
    case 2: (void)wend_service_set_goal(w->service, ticket, calls_cell(w)); break;
    case 3:
        if (!wend_service_get_prefix(w->service, ticket, cells, calls_byte(w) % 17, &prefix))
            FUZZ_CHECK(prefix.cell_count > 0);
        break;
    case 4: (void)wend_service_get_progress(w->service, ticket, &progress); break;
    case 5: (void)wend_service_get_expanded(w->service, ticket, cells, calls_byte(w) % 17, &count); break;
    default:
        if (calls_byte(w) == 9) (void)wend_service_cancel_map(w->service, w->map, &count);
        (void)wend_service_get_wanted(w->service, w->map, cells, 16, &count);
        break;
    }
}

static void tick(calls_world *w) {
    wend_budget budget;
    wend_frame_limits limits;
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_budget_init(&budget, sizeof budget);
    wend_frame_limits_init(&limits, sizeof limits);
    budget.limits = &limits;
    const uint8_t byte = calls_byte(w);
    budget.expansions = calls_large(w, 2000);
    if (budget.expansions > 100000) budget.expansions = 100000;
    if (byte & 1) limits.intakes = calls_large(w, 3);
    if (byte & 2) limits.deliveries = calls_large(w, 3);
    if (byte & 4) limits.rounds = calls_large(w, 3);
    if (byte & 8) limits.changes = calls_large(w, 3);
    if (byte & 16) limits.checks = calls_large(w, 3);
    if (byte & 32) limits.chosen = calls_large(w, 3);
    if (byte & 64) limits.cells = calls_large(w, 60);
    if (wend_service_tick(w->service, &budget, &frame)) return;
    FUZZ_CHECK(frame.expansions <= budget.expansions);
    FUZZ_CHECK(frame.waiting + frame.running + frame.finished == wend_service_get_pending(w->service));
}

void calls_check_service(calls_world *w) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_queue queue = {.struct_bytes = sizeof queue};
    uint64_t sum = 0;
    FUZZ_MUST(wend_service_get_stats(w->service, &stats));
    FUZZ_CHECK(stats.submitted == stats.completed + stats.pending);
    for (int i = 0; i < 16; i++) sum += stats.statuses[i];
    FUZZ_CHECK(sum == stats.completed && stats.pending == wend_service_get_pending(w->service));
    FUZZ_MUST(wend_service_get_queue(w->service, &queue));
}

/* ---- searches by hand ---- */

void calls_need_search(calls_world *w) {
    wend_search_def def;
    if (w->search) return;
    wend_search_def_init(&def, sizeof def);
    def.nodes = 8 * WEND_PAGE_NODES, def.far_nodes = 512;
    FUZZ_MUST(wend_search_create(&def, &w->search));
}

static void step_search(calls_world *w) {
    wend_search_options options;
    calls_need_search(w);
    const uint8_t byte = calls_byte(w);
    if (byte % 4 == 0) {
        const wend_request request = any_request(w, &options);
        (void)wend_search_begin(w->search, &request);
        return;
    }
    const uint64_t budget = calls_byte(w) * 4u;
    uint64_t used = 0;
    const wend_status status = wend_search_step(w->search, budget, &used);
    FUZZ_CHECK(used <= budget && status >= 0 && status < WEND_STATUS_COUNT);
    wend_completion result = {.struct_bytes = sizeof result};
    wend_cell cells[16];
    wend_search_node nodes[4];
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    size_t count = 0;
    FUZZ_MUST(wend_search_get_result(w->search, &result));
    if (!wend_search_get_path(w->search, cells, byte % 17, &count)) FUZZ_CHECK(count == result.cell_count);
    (void)wend_search_get_crossings(w->search, cells, byte % 17, &count);
    (void)wend_search_get_prefix(w->search, cells, byte % 17, &prefix);
    (void)wend_search_get_expanded(w->search, cells, byte % 17, &count);
    (void)wend_search_get_open(w->search, nodes, byte % 5, &count);
}

/* ---- flow fields ---- */

static void change_field(calls_world *w) {
    wend_cell goals[4], next;
    uint64_t used = 0, cost;
    const uint8_t byte = calls_byte(w);
    const uint32_t goal_count = byte / 16 % 5u;
    for (uint32_t i = 0; i < goal_count; i++) goals[i] = calls_cell(w);
    if (!w->field) {
        wend_field_def def;
        wend_field_def_init(&def, sizeof def);
        def.map = w->map, def.mover = calls_number(w, 2), def.goals = goals, def.goal_count = goal_count;
        def.most_goals = calls_count(w, 5), def.purpose = byte & 1, def.fear_milli = 1000 + calls_count(w, 900);
        if (byte & 2) def.largest_cost = calls_count(w, 400);
        if (byte & 4) def.profile = calls_number(w, 2);
        w->field_served = false;
        if (wend_field_create(&def, &w->field)) w->field = NULL;
        return;
    }
    switch (byte % 8) {
    case 0: wend_field_destroy(w->field), w->field = NULL; break;
    case 1: (void)wend_field_set_goals(w->field, goals, goal_count); break;
    case 2:
        if (byte & 64)
            (void)wend_field_repair(w->field, true);
        else
            (void)wend_field_repair(w->field, false);
        break;
    case 3:
        if (!wend_service_add_field(w->service, w->field)) w->field_served = true;
        break;
    case 4:
        if (!wend_service_remove_field(w->service, w->field)) w->field_served = false;
        break;
    case 5: {
        const wend_cell from = calls_cell(w);
        if (wend_field_next(w->field, from, &next, &cost) == WEND_STATUS_FOUND)
            FUZZ_CHECK(calls_fits(w, (wend_box){next, next}));
        break;
    }
    default:
        if (w->field_served) break;
        const uint64_t budget = calls_byte(w) * 8u;
        const int32_t complete = wend_field_step(w->field, budget, &used);
        FUZZ_CHECK(used <= budget && complete == wend__field_is_complete(w->field));
        break;
    }
}

/* ---- saves ---- */

static void name_answer(void *context, wend_ticket ticket, wend_request *request) {
    calls_world *w = context;
    for (uint32_t i = 0; i < w->requested; i++) {
        calls_request *own = &w->requests[i];
        if (!own->accepted || own->answers || own->ticket.index != ticket.index ||
            own->ticket.generation != ticket.generation)
            continue;
        request->on_done = calls_answer, request->context = own;
        return;
    }
    fprintf(stderr, "a pending request that the host never made\n");
    abort();
}

typedef struct saved {
    uint8_t map[CALLS_SAVE], service[CALLS_SAVE], crowd[CALLS_SAVE];
    size_t map_bytes, service_bytes, crowd_bytes;
} saved;

static void save(calls_world *w, const wend_save_host *host, saved *to) {
    FUZZ_MUST(wend_map_save_state(w->map, to->map, CALLS_SAVE, &to->map_bytes));
    FUZZ_MUST(wend_service_save_state(w->service, host, to->service, CALLS_SAVE, &to->service_bytes));
    FUZZ_MUST(wend_crowd_save_state(w->crowd, to->crowd, CALLS_SAVE, &to->crowd_bytes));
}

void calls_save_and_restore(calls_world *w) {
    static saved before, after;
    wend_save_host host;
    if (w->edit) return;
    wend_save_host_init(&host, sizeof host);
    host.maps = &w->map, host.map_count = 1, host.context = w, host.request = name_answer;
    save(w, &host, &before);
    const wend_error error = wend_map_restore_state(w->map, before.map, before.map_bytes);
    if (error == WEND_OUT_OF_MEMORY) return;
    FUZZ_MUST(error);
    FUZZ_MUST(wend_service_restore_state(w->service, &host, before.service, before.service_bytes));
    FUZZ_MUST(wend_crowd_restore_state(w->crowd, &host, before.crowd, before.crowd_bytes));
    save(w, &host, &after);
    FUZZ_CHECK(before.map_bytes == after.map_bytes && !memcmp(before.map, after.map, after.map_bytes));
    FUZZ_CHECK(before.crowd_bytes == after.crowd_bytes && !memcmp(before.crowd, after.crowd, after.crowd_bytes));
}

static calls_fn *const services[] = {submit,
                                     submit,
                                     submit,
                                     tick,
                                     tick,
                                     change_request,
                                     step_search,
                                     change_field,
                                     step_search,
                                     tick,
                                     calls_save_and_restore};

size_t calls_of_services(calls_fn *const **table) {
    *table = services;
    return sizeof services / sizeof *services;
}
