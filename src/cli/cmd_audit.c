/* SPDX-License-Identifier: MIT */
#include "cli/cmd_audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/kind.h"
#include "audit/run/date.h"
#include "audit/run/run_publish.h"
#include "audit/timing/times.h"
#include "base/json.h"
#include "base/printed.h"
#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "probity/experimental/search.h"
#include "probity/rational.h"
#include "release/databases.h"

enum {
    EPSILON,
    DELTA,
    RHO,
    MU,
    ERROR,
    JSON,
    REPORT,
    COMMAND,
    COMMAND_SECONDS,
    RELEASE,
    INPUTS,
    COUNT,
    LAW,
    COUNTS,
    COUNT_TO,
    SEQUENTIAL,
    STATE,
    CERTIFIED,
    NEIGHBOURS,
    QUERIES,
    FEATURES,
    COLUMNS,
    NAME,
    KEEP,
    SCORES,
    GUESSES,
    RUNS,
    SEARCH,
    PAIRS,
    DOSSIER,
    SIGN,
    PAGE,
    TIME,
    TRACE,
    RECORDED,
    SLACK,
    ASSUME_FIXED,
    ALLOW_SEEDS,
    SARIF,
    OPTIONS
};

/* Ways to bring outputs; they exclude each other. */
enum { SOURCE = 1 };

