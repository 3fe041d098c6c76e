/* SPDX-License-Identifier: MIT */
/* Times a horde on flat maps given as arguments: AGENTS at random cells ask for a path to one cell in one frame. TSV:
 * expansions and CPU time of the lone searches, of one complete flow field from the goal, and of the service with
 * sharing; and how many times the better one of both the service takes. All three hand over the cells of each path.
 * Each cost is compared with the field's. The service is warm, as in a game: it has served one horde before. */
#include "harness.h"

enum { AGENTS = 1000, REPEATS = 3, CELLS = 1 << 20 };

typedef struct run {
    uint64_t expansions, shared, wrong;
    double ms;
} run;

static wend_map *map;
static wend_field *field;
static wend_cell starts[AGENTS], goal, way[CELLS];
static run served;

static wend_request ask(uint32_t agent) {
    return path_request(map, starts[agent], goal);
}

/* Reads a path out of the field, a cell at a time. */
static void follow(wend_cell cell) {
    size_t count = 0;
    way[count++] = cell;
    while (count < CELLS && wend_field_next(field, cell, &cell, NULL) == WEND_STATUS_FOUND) {
        way[count++] = cell;
        if (cell.x == goal.x && cell.y == goal.y) return;
    }
}

static run flood(void) {
    wend_field_def def = default_field();
    def.map = map, def.goals = &goal, def.goal_count = 1;
    if (!field) check(wend_field_create(&def, &field));
    check(wend_field_set_goals(field, &goal, 1));
    run did = {0};
    const double begun = cpu_us() / 1e3;
    wend_field_step(field, WEND_NO_LIMIT, &did.expansions);
    for (uint32_t i = 0; i < AGENTS; i++) follow(starts[i]);
    did.ms = cpu_us() / 1e3 - begun;
    return did;
}

static run lone(wend_search *search) {
    run did = {0};
    const double begun = cpu_us() / 1e3;
    for (uint32_t i = 0; i < AGENTS; i++) {
        const wend_request request = ask(i);
        uint64_t used;
        check(wend_search_begin(search, &request));
        while (wend_search_step(search, WEND_NO_LIMIT, &used) == WEND_STATUS_PENDING) did.expansions += used;
        did.expansions += used;
        size_t count;
        check(wend_search_get_path(search, way, CELLS, &count));
    }
    did.ms = cpu_us() / 1e3 - begun;
    return did;
}

static void done(void *context, const wend_completion *completion) {
    const wend_cell *start = context;
    uint64_t cost = 0;
    const bool led = wend_field_next(field, *start, NULL, &cost) == WEND_STATUS_FOUND;
    served.wrong += completion->status != (led ? WEND_STATUS_FOUND : WEND_STATUS_NO_PATH);
    served.wrong += led && completion->cost != (int64_t)cost;
    served.shared += completion->shared != 0;
}

static run serve(wend_service *service) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        wend_request request = ask(i);
        request.on_done = done, request.context = &starts[i];
        submit(service, &request);
    }
    const wend_budget budget = budget_of(20000);
    served = (run){0};
    const double begun = cpu_us() / 1e3;
    while (wend_service_get_pending(service) > 0) {
        wend_frame frame = {.struct_bytes = sizeof frame};
        check(wend_service_tick(service, &budget, &frame));
        served.expansions += frame.expansions;
    }
    served.ms = cpu_us() / 1e3 - begun;
    return served;
}

static wend_cell any_open(uint64_t *seed, const wend_map_info *info) {
    for (;;) {
        const wend_cell cell = draw_cell(info->width, info->height, seed);
        if (is_connected(map, WEND_MOVER_DEFAULT, cell, cell)) return cell;
    }
}

/* A goal that most cells lead to, and starts that lead there. */
static void choose_cells(void) {
    uint64_t seed = 1;
    wend_map_info info = info_now(map);
    uint32_t most = 0;
    for (int i = 0; i < 8; i++) {
        const wend_cell here = any_open(&seed, &info);
        uint32_t good = 0;
        for (int j = 0; j < 64; j++) good += is_connected(map, WEND_MOVER_DEFAULT, any_open(&seed, &info), here);
        if (good > most) most = good, goal = here;
    }
    for (uint32_t i = 0; i < AGENTS;) {
        starts[i] = any_open(&seed, &info);
        i += is_connected(map, WEND_MOVER_DEFAULT, starts[i], goal);
    }
}

static run faster(run a, run b) {
    return a.ms < b.ms ? a : b;
}

/* The expansions are the same in all repeats. */
static void measure(const char *name, wend_search *search, const char *kind) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    tuning.share_cells = CELLS * 2, def.tuning = &tuning;
    def.share = 1, def.nodes = 4 << 20, def.queue = AGENTS, def.max_path_cells = CELLS, def.path_bytes = 4 << 20;
    wend_service *service = open_service(&def);
    run whole = flood(), alone = lone(search), horde = serve(service);
    for (int i = 0; i < REPEATS; i++) {
        whole = faster(whole, flood());
        alone = faster(alone, lone(search));
        horde = faster(horde, serve(service));
    }
    check(wend_service_destroy(service));
    const uint64_t least = whole.expansions < alone.expansions ? whole.expansions : alone.expansions;
    const double fastest = whole.ms < alone.ms ? whole.ms : alone.ms;
    printf("%s\t%s\t%llu\t%.2f\t%llu\t%.2f\t%llu\t%.2f\t%llu\t%.2f\t%.2f\t%llu\n", name, kind,
           (unsigned long long)alone.expansions, alone.ms, (unsigned long long)whole.expansions, whole.ms,
           (unsigned long long)horde.expansions, horde.ms, (unsigned long long)horde.shared,
           (double)horde.expansions / (double)least, horde.ms / fastest, (unsigned long long)horde.wrong);
    fflush(stdout);
}

int main(int argc, char **argv) {
    puts("map\ttables\tlone\tlone ms\tflood\tflood ms\thorde\thorde ms\tshared\texpansions\ttime\twrong");
    for (int i = 1; i < argc; i++) {
        wend_search *search;
        wend_search_def def = default_search();
        def.nodes = 4 << 20;
        map = load_map(argv[i], 0, 0);
        check(wend_search_create(&def, &search));
        choose_cells();
        measure(base_name(argv[i]), search, "plain");
        check(wend_map_accelerate(map, NULL));
        measure(base_name(argv[i]), search, "accelerated");
        wend_field_destroy(field);
        field = NULL;
        wend_search_destroy(search);
        wend_map_release(map);
    }
    return 0;
}
