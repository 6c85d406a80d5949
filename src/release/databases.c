/* SPDX-License-Identifier: MIT */
#include "release/databases.h"

#include <fcntl.h>
#include <flint/fmpz_vec.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "number/scoped.h"

uint64_t pby_databases_count(uint64_t kinds, uint64_t size)
{
    uint64_t count = 1;
    for (uint64_t i = 1; i <= size && kinds > 1; i++) {
        count = count * (kinds - 1 + i) / i;
        if (count > PBY_DATABASES_MAX)
            return 0;
    }
    return count;
}

/* ---- the spec ---------------------------------------------------------------------------------- */

static pby_status digest_of(fmpq_t out, const char *path, const char *argument, pby_error *err)
{
    pby_digest digest;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool good = fd >= 0 && pby_digest_file(&digest, fd);
    if (fd >= 0)
        close(fd);
    if (!good)
        return pby_refuse(err, argument, path, "a file that can be read");
    fmpq_one(out);
    fmpz_set_str(fmpq_numref(out), digest.sha256, 16);
    return PBY_OK;
}

static pby_status give_size(pby_mechanism *m, unsigned *given, unsigned long size, pby_error *err)
{
    const size_t i = pby_family_with(m->family, PBY_ROLE_RECORDS);
    if (*given >> i & 1)
        return pby_fail(err, PBY_BAD, "%s:%s '%lu': expected each parameter once", m->family->name,
                        m->family->parameters[i].name, size);
    PBY_FMPQ(value);
    fmpq_set_ui(value, size, 1);
    *given |= 1u << i;
    return pby_mechanism_set(m, i, value, err);
}

static pby_status give_table(pby_mechanism *m, unsigned *given, const char *path, const char *argument,
                             pby_error *err)
{
    const size_t i = pby_family_with(m->family, PBY_ROLE_TABLE);
    if (*given >> i & 1)
        return PBY_OK;
    PBY_FMPQ(value);
    *given |= 1u << i;
    PBY_TRY(digest_of(value, path, argument, err));
    return pby_mechanism_set(m, i, value, err);
}

pby_status pby_databases_spec(pby_spec **out, const char *text, const char *queries, const char *argument,
                              unsigned long size, pby_error *err)
{
    unsigned given = 0;
    pby_mechanism m;
    *out = NULL;
    if (strpbrk(text, "* ") != NULL)
        return pby_refuse(err, "SPEC", text, "one use of smalldb");
    pby_mechanism_init(&m, NULL);
    pby_status status = pby_mechanism_read(&m, &given, text, err);
    if (status == PBY_OK && pby_family_with(m.family, PBY_ROLE_TABLE) == PBY_PARAMETERS_MAX)
        status = pby_refuse(err, "SPEC", text, "a mechanism that answers queries: smalldb");
    if (status == PBY_OK && size > 0)
        status = give_size(&m, &given, size, err);
    if (status == PBY_OK)
        status = give_table(&m, &given, queries, argument, err);
    if (status == PBY_OK)
        status = pby_mechanism_complete(&m, given, err);
    if (status == PBY_OK)
        status = pby_spec_of(out, &m, 1, err);
    pby_mechanism_clear(&m);
    return status;
}

pby_status pby_databases_spread(const pby_mechanism *m, const pby_queries *q, pby_error *err)
{
    PBY_FMPQ(spread);
    fmpq_set_fmpz_frac(spread, q->spread, q->grain);
    const bool wide = fmpq_cmp(pby_mechanism_value(m, PBY_ROLE_SENSITIVITY), spread) >= 0;
    return wide ? PBY_OK
                : pby_mechanism_refuse(
                      m, "a sensitivity of at least what the answers of one query differ by, 1 at most", err);
}

/* ---- the walk ---------------------------------------------------------------------------------- */

