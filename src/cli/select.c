#include "probity/select.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/buckets.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/spool.h"
#include "mechanism/selection.h"
#include "number/integer.h"
#include "probity/certificate.h"
#include "probity/rational.h"

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

/* What was asked, out of the options. */
struct question {
    mpq_t epsilon, delta, rho, resolution;
    pby_target target;
    unsigned digits;
};

/* The row of the family that a text begins with; NULL where there is none. */
static const pby_select_row *row_of(const char *text)
{
    const pby_family *family = pby_family_spelled(text, strcspn(text, ":"));
    return family == NULL ? NULL : family->select;
}

/* A family that can have delta 0 need not be asked for one. */
static void set_delta(pby_option *options, const char *family)
{
    const pby_select_row *row = row_of(family);
    if (options[EPSILON].value != NULL && options[DELTA].value == NULL && row != NULL &&
        row->never_zero == NULL)
        options[DELTA].value = "0";
}

/* The neighbours that are asked for, or the first that the family is about. */
static pby_status read_neighbours(pby_neighbours *out, const char *value, const char *text, pby_error *err)
{
    const pby_family *family = pby_family_spelled(text, strcspn(text, ":"));
    const pby_status status = pby_option_neighbours(out, value, NULL, err);
    if (status == PBY_OK && value == NULL && family != NULL && !(family->relations >> *out & 1))
        *out = PBY_LOCAL;
    return status;
}

/* --epsilon and --delta, or --rho. */
static pby_status read_target(struct question *q, const pby_option *options, pby_error *err)
{
    const bool pair = options[EPSILON].value != NULL && options[DELTA].value != NULL,
               some = options[EPSILON].value != NULL || options[DELTA].value != NULL;
    if (options[RHO].value != NULL) {
        q->target.rho = q->rho;
        return some ? pby_refuse(err, "--rho", options[RHO].value, "it in place of --epsilon and --delta")
                    : pby_rational_parse(q->rho, "--rho", options[RHO].value, err);
    }
    if (!pair)
        return pby_fail(err, PBY_BAD, "select: expected --epsilon E and --delta D, or --rho R");
    q->target.epsilon = q->epsilon;
    q->target.delta = q->delta;
    const pby_status status = pby_rational_parse(q->epsilon, "--epsilon", options[EPSILON].value, err);
    return status == PBY_OK ? pby_rational_parse(q->delta, "--delta", options[DELTA].value, err) : status;
}

static pby_status read_question(struct question *q, const char *family, const pby_option *options,
                                pby_error *err)
{
    pby_status status = read_target(q, options, err);
    if (status == PBY_OK && options[CERTIFY].value != NULL && q->target.rho != NULL)
        status =
            pby_refuse(err, "--certify", options[CERTIFY].value, "it with --epsilon and --delta, not --rho");
    if (status == PBY_OK)
        status = read_neighbours(&q->target.relation, options[NEIGHBOURS].value, family, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&q->target.uses, "--uses", options[USES].value, 1, 1000000000, 1, err);
    if (status == PBY_OK)
        status = pby_option_digits(&q->digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK && options[RESOLUTION].value != NULL) {
        status = pby_rational_parse(q->resolution, "--resolution", options[RESOLUTION].value, err);
        q->target.resolution = q->resolution;
    }
    return status;
}

/* What the target is about. */
static const char *loss_name(const struct question *q)
{
    return q->target.rho != NULL ? "rho" : "delta";
}

static const pby_enclosure *loss_of(const pby_candidate *c, const struct question *q)
{
    return q->target.rho != NULL ? &c->rho : &c->delta;
}

static bool is_within(const pby_candidate *c, const struct question *q)
{
    return mpfr_cmp_q(loss_of(c, q)->hi, q->target.rho != NULL ? q->rho : q->delta) <= 0;
}

/* ---- in words --------------------------------------------------------------------------------- */

static void print_candidate(const char *name, const pby_candidate *c, const struct question *q,
                            const char *note)
{
    pby_print_line(name, pby_spec_text(c->spec));
    pby_print_enclosure(q->target.rho != NULL ? "  rho" : "  delta", loss_of(c, q), q->digits, note);
}

