#include "loss/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loss/loss.h"
#include "number/ball.h"

/* ---- one family after the other --------------------------------------------------------------- */

static void times(fmpq_t x, unsigned long size)
{
    fmpz_t k;
    fmpz_init_set_ui(k, size);
    fmpq_mul_fmpz(x, x, k);
    fmpz_clear(k);
}

static fmpq *parameter(pby_mechanism *m, const char *name)
{
    for (size_t i = 0; i < PBY_PARAMETERS_MAX && m->family->parameters[i].name != NULL; i++)
        if (strcmp(m->family->parameters[i].name, name) == 0)
            return &m->value[i];
    return NULL;
}

/* xi k (1 + 1/2 + ... + 1/k) and k^2 rho */
static void group_zcdp(pby_mechanism *m, unsigned long size)
{
    fmpq *xi = parameter(m, "xi"), *rho = parameter(m, "rho");
    times(rho, size);
    times(rho, size);
    if (fmpq_is_zero(xi))
        return;
    fmpq_t harmonic;
    fmpq_init(harmonic);
    fmpq_harmonic_ui(harmonic, size);
    fmpq_mul(xi, xi, harmonic);
    times(xi, size);
    fmpq_clear(harmonic);
}

/* With v = 1/u = a/(a-1): the order v^k/(v^k - 1), and e (v^k - 1)/(v - 1) = e (a-1)(v^k - 1). */
static void group_rdp(pby_mechanism *m, unsigned long size)
{
    fmpq *order = parameter(m, "order"), *eps = parameter(m, "eps");
    fmpq_t less, power, rest;
    fmpq_init(less);
    fmpq_init(power);
    fmpq_init(rest);
    fmpq_sub_si(less, order, 1);
    fmpq_div(power, order, less);
    fmpq_pow_si(power, power, (slong)size);
    fmpq_sub_si(rest, power, 1);
    fmpq_div(order, power, rest);
    fmpq_mul(eps, eps, less);
    fmpq_mul(eps, eps, rest);
    fmpq_clear(rest);
    fmpq_clear(power);
    fmpq_clear(less);
}

bool pby_mechanism_group(pby_mechanism *m, unsigned long size)
{
    fmpq *eps = parameter(m, "eps"), *sensitivity = parameter(m, "sensitivity");
    if (m->family == &pby_family_zcdp) {
        group_zcdp(m, size);
        return true;
    }
    if (m->family == &pby_family_rdp) {
        group_rdp(m, size);
        return true;
    }
    if (sensitivity == NULL && m->family != &pby_family_pure)
        return false;
    /* where eps is the loss at the sensitivity, the noise stays what it is only if both grow */
    if (eps != NULL)
        times(eps, size);
    if (sensitivity != NULL)
        times(sensitivity, size);
    return true;
}

/* ---- a spec ----------------------------------------------------------------------------------- */

static pby_status check_size(unsigned long size, pby_error *err)
{
    return size >= 1 && size <= PBY_GROUP_LIMIT
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "group '%lu': expected an integer from 1 to %d", size,
                          PBY_GROUP_LIMIT);
}

