/* SPDX-License-Identifier: MIT */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/terms.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/certified_deployment.h"
#include "certificate/coqfile.h"
#include "certificate/proof.h"
#include "cli/advice.h"
#include "cli/certified.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "deployment/deployment_file.h"
#include "io/file.h"
#include "io/sole.h"
#include "io/spool.h"
#include "probity/certificate.h"
#include "probity/experimental/certified.h"
#include "probity/key.h"
#include "probity/rational.h"
#include "report/self_checking.h"

enum {
    EPSILON,
    ZCDP,
    ORDER,
    MU,
    XI,
    DELTA,
    NEIGHBOURS,
    USER,
    RECORDS,
    N,
    SUPPORT,
    BUCKET,
    WIDTH,
    BETA,
    GAMMA,
    SIGN,
    OUTPUT,
    COQ,
    PROOF,
    DEPLOYMENT,
    PAGE,
    JSON,
    QUIET,
    OPTIONS
};

enum { RECORDS_OR_N = 1, BETA_OR_GAMMA, THE_CLAIM };

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {.name = "--epsilon",
                 .shown = "E",
                 .expected = "a rational such as 1/2 or 0.5",
                 .alternative = THE_CLAIM,
                 .help = "the epsilon to certify delta at, a rational"},
    [ZCDP] = {.name = "--zcdp",
              .alternative = THE_CLAIM,
              .help = "certifies rho instead: the least with D_a <= X + rho a for all a > 1, in version 2 of "
                      "the format, which release does not take"},
    [ORDER] = {.name = "--order",
               .shown = "A",
               .expected = "a rational from 1 on",
               .alternative = THE_CLAIM,
               .help = "certifies the Renyi divergence of order A, a rational from 1 on, in version 2 of the "
                       "format"},
    [MU] = {.name = "--mu",
            .alternative = THE_CLAIM,
            .help = "certifies mu of Gaussian differential privacy, in version 2 of the format: of gauss of "
                    "all records exactly, and of others a bound, where one is known"},
    [XI] = {.name = "--xi",
            .shown = "X",
            .expected = "a rational from 0 on",
            .help = "with --zcdp: that X (0)"},
    [DELTA] = {.name = "--delta",
               .shown = "D",
               .expected = "a rational such as 1e-6",
               .help = "a target: a composition is refined until the certified delta is at most D. If that "
                       "fails, nothing is written (exit status 1)"},
    [NEIGHBOURS] = {PBY_OPTION_NEIGHBOURS},
    [USER] = {.name = "--user",
              .shown = "COLUMN",
              .expected = "the name of the column that tells users apart",
              .help = "the unit of privacy is a user, whom that column of raw records names; without it a "
                      "record. A release by another unit is refused"},
    [RECORDS] =
        {.name = "--records",
         .shown = "N",
         .expected = "how many records the inputs have",
         .alternative = RECORDS_OR_N,
         .help = "states the accuracy of a release on inputs of N records, for any mechanism that probity "
                 "accuracy supports. If every bar or query gets noise, N is not needed. Of rr and krr N is "
                 "the number of users"},
    [N] = {.name = "--n",
           .shown = "N",
           .expected = "how many records the inputs have",
           .alternative = RECORDS_OR_N,
           .help = "the same as --records"},
    [SUPPORT] = {.name = "--support",
                 .shown = "K",
                 .expected = "how many bars of them are occupied at most",
                 .help =
                     "states the accuracy on inputs of at most K occupied bars, which partition needs. If "
                     "every bar or query gets noise, K is their number (1). Of a choice K is the number of "
                     "candidates, of a session that of the questions"},
    [BUCKET] = {.name = "--bucket",
                .shown = "W",
                .expected = "the width of the buckets that points were moved to",
                .help = "points were first moved to the middle of buckets of this width"},
    [WIDTH] = {.name = "--width", .expected = "--bucket", .alternative = PBY_OPTION_RENAMED},
    [BETA] = {.name = "--beta",
              .shown = "B",
              .expected = "how far a count may be off, a rational from 0 on",
              .alternative = BETA_OR_GAMMA,
              .help = "for noise: the accuracy at an error of B, and the probability gamma of a larger one; "
                      "tgeometric and range use their own bound if it is left out"},
    [GAMMA] = {.name = "--gamma",
               .shown = "G",
               .expected = "a rational from 0 to 1",
               .alternative = BETA_OR_GAMMA,
               .help = "for noise: the least error that is exceeded with probability at most G"},
    [SIGN] = {.name = "--sign",
              .shown = "KEY",
              .expected = "the name of a file that probity keygen wrote",
              .completes = "file",
              .help = "signs the certificate with the secret key in that file (see probity keygen)"},
    [OUTPUT] = {.name = "-o",
                .shown = "FILE",
                .expected = "the name of a file to write",
                .completes = "file",
                .help =
                    "where to write; - or nothing is standard output. FILE appears complete or not at all"},
    [COQ] = {.name = "--coq",
             .shown = "FILE",
             .expected = "the name of a file for a theorem",
             .completes = "file",
             .help =
                 "writes a theorem of Coq as well, which probity verify --coq compiles: delta at epsilon, "
                 "from the definition of rr, krr, tgeometric, stlap with q, geometric, threshold or "
                 "exponential; the last three need the theory in share/probity/coq. The certificate then "
                 "has its digest"},
    [PROOF] = {.name = "--proof",
               .shown = "RECEIPT",
               .expected = "the name of a receipt that probity prove signed",
               .completes = "file",
               .help = "puts a signed receipt of probity prove into the certificate, if it proves this SPEC: "
                       "pure:eps=E, or approx:eps=E,delta=D, as the proof has them"},
    [DEPLOYMENT] = {.name = "--deployment",
                    .shown = "FILE",
                    .expected = "the name of a file that describes a deployment",
                    .completes = "file",
                    .help = "puts the name, the unit, the model and the horizon of that deployment into the "
                            "certificate, with the digest of the file (docs/deployment.md); needs --sign, "
                            "since nothing computes them"},
    [PAGE] = {.name = "--page",
              .shown = "FILE",
              .expected = "the name of a file for a page, such as certificate.html",
              .completes = "file",
              .help = "writes a page as well, which holds the certificate and recomputes it in a browser, "
                      "offline (docs/web.md); needs the page that make web made"},
    [JSON] = {.name = "--json",
              .help = "the certificate on standard output as well, which is one JSON object"},
    [QUIET] = {.name = "--quiet", .help = "with -o, does not say on standard error what was certified"},
};

