/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

/* At this rate the best of these is missed with a chance below 1e-17. */
#define SURE "exponential:eps=100"

Test(candidates, rows_in_and_a_name_out)
{
    const pby_run *r = PBY_RUN("city,score\nparis,3\n\"rome, it\",4.5\r\noslo,-7/3\n", "release", SURE);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "city\n\"rome, it\"\n");
    cr_assert_not_null(strstr(r->err, "each line is a candidate and its score; no record moves a score"),
                       "%s", r->err);
    r = PBY_RUN("paris,3\nrome,\"1e1\"", "release", SURE, "--json", "--quiet");
    cr_assert_not_null(strstr(r->out, "{\"release\": [{\"key\": \"rome\"}]"), "%s", r->out);
    cr_assert_str_empty(r->err);
}

Test(candidates, a_bad_row_is_refused_without_its_score)
{
    PBY_REFUSED(2, "standard input: line 2, column 2: expected a score", "a,1\nb,0x9\n", "release", SURE);
    PBY_REFUSED(2, "line 3, column 2: expected a score", "h,score\na,1\nb,nan\n", "release", SURE);
    PBY_REFUSED(2, "line 1, column 2: expected a score",
                "a,12345678901234567890123456789012345678901234567\n", "release", SURE);
    PBY_REFUSED(2, "line 2, column 1: expected a candidate once; this is a duplicate", "a,1\na,2\n",
                "release", SURE);
    PBY_REFUSED(2, "line 1, column 1: expected a line CANDIDATE,SCORE", "", "release", SURE);
    PBY_REFUSED(2, "line 2, column 1: expected a line CANDIDATE,SCORE", "a,score\n", "release", SURE);
    PBY_REFUSED(2, "line 2", "a,1\nb\n", "release", SURE);
    const pby_run *r = PBY_RUN("a,1\nb,777777x\n", "release", SURE);
    cr_assert_null(strstr(r->err, "777777"), "%s", r->err);
}

Test(candidates, histogram_options_are_refused)
{
    PBY_REFUSED(2, "--statistic", "a,1\n", "release", SURE, "--statistic", "max");
    PBY_REFUSED(2, "--truncate", "a,1\n", "release", SURE, "--truncate", "3");
    PBY_REFUSED(2, "--filter", "a,1\n", "release", SURE, "--filter", "list.txt");
    PBY_REFUSED(2, "a timing-safe release", "a,1\n", "release", SURE, "--timing-safe");
}

Test(candidates, a_ledger_is_charged)
{
    char folder[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(ledger, folder, "census.ledger");
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "1e-6");
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN("a,1\nb,2\n", "release", "exponential:eps=1", "--ledger", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    PBY_REFUSED(1, "would overspend", "a,1\nb,2\n", "release", "exponential:eps=1", "--ledger", ledger);
    pby_folder_remove(folder);
}

/* Audits releases of two pairs of scores, of candidates a and b. The releases are unseeded. A claim that
 * holds is refuted with a chance of at most 1e-10, and one that does not is missed with a smaller one: the
 * lower bound lies 9 standard deviations or more above it. */
static const pby_run *audit(const char *spec, const char *scores, const char *others, const char *epsilon)
{
    char folder[PBY_PATH_SIZE], left[PBY_PATH_SIZE], right[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(left, folder, "left.csv");
    pby_folder_path(right, folder, "right.csv");
    pby_write_file(left, scores);
    pby_write_file(right, others);
    const pby_run *r = PBY_RUN(NULL, "audit", "--release", spec, "--inputs", left, right, "-n", "3000",
                               "--epsilon", epsilon, "--error", "1e-10");
    pby_folder_remove(folder);
    return r;
}

/* Neighbours whose loss is 1/2 of the claim pass the audit; a claim far below the loss does not. */
Test(candidates, an_audit_of_releases)
{
    const pby_run *r = audit("exponential:eps=2", "a,0\nb,0\n", "a,1\nb,-1\n", "2");
    cr_assert_eq(r->status, 0, "%s%s", r->out, r->err);
    r = audit("exponential:eps=2", "a,0\nb,0\n", "a,1\nb,-1\n", "1/10");
    cr_assert_eq(r->status, 1, "%s%s", r->out, r->err);
}

/* Report noisy max takes integers alone, and says so. */
Test(candidates, noisy_max)
{
    const pby_run *r = PBY_RUN("city,votes\nparis,3\nrome,4000\n", "release", "noisymax:eps=100", "--quiet");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "city\nrome\n");
    PBY_REFUSED(2,
                "standard input: line 2, column 2: expected a score that is an integer of at most 40 digits",
                "a,1\nb,5/2\n", "release", "noisymax:eps=1");
    PBY_REFUSED(2, "a timing-safe release", "a,1\n", "release", "noisymax:eps=1", "--timing-safe");
    PBY_REFUSED(2, "scores=general", NULL, "certify", "noisymax:eps=1,scores=monotone", "--epsilon", "1",
                "--neighbours", "substitute");
    PBY_REFUSED(2, "rate of the noise", "a,1\n", "release", "noisymax:eps=1e-13");
    PBY_REFUSED(2, "noisymax:noise 'both'", NULL, "loss", "noisymax:eps=1,noise=both", "--epsilon", "1");
    r = PBY_RUN("a,9\nb,1000000000000000000000000000000\n", "draw", "noisymax:eps=1,noise=one-sided",
                "--scores", "-", "-n", "3");
    cr_assert_str_eq(r->out, "b\nb\nb\n", "%s", r->err);
}

/* The best of these is missed with a chance below 1e-17. */
Test(candidates, permute_and_flip)
{
    const pby_run *r =
        PBY_RUN("city,score\nparis,3\nrome,4.5\n", "release", "permuteflip:eps=100", "--quiet");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "city\nrome\n");
    PBY_REFUSED(2, "a timing-safe release", "a,1\n", "release", "permuteflip:eps=1", "--timing-safe");
    PBY_REFUSED(2, "scores=general", NULL, "certify", "permuteflip:eps=1,scores=monotone", "--epsilon", "1",
                "--neighbours", "substitute");
    r = PBY_RUN(NULL, "accuracy", "permuteflip:eps=1", "--support", "100", "--gamma", "1/100");
    cr_assert_not_null(strstr(r->out, "release     (0, 17.0010207, 0.00999999951)"), "%s%s", r->out, r->err);
}

