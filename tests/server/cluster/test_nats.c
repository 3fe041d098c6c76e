/* SPDX-License-Identifier: MIT */
/* Parsing of NATS' words: versions, rights, URLs. Settings of streams are tried on servers: log.py. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <string.h>

#include "store/log_nats.h"

Test(nats, versions_that_are_fit) {
    static const struct {
        const char *version;
        bool one, three;
    } rows[] = {{"2.9.10", false, false}, {"2.10.26", false, false}, {"2.10.27", true, false}, {"2.11.9", true, false},
                {"2.12.14", true, false}, {"2.12.15", true, true},   {"2.13.99", true, false}, {"2.14.4", true, false},
                {"2.14.5", true, true},   {"2.15.0", true, false},   {"2.15.1", true, true},   {"2.16.0", true, true},
                {"3.0.0", true, true},    {"", false, false},        {"two", false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(cluster_nats_version_fits(rows[i].version, 1), rows[i].one, "%s", rows[i].version);
        cr_assert_eq(cluster_nats_version_fits(rows[i].version, 3), rows[i].three, "%s", rows[i].version);
        cr_assert_eq(cluster_nats_version_fits(rows[i].version, 5), rows[i].three, "%s", rows[i].version);
    }
}

static bool may(const char *user, const char *subject) {
    json_t *json = json_loads(user, 0, NULL);
    cr_assert(json);
    const bool good = cluster_nats_may_publish(json, subject);
    json_decref(json);
    return good;
}

Test(nats, rights_are_patterns_of_words) {
    static const char subject[] = "$JS.API.STREAM.DELETE.WEND_town";
    cr_assert(may("{}", subject), "no permissions: all is allowed");
    cr_assert(may("{\"permissions\":{\"publish\":{\"allow\":[\">\"]}}}", subject));
    cr_assert(may("{\"permissions\":{\"publish\":{\"allow\":[\"a\",\"$JS.API.STREAM.*.WEND_town\"]}}}", subject));
    cr_assert_not(may("{\"permissions\":{\"publish\":{\"allow\":[\"$JS.API.STREAM.*\"]}}}", subject));
    cr_assert_not(may("{\"permissions\":{\"publish\":{\"allow\":[\"$JS.API.STREAM.DELETE.WEND_town.>\"]}}}", subject));
    cr_assert_not(may("{\"permissions\":{\"publish\":{\"allow\":[\"$JS.API.STREAM.DELETE.WEND_towns\"]}}}", subject));
    cr_assert_not(may("{\"permissions\":{\"publish\":{\"deny\":[\"$JS.API.STREAM.DELETE.>\"]}}}", subject));
    cr_assert_not(may("{\"permissions\":{\"publish\":{\"allow\":[\">\"],\"deny\":[\"$JS.>\"]}}}", subject));
}

Test(nats, urls_have_no_secrets) {
    char why[CLUSTER_LOG_WHY_BYTES];
    cr_assert(cluster_nats_check_urls("nats://a:1", why));
    cr_assert(cluster_nats_check_urls("nats://a:1,tls://b:2,nats://[::1]:3", why));
    static const char *const bad[] = {"", ",", "a:1", "http://a", "nats://a:1,file:b", "nats://me:hidden@a:1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_not(cluster_nats_check_urls(bad[i], why), "%s", bad[i]);
        cr_assert(!strstr(why, "hidden") && why[0] != '\0');
    }
}

Test(nats, reasons_are_parted_and_fit) {
    char why[CLUSTER_LOG_WHY_BYTES] = "";
    cluster_nats_add_reason(why, "one %d", 1);
    cluster_nats_add_reason(why, "two");
    cr_assert_str_eq(why, "one 1; two");
    for (int i = 0; i < 200; i++) cluster_nats_add_reason(why, "another reason");
    cr_assert_lt(strlen(why), CLUSTER_LOG_WHY_BYTES);
}