static pby_status publish(const char *text, const pby_option *options, pby_error *err)
{
    const char *path = pby_path_named(options[OUTPUT].value);
    const pby_status status = pby_spool_text(path, text, "", err);
    return status == PBY_OK && path != NULL && options[JSON].value != NULL
               ? pby_spool_text(NULL, text, "", err)
               : status;
}

/* Puts a receipt into the certificate, if there is one. */
static pby_status bind(char **text, const char *path, pby_error *err)
{
    char *receipt, *bound;
    size_t size;
    if (path == NULL)
        return PBY_OK;
    pby_status status = pby_file_read(&receipt, &size, path, PBY_CERTIFICATE_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    status = pby_proof_bind(&bound, *text, receipt, size, err);
    free(receipt);
    if (status == PBY_BAD && err != NULL) {
        const pby_error why = *err;
        status = pby_fail(err, PBY_BAD, "--proof: '%.200s': %s", path, why.text);
    }
    if (status == PBY_OK) {
        free(*text);
        *text = bound;
    }
    return status;
}

/* The theorem, if one is asked for, whose digest then stands in the certificate. */
static pby_status state(char **theorem, char **certificate, const char *path, pby_error *err)
{
    pby_certificate *c = NULL;
    char *bound;
    bool whole;
    *theorem = NULL;
    if (path == NULL)
        return PBY_OK;
    pby_status status = pby_certificate_read(&c, &whole, *certificate, strlen(*certificate), err);
    if (status == PBY_OK)
        status = pby_certificate_theorem(theorem, c, err);
    pby_certificate_free(c);
    PBY_TRY(status);
    PBY_TRY(pby_coqfile_bind(&bound, *certificate, *theorem, err));
    free(*certificate);
    *certificate = bound;
    return PBY_OK;
}

/* Puts the deployment into the certificate, if there is one. */
static pby_status describe(char **text, const char *path, pby_error *err)
{
    pby_deployment *d;
    char *bound;
    if (path == NULL)
        return PBY_OK;
    PBY_TRY(pby_deployment_file(&d, path, err));
    const pby_status status = pby_certified_deployment_bind(&bound, *text, d, err);
    pby_deployment_free(d);
    if (status == PBY_OK) {
        free(*text);
        *text = bound;
    }
    return status;
}

/* Prints a summary of a certificate that went to a file, where nobody has seen it yet. */
static pby_status print_certificate(const char *text, const pby_option *options, pby_error *err)
{
    pby_certificate *c = NULL;
    bool whole;
    if (pby_path_named(options[OUTPUT].value) == NULL || options[QUIET].value != NULL)
        return PBY_OK;
    const pby_status status = pby_certificate_read(&c, &whole, text, strlen(text), err);
    if (status == PBY_OK)
        pby_tell_certified("certified", c);
    pby_certificate_free(c);
    return status;
}

/* With an accuracy, if any of its options is given. Records that have no part in it are stated if they are.
 */
static pby_status make(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                       mpq_srcptr delta, const pby_option *o, pby_error *err)
{
    const pby_accuracy_asked asked = {.n = o[o[RECORDS].value != NULL ? RECORDS : N].value,
                                      .support = o[SUPPORT].value,
                                      .width = o[BUCKET].value,
                                      .beta = o[BETA].value,
                                      .gamma = o[GAMMA].value};
    if (asked.n == NULL && asked.support == NULL && asked.width == NULL && asked.beta == NULL &&
        asked.gamma == NULL)
        return pby_certify_with(text, spec, relation, epsilon,
                                &(pby_certify_options){.delta = delta, .user = o[USER].value}, err);
    pby_accuracy_kind kind;
    pby_accuracy_terms t;
    pby_accuracy_terms_init(&t);
    pby_status status = pby_accuracy_kind_of(&kind, spec, err);
    if (status == PBY_OK)
        status = pby_accuracy_terms_read(&t, &asked, kind, err);
    if (status == PBY_BAD)
        pby_advise_accuracy(err, "certify", o[RECORDS].value != NULL);
    if (!t.asks_n)
        t.inputs.n = 0;
    const pby_certify_options more = {delta, &t.inputs, t.asks_beta ? t.beta : NULL,
                                      t.asks_gamma ? t.gamma : NULL, o[USER].value};
    if (status == PBY_OK)
        status = pby_certify_with(text, spec, relation, epsilon, &more, err);
    pby_accuracy_terms_clear(&t);
    return status;
}

static pby_status read_target(mpq_t delta, const char *text, pby_error *err)
{
    const pby_status status = pby_rational_parse(delta, "--delta", text, err);
    return status == PBY_OK && (mpq_sgn(delta) < 0 || mpq_cmp_ui(delta, 1, 1) > 0)
               ? pby_refuse(err, "--delta", text, "a rational from 0 to 1")
               : status;
}

/* "stlap:eps=1/2,q=40 at epsilon 1/2: ..." in one sentence, for free(3). */
static char *claim_of(const char *text)
{
    json_t *c = json_loads(text, 0, NULL);
    const json_t *delta = json_object_get(c, "delta");
    char *claim = NULL;
    if (asprintf(&claim,
                 "Claimed: the mechanism %s, for %s neighbours, has at epsilon %s a delta between %s and %s.",
                 pby_json_string(c, "spec"), pby_json_string(c, "neighbours"), pby_json_string(c, "epsilon"),
                 pby_json_string(delta, "lo"), pby_json_string(delta, "hi")) < 0)
        claim = NULL;
    json_decref(c);
    return claim;
}

/* A page that holds the certificate and recomputes it, if one is asked for. */
static pby_status make_page(char **page, const char *text, const pby_option *options, pby_error *err)
{
    *page = NULL;
    if (options[PAGE].value == NULL)
        return PBY_OK;
    const char *output = pby_path_named(options[OUTPUT].value);
    const char *slash = output == NULL ? NULL : strrchr(output, '/');
    const char *name = output == NULL ? "certificate.json" : slash == NULL ? output : slash + 1;
    char *claim = claim_of(text);
    const pby_status status = claim == NULL ? pby_no_memory(err) : pby_page_of(page, name, claim, text, err);
    free(claim);
    return status;
}

/* Adds what is asked for beside the numbers, the signature last, and writes all of it. */
static pby_status complete(char **text, const pby_option *options, pby_error *err)
{
    char *theorem = NULL, *page = NULL;
    pby_status status = bind(text, options[PROOF].value, err);
    if (status == PBY_OK)
        status = state(&theorem, text, options[COQ].value, err);
    if (status == PBY_OK)
        status = describe(text, options[DEPLOYMENT].value, err);
    if (status == PBY_OK)
        status = pby_certified_sign(text, options[SIGN].value, err);
    if (status == PBY_OK)
        status = make_page(&page, *text, options, err);
    if (status == PBY_OK && theorem != NULL)
        status = pby_spool_text(pby_path_named(options[COQ].value), theorem, "", err);
    free(theorem);
    if (status == PBY_OK && page != NULL)
        status = pby_spool_text(options[PAGE].value, page, "", err);
    free(page);
    if (status == PBY_OK)
        status = publish(*text, options, err);
    return status == PBY_OK ? print_certificate(*text, options, err) : status;
}

/* A page is refused before anything is computed or written. */
static pby_status check_page(const pby_option *options, pby_error *err)
{
    if (pby_path_named(options[PAGE].value) == NULL)
        return pby_refuse(err, "--page", options[PAGE].value, "the name of a file");
    if (options[OUTPUT].value != NULL && strcmp(options[OUTPUT].value, options[PAGE].value) == 0)
        return pby_refuse(err, "--page", options[PAGE].value, "another file than that of -o");
    if (options[OUTPUT].value != NULL)
        PBY_TRY(pby_output_apart(options[PAGE].value, options[OUTPUT].value, "the certificate", err));
    if (options[SIGN].value != NULL)
        PBY_TRY(pby_output_apart(options[PAGE].value, options[SIGN].value, "the key", err));
    return pby_page_ready(err);
}

/* A deployment is stated by whoever signs. Its file is looked at before anything is computed. */
static pby_status check_deployment(const pby_option *o, pby_error *err)
{
    pby_deployment *d;
    if (o[DEPLOYMENT].value == NULL)
        return PBY_OK;
    if (o[SIGN].value == NULL)
        return pby_option_unread(&o[DEPLOYMENT], "--sign KEY beside it: nobody would state it", err);
    PBY_TRY(pby_deployment_file(&d, o[DEPLOYMENT].value, err));
    pby_deployment_free(d);
    return o[OUTPUT].value == NULL
               ? PBY_OK
               : pby_output_apart(o[OUTPUT].value, o[DEPLOYMENT].value, "the deployment", err);
}

static pby_status certify(const pby_spec *spec, const pby_option *options, pby_error *err)
{
    pby_neighbours relation;
    char *text = NULL;
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, (mpq_ptr)0);
    pby_status status = pby_option_neighbours(&relation, options[NEIGHBOURS].value, spec, err);
    if (status == PBY_OK && options[PAGE].value != NULL)
        status = check_page(options, err);
    if (status == PBY_OK && options[SIGN].value != NULL)
        status = pby_output_apart(options[OUTPUT].value, options[SIGN].value, "the key", err);
    if (status == PBY_OK)
        status = pby_rational_parse(epsilon, "--epsilon", options[EPSILON].value, err);
    if (status == PBY_OK && options[DELTA].value != NULL)
        status = read_target(delta, options[DELTA].value, err);
    pby_clock waiting;
    pby_clock_begin(&waiting, "certificate");
    if (status == PBY_OK)
        status =
            make(&text, spec, relation, epsilon, options[DELTA].value != NULL ? delta : NULL, options, err);
    pby_clock_end(&waiting);
    if (status == PBY_OK)
        status = complete(&text, options, err);
    free(text);
    mpq_clears(epsilon, delta, (mpq_ptr)0);
    return status;
}

