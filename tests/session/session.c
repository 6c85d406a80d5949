/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE];
static pby_entropy *source;

static void setup(void)
{
    static const uint8_t seed[PBY_SEED_SIZE] = {16};
    pby_folder_make(folder);
    pby_folder_path(file, folder, "session");
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
}

static void teardown(void)
{
    pby_entropy_free(source);
    pby_folder_remove(folder);
}

TestSuite(session, .init = setup, .fini = teardown);

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    return spec;
}

static pby_status make(const char *text, int64_t threshold, pby_error *err)
{
    pby_spec *spec = spec_of(text);
    const pby_status status = pby_session_create_from(file, spec, threshold, NULL, source, err);
    pby_spec_free(spec);
    return status;
}

static pby_session *open_it(void)
{
    pby_session *s;
    pby_error err;
    cr_assert_eq(pby_session_open_from(&s, file, source, &err), PBY_OK, "%s", err.text);
    return s;
}

/* ---- the law ---------------------------------------------------------------------------------- */

static double upper(double a, long t)
{
    return t > 0 ? pow(a, (double)t) / (1 + a) : 1 - pow(a, (double)(1 - t)) / (1 + a);
}

/* Which of four answers is the first, over 1500 sessions, against the exact law: chi-square with 4 degrees of
 * freedom is above 41.4 with a chance of 2e-8. The stream is seeded. */
Test(session, the_first_answer_above_has_its_law)
{
    enum { SESSIONS = 1500, ANSWERS = 4 };
    static const int64_t answers[ANSWERS] = {997, 1002, 999, 1001};
    const double a = exp(-0.5), b = exp(-0.25);
    double law[ANSWERS + 1] = {0}, chi = 0;
    unsigned long seen[ANSWERS + 1] = {0};
    for (long t = -200; t <= 200; t++) {
        double below = (1 - a) / (1 + a) * pow(a, (double)labs(t));
        for (size_t k = 0; k < ANSWERS; k++) {
            law[k] += below * upper(b, t - (long)(answers[k] - 1000));
            below *= 1 - upper(b, t - (long)(answers[k] - 1000));
        }
        law[ANSWERS] += below;
    }
    for (int i = 0; i < SESSIONS; i++) {
        pby_reply reply[ANSWERS];
        size_t taken;
        cr_assert_eq(make("above:eps=1", 1000, NULL), PBY_OK);
        pby_session *s = open_it();
        cr_assert_eq(pby_session_ask(s, answers, ANSWERS, reply, &taken, NULL), PBY_OK);
        seen[reply[taken - 1].above ? taken - 1 : ANSWERS]++;
        pby_session_close(s);
        unlink(file);
    }
    for (size_t k = 0; k <= ANSWERS; k++)
        chi += pow((double)seen[k] - SESSIONS * law[k], 2) / (SESSIONS * law[k]);
    cr_assert_lt(chi, 41.4);
}