/* The text of one use between members of a group, to be freed; NULL without memory. */
static char *group_text(const pby_use *use, unsigned long size, bool *able)
{
    pby_mechanism m = {.family = use->mechanism.family};
    char *text = NULL;
    size_t length = 0;
    for (size_t i = 0; i < PBY_PARAMETERS_MAX; i++) {
        fmpq_init(&m.value[i]);
        fmpq_set(&m.value[i], &use->mechanism.value[i]);
    }
    *able = pby_mechanism_group(&m, size);
    FILE *out = open_memstream(&text, &length);
    if (out != NULL) {
        fprintf(out, "%llu*%s", (unsigned long long)use->times, m.family->name);
        char separator = ':';
        for (size_t i = 0; i < PBY_PARAMETERS_MAX && m.family->parameters[i].name != NULL; i++) {
            if (fmpq_is_zero(&m.value[i]))
                continue; /* not given, or a default */
            char *value = fmpq_get_str(NULL, 10, &m.value[i]);
            fprintf(out, "%c%s=%s", separator, m.family->parameters[i].name, value);
            flint_free(value);
            separator = ',';
        }
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    for (size_t i = 0; i < PBY_PARAMETERS_MAX; i++)
        fmpq_clear(&m.value[i]);
    return text;
}

static bool all_able(const pby_spec *spec)
{
    bool able = true;
    for (size_t i = 0; i < spec->count && able; i++)
        free(group_text(&spec->use[i], 1, &able));
    return able;
}

pby_status pby_spec_group(pby_spec **out, const pby_spec *spec, unsigned long size, pby_error *err)
{
    *out = NULL;
    pby_status status = check_size(size, err);
    if (status != PBY_OK)
        return status;
    char **texts = calloc(spec->count, sizeof *texts);
    if (texts == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < spec->count && status == PBY_OK; i++) {
        bool able;
        texts[i] = group_text(&spec->use[i], size, &able);
        if (!able)
            status = pby_family_lacks(&spec->use[i].mechanism,
                                      "a group of its own (of any other --epsilon alone is answered)", err);
        else if (texts[i] == NULL)
            status = pby_no_memory(err);
    }
    if (status == PBY_OK)
        status = pby_spec_parse(out, (const char *const *)texts, spec->count, err);
    for (size_t i = 0; i < spec->count; i++)
        free(texts[i]);
    free(texts);
    return status;
}

/* ---- any profile ------------------------------------------------------------------------------ */

/* 1 + exp(e) + ... + exp((size-1) e); at e = 0, size. */
static void geometric_sum(arb_t sum, const fmpq_t e, unsigned long size, slong prec)
{
    if (fmpq_is_zero(e)) {
        arb_set_ui(sum, size);
        return;
    }
    arb_t below;
    arb_init(below);
    arb_set_fmpq(below, e, prec);
    arb_mul_ui(sum, below, size, prec);
    arb_expm1(sum, sum, prec);
    arb_expm1(below, below, prec);
    arb_div(sum, sum, below, prec);
    arb_clear(below);
}

static pby_status by_theorem(arb_t ball, const pby_spec *spec, pby_neighbours relation, unsigned long size,
                             mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    const slong prec = PBY_PRECISION_FIRST + 2 * pby_bits_for_digits(digits);
    pby_profiles list;
    fmpq_t e;
    fmpz_t k;
    arb_t sum;
    fmpq_init(e);
    fmpz_init_set_ui(k, size);
    arb_init(sum);
    fmpq_set_mpq(e, epsilon);
    fmpq_div_fmpz(e, e, k);
    pby_status status = pby_loss_profiles(&list, spec, relation, err);
    if (status == PBY_OK)
        status = pby_profiles_delta(ball, &list, e, digits, err);
    geometric_sum(sum, e, size, prec);
    arb_mul(ball, ball, sum, prec);
    arb_set_ui(sum, 1);
    arb_min(ball, ball, sum, prec);
    pby_profiles_clear(&list);
    arb_clear(sum);
    fmpz_clear(k);
    fmpq_clear(e);
    return status;
}

pby_status pby_loss_group_delta(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                                unsigned long size, mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    pby_status status = check_size(size, err);
    if (status != PBY_OK)
        return status;
    if (all_able(spec)) {
        pby_spec *grown;
        status = pby_spec_group(&grown, spec, size, err);
        if (status == PBY_OK)
            status = pby_loss_delta(delta, grown, relation, epsilon, digits, err);
        pby_spec_free(grown);
        return status;
    }
    arb_t ball;
    arb_init(ball);
    status = by_theorem(ball, spec, relation, size, epsilon, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(delta, ball, digits);
    arb_clear(ball);
    return status;
}