static const unsigned long outputs_max = 1000000000000;

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {.name = "--epsilon",
                 .shown = "E",
                 .expected = "a rational from 0 on",
                 .help = "the claimed epsilon, a rational from 0 on"},
    [DELTA] = {.name = "--delta",
               .shown = "D",
               .expected = "a rational from 0 to below 1",
               .help = "the claimed delta (0)"},
    [RHO] = {.name = "--rho",
             .shown = "R",
             .expected = "a rational above 0 and at most 100",
             .help = "in place of --epsilon and --delta: a claim of zCDP"},
    [MU] = {.name = "--mu",
            .shown = "M",
            .expected = "a rational above 0 and at most 14",
            .help = "in their place: a claim of Gaussian differential privacy"},
    [ERROR] = {.name = "--error",
               .shown = "A",
               .expected = "a rational above 0 and below 1/2",
               .help = "the allowed probability of a false accusation (1e-6)"},
    [JSON] = {.name = "--json",
              .help = "one JSON object: verdict, epsilon_lower (at D), delta_lower (at E), event, ..."},
    [REPORT] = {.name = "--report",
                .shown = "FILE",
                .expected = "a file for the HTML page",
                .completes = "file",
                .help = "an HTML page with the verdict"},
    [COMMAND] = {.name = "--command",
                 .shown = "CMD",
                 .expected = "a command that prints {n} outputs for {input}",
                 .alternative = SOURCE,
                 .help =
                     "runs CMD through /bin/sh with {input} replaced by LEFT and by RIGHT, and {n} by N; it "
                     "prints N outputs"},
    [COMMAND_SECONDS] =
        {.name = "--command-seconds",
         .shown = "S",
         .expected = "an integer from 1 to 1000000",
         .help = "the seconds of silence after which a --command is ended, with all that it has started "
                 "(60)"},
    [RELEASE] = {.name = "--release",
                 .shown = "SPEC",
                 .expected = "a SPEC to release two CSV files with",
                 .alternative = SOURCE,
                 .completes = "spec",
                 .help = "releases LEFT.csv and RIGHT.csv, with invented data, N times each"},
    [INPUTS] = {.name = "--inputs",
                .help = "the operands are inputs of --command or --release, and not outputs"},
    [COUNT] = {.name = "-n",
               .shown = "N",
               .expected = "an integer from 1 to 1000000000000",
               .help = "the number of outputs for each input"},
    [LAW] = {.name = "--law",
             .shown = "SPEC",
             .expected = "a SPEC with a noise law",
             .alternative = SOURCE,
             .completes = "spec",
             .help = "tests whether integers follow the noise of a SPEC"},
    [COUNTS] = {.name = "--counts", .alternative = SOURCE, .help = "merges and judges files of counts"},
    [COUNT_TO] = {.name = "--count-to",
                  .shown = "FILE",
                  .expected = "a file for the counts",
                  .completes = "file",
                  .help = "writes the counts, for --counts; judges only with a claim"},
    [SEQUENTIAL] = {.name = "--sequential", .help = "judges while outputs arrive, and stops at a violation"},
    [STATE] = {.name = "--state",
               .shown = "FILE",
               .expected = "a file that keeps the state",
               .completes = "file",
               .help = "of --sequential: keeps the state, and resumes from it"},
    [CERTIFIED] = {.name = "--certified",
                   .shown = "SPEC",
                   .expected = "a SPEC",
                   .completes = "spec",
                   .help = "a certified curve beside the evidence in the report"},
    [FEATURES] = {.name = "--features",
                  .shown = "KINDS",
                  .expected = "kinds of event such as value,tail or -bits",
                  .completes = "output shape order value tail bits score",
                  .help =
                      "judges only these kinds of event, with commas between, or all except those with -: "
                      "output, shape, order, value, tail, bits, score (docs/audit.md)"},
    [COLUMNS] = {.name = "--columns",
                 .shown = "NAMES",
                 .expected = "names of columns in the first line, with commas between",
                 .help = "judges only these columns, by the names in the first line"},
    [NAME] = {.name = "--name",
              .shown = "TEXT",
              .expected = "the name of the mechanism",
              .help = "the name of the mechanism in the report"},
    [KEEP] = {.name = "--keep",
              .shown = "DIR",
              .expected = "a folder for the outputs",
              .completes = "folder",
              .help = "keeps outputs and verdict: left.txt, right.txt, verdict.json"},
    [SCORES] = {.name = "--scores",
                .alternative = SOURCE,
                .help = "canaries of one training run: scores of those included, and left out"},
    [GUESSES] = {.name = "--guesses",
                 .alternative = SOURCE,
                 .help = "the same by counts of correct guesses, guesses and canaries"},
    [RUNS] = {.name = "--runs",
              .alternative = SOURCE,
              .help = "one canary in many runs, by the counts of guesses"},
    [SEARCH] = {.name = "--search",
                .shown = "INPUTS",
                .expected = "a description of inputs such as values:n=5,from=0,to=10",
                .completes = "file",
                .help = "finds the neighbouring inputs that show most, and judges new outputs on them: "
                        "values:n=N,from=A,to=B[,move=one], counts:n=N,to=B, records:n=N,from=A,to=B, "
                        "rows:n=N,of=FILE[,constants=PROGRAM], or a file of KEY,FROM,TO"},
    [PAIRS] = {.name = "--pairs",
               .shown = "K",
               .expected = "an integer from 1 to 10000",
               .help = "of --search: the number of pairs that are tried (100)"},
    [DOSSIER] = {.name = "--dossier",
                 .shown = "DIR",
                 .expected = "a folder with a plan.json",
                 .alternative = SOURCE,
                 .completes = "folder",
                 .help = "runs DIR/plan.json, resumes if killed, writes DIR/dossier.html (docs/dossier.md)"},
    [SIGN] = {.name = "--sign",
              .shown = "KEY",
              .expected = "the name of a file that probity keygen wrote",
              .completes = "file",
              .help = "signs the dossier with this secret key"},
    [PAGE] = {.name = "--page",
              .shown = "FILE",
              .expected = "the name of a file for a page, such as checked.html",
              .completes = "file",
              .help = "writes a page that rechecks the dossier in a browser (docs/web.md)"},
    [TIME] = {.name = "--time",
              .help = "judges running times: N runs of --command in all, or a FILE of left,NANOSECONDS and "
                      "right,NANOSECONDS (docs/times.md)"},
    [TRACE] = {.name = "--trace",
               .alternative = SOURCE,
               .help = "judges traces of recorded runs and their replays (docs/greybox.md)"},
    [RECORDED] = {.name = "--recorded",
                  .shown = "K",
                  .expected = "an integer from 1 to 10000",
                  .help = "of --trace: the number of recorded runs that are compared (16)"},
    [SLACK] = {.name = "--slack",
               .shown = "H",
               .expected = "a rational from 0 to 1",
               .help = "of --trace: lets epsilon exceed the claim by this part of it, for rounding (2^-30)"},
    [ASSUME_FIXED] = {.name = "--assume-fixed",
                      .help =
                          "of --trace: what is equal in the runs that are compared is taken to be always so"},
    [ALLOW_SEEDS] = {.name = "--allow-seeds",
                     .help = "of --trace: a seeded generator is a note and no finding"},
    [SARIF] = {.name = "--sarif",
               .shown = "FILE",
               .expected = "a file for the SARIF log",
               .completes = "file",
               .help = "of --trace: a SARIF log of what is found"},
    [NEIGHBOURS] = {.name = "--neighbours",
                    .shown = "R",
                    .expected = "add-remove, substitute or local",
                    .completes = "add-remove substitute local",
                    .help = "of inputs and of --certified: add-remove or substitute"},
    [QUERIES] = {.name = "--queries",
                 .shown = "TABLE",
                 .expected = "the name of a file with KIND,ANSWER,... a line",
                 .completes = "file",
                 .help = "that of --release smalldb:eps=E,size=M"},
};

