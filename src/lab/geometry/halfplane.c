/* SPDX-License-Identifier: MIT */
#include "lab/geometry/halfplane.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/rational.h"
#include "release/points.h"
#include "report/sheet.h"
#include "table/row/csv_row.h"
#include "table/row/lines.h"

/* A X + B Y >= C, and the square of the move times A^2 + B^2. */
struct halfplane {
    mpq_t a, b, c, reach2;
    uint64_t points, inside, fewest, most;
};

static void halfplane_init(struct halfplane *h)
{
    *h = (struct halfplane){.points = 0};
    mpq_inits(h->a, h->b, h->c, h->reach2, NULL);
}

static void halfplane_clear(struct halfplane *h)
{
    mpq_clears(h->a, h->b, h->c, h->reach2, NULL);
}

static pby_status read_plane(struct halfplane *h, const char *text, pby_error *err)
{
    mpq_ptr into[] = {h->a, h->b, h->c};
    char *copy = strdup(text), *rest = NULL;
    if (copy == NULL)
        return pby_no_memory(err);
    char *part = strtok_r(copy, ",", &rest);
    bool good = true;
    for (int i = 0; i < 3 && good; i++, part = strtok_r(NULL, ",", &rest))
        good = part != NULL && pby_rational_parse(into[i], "halfplane", part, NULL) == PBY_OK;
    good = good && part == NULL && (mpq_sgn(h->a) != 0 || mpq_sgn(h->b) != 0);
    free(copy);
    return good ? PBY_OK
                : pby_refuse(err, "halfplane", text, "A,B,C, three rationals, the first two not both 0");
}

static pby_status read_move(struct halfplane *h, const char *text, pby_error *err)
{
    PBY_MPQ(move, square);
    if (text != NULL)
        PBY_TRY(pby_rational_parse(move, "move", text, err));
    if (mpq_sgn(move) < 0)
        return pby_refuse_mpq(err, "move", move, "how far a point may move, a rational from 0 on");
    mpq_mul(h->reach2, h->a, h->a);
    mpq_mul(square, h->b, h->b);
    mpq_add(h->reach2, h->reach2, square);
    mpq_mul(square, move, move);
    mpq_mul(h->reach2, h->reach2, square);
    return PBY_OK;
}

/* A point at the signed distance s from the border is inside wherever it moves if s >= move, and may be
 * inside if s >= -move; squares decide that. */
static void count_point(struct halfplane *h, const mpq_t *at)
{
    PBY_MPQ(t, term);
    mpq_mul(t, h->a, at[0]);
    mpq_mul(term, h->b, at[1]);
    mpq_add(t, t, term);
    mpq_sub(t, t, h->c);
    mpq_mul(term, t, t);
    const int beyond = mpq_cmp(term, h->reach2);
    const bool inside = mpq_sgn(t) >= 0;
    h->points++;
    h->inside += inside;
    h->fewest += inside && beyond >= 0;
    h->most += inside || beyond <= 0;
}

static pby_status count_points(struct halfplane *h, const char *path, pby_error *err)
{
    pby_lines *in;
    char *line;
    mpq_t at[2];
    pby_status status = pby_lines_open(&in, pby_path_named(path), err);
    if (status != PBY_OK)
        return status;
    mpq_inits(at[0], at[1], NULL);
    while (status == PBY_OK && (status = pby_lines_next(in, &line, err)) == PBY_OK && line != NULL) {
        if (pby_lines_number(in) == 1 && pby_csv_row_names_columns(line, 2))
            continue;
        status = pby_point_read(in, at, 2, line, err);
        if (status == PBY_OK)
            count_point(h, (const mpq_t *)at);
    }
    mpq_clears(at[0], at[1], NULL);
    pby_lines_close(in);
    return status;
}

pby_status pby_report_halfplane(char **text, const pby_halfplane_asked *asked, pby_report_form form,
                                pby_error *err)
{
    struct halfplane h;
    pby_sheet s;
    halfplane_init(&h);
    pby_sheet_begin(&s, form);
    pby_status status = read_plane(&h, asked->plane, err);
    if (status == PBY_OK)
        status = read_move(&h, asked->move, err);
    if (status == PBY_OK)
        status = count_points(&h, asked->points, err);
    if (status == PBY_OK) {
        pby_sheet_number(&s, "points", "points", h.points);
        pby_sheet_number(&s, "inside", "inside", h.inside);
        pby_sheet_number(&s, "fewest", "fewest", h.fewest);
        pby_sheet_number(&s, "most", "most", h.most);
    }
    halfplane_clear(&h);
    return pby_sheet_end(text, &s, status, err);
}
