/* Groups: inputs that are several neighbours apart (public face: probity/loss.h).
 *
 * A mechanism of additive noise with a sensitivity is the same mechanism with a greater one; its pair is
 * the law shifted further, which is exact. A guarantee becomes another guarantee:
 *
 *   pure  e                 k e
 *   zcdp  (xi, rho)         (xi k (1 + 1/2 + ... + 1/k), k^2 rho)
 *   rdp   order a, e        order 1/(1 - u^k), e (1 + 1/u + ... + 1/u^(k-1)), u = 1 - 1/a
 *
 * Any other profile has a theorem of its own (loss/group_loss.c).
 */
#include <stdio.h>
#include <stdlib.h>

#include "loss/loss.h"
#include "mechanism/family.h"
#include "probity/loss.h"

/* ---- one family after the other --------------------------------------------------------------- */

static void times(fmpq_t x, unsigned long size)
{
    fmpz_t k;
    fmpz_init_set_ui(k, size);
    fmpq_mul_fmpz(x, x, k);
    fmpz_clear(k);
}

/* NULL where the family has none of that role. */
static fmpq *parameter(pby_mechanism *m, pby_role role)
{
    const size_t i = pby_family_with(m->family, role);
    return i < PBY_PARAMETERS_MAX ? &m->value[i] : NULL;
}

/* xi k (1 + 1/2 + ... + 1/k) and k^2 rho */
static void group_zcdp(pby_mechanism *m, unsigned long size)
{
    fmpq *xi = parameter(m, PBY_ROLE_XI), *rho = parameter(m, PBY_ROLE_RHO);
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
    fmpq *order = parameter(m, PBY_ROLE_ORDER), *eps = parameter(m, PBY_ROLE_EPSILON);
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

/* Where eps is the loss at the sensitivity, the noise stays what it is only if both grow. Each member of the
 * group is counted in bars of its own, and some may be added while others are removed. */
static void group_sensitivity(pby_mechanism *m, unsigned long size)
{
    static const pby_role roles[] = {PBY_ROLE_EPSILON, PBY_ROLE_SENSITIVITY, PBY_ROLE_DIMENSIONS};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        fmpq *value = parameter(m, roles[i]);
        if (value != NULL)
            times(value, size);
    }
    fmpq *moves = parameter(m, PBY_ROLE_MOVES);
    if (moves != NULL && size > 1)
        fmpq_one(moves);
}

/* Whether what a group sees is a mechanism of the same family. */
static bool grows(const pby_mechanism *m)
{
    const pby_family *f = m->family;
    return f == &pby_family_zcdp || f == &pby_family_rdp || f == &pby_family_pure ||
           pby_family_with(f, PBY_ROLE_SENSITIVITY) < PBY_PARAMETERS_MAX;
}

/* Turns a mechanism that grows into the one that a group of that size sees. */
static void grow(pby_mechanism *m, unsigned long size)
{
    if (m->family == &pby_family_zcdp)
        group_zcdp(m, size);
    else if (m->family == &pby_family_rdp)
        group_rdp(m, size);
    else
        group_sensitivity(m, size);
}

/* ---- a spec ----------------------------------------------------------------------------------- */

static pby_status check_size(unsigned long size, pby_error *err)
{
    return size >= 1 && size <= PBY_GROUP_MAX
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "group '%lu': expected an integer from 1 to %d", size, PBY_GROUP_MAX);
}

/* The text of one use between members of a group, to be freed; NULL without memory. */
static char *group_text(const pby_use *use, unsigned long size)
{
    pby_mechanism m;
    char *text = NULL;
    size_t length = 0;
    pby_mechanism_init(&m, use->mechanism.family);
    for (size_t i = 0; i < PBY_PARAMETERS_MAX; i++)
        fmpq_set(&m.value[i], &use->mechanism.value[i]);
    grow(&m, size);
    FILE *out = open_memstream(&text, &length);
    if (out != NULL) {
        fprintf(out, "%llu*", (unsigned long long)use->times);
        pby_mechanism_print(out, &m);
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    pby_mechanism_clear(&m);
    return text;
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
        if (!grows(&spec->use[i].mechanism))
            status = pby_family_lacks(
                &spec->use[i].mechanism,
                "a group of its own (of any other --epsilon and --delta alone are answered)", err);
        else if ((texts[i] = group_text(&spec->use[i], size)) == NULL)
            status = pby_no_memory(err);
    }
    if (status == PBY_OK)
        status = pby_spec_parse(out, (const char *const *)texts, spec->count, err);
    for (size_t i = 0; i < spec->count; i++)
        free(texts[i]);
    free(texts);
    return status;
}

bool pby_spec_grows(const pby_spec *spec)
{
    for (size_t i = 0; i < spec->count; i++)
        if (!grows(&spec->use[i].mechanism))
            return false;
    return true;
}