/* ---- the request ------------------------------------------------------------------------------ */

/* True if canaries are audited, and not outputs. */
static bool canaries(const pby_option *o)
{
    return o[SCORES].value != NULL || o[GUESSES].value != NULL || o[RUNS].value != NULL;
}

static pby_status check_canaries(const pby_option *o, pby_error *err)
{
    static const int others[] = {INPUTS,   COUNT, COUNT_TO, SEQUENTIAL, STATE, CERTIFIED, NEIGHBOURS, QUERIES,
                                 FEATURES, KEEP,  SEARCH,   PAIRS,      SIGN,  COLUMNS,   RHO,        MU};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (o[others[i]].value != NULL)
            return pby_refuse(err, o[others[i]].name, o[others[i]].value,
                              "it without --scores, --guesses and --runs");
    return o[NAME].value == NULL || o[REPORT].value != NULL
               ? PBY_OK
               : pby_refuse(err, "--name", o[NAME].value, "it together with --report");
}

/* Options that only --trace reads. */
static pby_status check_traces(const pby_option *o, pby_error *err)
{
    for (int i = RECORDED; i <= SARIF; i++)
        if (o[i].value != NULL)
            return pby_option_unread(&o[i], "--trace beside it", err);
    return PBY_OK;
}

static pby_status check_command(const pby_option *o, pby_error *err)
{
    return o[COMMAND].value == NULL || strstr(o[COMMAND].value, "{input}") != NULL
               ? PBY_OK
               : pby_refuse(err, "--command", o[COMMAND].value,
                            "{input} in it: without it the command is the same on both inputs");
}

