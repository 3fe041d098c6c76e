/* SPDX-License-Identifier: MIT */
/* Addresses to listen on, and the Host and Origin that a browser may send. */
#include <criterion/criterion.h>
#include <string.h>

#include "live/answer/answer.h"
#include "live/net/address.h"

Test(address, takes_numbers_and_ports) {
    live_address address;
    cr_assert(live_address_parse("127.0.0.1:7780", false, &address));
    cr_assert(address.loopback && !address.any && !address.v6 && address.port == 7780);
    cr_assert(live_address_parse("[::1]:1", false, &address) && address.loopback && address.v6);
    cr_assert(live_address_parse("0.0.0.0:0", false, &address) && address.any && !address.loopback);
    cr_assert(live_address_parse("localhost:80", false, &address));
    cr_assert_str_eq(address.host, "127.0.0.1");
    cr_assert(live_address_parse(":9", false, &address) && address.loopback);
    cr_assert(live_address_parse("10.1.2.3:9", false, &address) && !address.loopback);
}

Test(address, refuses_what_is_none) {
    static const char *const wrong[] = {"",
                                        "7780",
                                        "127.0.0.1",
                                        "127.0.0.1:",
                                        "127.0.0.1:x",
                                        "127.0.0.1:65536",
                                        "127.0.0.1:-1",
                                        "example.org:80",
                                        "1.2.3:80",
                                        "[::1:80",
                                        "/tmp/socket"};
    live_address address;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_assert_not(live_address_parse(wrong[i], false, &address), "%s", wrong[i]);
    cr_assert(live_address_parse("/tmp/socket", true, &address) && address.path && address.loopback);
}

static bool host_allowed(const live_address *address, const char *name, const char *host) {
    return live_host_allowed(address, name, host, strlen(host));
}

Test(address, knows_its_own_names_only) {
    live_address local, all;
    cr_assert(live_address_parse("127.0.0.1:7780", false, &local));
    cr_assert(live_address_parse("0.0.0.0:7780", false, &all));
    cr_assert(host_allowed(&local, NULL, "127.0.0.1:7780") && host_allowed(&local, NULL, "localhost:7780"));
    cr_assert(host_allowed(&local, NULL, "LocalHost") && host_allowed(&local, "game.example", "game.example:80"));
    cr_assert_not(host_allowed(&local, NULL, "game.example"));
    cr_assert_not(host_allowed(&local, NULL, "127.0.0.1.example:7780"));
    cr_assert_not(host_allowed(&local, NULL, "localhost.example"));
    cr_assert_not(host_allowed(&local, NULL, "192.168.0.1:7780"));
    cr_assert_not(host_allowed(&local, NULL, ""));
    cr_assert(host_allowed(&all, NULL, "192.168.0.1:7780") && host_allowed(&all, NULL, "[fe80::1]:7780"));
    cr_assert_not(host_allowed(&all, NULL, "game.example:7780"));
}

Test(address, takes_pages_of_its_own_origin_only) {
    cr_assert(live_origin_allowed("http://localhost:7780", "localhost:7780"));
    cr_assert(live_origin_allowed("https://localhost:7780", "localhost:7780"));
    cr_assert_not(live_origin_allowed("http://localhost:3000", "localhost:7780"));
    cr_assert_not(live_origin_allowed("http://evil.example", "localhost:7780"));
    cr_assert_not(live_origin_allowed("null", "localhost:7780"));
    cr_assert_not(live_origin_allowed("ftp://localhost:7780", "localhost:7780"));
    cr_assert_not(live_origin_allowed("", "localhost:7780"));
}

Test(address, compares_secrets_whole) {
    cr_assert(live_same_secret("abc", "abc") && live_same_secret("", ""));
    cr_assert_not(live_same_secret("abd", "abc") || live_same_secret("ab", "abc") || live_same_secret("abcd", "abc"));
    cr_assert_not(live_same_secret("", "abc") || live_same_secret("abc", "") || live_same_secret("abcabc", "abc"));
}
