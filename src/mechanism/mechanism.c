/* SPDX-License-Identifier: MIT */
/* A mechanism as its family's parameters and their values. Knows no family, so that every family may use it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/printed.h"
#include "mechanism/family.h"
#include "number/scoped.h"

/* ---- parameters ------------------------------------------------------------------------------- */

size_t pby_family_parameters(const pby_family *family)
{
    size_t n = 0;
    while (n < PBY_PARAMETERS_MAX && family->parameters[n].name != NULL)
        n++;
    return n;
}

bool pby_family_is_step(const pby_family *family)
{
    return family->first || family->last;
}

size_t pby_family_find(const pby_family *family, const char *name)
{
    const size_t count = pby_family_parameters(family);
    for (size_t i = 0; i < count; i++)
        if (strcmp(family->parameters[i].name, name) == 0)
            return i;
    return PBY_PARAMETERS_MAX;
}

size_t pby_family_with(const pby_family *family, pby_role role)
{
    const size_t count = pby_family_parameters(family);
    for (size_t i = 0; i < count && role != PBY_ROLE_NONE; i++)
        if (family->parameters[i].role == role)
            return i;
    return PBY_PARAMETERS_MAX;
}

const char *const *pby_family_words(const pby_family *family, size_t parameter)
{
    size_t choices = 0;
    for (size_t i = 0; i < parameter; i++)
        choices += family->parameters[i].kind == PBY_CHOICE;
    return family->words + 2 * choices;
}

void pby_mechanism_init(pby_mechanism *m, const pby_family *family)
{
    m->family = family;
    for (size_t i = 0; i < PBY_PARAMETERS_MAX; i++)
        fmpq_init(&m->value[i]);
}

void pby_mechanism_clear(pby_mechanism *m)
{
    for (size_t i = 0; i < PBY_PARAMETERS_MAX; i++)
        fmpq_clear(&m->value[i]);
}

void pby_mechanism_copy(pby_mechanism *out, const pby_mechanism *m)
{
    out->family = m->family;
    for (size_t i = 0; i < PBY_PARAMETERS_MAX; i++)
        fmpq_set(&out->value[i], &m->value[i]);
}

bool pby_mechanism_has(const pby_mechanism *m, size_t parameter)
{
    return !fmpq_is_zero(&m->value[parameter]);
}

int64_t pby_mechanism_natural(const pby_mechanism *m, size_t parameter)
{
    return fmpz_get_si(fmpq_numref(&m->value[parameter]));
}

void pby_mechanism_digest(char out[PBY_DIGEST_SIZE], const pby_mechanism *m, size_t parameter)
{
    char *digits = fmpz_get_str(NULL, 16, fmpq_numref(&m->value[parameter]));
    const size_t length = strlen(digits);
    memset(out, '0', PBY_DIGEST_SIZE);
    memcpy(out + PBY_DIGEST_SIZE - 1 - length, digits, length + 1);
    flint_free(digits);
}

char *pby_mechanism_numbers(const pby_mechanism *m, size_t parameter)
{
    const fmpz *number = fmpq_numref(&m->value[parameter]);
    const size_t size = fmpz_sizeinbase(number, 256);
    char *text = flint_malloc(size + 1);
    PBY_FMPZ(rest);
    fmpz_set(rest, number);
    for (size_t i = size; i-- > 0;) {
        text[i] = (char)fmpz_fdiv_ui(rest, 256);
        fmpz_fdiv_q_2exp(rest, rest, 8);
    }
    text[size] = '\0';
    return text;
}

const fmpq *pby_mechanism_value(const pby_mechanism *m, pby_role role)
{
    const size_t i = pby_family_with(m->family, role);
    return i == PBY_PARAMETERS_MAX || fmpq_is_zero(&m->value[i]) ? NULL : &m->value[i];
}

const fmpq *pby_mechanism_sample(const pby_mechanism *m)
{
    const fmpq *rate = pby_mechanism_value(m, pby_mechanism_fixed(m) ? PBY_ROLE_FIXED : PBY_ROLE_SAMPLE);
    return rate == NULL || fmpq_is_one(rate) ? NULL : rate;
}

bool pby_mechanism_fixed(const pby_mechanism *m)
{
    const fmpq *share = pby_mechanism_value(m, PBY_ROLE_FIXED);
    return share != NULL && !fmpq_is_one(share);
}

bool pby_mechanism_allocated(const pby_mechanism *m)
{
    const fmpq *steps = pby_mechanism_value(m, PBY_ROLE_ALLOCATE);
    return steps != NULL && !fmpq_is_one(steps);
}

