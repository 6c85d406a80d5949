/* SPDX-License-Identifier: MIT */
#include "session/session_lines.h"
#include "probity/experimental/reports.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probity/report.h"
#include "session/session.h"
#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE];
static pby_session *session;

/* Makes a session whose noise is 0 but for a chance below 1e-9. */
static void setup(void)
{
    const char *text = "2*above:eps=100 2*geometric:eps=100";
    pby_spec *spec;
    pby_folder_make(folder);
    pby_folder_path(file, folder, "session");
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_session_create(file, spec, 1000, NULL, NULL), PBY_OK);
    cr_assert_eq(pby_session_open(&session, file, NULL), PBY_OK);
    pby_spec_free(spec);
}

static void teardown(void)
{
    pby_session_close(session);
    pby_folder_remove(folder);
}

TestSuite(session_lines, .init = setup, .fini = teardown);

Test(session_lines, a_number_is_whole_and_alone, .init = NULL, .fini = NULL)
{
    static const char *const bad[] = {"",
                                      "-",
                                      "1.5",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "1-",
                                      "0x1",
                                      "2305843009213693953",
                                      "-2305843009213693953",
                                      "99999999999999999999",
                                      "0000000000000000000000001"};
    int64_t x;
    cr_expect(pby_session_number(&x, "-17", 3) && x == -17);
    cr_expect(pby_session_number(&x, "123", 2) && x == 12);
    cr_expect(pby_session_number(&x, "2305843009213693952", 19) && x == PBY_SESSION_ANSWER_MAX);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect(!pby_session_number(&x, bad[i], strlen(bad[i])), "%s", bad[i]);
}

struct heard {
    char text[256];
    uint64_t next;   /* the number of the question that is answered next */
    pby_status says; /* what is returned */
    int more;        /* not negative: where the next line is written once something was answered */
};

static pby_status hear(void *what, uint64_t first, const pby_reply *replies, size_t count, pby_error *err)
{
    struct heard *h = what;
    (void)err;
    cr_expect_eq(first, h->next);
    for (size_t i = 0; i < count; i++, h->next++)
        strcat(h->text, replies[i].above ? (replies[i].value == 2000 ? "2000 " : "above ") : "below ");
    if (h->more >= 0) {
        cr_assert_eq(write(h->more, "2000\n", 5), 5);
        close(h->more);
        h->more = -1;
    }
    return h->says;
}

static pby_status ask(struct heard *h, const char *text, pby_error *err)
{
    char path[PBY_PATH_SIZE];
    pby_folder_path(path, folder, "lines");
    pby_write_file(path, text);
    const int fd = open(path, O_RDONLY);
    const pby_status status = pby_session_ask_lines(session, fd, "lines", hear, h, err);
    close(fd);
    return status;
}

Test(session_lines, lines_are_answered_in_their_order)
{
    struct heard h = {.next = 1, .more = -1};
    char *text;
    cr_assert_eq(ask(&h, "5\r\n2000\n-3\n7", NULL), PBY_OK);
    cr_expect_str_eq(h.text, "below 2000 below below ");
    cr_assert_eq(pby_report_session(&text, session, PBY_REPORT_LINES, NULL), PBY_OK);
    cr_expect_not_null(strstr(text, "answered    4 questions\nleft        1 positive answers\ndigest      "),
                       "%s", text);
    cr_expect_not_null(strstr(text, "\nabove       question 2, value 2000\n"), "%s", text);
    free(text);
}

/* Those before it are answered; what stands in it is not told. */
Test(session_lines, a_line_that_is_no_number_is_refused_by_its_place)
{
    struct heard h = {.next = 1, .more = -1};
    pby_error err;
    cr_assert_eq(ask(&h, "5\n6\nsecret\n7\n", &err), PBY_BAD);
    cr_expect_str_eq(h.text, "below below ");
    cr_expect(strstr(err.text, "lines, line 3 (not shown): expected") == err.text, "%s", err.text);
}

/* The second line is written only behind the answer of the first. */
Test(session_lines, nothing_is_waited_for_before_it_is_answered, .timeout = 60)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    struct heard h = {.next = 1, .more = ends[1]};
    cr_assert_eq(write(ends[1], "5\n", 2), 2);
    cr_assert_eq(pby_session_ask_lines(session, ends[0], "pipe", hear, &h, NULL), PBY_OK);
    cr_expect_str_eq(h.text, "below 2000 ");
    close(ends[0]);
}

Test(session_lines, who_is_told_may_end_it)
{
    struct heard h = {.next = 1, .says = PBY_FAILED, .more = -1};
    cr_assert_eq(ask(&h, "2000\n5\n", NULL), PBY_FAILED);
    cr_expect_str_eq(h.text, "2000 ");
    cr_expect_eq(pby_session_asked(session), 1);
}