/* How much greater the recipe's parameter is than ours, or ours than the recipe's, in percent. */
static void print_saving(const pby_choice *choice)
{
    if (mpq_equal(choice->chosen.value, choice->recipe.value)) {
        pby_print_line("  saving", "none");
        return;
    }
    const int less = mpq_cmp(choice->chosen.value, choice->recipe.value) < 0;
    char text[PBY_DECIMAL_SIZE], line[PBY_DECIMAL_SIZE + 64];
    mpq_t part;
    mpfr_t percent;
    mpq_init(part);
    mpfr_init2(percent, 64);
    mpq_div(part, choice->chosen.value, choice->recipe.value);
    mpfr_set_q(percent, part, MPFR_RNDN);
    mpfr_sub_ui(percent, percent, 1, MPFR_RNDN);
    mpfr_abs(percent, percent, MPFR_RNDN);
    mpfr_mul_ui(percent, percent, 100, MPFR_RNDN);
    pby_decimal(text, percent, 3, true);
    snprintf(line, sizeof line, "%s is %s %% %s", choice->parameter, text, less ? "smaller" : "greater");
    pby_print_line("  saving", line);
    mpfr_clear(percent);
    mpq_clear(part);
}

static void print_choice(const pby_choice *choice, const struct question *q)
{
    char *step = mpq_get_str(NULL, 10, choice->resolution);
    print_candidate("choice", &choice->chosen, q,
                    is_within(&choice->chosen, q) ? "within the target"
                                                  : "the target itself, by an exact sign");
    pby_print_line("neighbours", pby_neighbours_text(q->target.relation));
    printf("%-12s%s in steps of %s\n", "chosen", choice->parameter, step);
    free(step);
    if (choice->better.spec != NULL)
        print_candidate("better", &choice->better, q,
                        choice->adjacent ? "exceeds the target"
                                         : "exceeds the target; between them the bounds do not tell");
    else
        pby_print_line("better", "none: in these steps there is no less noise");
    if (choice->monotone != NULL)
        pby_print_line("  beyond", choice->monotone);
    else
        pby_print_line("  beyond", "others were tried at doubling distances, not one by one");
    if (choice->recipe.spec == NULL)
        return;
    print_candidate("recipe", &choice->recipe, q, NULL);
    pby_print_line("  from", choice->source);
    print_saving(choice);
}

/* ---- as JSON ---------------------------------------------------------------------------------- */

static json_t *candidate_json(const pby_candidate *c, const struct question *q)
{
    if (c->spec == NULL)
        return json_null();
    char *value = mpq_get_str(NULL, 10, c->value);
    json_t *object = json_pack("{s:s, s:s, s:o}", "spec", pby_spec_text(c->spec), "value", value,
                               loss_name(q), pby_json_enclosure(loss_of(c, q), q->digits));
    free(value);
    return object;
}

static json_t *target_json(const struct question *q, const pby_option *options)
{
    return q->target.rho != NULL
               ? json_pack("{s:s}", "rho", options[RHO].value)
               : json_pack("{s:s, s:s}", "epsilon", options[EPSILON].value, "delta", options[DELTA].value);
}

static json_t *choice_json(const pby_choice *choice, const struct question *q, const pby_option *options)
{
    char *step = mpq_get_str(NULL, 10, choice->resolution);
    json_t *object = target_json(q, options);
    json_t *rest = json_pack(
        "{s:I, s:s, s:s, s:s, s:o, s:o, s:b, s:o, s:s?, s:s}", "uses", (json_int_t)q->target.uses,
        "neighbours", pby_neighbours_text(q->target.relation), "parameter", choice->parameter, "resolution",
        step, "choice", candidate_json(&choice->chosen, q), "better", candidate_json(&choice->better, q),
        "adjacent", choice->adjacent, "recipe", candidate_json(&choice->recipe, q), "source", choice->source,
        "monotone", choice->monotone != NULL ? choice->monotone : "not known");
    free(step);
    if (object != NULL && (rest == NULL || json_object_update(object, rest) != 0)) {
        json_decref(object);
        object = NULL;
    }
    json_decref(rest);
    return object;
}

/* ---- the table of a partition ----------------------------------------------------------------- */

static pby_status add_chance(json_t *table, const pby_enclosure *chance, uint64_t k, unsigned digits,
                             pby_error *err)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    if (table != NULL)
        return json_array_append_new(table, json_pack("{s:I, s:o}", "k", (json_int_t)k, "p",
                                                      pby_json_enclosure(chance, digits))) == 0
                   ? PBY_OK
                   : pby_no_memory(err);
    pby_decimal(lo, chance->lo, digits, true);
    pby_decimal(hi, chance->hi, digits, false);
    printf("%8llu  [%s, %s]\n", (unsigned long long)k, lo, hi);
    return PBY_OK;
}

/* Every chance up to the first that is 1; to the table, or printed when that is NULL. */
static pby_status chances(json_t *table, const pby_spec *spec, unsigned digits, pby_error *err)
{
    pby_enclosure chance;
    pby_status status = PBY_OK;
    bool sure = false;
    pby_enclosure_init(&chance);
    if (table == NULL)
        printf("%8s  %s\n", "records", "chance to be shown, in each use");
    for (uint64_t k = 1; !sure && status == PBY_OK; k++) {
        status = pby_partition_chance(&chance, &sure, spec, k, digits, err);
        if (status == PBY_OK)
            status = add_chance(table, &chance, k, digits, err);
    }
    pby_enclosure_clear(&chance);
    return status;
}