bool pby_mechanism_truncated(const pby_mechanism *m)
{
    return pby_mechanism_value(m, PBY_ROLE_BATCH) != NULL;
}

bool pby_mechanism_loose(const pby_mechanism *m)
{
    return m->family->loose || pby_mechanism_allocated(m) || pby_mechanism_fixed(m) ||
           pby_mechanism_truncated(m) ||
           (pby_mechanism_value(m, PBY_ROLE_BANDS) != NULL && pby_mechanism_value(m, PBY_ROLE_GRID) != NULL);
}

bool pby_mechanism_bounded(const pby_mechanism *m)
{
    return m->family->interval && pby_mechanism_sample(m) == NULL;
}

int64_t pby_mechanism_size(const pby_mechanism *m)
{
    return m->family->size == NULL ? 0 : m->family->size(m);
}

const fmpq *pby_mechanism_unit(const pby_mechanism *m)
{
    const fmpq *unit = m->family->unit == NULL ? NULL : m->family->unit(m);
    return unit == NULL || fmpq_is_one(unit) ? NULL : unit;
}

/* ---- text and refusals ------------------------------------------------------------------------ */

static bool is_fallback(const pby_parameter *parameter, const char *value)
{
    const char *fallback = parameter->fallback;
    return fallback != NULL && strcmp(*fallback == '\0' ? "0" : fallback, value) == 0;
}

void pby_mechanism_print(FILE *out, const pby_mechanism *m)
{
    const pby_family *family = m->family;
    const size_t count = pby_family_parameters(family);
    fputs(family->name, out);
    char separator = ':';
    for (size_t i = 0; i < count; i++) {
        const pby_parameter *parameter = &family->parameters[i];
        char *number = parameter->kind == PBY_NUMBERS && pby_mechanism_has(m, i)
                           ? pby_mechanism_numbers(m, i)
                           : fmpq_get_str(NULL, 10, &m->value[i]);
        char digest[PBY_DIGEST_SIZE];
        const char *value = parameter->kind == PBY_CHOICE ? pby_family_words(family, i)[*number - '0']
                                                          : number;
        if (parameter->kind == PBY_DIGEST) {
            pby_mechanism_digest(digest, m, i);
            value = digest;
        }
        if (!is_fallback(parameter, parameter->kind == PBY_DIGEST ? number : value)) {
            fprintf(out, "%c%s=%s", separator, parameter->name, value);
            separator = ',';
        }
        flint_free(number);
    }
}

pby_status pby_mechanism_refuse(const pby_mechanism *m, const char *expected, pby_error *err)
{
    char *text;
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_mechanism_print(out, m);
    PBY_TRY(pby_printed_end(&text, &printed, PBY_OK, err));
    const pby_status status = pby_refuse(err, "SPEC", text, expected);
    free(text);
    return status;
}

pby_status pby_mechanism_unsampled(const pby_mechanism *m, const char *what, pby_error *err)
{
    if (pby_mechanism_sample(m) == NULL)
        return PBY_OK;
    char expected[256];
    snprintf(expected, sizeof expected, "no sample: %s", what);
    return pby_mechanism_refuse(m, expected, err);
}

pby_status pby_mechanism_check(const pby_mechanism *m, pby_error *err)
{
    const fmpq *rate = pby_mechanism_value(m, PBY_ROLE_SAMPLE);
    if (pby_mechanism_fixed(m) && rate != NULL && !fmpq_is_one(rate))
        return pby_mechanism_refuse(m, "sample or fixed, and not both", err);
    if (pby_mechanism_fixed(m) && pby_mechanism_value(m, PBY_ROLE_THETA) != NULL)
        return pby_mechanism_refuse(m, "theta or fixed, and not both", err);
    if (pby_mechanism_truncated(m) != (pby_mechanism_value(m, PBY_ROLE_AMONG) != NULL))
        return pby_mechanism_refuse(m, "batch and records, or neither", err);
    if (pby_mechanism_truncated(m) && (pby_mechanism_fixed(m) || pby_mechanism_sample(m) == NULL))
        return pby_mechanism_refuse(m, "sample with batch: it is samples that are truncated", err);
    return m->family->check != NULL ? m->family->check(m, err) : PBY_OK;
}

pby_status pby_family_lacks(const pby_mechanism *m, const char *what, pby_error *err)
{
    const char *instead = m->family->instead;
    return pby_fail(err, PBY_BAD, "SPEC '%s': expected a mechanism that has %s%s%s", m->family->name, what,
                    instead == NULL ? "" : ", as ", instead == NULL ? "" : instead);
}
