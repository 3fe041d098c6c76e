/* SPDX-License-Identifier: MIT */
/* Requests as lines of a journal, and what a restart reads of them. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_requests.h"
#include "cli/shared/messages.h"

static const char secret[] = "0123456789abcdef0123456789abcdef";

static kept_request *add(kept_requests *all, const char *session, const char *message) {
    return kept_requests_add(all, session, secret, message, strlen(message));
}

static char *change(kept_requests *all, kept_request *request, const char *message) {
    return kept_requests_change(all, request, message, strlen(message));
}

/* Read lines that stand behind a head. */
static int read_lines(kept_requests *all, const char *lines) {
    char *text;
    const int size = asprintf(&text, "%smap world.wend\n%s", SERVE_JOURNAL_FIRST_LINE, lines);
    const serve_journal_past past = {.text = text, .size = (size_t)size};
    *all = (kept_requests){0};
    const int status = kept_requests_read(all, "/requests", &past);
    free(text);
    return status;
}

static bool is(const kept_message *message, const char *text) {
    return message->bytes == strlen(text) && memcmp(message->text, text, message->bytes) == 0;
}

Test(journal_requests, are_one_line_each) {
    kept_requests all = {0};
    kept_message message = {0};
    kept_request *one = add(&all, "a b%\xc3\xa4", " {\"id\" :\r\n\t1, \"agent\": \"x \\\" \\\\\" , \"to\": [1, 2]}\n");
    cr_assert(one != NULL && one->number == 1);
    cr_expect_str_eq(one->lines, "# request 1 0123456789abcdef0123456789abcdef a%20b%25%c3%a4 "
                                 "{\"id\":1,\"agent\":\"x \\\" \\\\\",\"to\":[1,2]}\n");
    cr_expect(kept_requests_message(one, &message));
    cr_expect(strcmp(message.session, "a b%\xc3\xa4") == 0 && strcmp(message.secret, secret) == 0);
    cr_expect(is(&message, "{\"id\":1,\"agent\":\"x \\\" \\\\\",\"to\":[1,2]}"));
    cr_expect_not(kept_requests_message(one, &message));
    cr_expect_eq(all.bytes, one->bytes);
    kept_requests_free(&all);
    cr_expect(all.bytes == 0 && all.count == 0);
}

Test(journal_requests, are_changed_and_end) {
    kept_requests all = {0};
    kept_message message = {0};
    kept_request *one = add(&all, "s", "{1}"), *two = add(&all, "s", "{2}"), *three = add(&all, "s", "{3}");
    char *first = change(&all, one, "{a}"), *second = change(&all, one, "{ b }");
    cr_assert(first != NULL && second != NULL);
    cr_expect_str_eq(second, "# change 1 {b}\n");
    kept_requests_unchange(&all, one, first);
    kept_requests_release(one);
    cr_expect(kept_requests_message(one, &message) && kept_requests_message(one, &message) && is(&message, "{b}"));
    cr_expect_not(kept_requests_message(one, &message));
    kept_requests_remove(&all, two);
    cr_expect(all.count == 2 && all.first == one && all.last == three && one->next == three);
    kept_requests_remove(&all, one); /* a change of it is still on its way */
    kept_requests_unchange(&all, one, second);
    kept_requests_release(one);
    cr_expect(all.first == three && all.bytes == three->bytes && add(&all, "s", "{}")->number == 4);
    kept_requests_free(&all);
    free(first);
    free(second);
}

Test(journal_requests, are_read_unless_they_are_over) {
    kept_requests all;
    kept_message message = {0};
    cr_assert_eq(read_lines(&all, "# request 3 5ec2e7 a%20b {3}\n# request 7 5ec2e7 c {7}\n# change 7 {x}\n# done 3\n"
                                  "# request 8 5ec2e7 c {8}\n# change 7 {y}\n# sealed 0123456789abcdef\n"),
                 -1);
    cr_assert(all.count == 2 && all.first->number == 7 && all.last->number == 8 && all.last_number == 8);
    cr_expect(kept_requests_message(all.first, &message) && is(&message, "{7}") &&
              strcmp(message.secret, "5ec2e7") == 0);
    cr_expect(kept_requests_message(all.first, &message) && is(&message, "{x}"));
    cr_expect(kept_requests_message(all.first, &message) && is(&message, "{y}") && strcmp(message.session, "c") == 0);
    cr_expect_not(kept_requests_message(all.first, &message));
    cr_expect_eq(all.bytes, all.first->bytes + all.last->bytes);
    kept_requests_free(&all);
}

Test(journal_requests, that_make_no_sense_are_errors) {
    static const char *const wrong[] = {
        "set 1,1 blocked\n",
        "# request\n",
        "# request x 5ec2e7 a {}\n",
        "# request 1\n# request 2 5ec2e7 a {}\n",
        "# request 1 5ec2e7\n",
        "# request 0 5ec2e7 a {}\n",
        "# request 2 5ec2e7 a {}\n# request 2 5ec2e7 a {}\n",
        "# request 2 5ec2e7 a {}\n# done 1\n",
        "# request 2 5ec2e7 a {}\n# done 2\n# change 2 {}\n",
        "# request 2 5ec2e7 a {}\n# undone 2\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        kept_requests all;
        cr_expect_eq(read_lines(&all, wrong[i]), CLI_BAD_INPUT, "%s", wrong[i]);
        cr_expect(all.first == NULL);
    }
}
