/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier_plan.h"

#include <criterion/criterion.h>
#include <string.h>

#define AUDIT                                                                         \
    "{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"m {input}\", " \
    "\"inputs\": [\"0\", \"1\"], \"outputs\": 10}"
#define PLAN(audits)                                                    \
    "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", " \
    "\"scope\": \"s\", \"audits\": [" audits "]}"

static pby_status read(pby_audit_plan **plan, const char *text, pby_error *err)
{
    json_t *root = json_loads(text, 0, NULL);
    cr_assert_not_null(root, "%s", text);
    const pby_status status = pby_audit_plan_new(plan, root, true, err);
    json_decref(root);
    return status;
}

Test(plan, audits_share_the_error)
{
    pby_audit_plan *plan;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(read(&plan,
                      "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", "
                      "\"error\": \"3/100\", \"audits\": [" AUDIT ", {\"name\": \"b\", \"claim\": "
                      "{\"epsilon\": \"1/2\", \"delta\": \"1e-5\"}, \"release\": \"rr:eps=1\", "
                      "\"search\": \"counts:n=2,to=3\", \"pairs\": 7, \"outputs\": 20, \"keep\": true}, "
                      "{\"name\": \"c\", \"claim\": {\"epsilon\": \"0\"}, \"command\": \"{input}\", "
                      "\"neighbours\": \"substitute\", \"features\": \"-bits\", "
                      "\"search\": \"records:n=2,from=0,to=3\", \"outputs\": 20}]}",
                      &err),
                 PBY_OK, "%s", err.text);
    cr_assert_eq(plan->audits, 3);
    cr_assert_eq(mpq_cmp_ui(plan->share, 1, 100), 0);
    const pby_planned_audit *b = &plan->audit[1];
    cr_assert_eq(mpq_cmp_ui(b->delta, 1, 100000), 0);
    cr_assert(b->keep && b->pairs == 7 && b->outputs == 20 && b->command == NULL);
    cr_assert_eq(b->neighbours, PBY_LOCAL);
    cr_assert_eq(plan->audit[2].neighbours, PBY_SUBSTITUTE);
    cr_assert(plan->audit[0].neighbours == PBY_ADD_REMOVE && plan->audit[0].pairs == 0);
    pby_audit_plan_free(plan);
}

/* Two audits that differ in anything, the share of the error included, have two digests. */
Test(plan, a_digest_is_of_what_is_asked)
{
    static const char *const plans[] = {
        PLAN(AUDIT),
        PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"m {input}\", \"inputs\": "
             "[\"0\", "
             "\"1\"], \"outputs\": 11}"),
        "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", \"error\": "
        "\"1e-7\", "
        "\"audits\": [" AUDIT "]}"};
    char digest[3][PBY_PLAN_DIGEST_SIZE];
    for (size_t i = 0; i < 3; i++) {
        pby_audit_plan *plan;
        cr_assert_eq(read(&plan, plans[i], NULL), PBY_OK);
        cr_assert_eq(pby_audit_plan_digest(digest[i], plan, &plan->audit[0], NULL), PBY_OK);
        pby_audit_plan_free(plan);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(digest[i], digest[j]);
    }
}

/* An audit of canaries; and such of many runs, but for its end. */
#define CANARIES(epsilon, canaries) \
    "{\"name\": \"a\", \"claim\": {\"epsilon\": \"" epsilon "\"}, \"canaries\": " canaries "}"
#define RUNS \
    "{\"runs\": {\"true_positive\": 3, \"false_positive\": 1, \"true_negative\": 3, \"false_negative\": 1}"