/* The records chosen so far, kinds that do not fall, and the sums of the queries over the first of them. */
struct walk {
    const pby_queries *q;
    size_t size;
    size_t *record;
    fmpz *sum;    /* of query f over the first i records, times the grain, at i count + f */
    fmpz *target; /* size S_f(x) grain */
    fmpz_t records, gap, worst;
};

static pby_status walk_init(struct walk *w, const pby_queries *q, const fmpz *data, size_t size,
                            pby_error *err)
{
    const size_t kinds = pby_names_count(q->kinds);
    *w = (struct walk){.q = q, .size = size, .record = calloc(size, sizeof *w->record)};
    w->sum = _fmpz_vec_init((slong)((size + 1) * q->count));
    w->target = _fmpz_vec_init((slong)q->count);
    fmpz_init(w->records);
    fmpz_init(w->gap);
    fmpz_init(w->worst);
    for (size_t u = 0; u < kinds; u++) {
        fmpz_add(w->records, w->records, data + u);
        for (size_t f = 0; f < q->count; f++)
            fmpz_addmul(w->target + f, data + u, q->answer + u * q->count + f);
    }
    _fmpz_vec_scalar_mul_ui(w->target, w->target, (slong)q->count, size);
    return w->record == NULL ? pby_no_memory(err) : PBY_OK;
}

static void walk_clear(struct walk *w)
{
    _fmpz_vec_zero(w->target, (slong)w->q->count);
    fmpz_zero(w->records);
    _fmpz_vec_clear(w->sum, (slong)((w->size + 1) * w->q->count));
    _fmpz_vec_clear(w->target, (slong)w->q->count);
    fmpz_clear(w->records);
    fmpz_clear(w->gap);
    fmpz_clear(w->worst);
    free(w->record);
}

/* Sets the records from place `from` on to a kind, and the sums behind them. */
static void fill_kinds(struct walk *w, size_t from, size_t kind)
{
    const slong count = (slong)w->q->count;
    for (size_t i = from; i < w->size; i++) {
        w->record[i] = kind;
        _fmpz_vec_add(w->sum + (slong)(i + 1) * count, w->sum + (slong)i * count,
                      w->q->answer + (slong)kind * count, count);
    }
}

/* score = -max |size S_f(x) - n S_f(y)| / (size grain) */
static void set_score(mpq_t score, struct walk *w)
{
    const fmpz *sum = w->sum + w->size * w->q->count;
    fmpz_zero(w->worst);
    for (size_t f = 0; f < w->q->count; f++) {
        fmpz_set(w->gap, w->target + f);
        fmpz_submul(w->gap, w->records, sum + f);
        fmpz_abs(w->gap, w->gap);
        if (fmpz_cmp(w->gap, w->worst) > 0)
            fmpz_set(w->worst, w->gap);
    }
    fmpz_neg(w->worst, w->worst);
    fmpz_get_mpz(mpq_numref(score), w->worst);
    fmpz_mul_ui(w->gap, w->q->grain, w->size);
    fmpz_get_mpz(mpq_denref(score), w->gap);
    mpq_canonicalize(score);
}

/* The next multiset; false behind the last. */
static bool step(struct walk *w)
{
    const size_t last = pby_names_count(w->q->kinds) - 1;
    size_t i = w->size;
    while (i > 0 && w->record[i - 1] == last)
        i--;
    if (i == 0)
        return false;
    fill_kinds(w, i - 1, w->record[i - 1] + 1);
    return true;
}

pby_status pby_databases_walk(const pby_queries *q, const fmpz *data, size_t size, pby_database_taker *take,
                              void *what, pby_error *err)
{
    struct walk w;
    PBY_MPQ(score);
    pby_status status = walk_init(&w, q, data, size, err);
    if (status == PBY_OK)
        fill_kinds(&w, 0, 0);
    for (bool more = true; more && status == PBY_OK; more = more && step(&w)) {
        set_score(score, &w);
        status = take(what, w.record, score, err);
    }
    walk_clear(&w);
    return status;
}