/* Options that need another one, or that another one rules out. */
static pby_status check_combination(const pby_option *o, int operands, pby_error *err)
{
    PBY_TRY(check_traces(o, err));
    if (canaries(o))
        return check_canaries(o, err);
    const bool pair = o[LAW].value == NULL && o[COUNTS].value == NULL;
    const bool made = o[COMMAND].value != NULL || o[RELEASE].value != NULL;
    const bool law = o[LAW].value != NULL, sequential = o[SEQUENTIAL].value != NULL;
    const bool search = o[SEARCH].value != NULL;
    const struct {
        bool holds;
        int option;
        const char *expected;
    } rules[] = {
        {made, INPUTS, "it together with --command or --release"},
        {made, COUNT, "it together with --command or --release"},
        {o[RELEASE].value != NULL || o[CERTIFIED].value != NULL || search, NEIGHBOURS,
         "it together with --release or --certified or --search"},
        {made, SEARCH, "it together with --command or --release"},
        {o[INPUTS].value == NULL, SEARCH, "it without --inputs, which it finds"},
        {search, PAIRS, "it together with --search"},
        {false, SIGN, "it together with --dossier"},
        {false, PAGE, "it together with --dossier"},
        {o[RELEASE].value != NULL, QUERIES, "it together with --release"},
        {pair, SEQUENTIAL, "it with two samples of outputs"},
        {sequential, STATE, "it together with --sequential"},
        {!law, COUNT_TO, "it without --law"},
        {!law, REPORT, "it without --law"},
        {!law, RHO, "it without --law"},
        {!law, MU, "it without --law"},
        {made, KEEP, "it together with --command or --release"},
        {o[KEEP].value == NULL || o[KEEP].value[0] != '\0', KEEP, known[KEEP].expected},
        {o[REPORT].value != NULL, NAME, "it together with --report"},
        {!law, FEATURES, "it without --law"},
        {o[COUNTS].value == NULL && o[RELEASE].value == NULL, COLUMNS,
         "it with files of outputs, or with a command that prints them"},
        {!sequential, COUNT_TO, "it without --sequential, which has --state"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!rules[i].holds && o[rules[i].option].value != NULL)
            return pby_refuse(err, o[rules[i].option].name, o[rules[i].option].value, rules[i].expected);
    if (o[COMMAND_SECONDS].value != NULL && o[COMMAND].value == NULL)
        return pby_option_unread(&o[COMMAND_SECONDS], "--command beside it", err);
    PBY_TRY(check_command(o, err));
    if (made && o[COUNT].value == NULL)
        return pby_fail(err, PBY_BAD, "audit: expected -n N, the number of outputs for each input");
    if (pair && operands < 2 && !search)
        return pby_fail(err, PBY_BAD, "audit: expected LEFT and RIGHT, two files of outputs (or two inputs)");
    if (!pair && operands == 0)
        return pby_fail(err, PBY_BAD,
                        o[LAW].value != NULL ? "audit: expected SAMPLES, a file of integers"
                                             : "audit: expected files of counts after --counts");
    return PBY_OK;
}

static pby_status read_rational(mpq_t out, const pby_option *option, const char *fallback, pby_error *err)
{
    if (option->value == NULL && fallback == NULL)
        return pby_fail(err, PBY_BAD, "audit: expected %s and %s, the claim to judge", option->name,
                        option->expected);
    return pby_rational_parse(out, option->name, option->value != NULL ? option->value : fallback, err);
}

/* A claim of rho or mu, in place of epsilon and delta. A search is steered by the middle of its curve. */
static pby_status read_divergence(pby_audit_request *r, mpq_t value, const pby_option *o, pby_error *err)
{
    const pby_option *option = &o[o[RHO].value != NULL ? RHO : MU];
    static const int others[] = {EPSILON, DELTA, MU};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (o[others[i]].value != NULL && &o[others[i]] != option)
            return pby_refuse(err, o[others[i]].name, o[others[i]].value,
                              "no other claim beside --rho or --mu");
    r->claimed = (pby_divergence_claim){o[RHO].value != NULL ? PBY_ASK_RHO : PBY_ASK_MU, value};
    PBY_TRY(pby_rational_parse(value, option->name, option->value, err));
    PBY_TRY(pby_claimed_check(&r->claimed, option->name, err));
    return pby_claimed_middle(r->epsilon, r->delta, &r->claimed, err);
}

static pby_status read_error(pby_audit_request *r, const pby_option *o, pby_error *err)
{
    PBY_TRY(read_rational(r->error, &o[ERROR], "1e-6", err));
    return mpq_sgn(r->error) <= 0 || mpq_cmp_ui(r->error, 1, 2) >= 0 ||
                   mpz_sizeinbase(mpq_denref(r->error), 2) > 1000
               ? pby_refuse(err, "--error", o[ERROR].value,
                            "a rational above 0 and below 1/2, not below 1e-300")
               : PBY_OK;
}

static pby_status read_claim(pby_audit_request *r, const pby_option *o, pby_error *err)
{
    pby_status status = PBY_OK;
    const bool no_claim = o[COUNT_TO].value != NULL || canaries(o);
    if (r->claimed.value != NULL)
        return read_error(r, o, err);
    if (o[LAW].value == NULL)
        status = read_rational(r->epsilon, &o[EPSILON], no_claim ? "0" : NULL, err);
    if (status == PBY_OK && mpq_sgn(r->epsilon) < 0)
        status = pby_refuse(err, "--epsilon", o[EPSILON].value, o[EPSILON].expected);
    if (status == PBY_OK)
        status = read_rational(r->delta, &o[DELTA], "0", err);
    if (status == PBY_OK && (mpq_sgn(r->delta) < 0 || mpq_cmp_ui(r->delta, 1, 1) >= 0))
        status = pby_refuse(err, "--delta", o[DELTA].value, o[DELTA].expected);
    return status == PBY_OK ? read_error(r, o, err) : status;
}

/* Those of what is released, or of what is certified, where nothing is said. */
static pby_status read_neighbours(pby_audit_request *r, const char *value, pby_error *err)
{
    pby_spec *released = NULL;
    pby_status status = PBY_OK;
    if (r->release != NULL)
        status = r->queries != NULL
                     ? pby_databases_spec(&released, r->release, r->queries, "--queries", 0, err)
                     : pby_spec_parse(&released, &r->release, 1, err);
    if (status == PBY_OK)
        status =
            pby_option_neighbours(&r->neighbours, value, released != NULL ? released : r->certified, err);
    pby_spec_free(released);
    return status;
}

static pby_status read_request(pby_audit_request *r, mpq_t value, const pby_option *o, pby_error *err)
{
    unsigned long n;
    pby_status status = check_combination(o, r->operands, err);
    if (status == PBY_OK && (o[RHO].value != NULL || o[MU].value != NULL))
        status = read_divergence(r, value, o, err);
    if (status == PBY_OK)
        status = read_claim(r, o, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&n, "-n", o[COUNT].value, 1, outputs_max, 1, err);
    if (status != PBY_OK)
        return status;
    unsigned kinds;
    if (o[FEATURES].value != NULL)
        status = pby_kinds_parse(&kinds, "--features", o[FEATURES].value, err);
    if (status != PBY_OK)
        return status;
    status = pby_integer_parse(&r->pairs, "--pairs", o[PAIRS].value, 1, PBY_SEARCH_PAIRS_MAX, 0, err);
    if (status != PBY_OK)
        return status;
    unsigned long patience;
    status = pby_integer_parse(&patience, "--command-seconds", o[COMMAND_SECONDS].value, 1, 1000000,
                               PBY_CHILD_PATIENCE, err);
    if (status != PBY_OK)
        return status;
    r->patience = (unsigned)patience;
    r->search = o[SEARCH].value;
    r->n = n;
    r->features = o[FEATURES].value;
    r->columns = o[COLUMNS].value;
    r->name = o[NAME].value;
    r->keep = o[KEEP].value;
    r->judge = o[COUNT_TO].value == NULL || o[EPSILON].value != NULL || r->claimed.value != NULL;
    r->json = o[JSON].value != NULL;
    r->sequential = o[SEQUENTIAL].value != NULL;
    r->report = o[REPORT].value;
    r->command = o[COMMAND].value;
    r->release = o[RELEASE].value;
    r->queries = o[QUERIES].value;
    r->count_to = o[COUNT_TO].value;
    r->state = o[STATE].value;
    if (o[CERTIFIED].value != NULL)
        status = pby_spec_parse(&r->certified, &o[CERTIFIED].value, 1, err);
    return status == PBY_OK ? read_neighbours(r, o[NEIGHBOURS].value, err) : status;
}

/* The command line again, as a shell would take it. */
static char *command_line(int argc, char **argv)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return NULL;
    fputs("probity audit", out);
    for (int i = 0; i < argc; i++) {
        fputc(' ', out);
        pby_shell_argument(out, argv[i]);
    }
    return pby_printed_text(&printed);
}

