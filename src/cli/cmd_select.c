/* SPDX-License-Identifier: MIT */
#include "probity/select.h"

#include <stdlib.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/spool.h"
#include "number/integer.h"
#include "probity/certificate.h"

enum {
    EPSILON,
    DELTA,
    RHO,
    NEIGHBOURS,
    USES,
    RESOLUTION,
    RECORDS,
    BOUND,
    DIMENSION,
    ALPHA,
    BETA,
    CERTIFY,
    DIGITS,
    JSON,
    OPTIONS
};

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {"--epsilon", "a rational such as 1/2 or 0.5", 0, NULL},
    [DELTA] = {"--delta", "a rational such as 1e-6", 0, NULL},
    [RHO] = {"--rho", "a rational such as 1/2", 0, NULL},
    [NEIGHBOURS] = {"--neighbours", "add-remove, substitute or local", 0, NULL},
    [USES] = {"--uses", "how often the mechanism is used", 0, NULL},
    [RESOLUTION] = {"--resolution", "the step of a parameter that is not an integer", 0, NULL},
    [RECORDS] = {"--records", "how many points there are", 0, NULL},
    [BOUND] = {"--bound", "where the coordinates end", 0, NULL},
    [DIMENSION] = {"--dimension", "how many coordinates a point has", 0, NULL},
    [ALPHA] = {"--alpha", "the part of the points that may be dropped", 1, NULL},
    [BETA] = {"--beta", "how far a coordinate may be moved", 1, NULL},
    [CERTIFY] = {"--certify", "the name of a file to write", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

static void show(void *progress, uint64_t asked)
{
    pby_progress_at(progress, asked);
}

/* Opens the file of --certify, if that was given, before the search. */
static pby_status open_certificate(pby_spool **file, const pby_option *options, pby_error *err)
{
    const char *path = options[CERTIFY].value;
    if (path == NULL)
        return PBY_OK;
    if (options[RHO].value != NULL)
        return pby_refuse(err, "--certify", path, "it with --epsilon and --delta, not --rho");
    return pby_path_named(path) == NULL ? pby_refuse(err, "--certify", path, "the name of a file")
                                        : pby_spool_open(file, path, err);
}

/* The certificate of what was chosen. */
static pby_status certify(pby_spool *file, const pby_spec *chosen, const pby_option *options, pby_error *err)
{
    const pby_certify_words target = {.delta = options[DELTA].value == NULL ? "0" : options[DELTA].value};
    pby_neighbours relation;
    char *text = NULL;
    if (chosen == NULL)
        return pby_fail(err, PBY_BAD, "--certify: expected --alpha or --beta, which choose the buckets");
    pby_status status = pby_option_neighbours(&relation, options[NEIGHBOURS].value, chosen, err);
    if (status != PBY_OK)
        return status;
    pby_clock waiting;
    pby_clock_begin(&waiting, "certificate");
    status = pby_certify_text(&text, chosen, relation, options[EPSILON].value, &target, err);
    pby_clock_end(&waiting);
    if (status == PBY_OK)
        status = pby_spool_write(file, text, strlen(text), err);
    free(text);
    return status;
}

static pby_status read_question(pby_select_asked *asked, pby_neighbours *relation, const pby_option *o,
                                pby_error *err)
{
    *asked = (pby_select_asked){.epsilon = o[EPSILON].value,
                                .delta = o[DELTA].value,
                                .rho = o[RHO].value,
                                .relation = o[NEIGHBOURS].value == NULL ? NULL : relation,
                                .resolution = o[RESOLUTION].value,
                                .records = o[RECORDS].value,
                                .bound = o[BOUND].value,
                                .dimension = o[DIMENSION].value,
                                .alpha = o[ALPHA].value,
                                .beta = o[BETA].value,
                                .asking = show};
    pby_status status = pby_option_neighbours(relation, o[NEIGHBOURS].value, NULL, err);
    if (status == PBY_OK && o[USES].value != NULL && strcmp(o[USES].value, "most") == 0)
        asked->uses = PBY_USES_MOST;
    else if (status == PBY_OK)
        status = pby_integer_parse(&asked->uses, "--uses", o[USES].value, 1, 1000000000, 1, err);
    return status == PBY_OK ? pby_option_digits(&asked->digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err)
                            : status;
}

/* The certificate appears when the answer does. */
static pby_status answer(const char *family, const pby_option *options, pby_error *err)
{
    pby_select_asked asked;
    pby_neighbours relation;
    pby_spec *chosen = NULL;
    pby_spool *file = NULL;
    char *text = NULL;
    pby_progress progress;
    pby_status status = read_question(&asked, &relation, options, err);
    if (status == PBY_OK)
        status = open_certificate(&file, options, err);
    pby_progress_begin(&progress, "candidates asked", 0);
    asked.what = &progress;
    if (status == PBY_OK)
        status = pby_report_choice(&text, &chosen, family, &asked, pby_option_form(&options[JSON]), err);
    pby_progress_end(&progress);
    if (status == PBY_OK && file != NULL)
        status = certify(file, chosen, options, err);
    if (status == PBY_OK && file != NULL) {
        status = pby_spool_commit(file, err);
        file = NULL;
    }
    pby_spool_abort(file);
    pby_spec_free(chosen);
    return pby_print_report(text, status);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "select: expected a FAMILY such as stlap");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one FAMILY, not two", err);
    if (status != PBY_OK)
        return status;
    status = answer(argv[0], options, err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return status;
}

static const char help[] =
    "probity select: the best parameters that provably suffice\n"
    "\n"
    "usage: probity select FAMILY --epsilon E [--delta D] [--uses K] [--neighbours R] [--resolution S]\n"
    "                      [--certify FILE] [--digits N] [--json]\n"
    "       probity select FAMILY --rho R [--uses K] [--neighbours R] [--resolution S] ...\n"
    "       probity select buckethist --epsilon E --delta D --records N --bound B [--dimension M]\n"
    "                      [--alpha A | --beta W] [--uses K] ...\n"
    "\n"
    "Finds the least noise whose certified delta at E is at most D, shows that one step less exceeds D,\n"
    "and says why everything beyond that exceeds it too. Where the worst neighbours are not known it\n"
    "chooses by the upper bound, and says that one step less is not shown to suffice. It also prints\n"
    "what the published recipe would choose.\n"
    "\n"
    "  FAMILY           what is chosen: stlap (the least q), threshold (the least T), range (the least L),\n"
    "                   tgeometric (the least bound), geometric, exponential, noisymax, permuteflip,\n"
    "                   above (these three by their bounds), rr, krr, onebit (the greatest eps),\n"
    "                   power (the greatest base), sparse (by its bound: the least sigma2 with questions,\n"
    "                   gap or answer-rate, else the greatest rate), laplace (the least scale), rappor\n"
    "                   (the least f),\n"
    "                   gauss and dgauss (the least sigma2), partition (the greatest delta, and its table\n"
    "                   of chances), zcdp (the greatest rho). With that parameter given, as in\n"
    "                   gauss:sigma2=4: the greatest sample of geometric, laplace, gauss and dgauss.\n"
    "                   Other parameters may be fixed: stlap:eps=1/4, laplace:sensitivity=3.\n"
    "                   An eps that is not chosen is E/K if left out; between substitute neighbours E/(2K)\n"
    "                   for stlap, buckethist and partition, where a changed record counts in two bars\n"
    "  buckethist       the least q, and how wide the buckets should be: --records N points of [0, B)^M,\n"
    "                   given by --bound B and --dimension M (1 if left out). With --beta the smallest\n"
    "                   fraction that may be dropped, with --alpha the smallest distance that points move,\n"
    "                   with neither a table of both, each for one use. With given buckets, as in\n"
    "                   buckethist:bound=100,width=1, the least q\n"
    "  --epsilon E      a rational above 0\n"
    "  --delta D        a rational from 0 to below 1; 0 if left out, where a mechanism can have that\n"
    "  --rho R          in place of both: the least noise that is R-zCDP, a rational above 0; not\n"
    "                   of those in which some output betrays a record, whose rho is infinite\n"
    "  --uses K         K uses of the mechanism, composed exactly, must stay within E and D together.\n"
    "                   most: as many as suffice, of a mechanism whose parameters are given\n"
    "  --neighbours R   add-remove (one record more or fewer), substitute (one changed) or local (any two\n"
    "                   values of one user); by default the first of these that the SPEC allows\n"
    "  --resolution S   the step of a parameter that is not an integer; if left out, the power of ten\n"
    "                   that gives it four digits (a base two)\n"
    "  --certify FILE   writes the certificate of the choice, whose delta is at most D (see probity "
    "certify);\n"
    "                   for buckethist, that of the buckets chosen by --alpha or --beta\n"
    "  --digits N       significant digits of the deltas, 9 if left out\n"
    "  --json           one JSON object: what was asked, parameter and resolution; choice, better and\n"
    "                   recipe with spec, value and delta each; exceeds, whether better is shown to;\n"
    "                   buckets or frontier of buckethist, table of partition\n"
    "\n"
    "If no candidate meets the request, it is refused with the reason (exit status 2).\n"
    "\n"
    "examples:\n"
    "  probity select stlap --epsilon 1/2 --delta 1e-6\n"
    "  probity select dgauss --epsilon 1 --delta 1e-6 --uses 100 --certify year.json\n"
    "  probity select gauss --rho 1/8 --uses 10\n"
    "  probity select buckethist --epsilon 1 --delta 1e-6 --records 1e6 --bound 100 --alpha 1/100\n";

const pby_command pby_command_select = {"select", "the best parameters that provably suffice", help, run};
