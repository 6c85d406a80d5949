/* SPDX-License-Identifier: MIT */
#include "table/answer/queries.h"

#include <stdlib.h>

#include <flint/fmpz_vec.h>

#include "base/status.h"
#include "io/file.h"
#include "number/scoped.h"
#include "table/measure/matrix.h"

static bool is_answer(const fmpq_t value)
{
    return fmpq_sgn(value) >= 0 && fmpq_cmp_si(value, 1) <= 0;
}

static const pby_matrix_form form = {
    .header = "a first line that names the kind of record and the queries",
    .narrow = "a column for each query beside that of the kinds",
    .row = "a line KIND,ANSWER,...",
    .name = "a kind once; this is a duplicate",
    .value = "an answer from 0 to 1, such as 1, 1/3 or 0.25",
    .fits = is_answer,
};

void pby_queries_free(pby_queries *q)
{
    if (q == NULL)
        return;
    if (q->answer != NULL)
        _fmpz_vec_clear(q->answer, (slong)(pby_names_count(q->kinds) * q->count));
    pby_names_free(q->kinds);
    fmpz_clear(q->grain);
    fmpz_clear(q->spread);
    free(q);
}

/* All answers over one denominator. */
static pby_status set_answers(pby_queries *q, const fmpq *value, const char *path, pby_error *err)
{
    enum { GRAIN_MAX = 1000000000 };
    const size_t all = pby_names_count(q->kinds) * q->count;
    fmpz_one(q->grain);
    for (size_t i = 0; i < all && fmpz_cmp_ui(q->grain, GRAIN_MAX) <= 0; i++)
        fmpz_lcm(q->grain, q->grain, fmpq_denref(value + i));
    if (fmpz_cmp_ui(q->grain, GRAIN_MAX) > 0)
        return pby_fail(err, PBY_BAD, "'%.200s': expected answers over one denominator of at most 10^9",
                        pby_path_text(path));
    q->answer = _fmpz_vec_init((slong)all);
    for (size_t i = 0; i < all; i++) {
        fmpz_divexact(q->answer + i, q->grain, fmpq_denref(value + i));
        fmpz_mul(q->answer + i, q->answer + i, fmpq_numref(value + i));
    }
    return PBY_OK;
}

/* Sets q->spread to the greatest difference, over all queries, of the answers for two kinds of record. */
static void set_spread(pby_queries *q)
{
    const size_t kinds = pby_names_count(q->kinds);
    PBY_FMPZ(gap);
    for (size_t f = 0; f < q->count; f++) {
        size_t least = 0, most = 0;
        for (size_t u = 1; u < kinds; u++) {
            if (fmpz_cmp(q->answer + u * q->count + f, q->answer + least * q->count + f) < 0)
                least = u;
            if (fmpz_cmp(q->answer + u * q->count + f, q->answer + most * q->count + f) > 0)
                most = u;
        }
        fmpz_sub(gap, q->answer + most * q->count + f, q->answer + least * q->count + f);
        if (fmpz_cmp(gap, q->spread) > 0)
            fmpz_set(q->spread, gap);
    }
}

pby_status pby_queries_read(pby_queries **out, const char *path, pby_error *err)
{
    pby_matrix matrix;
    pby_queries *q = *out = calloc(1, sizeof *q);
    if (q == NULL)
        return pby_no_memory(err);
    fmpz_init(q->grain);
    fmpz_init(q->spread);
    pby_status status = pby_matrix_read(&matrix, path, &form, err);
    if (status == PBY_OK) {
        q->kinds = matrix.rows;
        matrix.rows = NULL;
        q->count = matrix.width;
        q->digest = matrix.digest;
        status = set_answers(q, matrix.value, path, err);
    }
    if (status == PBY_OK)
        set_spread(q);
    pby_matrix_clear(&matrix);
    if (status != PBY_OK) {
        pby_queries_free(q);
        *out = NULL;
    }
    return status;
}
