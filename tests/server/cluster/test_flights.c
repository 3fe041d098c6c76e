/* SPDX-License-Identifier: MIT */
/* Ids that wait, and lines of a server that answer or complete them. */
#include <criterion/criterion.h>
#include <string.h>

#include "peers/flights.h"

static const char *told(flights *all, const char *line) {
    bool ends = false;
    flight *f = flights_find(all, line, &ends);
    if (!f) return "nothing";
    if (!ends) return "goes on";
    flights_end(all, f);
    return "ends";
}

Test(flights, orders_end_with_their_answer_and_requests_with_their_completion) {
    flights all = {0};
    cr_assert(flights_add(&all, "1", "edit", NULL));
    cr_assert(flights_add(&all, "\"1\"", "request", NULL));
    cr_assert(flights_add(&all, "12", "request", NULL));
    cr_assert_str_eq(told(&all, "{\"id\":3,\"ok\":true}"), "nothing");
    cr_assert_str_eq(told(&all, "{\"id\":1,\"ok\":true,\"epoch\":4}"), "ends");
    cr_assert_str_eq(told(&all, "{\"id\":1,\"ok\":true}"), "nothing");
    cr_assert_not(flights_awaits(&all, "\"1\""));
    cr_assert_str_eq(told(&all, "{\"type\":\"done\",\"id\":\"1\",\"done\":{}}"), "nothing"); /* ok comes first */
    cr_assert_str_eq(told(&all, "{\"id\":\"1\",\"ok\":true}"), "goes on");
    cr_assert(flights_awaits(&all, "\"1\""));
    cr_assert_str_eq(told(&all, "{\"type\":\"done\",\"id\":\"1\",\"done\":{}}"), "ends");
    cr_assert_str_eq(told(&all, "{\"id\":12,\"error\":\"busy\"}"), "ends");
    cr_assert_str_eq(told(&all, "{\"type\":\"event\",\"event\":{}}"), "nothing");
    cr_assert_eq(all.count, 0);
    flights_free(&all);
}

/* The second one is refused by the server, as its id is in use: the first goes on. */
Test(flights, an_id_in_use_is_of_the_older_message) {
    flights all = {0};
    int one, two;
    cr_assert(flights_add(&all, "7", "request", &one));
    cr_assert_str_eq(told(&all, "{\"id\":7,\"ok\":true}"), "goes on");
    cr_assert(flights_add(&all, "7", "request", &two));
    cr_assert_str_eq(told(&all, "{\"id\":7,\"error\":\"bad_argument\",\"text\":\"the id is in use\"}"), "ends");
    cr_assert_eq(all.count, 1);
    cr_assert_eq(all.items[0].owner, (void *)&one);
    cr_assert_str_eq(told(&all, "{\"type\":\"done\",\"id\":7,\"done\":{}}"), "ends");
    flights_free(&all);
}

Test(flights, what_is_left_is_refused_or_lost) {
    flights all = {0};
    char line[FLIGHT_END_BYTES];
    cr_assert(flights_add(&all, "1", "request", NULL));
    cr_assert(flights_add(&all, "2", "request", NULL));
    cr_assert_str_eq(told(&all, "{\"id\":2,\"ok\":true}"), "goes on");
    flight_write_end(&all.items[0], "moved", "why", line);
    cr_assert_str_eq(line, "{\"id\":1,\"error\":\"moved\",\"text\":\"why\"}");
    flight_write_end(&all.items[1], "moved", "why", line);
    cr_assert_str_eq(line, "{\"id\":2,\"lost\":true}");
    flights_free(&all);
}