/* Two answers that move against each other lose twice what monotone ones do: an audit shows it. */
Test(candidates, an_audit_of_noisy_max)
{
    const pby_run *r = audit("noisymax:eps=1,noise=one-sided", "a,0\nb,0\n", "a,-1\nb,1\n", "1");
    cr_assert_eq(r->status, 0, "%s%s", r->out, r->err);
    r = audit("noisymax:eps=1,scores=monotone,noise=one-sided", "a,0\nb,0\n", "a,-1\nb,1\n", "1");
    cr_assert_eq(r->status, 1, "%s%s", r->out, r->err);
}

/* Two equal candidates, one of which falls behind, lose eps itself. */
Test(candidates, an_audit_of_permute_and_flip)
{
    const pby_run *r = audit("permuteflip:eps=2", "a,0\nb,0\n", "a,-1\nb,1\n", "2");
    cr_assert_eq(r->status, 0, "%s%s", r->out, r->err);
    r = audit("permuteflip:eps=2", "a,0\nb,0\n", "a,-1\nb,1\n", "1");
    cr_assert_eq(r->status, 1, "%s%s", r->out, r->err);
}

/* Some hundred thousand candidates, each with a score of its own. */
Test(candidates, a_hundred_thousand)
{
    enum { MANY = 100000 };
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "scores.csv");
    FILE *out = fopen(path, "w");
    for (int i = 0; i < MANY; i++)
        fprintf(out, "c%d,%d.%03d\n", i, (i * 7919) % MANY, i % 1000);
    fclose(out);
    const pby_run *r = PBY_RUN(NULL, "draw", "exponential:eps=1/10", "--scores", path, "-n", "2000");
    cr_assert_eq(r->status, 0, "%s", r->err);
    /* weights fall by exp(1/20) a step: 2000 below the best has a chance below 1e-40 */
    for (const char *at = r->out; *at != '\0'; at = strchr(at, '\n') + 1)
        cr_assert_geq((strtol(at + 1, NULL, 10) * 7919) % MANY, MANY - 2000);
    pby_folder_remove(folder);
}

/* A score outside the range counts as its nearer end: here both are the best. */
Test(candidates, a_range_holds_scores)
{
    int seen[2] = {0, 0};
    for (int i = 0; i < 60; i++) { /* all alike with a chance of 2^-59 */
        const pby_run *r = PBY_RUN("a,7\nb,1000000\nc,-1000\n", "release", SURE, "--range", "0:7", "--quiet");
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert(strcmp(r->out, "a\n") == 0 || strcmp(r->out, "b\n") == 0, "%s", r->out);
        seen[r->out[0] == 'b']++;
    }
    cr_assert(seen[0] > 0 && seen[1] > 0);
    PBY_REFUSED(2, "--range '7:0': expected LO:HI", "a,7\n", "release", SURE, "--range", "7:0");
    PBY_REFUSED(2, "--range '7': expected LO:HI", "a,7\n", "release", SURE, "--range", "7");
    PBY_REFUSED(2, "--range: expected a mechanism that chooses a candidate", "a,7\n", "release",
                "geometric:eps=1", "--range", "0:7");
}