/* A certificate of rho, of a divergence or of mu has none of what belongs to delta. */
static pby_status check_divergence(const pby_option *o, pby_error *err)
{
    static const int others[] = {DELTA, USER, RECORDS, N, SUPPORT, BUCKET, BETA, GAMMA, COQ, PROOF, PAGE};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (o[others[i]].value != NULL)
            return pby_option_unread(&o[others[i]], "none beside --zcdp, --order or --mu", err);
    return o[ZCDP].value == NULL && o[XI].value != NULL ? pby_option_unread(&o[XI], "--zcdp beside it", err)
                                                        : PBY_OK;
}

static pby_status certify_divergence(const pby_spec *spec, const pby_option *o, pby_error *err)
{
    const pby_question question = o[ZCDP].value != NULL    ? PBY_ASK_RHO
                                  : o[ORDER].value != NULL ? PBY_ASK_RENYI
                                                           : PBY_ASK_MU;
    const char *xi = o[XI].value == NULL ? "0" : o[XI].value;
    pby_neighbours relation;
    char *text = NULL;
    PBY_TRY(check_divergence(o, err));
    PBY_TRY(pby_option_neighbours(&relation, o[NEIGHBOURS].value, spec, err));
    if (o[SIGN].value != NULL)
        PBY_TRY(pby_output_apart(o[OUTPUT].value, o[SIGN].value, "the key", err));
    pby_clock waiting;
    pby_clock_begin(&waiting, "certificate");
    pby_status status = pby_certify_divergence_text(&text, spec, relation, question,
                                                    question == PBY_ASK_RHO     ? xi
                                                    : question == PBY_ASK_RENYI ? o[ORDER].value
                                                                                : NULL,
                                                    err);
    pby_clock_end(&waiting);
    if (status == PBY_OK)
        status = complete(&text, o, err);
    free(text);
    return status;
}