/* Checks before the long work that the files of the end can be written. */
static pby_status check_outputs(const pby_audit_request *r, pby_error *err)
{
    pby_status status = pby_audit_can_save("--report", r->report, err);
    if (status == PBY_OK)
        status = pby_audit_can_save("--count-to", r->count_to, err);
    for (int side = 0; side < 2 && status == PBY_OK; side++) {
        char *path;
        status = pby_audit_keep_path(&path, r, side, err);
        if (status == PBY_OK)
            status = pby_audit_can_save("--keep", path, err);
        free(path);
    }
    return status;
}

static pby_status judge_law(const pby_audit_request *r, const char *law, pby_error *err)
{
    json_t *answer = NULL;
    bool violation = false;
    pby_status status = pby_operands_at_most(1, r->operands, r->operand, "one file, SAMPLES", err);
    if (status == PBY_OK)
        status = pby_audit_law(&answer, &violation, r, law, err);
    if (status == PBY_OK)
        status = pby_audit_answer_law(r, violation, answer, err);
    json_decref(answer);
    return status;
}

/* Options that a refusal of the library may name. */
static const pby_option named[] = {{.name = "--report"}, {.name = "--state"},  {.name = "--command"},
                                   {.name = "--inputs"}, {.name = "--search"}, {.name = "--columns"},
                                   {.name = NULL}};