/* A value has fresh geometric noise: with rate 40 it is the answer itself. */
Test(session, a_value_is_the_answer_with_noise)
{
    static const int64_t answers[] = {0, 5000};
    pby_reply reply[2];
    size_t taken;
    cr_assert_eq(make("above:eps=1 geometric:eps=40", 1000, NULL), PBY_OK);
    pby_session *s = open_it();
    cr_assert_eq(pby_session_ask(s, answers, 2, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(taken, 2);
    cr_assert(!reply[0].above && !reply[0].has_value);
    cr_assert(reply[1].above && reply[1].has_value && reply[1].value == 5000);
    cr_assert_eq(pby_session_tops(s), 1);
    cr_assert_eq(pby_session_top(&reply[0], s, 0), 2);
    cr_assert(reply[0].above && reply[0].value == 5000);
    pby_session_close(s);
}

/* ---- halting ---------------------------------------------------------------------------------- */

Test(session, it_halts_after_its_uses)
{
    static const int64_t far[] = {1000000, 1000000, 1000000, 1000000};
    pby_reply reply[4];
    pby_error err;
    size_t taken;
    cr_assert_eq(make("2*above:eps=1", 0, NULL), PBY_OK);
    pby_session *s = open_it();
    cr_assert_eq(pby_session_left(s), 2);
    cr_assert_eq(pby_session_ask(s, far, 4, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(taken, 1, "each use ends with its positive answer");
    cr_assert_eq(pby_session_ask(s, far, 4, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(pby_session_left(s), 0);
    cr_assert_eq(pby_session_ask(s, far, 4, reply, &taken, &err), PBY_NO);
    cr_assert_eq(taken, 0);
    cr_assert_not_null(strstr(err.text, "halted"));
    cr_assert_eq(pby_session_asked(s), 2);
    pby_session_close(s);
    s = open_it();
    cr_assert_eq(pby_session_ask(s, far, 1, reply, &taken, NULL), PBY_NO, "another process neither");
    pby_session_close(s);
}

Test(session, an_end_forgets_the_noise)
{
    static const int64_t zero = 0;
    pby_reply reply;
    size_t taken;
    cr_assert_eq(make("above:eps=1/1000", 0, NULL), PBY_OK);
    pby_session *s = open_it();
    cr_assert_eq(pby_session_end(s, NULL), PBY_OK);
    cr_assert_eq(pby_session_ask(s, &zero, 1, &reply, &taken, NULL), PBY_NO);
    pby_session_close(s);
    char text[512] = "";
    FILE *in = fopen(file, "r");
    cr_assert_not_null(fgets(text, sizeof text, in));
    fclose(in);
    cr_assert_not_null(strstr(text, "\"noise\":0,"), "%s", text);
}

/* ---- the file --------------------------------------------------------------------------------- */

/* The threshold's noise is drawn once: questions that stay below leave it as it was, in whatever process. */
Test(session, the_noise_of_the_threshold_stays)
{
    static const int64_t low[] = {-1000000, -1000000};
    pby_reply reply[2];
    size_t taken;
    char before[512], after[512];
    cr_assert_eq(make("3*above:eps=1/100", 0, NULL), PBY_OK);
    FILE *in = fopen(file, "r");
    cr_assert_not_null(fgets(before, sizeof before, in));
    fclose(in);
    for (int i = 0; i < 3; i++) {
        pby_session *s = open_it();
        cr_assert_eq(pby_session_ask(s, low, 2, reply, &taken, NULL), PBY_OK);
        cr_assert_eq(taken, 2);
        pby_session_close(s);
    }
    in = fopen(file, "r");
    cr_assert_not_null(fgets(after, sizeof after, in));
    fclose(in);
    const char *one = strstr(before, "\"noise\""), *two = strstr(after, "\"noise\"");
    cr_assert_eq(strncmp(one, two, strcspn(one, ",")), 0);
    cr_assert_not_null(strstr(after, "\"asked\":6,"));
}

Test(session, one_process_at_a_time_and_only_the_owner)
{
    struct stat about;
    pby_session *other;
    pby_error err;
    cr_assert_eq(make("above:eps=1", 0, NULL), PBY_OK);
    cr_assert_eq(stat(file, &about), 0);
    cr_assert_eq(about.st_mode & 0777, 0600);
    pby_session *s = open_it();
    cr_assert_eq(pby_session_open(&other, file, &err), PBY_FAILED);
    cr_assert_not_null(strstr(err.text, "another process"));
    static const int64_t low = -1000000;
    pby_reply reply;
    size_t taken;
    cr_assert_eq(pby_session_ask(s, &low, 1, &reply, &taken, NULL), PBY_OK);
    cr_assert_eq(pby_session_open(&other, file, &err), PBY_FAILED, "the new file is locked as well");
    pby_session_close(s);
    s = open_it();
    pby_session_close(s);
}

Test(session, damage_and_strangers_are_refused)
{
    pby_session *s;
    pby_error err;
    char text[512];
    cr_assert_eq(make("above:eps=1", 7, NULL), PBY_OK);
    FILE *in = fopen(file, "r");
    cr_assert_not_null(fgets(text, sizeof text, in));
    fclose(in);
    const size_t size = strlen(text);
    for (size_t i = 0; i < size; i++) {
        const char kept = text[i];
        text[i] = kept == '1' ? '2' : '1';
        pby_write_file(file, text);
        cr_assert_eq(pby_session_open(&s, file, &err), PBY_BAD, "byte %zu", i);
        cr_assert_null(s);
        text[i] = kept;
    }
    pby_write_file(file, "{}");
    cr_assert_eq(pby_session_open(&s, file, &err), PBY_BAD);
    pby_write_file(file, "");
    cr_assert_eq(pby_session_open(&s, file, &err), PBY_BAD);
    unlink(file);
    cr_assert_eq(pby_session_open(&s, file, &err), PBY_BAD);
}

/* ---- refusals --------------------------------------------------------------------------------- */

Test(session, refusals)
{
    pby_error err;
    cr_assert_eq(make("geometric:eps=1", 0, &err), PBY_BAD);
    cr_assert_eq(make("2*above:eps=1 geometric:eps=1", 0, &err), PBY_BAD, "as many values as answers");
    cr_assert_eq(make("above:eps=1 above:eps=2", 0, &err), PBY_BAD);
    cr_assert_eq(make("above:eps=1", PBY_SESSION_ANSWER_MAX + 1, &err), PBY_BAD);
    cr_assert_eq(access(file, F_OK), -1);
    cr_assert_eq(make("above:eps=1", PBY_SESSION_ANSWER_MAX, &err), PBY_OK);
    cr_assert_eq(make("above:eps=1", 0, &err), PBY_BAD, "a file is not written over");
    pby_session *s = open_it();
    const int64_t answers[] = {0, PBY_SESSION_ANSWER_MAX + 1};
    pby_reply reply[2];
    size_t taken;
    cr_assert_eq(pby_session_ask(s, answers, 2, reply, &taken, &err), PBY_BAD);
    cr_assert_eq(taken, 0);
    cr_assert_null(strstr(err.text, "2305843009213693953"), "an answer is nobody's to see");
    cr_assert_eq(pby_session_asked(s), 0);
    pby_session_close(s);
}

/* Without budget there is no session, and no file. */
Test(session, a_ledger_is_charged_at_once)
{
    char path[PBY_PATH_SIZE];
    pby_ledger *ledger;
    pby_error err;
    pby_folder_path(path, folder, "ledger");
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", path, "--epsilon", "1", "--delta", "1e-6");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK);
    pby_spec *spec = spec_of("4*above:eps=1/4");
    cr_assert_eq(pby_session_create_from(file, spec, 0, ledger, source, &err), PBY_OK, "%s", err.text);
    unlink(file);
    cr_assert_eq(pby_session_create_from(file, spec, 0, ledger, source, &err), PBY_NO);
    cr_assert_eq(access(file, F_OK), -1);
    pby_spec_free(spec);
    pby_ledger_close(ledger);
}

/* ---- the sparse vector ------------------------------------------------------------------------ */

/* Which of three answers are above, two at most under one threshold, over 1500 sessions with Gaussian noise,
 * against the exact law of the 7 outputs: chi-square with 6 degrees of freedom is above 46.3 with a chance of
 * 3e-8. The stream is seeded. */
Test(session, several_answers_share_a_threshold)
{
    enum { SESSIONS = 1500, ANSWERS = 3, WORDS = 16, FAR = 60 };
    static const int64_t answers[ANSWERS] = {999, 1001, 1002};
    double law[WORDS] = {0}, chi = 0, n1 = 0, n2 = 0;
    unsigned long seen[WORDS] = {0};
    for (long t = -FAR; t <= FAR; t++)
        n1 += exp(-(double)(t * t) / 8), n2 += exp(-(double)(t * t) / 18);
    for (long z = -FAR; z <= FAR; z++)
        for (int word = 0; word < 1 << ANSWERS; word++) {
            double chance = exp(-(double)(z * z) / 8) / n1;
            int at = 1, tops = 0;
            for (int k = 0; k < ANSWERS && tops < 2; k++) {
                double yes = 0;
                const int top = word >> k & 1;
                for (long v = z - (long)(answers[k] - 1000); v <= 3 * FAR; v++)
                    yes += exp(-(double)(v * v) / 18) / n2;
                chance *= top ? yes : 1 - yes;
                tops += top;
                at = 2 * at + top;
            }
            /* words that differ behind the end are one */
            if (at >= 8 || word < 4)
                law[at] += chance;
        }
    for (int i = 0; i < SESSIONS; i++) {
        pby_reply reply[ANSWERS];
        size_t done = 0, taken;
        int at = 1;
        cr_assert_eq(make("sparse:sigma2=4,answer-sigma2=9,tops=2,questions=3", 1000, NULL), PBY_OK);
        pby_session *s = open_it();
        while (done < ANSWERS && pby_session_left(s) > 0) {
            cr_assert_eq(pby_session_ask(s, answers + done, ANSWERS - done, reply, &taken, NULL), PBY_OK);
            for (size_t k = 0; k < taken; k++)
                at = 2 * at + reply[k].above;
            done += taken;
        }
        cr_assert_eq(pby_session_left(s), 0, "two above or three questions end it");
        seen[at]++;
        pby_session_close(s);
        unlink(file);
    }
    double sum = 0;
    for (int at = 0; at < WORDS; at++) {
        sum += law[at];
        if (law[at] > 0)
            chi += pow((double)seen[at] - SESSIONS * law[at], 2) / (SESSIONS * law[at]);
        else
            cr_assert_eq(seen[at], 0);
    }
    cr_assert_float_eq(sum, 1, 1e-9);
    cr_assert_lt(chi, 46.3);
}

/* Stages of two tops and three questions: what a stage has not given is lost, and a threshold is drawn for
 * the next one alone. */
Test(session, stages_end_with_their_questions)
{
    static const int64_t low[] = {-1000000, -1000000, -1000000, -1000000}, high[] = {1000000, 1000000};
    pby_reply reply[4];
    size_t taken;
    cr_assert_eq(make("3*sparse:sigma2=4,tops=2,questions=3", 0, NULL), PBY_OK);
    pby_session *s = open_it();
    cr_assert_eq(pby_session_left(s), 6);
    cr_assert_eq(pby_session_ask(s, low, 4, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(taken, 3, "no further than the stage");
    cr_assert_eq(pby_session_left(s), 4);
    cr_assert_eq(pby_session_ask(s, high, 2, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(taken, 1);
    pby_session_close(s);
    s = open_it();
    cr_assert_eq(pby_session_left(s), 3, "another process goes on");
    cr_assert_eq(pby_session_ask(s, low, 4, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(taken, 2, "one question of the stage was asked before");
    cr_assert_eq(pby_session_left(s), 2);
    cr_assert_eq(pby_session_ask(s, high, 2, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(pby_session_ask(s, high, 2, reply, &taken, NULL), PBY_OK);
    cr_assert_eq(pby_session_left(s), 0);
    cr_assert_eq(pby_session_ask(s, high, 2, reply, &taken, NULL), PBY_NO);
    cr_assert_eq(pby_session_tops(s), 3);
    pby_session_close(s);
}

static int64_t noise_in_file(void)
{
    char text[1024] = "";
    FILE *in = fopen(file, "r");
    cr_assert_not_null(fgets(text, sizeof text, in));
    fclose(in);
    const char *at = strstr(text, "\"noise\":");
    cr_assert_not_null(at);
    return strtoll(at + strlen("\"noise\":"), NULL, 10);
}

/* A threshold serves its tops: its noise stays what it is until they are given. With such a variance two
 * draws are equal with a chance of less than 1e-9. */
Test(session, a_threshold_stays_for_its_tops)
{
    static const int64_t high = (int64_t)1 << 60;
    pby_reply reply;
    size_t taken;
    cr_assert_eq(make("2*sparse:sigma2=1000000000000000000000,tops=2,questions=9", 0, NULL), PBY_OK);
    const int64_t first = noise_in_file();
    pby_session *s = open_it();
    cr_assert_eq(pby_session_ask(s, &high, 1, &reply, &taken, NULL), PBY_OK);
    cr_assert(reply.above);
    cr_assert_eq(noise_in_file(), first);
    cr_assert_eq(pby_session_ask(s, &high, 1, &reply, &taken, NULL), PBY_OK);
    cr_assert_neq(noise_in_file(), first);
    pby_session_close(s);
}

/* An answer far below the gap is as one at it: of 400 sessions some are above at once, and without the raise
 * none would be, with a chance of at least 1 - 1e-9. */
Test(session, a_gap_raises_answers)
{
    static const int64_t low = -1000000;
    int above = 0;
    for (int i = 0; i < 400; i++) {
        pby_reply reply;
        size_t taken;
        cr_assert_eq(make("sparse:sigma2=4,gap=2", 0, NULL), PBY_OK);
        pby_session *s = open_it();
        cr_assert_eq(pby_session_ask(s, &low, 1, &reply, &taken, NULL), PBY_OK);
        above += reply.above;
        pby_session_close(s);
        unlink(file);
    }
    cr_assert(above > 60 && above < 250, "%d", above);
}

Test(session, values_of_a_sparse_vector_are_one_for_each_top)
{
    pby_error err;
    cr_assert_eq(make("2*sparse:rate=1,tops=2 4*geometric:eps=1", 0, NULL), PBY_OK);
    unlink(file);
    cr_assert_eq(make("2*sparse:rate=1,tops=2 2*geometric:eps=1", 0, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "for each of its tops"), "%s", err.text);
}

/* ---- digests ------------------------------------------------------------------------------------ */

/* Each answer has a new one, the last 256 are known, and no draw of the noise depends on them. */
Test(session, the_last_digests_are_known)
{
    enum { ASKED = PBY_SESSION_DIGESTS + 3 };
    static char digest[ASKED + 1][65];
    pby_error err;
    cr_assert_eq(make("above:eps=100", 1000000, NULL), PBY_OK);
    pby_session *s = open_it();
    for (int i = 0; i <= ASKED; i++) {
        pby_reply reply;
        size_t taken;
        snprintf(digest[i], sizeof digest[i], "%s", pby_session_digest(s));
        cr_assert_eq(strlen(digest[i]), 64);
        cr_assert(i == 0 || strcmp(digest[i], digest[i - 1]) != 0);
        if (i < ASKED)
            cr_assert_eq(pby_session_ask(s, &(int64_t){0}, 1, &reply, &taken, NULL), PBY_OK);
    }
    pby_session_close(s);
    s = open_it();
    for (int i = 0; i <= ASKED; i++)
        cr_assert_eq(pby_session_after(s, digest[i], &err),
                     i <= ASKED - PBY_SESSION_DIGESTS ? PBY_BAD : PBY_OK, "%d", i);
    cr_assert_eq(pby_session_after(s, "00", &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "after '00': expected a digest"), "%s", err.text);
    pby_session_close(s);
}