static bool asks_divergence(const pby_option *o)
{
    return o[ZCDP].value != NULL || o[ORDER].value != NULL || o[MU].value != NULL;
}

static pby_status run_certify(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec = NULL;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "certify: expected a SPEC such as stlap:eps=1/2,q=40");
    if (status == PBY_OK)
        status = pby_spec_parse(&spec, (const char *const *)argv, (size_t)operands, err);
    if (status != PBY_OK)
        return status;
    status = check_deployment(options, err);
    if (status != PBY_OK) {
        pby_spec_free(spec);
        return status;
    }
    if (options[EPSILON].value != NULL)
        status = options[XI].value == NULL ? certify(spec, options, err)
                                           : pby_option_unread(&options[XI], "--zcdp beside it", err);
    else
        status = asks_divergence(options)
                     ? certify_divergence(spec, options, err)
                     : pby_fail(err, PBY_BAD, "certify: expected --epsilon E, --zcdp, --order A or --mu");
    if (status == PBY_BAD)
        pby_advise_options(
            err, (const pby_option[]){known[DELTA], known[USER], known[ORDER], known[XI], {.name = NULL}});
    pby_spec_free(spec);
    return status;
}

static const char help[] =
    "probity certify: write a certificate of a mechanism's loss\n"
    "\n"
    "usage: probity certify SPEC... --epsilon E [--delta D] [--neighbours R] [--records N] [--support K]\n"
    "                       [--user COLUMN] [--bucket W] [--beta B | --gamma G] [--sign KEY] [-o FILE]\n"
    "                       [--coq FILE] [--proof RECEIPT] [--deployment FILE] [--page FILE] [--json]\n"
    "                       [--quiet]\n"
    "       probity certify SPEC... (--zcdp [--xi X] | --order A | --mu) [--neighbours R] [--sign KEY]\n"
    "                       [--deployment FILE] [-o FILE] [--json] [--quiet]\n"
    "\n"
    "Writes a JSON file with a mechanism, a neighbour relation, an epsilon and the delta there: two\n"
    "decimals of 20 digits, with the true value between them. The loss is computed in two ways that must\n"
    "agree. Anyone can recompute it with probity verify.\n"
    "\n"
    "  SPEC             a mechanism, such as stlap:eps=1/2,q=40. Several compose, and so do K*SPEC; if\n"
    "                   that has no exact form, the two decimals differ by a few percent\n";

static const char end[] =
    "\n"
    "examples:\n"
    "  probity certify stlap:eps=1/2,q=40 --epsilon 1/2 -o certificate.json\n"
    "  probity certify geometric:eps=1/2 --epsilon 1/2 --support 12 --gamma 1e-6\n"
    "  probity certify 10*geometric:eps=1/10 stlap:eps=1/2,q=40 --epsilon 1 --sign signing -o year.json\n";

const pby_command pby_command_certify = {
    "certify", "write a certificate of a mechanism's loss", help, known, end, run_certify};