static pby_status judge_outputs(json_t **verdict, pby_audit_request *r, pby_error *err)
{
    bool cut[2] = {false, false};
    char *warning = NULL;
    pby_progress progress;
    pby_status status =
        r->search != NULL
            ? pby_operands_at_most(0, r->operands, r->operand, "no inputs: --search finds them", err)
            : pby_operands_at_most(2, r->operands, r->operand, "two files or inputs, LEFT and RIGHT", err);
    if (status != PBY_OK)
        return status;
    pby_progress_begin(&progress, r->command != NULL || r->release != NULL ? "outputs counted" : "bytes read",
                       0);
    r->observer = pby_progress_observer(&progress);
    r->cut = cut;
    r->warning = &warning;
    status = r->search != NULL ? pby_audit_searched(verdict, r, err)
             : r->sequential   ? pby_audit_sequence(verdict, r, err)
                               : pby_audit_samples(verdict, r, err);
    pby_progress_end(&progress);
    if (status != PBY_OK)
        pby_advise_options(err, named);
    for (int side = 0; side < 2; side++)
        if (cut[side])
            fprintf(stderr, "probity: --command printed more than %llu outputs on %s: the rest was cut off\n",
                    (unsigned long long)r->n,
                    r->search != NULL ? "an input that was found" : r->operand[side]);
    if (warning != NULL && status == PBY_OK)
        fprintf(stderr, "probity: warning: %s\n", warning);
    if (warning != NULL && status == PBY_OK && *verdict != NULL)
        status = pby_json_set(*verdict, "warning", json_string(warning), err);
    free(warning);
    r->warning = NULL;
    return status;
}

static pby_status dispatch(pby_audit_request *r, const pby_option *o, pby_error *err)
{
    if (o[LAW].value != NULL)
        return judge_law(r, o[LAW].value, err);
    if (canaries(o))
        return pby_audit_canaries(r,
                                  o[SCORES].value != NULL    ? PBY_CANARY_SCORES
                                  : o[GUESSES].value != NULL ? PBY_CANARY_GUESSES
                                                             : PBY_CANARY_RUNS,
                                  o[EPSILON].value != NULL, err);
    json_t *verdict = NULL;
    pby_status status = o[COUNTS].value != NULL ? pby_audit_counts(&verdict, r, err)
                                                : judge_outputs(&verdict, r, err);
    if (status == PBY_OK && verdict != NULL)
        status = pby_audit_answer(r, verdict, err);
    json_decref(verdict);
    return status;
}

/* A dossier has its claims and all else in its plan. */
static pby_status judge_plan(const pby_audit_request *r, const pby_option *o, pby_error *err)
{
    for (int i = 0; i < OPTIONS; i++)
        if (o[i].value != NULL && i != DOSSIER && i != SIGN && i != PAGE && i != JSON)
            return pby_refuse(err, o[i].name, o[i].value, "it in the plan of --dossier");
    const pby_status status = pby_operands_at_most(0, r->operands, r->operand, "no operand", err);
    return status == PBY_OK ? pby_audit_dossier(&o[DOSSIER], &o[SIGN], &o[PAGE], &o[JSON], err) : status;
}

