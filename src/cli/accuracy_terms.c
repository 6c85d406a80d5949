#include "cli/accuracy_terms.h"

#include "base/status.h"
#include "probity/rational.h"

static const unsigned long BETA_MAX = 1000000000000000000;

const char pby_accuracy_of_noise[] = "it with a mechanism whose noise may add, or with a threshold";
const char pby_accuracy_of_moves[] = "it with a mechanism that moves or drops records and adds none";

void pby_accuracy_terms_init(pby_accuracy_terms *t)
{
    *t = (pby_accuracy_terms){.asks_n = false};
    mpq_inits(t->width, t->beta, t->gamma, NULL);
}

void pby_accuracy_terms_clear(pby_accuracy_terms *t)
{
    mpq_clears(t->width, t->beta, t->gamma, NULL);
}

bool pby_accuracy_noisy_kind(pby_accuracy_kind kind)
{
    return kind != PBY_ACCURACY_DROPS && kind != PBY_ACCURACY_HIDES;
}

pby_status pby_option_from_0(mpq_t q, const pby_option *option, pby_error *err)
{
    if (option->value == NULL)
        return PBY_OK;
    const pby_status status = pby_rational_parse(q, option->name, option->value, err);
    return status == PBY_OK && mpq_sgn(q) < 0
               ? pby_refuse(err, option->name, option->value, "a rational from 0 on")
               : status;
}

pby_status pby_option_unread(const pby_option *option, const char *expected, pby_error *err)
{
    if (option->value == NULL)
        return PBY_OK;
    return option->expected == NULL ? pby_fail(err, PBY_BAD, "%s: expected %s", option->name, expected)
                                    : pby_refuse(err, option->name, option->value, expected);
}

/* How many records and bars there are; a query that gets noise is one bar. */
static pby_status read_inputs(pby_accuracy_terms *t, const pby_accuracy_options *o, pby_accuracy_kind kind,
                              const char *command, pby_error *err)
{
    unsigned long n, support;
    const bool all_noisy = kind == PBY_ACCURACY_NOISY || kind == PBY_ACCURACY_QUERY;
    const bool choice = kind == PBY_ACCURACY_CHOICE, share = kind == PBY_ACCURACY_SHARE;
    const bool stream = kind == PBY_ACCURACY_STREAM;
    const pby_option *records = o->records->value != NULL ? o->records : o->n;
    t->asks_n = records->value != NULL;
    if (choice && (t->asks_n || o->support->value == NULL))
        return pby_fail(err, PBY_BAD, "%s: expected --support, how many candidates there are, and no records",
                        command);
    if (stream && (t->asks_n || o->support->value == NULL))
        return pby_fail(err, PBY_BAD,
                        "%s: expected --support, how many questions a use is asked at most, and no records",
                        command);
    if (share && (!t->asks_n || o->support->value != NULL))
        return pby_fail(err, PBY_BAD, "%s: expected --n, how many users report, and no --support", command);
    if (!all_noisy && !choice && !share && !stream && (!t->asks_n || o->support->value == NULL))
        return pby_fail(
            err, PBY_BAD,
            "%s: expected --n and --support: alpha is a part of n records, lost by as many bars as are "
            "occupied",
            command);
    if (kind == PBY_ACCURACY_QUERY && t->asks_n)
        return pby_refuse(err, records->name, records->value,
                          "none: this mechanism answers a query, and drops no records");
    pby_status status = pby_option_integer(&n, records->name, records->value, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_option_integer(&support, "--support", o->support->value, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_option_from_0(t->width, o->width, err);
    if (status == PBY_OK)
        t->inputs = (pby_input_class){n, support, t->width};
    return status;
}

/* How far noise may go, or how likely farther. */
static pby_status read_noise(pby_accuracy_terms *t, const pby_accuracy_options *o, pby_error *err)
{
    pby_status status = pby_option_from_0(t->beta, o->beta, err);
    if (status == PBY_OK)
        status = pby_option_from_0(t->gamma, o->gamma, err);
    if (status == PBY_OK && mpq_cmp_ui(t->beta, BETA_MAX, 1) > 0)
        status = pby_refuse(err, "--beta", o->beta->value, "at most 1e18");
    if (status == PBY_OK && mpq_cmp_ui(t->gamma, 1, 1) > 0)
        status = pby_refuse(err, "--gamma", o->gamma->value, "a rational from 0 to 1");
    t->asks_beta = o->beta->value != NULL;
    t->asks_gamma = o->gamma->value != NULL;
    return status;
}

pby_status pby_accuracy_terms_read(pby_accuracy_terms *t, const pby_accuracy_options *o,
                                   pby_accuracy_kind kind, const char *command, pby_error *err)
{
    pby_status status;
    if (pby_accuracy_noisy_kind(kind)) {
        status = pby_option_unread(o->width, pby_accuracy_of_moves, err);
    } else {
        status = pby_option_unread(o->beta, pby_accuracy_of_noise, err);
        if (status == PBY_OK)
            status = pby_option_unread(o->gamma, pby_accuracy_of_noise, err);
    }
    if (status == PBY_OK)
        status = read_noise(t, o, err);
    return status == PBY_OK ? read_inputs(t, o, kind, command, err) : status;
}