/* ---- the command ------------------------------------------------------------------------------ */

/* The family that is chosen from while buckets are only planned; NULL where there is no such. */
static const pby_family *unplanned(const char *text)
{
    const pby_select_row *row = row_of(text);
    return row == NULL ? NULL : row->unplanned;
}

/* A plan of buckets is asked for unless they are given: buckethist:bound=100,width=10. */
static bool wants_plan(const char *family, const pby_buckets_asked *buckets)
{
    return unplanned(family) != NULL &&
           (strchr(family, ':') == NULL || buckets->records != NULL || buckets->bound != NULL);
}

/* What goes with the choice: the table of a partition, the plan of buckets. */
static pby_status add_more(json_t *object, const char *family, const pby_choice *choice,
                           const struct question *q, const pby_buckets_asked *buckets, pby_error *err)
{
    if (wants_plan(family, buckets))
        return pby_buckets_answer(choice, buckets, object, err);
    if (choice->chosen.spec->use[0].mechanism.family->form != PBY_RELEASE_PRESENT)
        return PBY_OK;
    json_t *table = object == NULL ? NULL : json_array();
    if (object != NULL && table == NULL)
        return pby_no_memory(err);
    const pby_status status = chances(table, choice->chosen.spec, q->digits, err);
    if (status == PBY_OK && table != NULL)
        return pby_json_set(object, "table", table, err);
    json_decref(table);
    return status;
}

static pby_status print_answer(const char *family, const pby_choice *choice, const struct question *q,
                               const pby_option *options, const pby_buckets_asked *buckets, pby_error *err)
{
    json_t *object = NULL;
    if (options[JSON].value != NULL) {
        object = choice_json(choice, q, options);
        if (object == NULL)
            return pby_no_memory(err);
    }
    const pby_status status = add_more(object, family, choice, q, buckets, err);
    if (status == PBY_OK && object != NULL)
        return pby_print_json(object, err);
    json_decref(object);
    if (status == PBY_OK)
        print_choice(choice, q);
    return status;
}

/* Whatever the buckets are, their noise is that of stlap (docs/theory/selection.md). */
static pby_status choose(pby_choice **choice, const char *family, bool plan, const pby_target *target,
                         pby_error *err)
{
    char *noise = NULL;
    if (!plan)
        return pby_select(choice, family, target, err);
    if (asprintf(&noise, "%s%s", unplanned(family)->name, family + strcspn(family, ":")) < 0)
        return pby_no_memory(err);
    const pby_status status = pby_select(choice, noise, target, err);
    free(noise);
    return status;
}

/* The certificate of the choice, or of the buckets that are planned for it. */
static pby_status certify(pby_spool *file, const char *family, const pby_choice *choice,
                          const struct question *q, const pby_buckets_asked *buckets, pby_error *err)
{
    const pby_certify_options target = {.delta = q->delta};
    char *text = NULL;
    pby_spec *planned = NULL;
    pby_status status = wants_plan(family, buckets) ? pby_buckets_spec(&planned, choice, buckets, err)
                                                    : PBY_OK;
    pby_clock waiting;
    pby_clock_begin(&waiting, "certificate");
    if (status == PBY_OK)
        status = pby_certify_with(&text, planned != NULL ? planned : choice->chosen.spec, q->target.relation,
                                  q->epsilon, &target, err);
    pby_clock_end(&waiting);
    if (status == PBY_OK)
        status = pby_spool_write(file, text, strlen(text), err);
    free(text);
    pby_spec_free(planned);
    return status;
}

/* Opens the file of --certify, if that was given, before the search. */
static pby_status open_certificate(pby_spool **file, const pby_option *options, pby_error *err)
{
    const char *path = options[CERTIFY].value;
    if (path == NULL)
        return PBY_OK;
    return pby_path_named(path) == NULL ? pby_refuse(err, "--certify", path, "the name of a file")
                                        : pby_spool_open(file, path, err);
}

/* The certificate appears when the answer does. */
static pby_status answer_choice(pby_spool **file, const char *family, const pby_choice *choice,
                                const struct question *q, const pby_option *options,
                                const pby_buckets_asked *buckets, pby_error *err)
{
    pby_status status = PBY_OK;
    if (*file != NULL)
        status = certify(*file, family, choice, q, buckets, err);
    if (status == PBY_OK && *file != NULL) {
        status = pby_spool_commit(*file, err);
        *file = NULL;
    }
    return status == PBY_OK ? print_answer(family, choice, q, options, buckets, err) : status;
}

