/* SPDX-License-Identifier: MIT */
/* Opening a server where memory runs out, at each of its allocations, and where the definition is bad. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <wend/live.h>

#include "server/live/starved.h"

/* The linker leads the library's own allocations here. */
int starved_left = -1;
bool starved_for_good;

static bool fails(void) {
    if (starved_left != 0) {
        starved_left -= starved_left > 0;
        return false;
    }
    if (!starved_for_good) starved_left = -1;
    errno = ENOMEM;
    return true;
}

#include "server/live/wrapped.h"

static int open_and_close(wend_live_def *def, const char **why) {
    uv_loop_t loop;
    wend_live *live = NULL;
    *why = "";
    cr_assert_eq(uv_loop_init(&loop), 0);
    const int error = wend_live_open(&loop, def, &live, why);
    starved_left = -1;
    cr_assert_eq(error == 0, live != NULL);
    if (error == 0) wend_live_close(live, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    cr_assert_eq(uv_loop_close(&loop), 0);
    return error;
}

static wend_live_def local_def(void) {
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.listen = "127.0.0.1:0";
    def.lines = "127.0.0.1:0";
    return def;
}

Test(open, says_that_memory_ran_out) {
    wend_live_def def = local_def();
    const char *why;
    int failed = 0, error = WEND_OUT_OF_MEMORY;
    def.token = "secret";
    for (; error != 0; failed += error != 0) {
        starved_left = failed;
        error = open_and_close(&def, &why);
        cr_assert(error == 0 || (error == WEND_OUT_OF_MEMORY && strcmp(why, "no memory") == 0), "%d: %s", failed, why);
    }
    cr_assert_gt(failed, 2);
}

/* Opens a server with the default limits but one. */
static int open_limited(const wend_live_limits *limits) {
    wend_live_def def = local_def();
    const char *why;
    def.limits = limits;
    return open_and_close(&def, &why);
}

Test(open, takes_each_limit_in_its_range) {
    int tried = 0;
#define TRY(name, value, good)                                                                                         \
    do {                                                                                                               \
        wend_live_limits limits;                                                                                       \
        wend_live_limits_init(&limits);                                                                                \
        limits.name = (value);                                                                                         \
        cr_expect_eq(open_limited(&limits), (good) ? 0 : WEND_BAD_ARGUMENT, "%s %llu", #name,                          \
                     (unsigned long long)(value));                                                                     \
        tried++;                                                                                                       \
    } while (0);
#define WEND_X(name, standard, least, most, text)                                                                      \
    TRY(name, UINT64_C(least) - 1, false)                                                                              \
    TRY(name, UINT64_C(least), true)                                                                                   \
    TRY(name, UINT64_C(least) + 1, true)                                                                               \
    TRY(name, UINT64_C(most) - 1, true)                                                                                \
    TRY(name, UINT64_C(most), true)                                                                                    \
    TRY(name, UINT64_C(most) + 1, false)
    WEND_LIVE_LIMITS(WEND_X)
#undef WEND_X
#undef TRY
    cr_assert_gt(tried, 80);
}

static int open_with(const char *token, const char *owner_token, const char *lines, const char **why) {
    wend_live_def def = local_def();
    def.token = token, def.owner_token = owner_token;
    if (lines != NULL) def.lines = lines;
    return open_and_close(&def, why);
}

Test(open, takes_tokens_of_1_to_256_bytes) {
    char text[WEND_LIVE_TOKEN_BYTES + 2] = "";
    const char *why;
    memset(text, 'x', sizeof text - 1);
    cr_expect_eq(open_with(text, NULL, NULL, &why), WEND_BAD_ARGUMENT);
    cr_expect(strstr(why, "1 to 256 bytes") != NULL, "%s", why);
    cr_expect_eq(open_with(NULL, text, NULL, &why), WEND_BAD_ARGUMENT);
    text[WEND_LIVE_TOKEN_BYTES] = '\0';
    cr_expect_eq(open_with(text, text, NULL, &why), 0, "%s", why);
    cr_expect_eq(open_with("x", "x", NULL, &why), 0, "%s", why);
    const char *const bad[] = {"", "a\nb", "\x7f", "a\t"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_eq(open_with(bad[i], NULL, NULL, &why), WEND_BAD_ARGUMENT, "%zu", i);
        cr_expect_eq(open_with(NULL, bad[i], NULL, &why), WEND_BAD_ARGUMENT, "%zu", i);
    }
}

Test(open, takes_paths_of_107_bytes) {
    char path[128] = "/tmp/wend-open-";
    const char *why;
    const size_t begun = strlen(path);
    memset(path + begun, 'x', 108 - begun);
    snprintf(path + begun, 9, "%08d", (int)getpid());
    path[begun + 8] = 'x';
    path[108] = '\0';
    cr_expect_eq(open_with(NULL, NULL, path, &why), WEND_BAD_ARGUMENT);
    cr_expect(strstr(why, "107 bytes") != NULL, "%s", why);
    path[107] = '\0';
    cr_expect_eq(open_with(NULL, NULL, path, &why), 0, "%s", why);
    unlink(path);
}