/* Refuses all options but these, and but those of traces. */
static pby_status read_only(const pby_option *o, const int *read, size_t count, const char *expected,
                            pby_error *err)
{
    for (int i = 0; i < TRACE; i++) {
        bool used = false;
        for (size_t j = 0; j < count; j++)
            used = used || i == read[j];
        if (!used && o[i].value != NULL)
            return pby_refuse(err, o[i].name, o[i].value, expected);
    }
    return PBY_OK;
}

/* Running times are judged by events of their own. */
static pby_status judge_times(pby_audit_request *r, const pby_option *o, pby_error *err)
{
    static const int read[] = {EPSILON,    DELTA, ERROR, JSON,   COMMAND, COMMAND_SECONDS, INPUTS, COUNT,
                               SEQUENTIAL, KEEP,  TIME,  REPORT, NAME};
    static const int of_runs[] = {COMMAND_SECONDS, INPUTS, COUNT, SEQUENTIAL, KEEP};
    unsigned long n, patience;
    PBY_TRY(check_traces(o, err));
    PBY_TRY(read_only(o, read, sizeof read / sizeof *read, "it without --time", err));
    for (size_t i = 0; o[COMMAND].value == NULL && i < sizeof of_runs / sizeof *of_runs; i++)
        if (o[of_runs[i]].value != NULL)
            return pby_option_unread(&o[of_runs[i]], "--command beside it", err);
    if (o[NAME].value != NULL && o[REPORT].value == NULL)
        return pby_option_unread(&o[NAME], "--report beside it", err);
    PBY_TRY(read_claim(r, o, err));
    PBY_TRY(pby_integer_parse(&n, "-n", o[COUNT].value, 1, PBY_TIMES_MOST, 0, err));
    PBY_TRY(pby_integer_parse(&patience, "--command-seconds", o[COMMAND_SECONDS].value, 1, 1000000,
                              PBY_CHILD_PATIENCE, err));
    PBY_TRY(check_command(o, err));
    r->n = n;
    r->patience = (unsigned)patience;
    r->command = o[COMMAND].value;
    r->keep = o[KEEP].value;
    r->sequential = o[SEQUENTIAL].value != NULL;
    r->json = o[JSON].value != NULL;
    r->report = o[REPORT].value;
    r->name = o[NAME].value;
    const pby_times_claim claim = {o[EPSILON].value, o[DELTA].value, o[ERROR].value};
    char date[PBY_DATE_SIZE] = "";
    if (r->report != NULL)
        PBY_TRY(pby_audit_date(date, err));
    r->date = date;
    const pby_status status = pby_audit_timing(r, &claim, err);
    r->date = NULL;
    return status;
}

/* Traces have runs of their own: of the other options only the claim is read. */
static pby_status judge_traces(pby_audit_request *r, const pby_option *o, pby_error *err)
{
    static const int read[] = {EPSILON, DELTA, ERROR, JSON};
    unsigned long runs;
    PBY_MPQ(slack);
    PBY_TRY(read_only(o, read, sizeof read / sizeof *read, "it without --trace", err));
    PBY_TRY(read_claim(r, o, err));
    PBY_TRY(pby_integer_parse(&runs, "--recorded", o[RECORDED].value, 1, 10000, 16, err));
    if (o[SLACK].value != NULL)
        PBY_TRY(pby_rational_parse(slack, "--slack", o[SLACK].value, err));
    if (mpq_sgn(slack) < 0 || mpq_cmp_ui(slack, 1, 1) > 0)
        return pby_refuse(err, "--slack", o[SLACK].value, o[SLACK].expected);
    r->json = o[JSON].value != NULL;
    pby_trace_options options = {.epsilon = o[EPSILON].value,
                                 .delta = o[DELTA].value,
                                 .error = o[ERROR].value,
                                 .slack = o[SLACK].value,
                                 .runs = runs,
                                 .assume_fixed = o[ASSUME_FIXED].value != NULL,
                                 .allow_seeds = o[ALLOW_SEEDS].value != NULL};
    return pby_audit_trace(r, &options, o[SARIF].value, err);
}

