/* SPDX-License-Identifier: MIT */
/* The cost of waiting requests: time of a call and of its intake, bytes of each, and the first frame with them all. */
#include "scenery.h"
#include <wend/control.h>

enum { SIDE = 512, CALLS = 100000, SMALL = 1000, LARGE = 1000000 };

static int32_t any_urgency(uint64_t *state) {
    return (int32_t)bench_random(state, WEND_URGENCY_MAX - WEND_URGENCY_MIN + 1) + WEND_URGENCY_MIN;
}

/* A queue for `waiting`; the rest is small. */
static wend_service_def def_of(uint32_t waiting) {
    wend_service_def def = default_service();
    def.queue = waiting;
    return def;
}

static wend_service *service_of(uint32_t waiting) {
    wend_service_def def = def_of(waiting);
    wend_service_tuning tuning = default_tuning();
    tuning.prefault = 1;
    def.tuning = &tuning;
    return open_service(&def);
}

static wend_ticket *fill(wend_service *service, wend_map *map, uint32_t waiting, bool mixed) {
    uint64_t state = 3;
    wend_ticket *tickets = malloc(waiting * sizeof *tickets);
    wend_request request = default_request();
    request.map = map;
    request.on_done = ignore;
    for (uint32_t i = 0; i < waiting; i++) {
        request.start = random_place(SIDE, SIDE, &state), request.goal = random_place(SIDE, SIDE, &state);
        request.urgency = mixed ? any_urgency(&state) : 0;
        check(wend_service_submit(service, &request, &tickets[i]));
    }
    return tickets;
}

/* Time of an empty frame that takes in the new requests, in microseconds. */
static double take_in(wend_service *service) {
    const wend_budget budget = budget_of(0);
    const double begun = cpu_us();
    wend_service_tick(service, &budget, NULL);
    return cpu_us() - begun;
}

static void print_row(const char *operation, uint32_t waiting, uint32_t calls, double call_us, double intake_us) {
    printf("%s,%u,%.0f,%.0f\n", operation, waiting, call_us * 1000 / calls, intake_us * 1000 / calls);
    fflush(stdout);
}

typedef enum change { URGENCY, GOAL, CANCEL, CHANGES } change;
static const char *const change_names[CHANGES] = {"set_urgency", "set_goal", "cancel"};

/* Every second request, in no order: each once at most. */
static void change_some(wend_service *service, const wend_ticket *tickets, uint32_t waiting, change what) {
    const uint32_t calls = waiting / 2 < CALLS ? waiting / 2 : CALLS, step = 2 * (waiting / 2 / calls);
    uint64_t state = 17;
    const double begun = cpu_us();
    for (uint32_t i = 0; i < calls; i++) {
        const wend_ticket ticket = tickets[(uint64_t)i * 7919 % calls * step];
        wend_error error = WEND_OK;
        if (what == URGENCY) error = wend_service_set_urgency(service, ticket, any_urgency(&state));
        if (what == GOAL) error = wend_service_set_goal(service, ticket, random_place(SIDE, SIDE, &state));
        if (what == CANCEL) error = wend_service_cancel(service, ticket);
        if (error != WEND_STALE_TICKET) check(error); /* a few need no search, and are answered */
    }
    const double called = cpu_us() - begun;
    print_row(change_names[what], waiting, calls, called, take_in(service));
}

static void operations(wend_map *map, uint32_t waiting) {
    for (int mixed = 0; mixed < 2; mixed++) {
        wend_service *service = service_of(waiting);
        const double begun = cpu_us();
        wend_ticket *tickets = fill(service, map, waiting, mixed);
        const double called = cpu_us() - begun;
        double taken = 0;
        uint32_t taken_in = 0;
        for (uint64_t intakes = 1; intakes > 0 && taken_in < waiting;) { /* an intake takes in a part of a long queue */
            wend_frame frame = {.struct_bytes = sizeof frame};
            const wend_budget budget = budget_of(0);
            const double from = cpu_us();
            wend_service_tick(service, &budget, &frame);
            taken += cpu_us() - from;
            intakes = frame.intakes;
            taken_in += (uint32_t)intakes;
        }
        print_row(mixed ? "submit_mixed" : "submit", waiting, waiting, called, taken * waiting / taken_in);
        for (change what = URGENCY; mixed == 0 && what < CHANGES; what++) change_some(service, tickets, waiting, what);
        free(tickets);
        wend_service_destroy(service);
    }
}

static void first_frames(wend_map *map, uint32_t waiting) {
    const uint64_t microseconds[] = {200, 1000, 4000};
    for (size_t i = 0; i < sizeof microseconds / sizeof *microseconds + 1; i++) {
        wend_service *service = service_of(waiting);
        free(fill(service, map, waiting, true));
        wend_budget budget = default_budget();
        const bool timed = i < sizeof microseconds / sizeof *microseconds;
        if (timed)
            budget.us = microseconds[i];
        else
            budget.expansions = 1000;
        wend_frame frame = {.struct_bytes = sizeof frame};
        double first = 0, longest = 0;
        for (int number = 0; number < 50; number++) {
            const double begun = cpu_us();
            wend_service_tick(service, &budget, &frame);
            const double us = cpu_us() - begun;
            if (number == 0) first = us;
            if (us > longest) longest = us;
        }
        printf("%s,%u,%llu,%.0f,%.0f\n", timed ? "us" : "expansions", waiting,
               (unsigned long long)(timed ? budget.us : budget.expansions), first, longest);
        fflush(stdout);
        wend_service_destroy(service);
    }
}

int main(void) {
    const uint32_t sizes[] = {SMALL, 100000, LARGE};
    wend_map *map = bench_map_random(SIDE, SIDE, 200, 0);
    const wend_service_def small = def_of(SMALL), large = def_of(LARGE);
    printf("bytes_each\n%.1f\n\n", (double)(wend_service_bytes(&large) - wend_service_bytes(&small)) / (LARGE - SMALL));
    puts("operation,waiting,call_ns,intake_ns");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) operations(map, sizes[i]);
    puts("\nbudget,waiting,limit,first_frame_us,longest_of_50_us");
    first_frames(map, LARGE);
    wend_map_release(map);
    return 0;
}