Test(plan, what_is_no_plan_is_refused_by_its_place)
{
    static const char *const refused[][2] = {
        {"[]", "format: expected a JSON object"},
        {"{\"format\": \"probity-plan\", \"version\": 2}", "version: expected 1"},
        {"{\"format\": \"probity-plan\", \"version\": 1, \"scope\": \"s\", \"audits\": [" AUDIT "]}",
         "title: expected a text"},
        {"{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"a\\nb\", \"scope\": \"s\", "
         "\"audits\": [" AUDIT "]}",
         "title: expected one line"},
        {"{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"a\\u001b[2J\", \"scope\": \"s\", "
         "\"audits\": [" AUDIT "]}",
         "title: expected a text, without control"},
        {"{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", \"error\": "
         "\"1/2\", "
         "\"audits\": [" AUDIT "]}",
         "error '1/2': expected a rational above 0"},
        {"{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", "
         "\"not_looked_at\": "
         "[1], \"audits\": [" AUDIT "]}",
         "not_looked_at: expected a list of texts"},
        {PLAN(""), "audits: expected a list of 1 to 1000"},
        {PLAN(AUDIT "," AUDIT), "audits[1].name 'a': expected a name that no other audit has"},
        {PLAN("{\"name\": \"../a\"}"), "audits[0].name '../a': expected small letters"},
        {PLAN("{\"name\": \"a\", \"more\": 1}"), "audits[0].member 'more': expected one that a plan has"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"-1\"}}"),
         "audits[0].claim.epsilon '-1': expected"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": 1}}"), "audits[0].claim.epsilon: expected a text"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\", \"delta\": \"1\"}}"),
         "audits[0].claim.delta '1': expected"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"m\", \"inputs\": "
              "[\"0\", \"1\"]}"),
         "audits[0].command 'm': expected {input}"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"inputs\": [\"0\", \"1\"]}"),
         "audits[0].command: expected one of it, release, files and canaries"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"files\": [\"l\", \"r\"], "
              "\"release\": \"rr:eps=1\"}"),
         "audits[0].command: expected one of it, release, files and canaries"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"files\": [\"l\"]}"),
         "audits[0].files: expected a list of two texts"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"files\": [\"l\", \"r\"], "
              "\"outputs\": 5}"),
         "audits[0].outputs: expected it without files"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"m {input}\", "
              "\"inputs\": [\"0\", \"1\"], \"outputs\": 10, \"columns\": \"x\"}"),
         "audits[0].columns: expected it together with files"},
        {PLAN(CANARIES("1", "{}")), "audits[0].canaries: expected an object with one of scores"},
        {PLAN(CANARIES("1", "{\"scores\": [\"a\"]}")), "audits[0].canaries.scores: expected a list of two"},
        {PLAN(CANARIES("1", "{\"guesses\": {\"correct\": 1, \"made\": 2}}")),
         "audits[0].canaries.guesses.canaries: expected an integer from 0"},
        {PLAN(CANARIES("1", "{\"guesses\": {\"correct\": -1, \"made\": 2, \"canaries\": 3}}")),
         "audits[0].canaries.guesses.correct: expected an integer from 0"},
        {PLAN(CANARIES("1", "{\"runs\": 5}")), "audits[0].canaries.runs: expected an object with counts"},
        {PLAN(CANARIES("1", "{\"more\": 5}")), "audits[0].canaries.member 'more'"},
        {PLAN(CANARIES("1", RUNS "}, \"neighbours\": \"substitute\"")),
         "audits[0].neighbours 'substitute': expected add-remove"},
        {PLAN(CANARIES("1", RUNS "}, \"outputs\": 5")), "audits[0].outputs: expected it without canaries"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"rho\": \"1\"}, \"canaries\": " RUNS "}}"),
         "audits[0].claim: expected epsilon and delta"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"release\": \"nothing:eps=1\"}"),
         "nothing"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"{input}\"}"),
         "audits[0].inputs: expected it or search"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"{input}\", \"inputs\": "
              "[\"0\"]}"),
         "audits[0].inputs: expected a list of two"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"{input}\", \"search\": "
              "\"values:n=0\"}"),
         "audits[0].search: "},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"{input}\", \"inputs\": "
              "[\"0\", "
              "\"1\"], \"pairs\": 3}"),
         "audits[0].pairs: expected it together with search"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"{input}\", \"inputs\": "
              "[\"0\", "
              "\"1\"], \"outputs\": 0}"),
         "audits[0].outputs: expected an integer from 1"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"{input}\", \"inputs\": "
              "[\"0\", "
              "\"1\"], \"outputs\": 9, \"features\": \"colour\"}"),
         "audits[0].features"},
        {PLAN("{\"name\": \"a\", \"claim\": {\"epsilon\": \"1\"}, \"command\": \"{input}\", \"inputs\": "
              "[\"0\", "
              "\"1\"], \"outputs\": 9, \"keep\": \"yes\"}"),
         "audits[0].keep: expected true or false"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        pby_audit_plan *plan;
        pby_error err = PBY_NO_ERROR;
        cr_expect_eq(read(&plan, refused[i][0], &err), PBY_BAD, "%s", refused[i][0]);
        cr_expect_null(plan);
        cr_expect_not_null(strstr(err.text, refused[i][1]), "%s: %s", refused[i][1], err.text);
    }
}