static pby_status judge_request(pby_audit_request *r, const pby_option *o, pby_error *err)
{
    char date[PBY_DATE_SIZE] = "";
    PBY_MPQ(value);
    r->date = date;
    pby_status status = read_request(r, value, o, err);
    if (status == PBY_OK && r->report != NULL)
        status = pby_audit_date(date, err);
    if (status == PBY_OK)
        status = check_outputs(r, err);
    if (status == PBY_OK)
        status = dispatch(r, o, err);
    r->date = NULL;
    r->claimed.value = NULL;
    return status;
}

static pby_status run_audit(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    char *how = command_line(argc, argv);
    if (how == NULL)
        return pby_no_memory(err);
    pby_sources sources = {.row = NULL};
    pby_audit_request r = {.operand = argv, .how = how, .sources = &sources};
    mpq_inits(r.epsilon, r.delta, r.error, NULL);
    pby_status status = pby_options_parse(options, known, argc, argv, &r.operands, err);
    if (status == PBY_OK)
        status = options[DOSSIER].value != NULL ? judge_plan(&r, options, err)
                 : options[TRACE].value != NULL ? judge_traces(&r, options, err)
                 : options[TIME].value != NULL  ? judge_times(&r, options, err)
                                                : judge_request(&r, options, err);
    pby_sources_clear(&sources);
    pby_spec_free(r.certified);
    mpq_clears(r.epsilon, r.delta, r.error, NULL);
    free(how);
    return status;
}

static const char help[] =
    "probity audit: judge a privacy claim from outputs\n"
    "\n"
    "usage: probity audit LEFT RIGHT --epsilon E [--delta D] | --rho R | --mu M [--error A] [--json]\n"
    "                     [--features KINDS] [--report FILE.html]\n"
    "       probity audit --command 'CMD {input} {n}' --inputs LEFT RIGHT -n N --epsilon E [--keep DIR] ...\n"
    "       probity audit --release SPEC --inputs LEFT.csv RIGHT.csv -n N --epsilon E [--neighbours R] ...\n"
    "       probity audit --command CMD | --release SPEC --search INPUTS [--pairs K] -n N --epsilon E ...\n"
    "       probity audit SAMPLES --law SPEC [--error A] [--json]\n"
    "       probity audit --counts A.json B.json ... --epsilon E ...\n"
    "       probity audit --scores IN OUT | --guesses CORRECT MADE OF | --runs TP FP TN FN ...\n"
    "       probity audit --trace LEFT RIGHT --epsilon E [--delta D] [--json] [--sarif FILE] ...\n"
    "       probity audit --time --command 'CMD {input}' --inputs LEFT RIGHT -n N --epsilon E [--keep DIR]\n"
    "       probity audit --time FILE --epsilon E [--delta D] [--error A] [--json]\n"
    "       probity audit --dossier DIR [--sign KEY] [--page FILE] [--json]\n"
    "\n"
    "Judges the claim that outputs on two neighbouring inputs are (E, D)-indistinguishable. Some of\n"
    "the outputs choose events, the others judge them with exact bounds. A mechanism that keeps its claim\n"
    "is accused with probability at most A. Exit status 1 is a violation; 0, that none was shown; 4, that\n"
    "these outputs could not have shown one.\n"
    "\n"
    "  LEFT RIGHT       files of outputs on two neighbouring inputs, one per line: an integer, a decimal,\n"
    "                   a double as 0x and 16 hexadecimal digits, a vector of these with commas, a word, or\n"
    "                   nothing for a suppressed output; - is standard input\n";

static const char end[] =
    "\n"
    "examples:\n"
    "  probity audit left.txt right.txt --epsilon 0.1 --report audit.html\n"
    "  probity draw geometric:eps=1/10 -n 1e6 | probity audit - --law geometric:eps=1/10\n";

const pby_command pby_command_audit = {"audit",  "judge a privacy claim from outputs", help, known, end,
                                       run_audit};
