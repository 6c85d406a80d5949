/* SPDX-License-Identifier: MIT */
#include <flint/fmpq_vec.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "certificate/ledger/ledger_curve.h"
#include "number/scoped.h"
#include "probity/rational.h"

static const char renyi_header[] = "order,renyi", delta_header[] = "epsilon,delta";

/* The rest of a text, line by line. */
struct lines {
    const char *at, *end;
    size_t number;
};

/* The next line without its end; false behind the last. An empty last line is none. */
static bool next_line(struct lines *l, const char **line, size_t *length)
{
    if (l->at == l->end)
        return false;
    const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
    *line = l->at;
    *length = (size_t)((stop == NULL ? l->end : stop) - l->at);
    l->at = stop == NULL ? l->end : stop + 1;
    l->number++;
    if (*length > 0 && (*line)[*length - 1] == '\r')
        --*length;
    return true;
}

static pby_status bad_line(size_t number, const char *expected, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "line %zu: expected %s", number, expected);
}

static bool is(const char *line, size_t length, const char *text)
{
    return length == strlen(text) && memcmp(line, text, length) == 0;
}

/* One number of a line. */
static pby_status read_number(fmpq_t out, const char *text, size_t length, size_t number, pby_error *err)
{
    enum { LONGEST = 400 };
    char copy[LONGEST + 1];
    if (length > LONGEST || memchr(text, '\0', length) != NULL)
        return bad_line(number, "numbers of at most 400 characters", err);
    memcpy(copy, text, length);
    copy[length] = '\0';
    PBY_MPQ(q);
    pby_error why = PBY_NO_ERROR;
    const pby_status status = pby_rational_parse(q, "number", copy, &why);
    if (status == PBY_OK)
        fmpq_set_mpq(out, q);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "line %zu: %.300s", number, why.text);
}

static pby_status check_pair(const pby_known *k, const fmpq_t at, const fmpq_t most, size_t number,
                             pby_error *err)
{
    if (k->renyi && fmpq_cmp_si(at, 1) <= 0)
        return bad_line(number, "an order above 1", err);
    if (k->renyi && fmpq_sgn(most) <= 0)
        return bad_line(number, "a divergence above 0", err);
    if (!k->renyi && fmpq_sgn(at) < 0)
        return bad_line(number, "an epsilon from 0 on", err);
    if (!k->renyi && (fmpq_sgn(most) < 0 || fmpq_cmp_si(most, 1) > 0))
        return bad_line(number, "a delta from 0 to 1", err);
    if (k->count > 0 && fmpq_cmp(at, k->at + k->count - 1) <= 0)
        return bad_line(number, k->renyi ? "orders that grow" : "epsilons that grow", err);
    return k->count < PBY_KNOWN_MAX ? PBY_OK : bad_line(number, "at most 1000 pairs", err);
}

static pby_status read_pair(pby_known *k, const char *line, size_t length, size_t number, pby_error *err)
{
    const char *comma = memchr(line, ',', length);
    if (comma == NULL)
        return bad_line(
            number, k->renyi ? "an order, a comma and a divergence" : "an epsilon, a comma and a delta", err);
    PBY_FMPQ(at, most);
    const size_t first = (size_t)(comma - line);
    pby_status status = read_number(at, line, first, number, err);
    if (status == PBY_OK)
        status = read_number(most, comma + 1, length - first - 1, number, err);
    if (status == PBY_OK)
        status = check_pair(k, at, most, number, err);
    if (status == PBY_OK) {
        fmpq_swap(k->at + k->count, at);
        fmpq_swap(k->most + k->count, most);
        k->count++;
    }
    return status;
}

pby_status pby_known_parse(pby_known *out, const char *text, size_t size, pby_error *err)
{
    struct lines l = {text, text + size, 0};
    const char *line;
    size_t length;
    *out = (pby_known){.at = _fmpq_vec_init(PBY_KNOWN_MAX), .most = _fmpq_vec_init(PBY_KNOWN_MAX)};
    pby_digest_bytes(&out->digest, text, size);
    if (size > PBY_KNOWN_SIZE_MAX)
        return pby_fail(err, PBY_BAD, "expected at most 1 MiB");
    const bool any = next_line(&l, &line, &length);
    out->renyi = any && is(line, length, renyi_header);
    if (!any || (!out->renyi && !is(line, length, delta_header)))
        return bad_line(1, "order,renyi or epsilon,delta", err);
    pby_status status = PBY_OK;
    while (status == PBY_OK && next_line(&l, &line, &length))
        status = read_pair(out, line, length, l.number, err);
    return status == PBY_OK && out->count == 0 ? bad_line(2, "a pair of numbers", err) : status;
}

void pby_known_clear(pby_known *known)
{
    _fmpq_vec_clear(known->most, PBY_KNOWN_MAX);
    _fmpq_vec_clear(known->at, PBY_KNOWN_MAX);
}