static void show(void *progress, uint64_t asked)
{
    pby_progress_at(progress, asked);
}

static pby_status answer(const char *family, struct question *q, const pby_option *options, pby_error *err)
{
    const pby_buckets_asked buckets = {options[RECORDS].value, options[BOUND].value, options[DIMENSION].value,
                                       options[ALPHA].value, options[BETA].value};
    const bool plan = wants_plan(family, &buckets);
    pby_choice *choice = NULL;
    pby_spool *file = NULL;
    pby_progress progress;
    pby_progress_begin(&progress, "candidates asked", 0);
    q->target.asking = show;
    q->target.what = &progress;
    pby_status status = plan ? PBY_OK : pby_buckets_none(&buckets, err);
    if (status == PBY_OK)
        status = open_certificate(&file, options, err);
    if (status == PBY_OK)
        status = choose(&choice, family, plan, &q->target, err);
    pby_progress_end(&progress);
    if (status == PBY_OK)
        status = answer_choice(&file, family, choice, q, options, &buckets, err);
    pby_spool_abort(file);
    pby_choice_free(choice);
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    struct question q = {.digits = 0};
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "select: expected a FAMILY such as stlap");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one FAMILY, not two", err);
    if (status != PBY_OK)
        return status;
    mpq_inits(q.epsilon, q.delta, q.rho, q.resolution, (mpq_ptr)0);
    set_delta(options, argv[0]);
    status = read_question(&q, argv[0], options, err);
    if (status == PBY_OK)
        status = answer(argv[0], &q, options, err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    mpq_clears(q.epsilon, q.delta, q.rho, q.resolution, (mpq_ptr)0);
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
    "and says why everything beyond that exceeds it too. It also prints what the published recipe would\n"
    "choose.\n"
    "\n"
    "  FAMILY           what is chosen: stlap (the least q), threshold (the least T), range (the least L),\n"
    "                   tgeometric (the least bound), geometric, exponential, noisymax, permuteflip,\n"
    "                   above, rr and krr (the greatest eps; of above by its bound), laplace (the least\n"
    "                   scale),\n"
    "                   gauss and dgauss (the least sigma2), partition (the greatest delta, and its table\n"
    "                   of chances). Other parameters may be fixed: stlap:eps=1/4, laplace:sensitivity=3.\n"
    "                   An eps that is not chosen is E/K if left out; between substitute neighbours E/(2K)\n"
    "                   for stlap, buckethist and partition, where a changed record counts in two bars\n"
    "  buckethist       the least q, and how wide the buckets should be: --records N points of [0, B)^M,\n"
    "                   given by --bound B and --dimension M (1 if left out). With --beta the smallest\n"
    "                   fraction that may be dropped, with --alpha the smallest distance that points move,\n"
    "                   with neither a table of both, each for one use. With given buckets, as in\n"
    "                   buckethist:bound=100,width=1, the least q\n"
    "  --epsilon E      a rational above 0\n"
    "  --delta D        a rational from 0 to below 1; 0 if left out, where a mechanism can have that\n"
    "  --rho R          in place of both: the least noise that is R-zCDP, a rational above 0; of\n"
    "                   geometric, laplace, exponential, above, rr, krr, gauss and dgauss, whose\n"
    "                   Renyi divergences are finite\n"
    "  --uses K         K uses of the mechanism, composed exactly, must stay within E and D together\n"
    "  --neighbours R   add-remove (one record more or fewer), substitute (one changed) or local (any two\n"
    "                   values of one user); by default the first of these that the SPEC allows\n"
    "  --resolution S   the step of a parameter that is not an integer; if left out, the power of ten\n"
    "                   that gives it four digits\n"
    "  --certify FILE   writes the certificate of the choice, whose delta is at most D (see probity "
    "certify);\n"
    "                   for buckethist, that of the buckets chosen by --alpha or --beta\n"
    "  --digits N       significant digits of the deltas, 9 if left out\n"
    "  --json           one JSON object: what was asked, parameter and resolution; choice, better and\n"
    "                   recipe with spec, value and delta each; buckets or frontier of buckethist, table\n"
    "                   of partition\n"
    "\n"
    "If no candidate meets the request, it is refused with the reason (exit status 2).\n"
    "\n"
    "examples:\n"
    "  probity select stlap --epsilon 1/2 --delta 1e-6\n"
    "  probity select dgauss --epsilon 1 --delta 1e-6 --uses 100 --certify year.json\n"
    "  probity select gauss --rho 1/8 --uses 10\n"
    "  probity select buckethist --epsilon 1 --delta 1e-6 --records 1e6 --bound 100 --alpha 1/100\n";

const pby_command pby_command_select = {"select", "the best parameters that provably suffice", help, run};
