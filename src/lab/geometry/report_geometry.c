/* SPDX-License-Identifier: MIT */
/* Depth regions of public points, told and drawn. */
#include "base/printed.h"
#include "lab/geometry/region.h"
#include "probity/experimental/reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/file.h"
#include "number/ball.h"
#include "number/exact.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "release/points.h"
#include "report/sheet.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"
#include "table/row/lines.h"

enum { LEVELS_MAX = 64, RECORDS_MAX = 1000000, SAMPLES_MAX = 100000 };

/* ---- what is read -------------------------------------------------------------------------------- */

struct points {
    int64_t (*at)[2];
    size_t count, room;
};

static pby_status add_point(struct points *p, const mpq_t *x, pby_error *err)
{
    PBY_RESERVE(p->at, p->room, p->count + 1, err);
    p->at[p->count][0] = mpz_get_si(mpq_numref(x[0]));
    p->at[p->count++][1] = mpz_get_si(mpq_numref(x[1]));
    return PBY_OK;
}

static bool fits(mpq_srcptr x)
{
    return mpz_cmp_ui(mpq_denref(x), 1) == 0 && mpz_cmpabs_ui(mpq_numref(x), PBY_SITE_MAX) <= 0;
}

/* A public point may be told of. */
static pby_status read_points(struct points *out, const char *path, size_t most, pby_error *err)
{
    pby_lines *in;
    char *line;
    mpq_t x[2];
    pby_status status = pby_lines_open(&in, pby_path_named(path), err);
    if (status != PBY_OK)
        return status;
    mpq_inits(x[0], x[1], NULL);
    while (status == PBY_OK && (status = pby_lines_next(in, &line, err)) == PBY_OK && line != NULL) {
        if (pby_lines_number(in) == 1 && pby_csv_row_names_columns(line, 2))
            continue;
        status = pby_point_read(in, x, 2, line, err);
        if (status == PBY_OK && !(fits(x[0]) && fits(x[1])))
            status = pby_field_refuse(pby_lines_name(in), pby_lines_number(in), fits(x[0]) ? 2 : 1,
                                      "an integer from -1048576 to 1048576", err);
        if (status == PBY_OK && out->count == most)
            status = pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: expected at most %zu points",
                                 pby_lines_name(in), most);
        if (status == PBY_OK)
            status = add_point(out, (const mpq_t *)x, err);
    }
    mpq_clears(x[0], x[1], NULL);
    pby_lines_close(in);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* The different points; the points are sorted for that. */
static pby_status find_sites(pby_site site[PBY_SITES_MAX], size_t *count, struct points *p, const char *path,
                             pby_error *err)
{
    *count = 0;
    if (p->count == 0)
        return pby_refuse(err, "points", path == NULL ? "-" : path, "at least one point");
    qsort(p->at, p->count, sizeof *p->at, by_place);
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0 && by_place(p->at[i], p->at[i - 1]) == 0) {
            site[*count - 1].records++;
            continue;
        }
        if (*count == PBY_SITES_MAX)
            return pby_refuse(err, "points", path == NULL ? "-" : path,
                              "at most 400 different ones: the regions of more would take minutes");
        site[(*count)++] = (pby_site){p->at[i][0], p->at[i][1], 1};
    }
    return PBY_OK;
}

static pby_status read_levels(uint64_t level[LEVELS_MAX], size_t *count, const char *text, pby_error *err)
{
    static const char expected[] = "up to 64 integers from 1 to 1000000, separated by commas, such as 1,5,10";
    *count = 0;
    for (const char *at = text; *count < LEVELS_MAX; at++) {
        char *end;
        const unsigned long value = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || value < 1 || value > RECORDS_MAX)
            break;
        level[(*count)++] = value;
        if (*end == '\0')
            return PBY_OK;
        if (*end != ',')
            break;
        at = end;
    }
    return pby_refuse(err, "levels", text, expected);
}

/* X,Y */
static pby_status read_pair(fmpq *out, const char *name, const char *text, pby_error *err)
{
    const char *comma = strchr(text, ',');
    char *first = comma == NULL ? NULL : strndup(text, (size_t)(comma - text));
    PBY_MPQ(x);
    bool good = first != NULL && pby_rational_parse(x, name, first, NULL) == PBY_OK;
    if (good)
        fmpq_set_mpq(out, x);
    good = good && pby_rational_parse(x, name, comma + 1, NULL) == PBY_OK;
    if (good)
        fmpq_set_mpq(out + 1, x);
    free(first);
    return good ? PBY_OK : pby_refuse(err, name, text, "X,Y, two rationals");
}

/* ---- what is told -------------------------------------------------------------------------------- */

struct drawing {
    const pby_geometry_asked *asked;
    pby_site site[PBY_SITES_MAX];
    size_t sites, records;
    uint64_t level[LEVELS_MAX];
    size_t levels;
    pby_region region[LEVELS_MAX];
    fmpq direction[2], point[2];
    struct points samples;
    unsigned digits;
};

static char *exact(const fmpq_t x)
{
    PBY_MPQ(q);
    fmpq_get_mpq(q, x);
    char *text = pby_exact_text(q);
    return text;
}

static json_t *exact_json(const fmpq_t x)
{
    char *text = exact(x);
    json_t *out = text == NULL ? NULL : json_string(text);
    free(text);
    return out;
}

static json_t *pair_json(const fmpq *at)
{
    return json_pack("[o, o]", exact_json(at), exact_json(at + 1));
}

static char *pair_text(const fmpq *at)
{
    char *x = exact(at), *y = exact(at + 1), *out = NULL;
    if (x == NULL || y == NULL || asprintf(&out, "(%s, %s)", x, y) < 0)
        out = NULL;
    free(y);
    free(x);
    return out;
}

static void print_pair(pby_sheet *s, const char *name, const char *key, const fmpq *at)
{
    char *text = pair_text(at);
    s->short_of_memory |= text == NULL;
    if (text != NULL)
        pby_sheet_line(s, name, "%s", text);
    free(text);
    if (s->object != NULL)
        pby_sheet_member(s, key, pair_json(at));
}

static void print_number(pby_sheet *s, const char *name, const char *key, const fmpq_t x)
{
    PBY_MPQ(q);
    fmpq_get_mpq(q, x);
    pby_sheet_exact(s, name, key, q);
}

static void print_corners(pby_sheet *s, const pby_region *r)
{
    json_t *all = s->object == NULL ? NULL : json_array();
    for (size_t i = 0; i < r->count; i++) {
        char *text = pair_text(r->corner + 2 * i);
        s->short_of_memory |= text == NULL;
        if (text != NULL)
            pby_sheet_line(s, i == 0 ? "corners" : "", "%s", text);
        free(text);
        if (all != NULL)
            s->short_of_memory |= json_array_append_new(all, pair_json(r->corner + 2 * i)) != 0;
    }
    if (r->count == 0)
        pby_sheet_line(s, "corners", "none: the region is empty");
    if (s->object != NULL)
        pby_sheet_member(s, "corners", all);
}

static void print_steiner(pby_sheet *s, const pby_region *r, unsigned digits)
{
    pby_enclosure x, y;
    arb_t ball[2];
    arb_init(ball[0]);
    arb_init(ball[1]);
    pby_enclosure_init(&x);
    pby_enclosure_init(&y);
    pby_region_steiner(ball[0], ball[1], r, pby_precision_for_digits(digits) + 64);
    pby_enclosure_set_arb(&x, ball[0], digits);
    pby_enclosure_set_arb(&y, ball[1], digits);
    pby_sheet_enclosure(s, "steiner x", "steiner_x", &x, digits, NULL);
    pby_sheet_enclosure(s, "steiner y", "steiner_y", &y, digits, NULL);
    pby_enclosure_clear(&y);
    pby_enclosure_clear(&x);
    arb_clear(ball[1]);
    arb_clear(ball[0]);
}

static void print_nearest(pby_sheet *s, const struct drawing *d, const pby_region *r)
{
    fmpq at[2];
    fmpq_init(at);
    fmpq_init(at + 1);
    PBY_FMPQ(square);
    pby_region_nearest(at, at + 1, square, r, d->point, d->point + 1);
    print_pair(s, "nearest", "nearest", at);
    print_number(s, "its square", "nearest_square", square);
    fmpq_clear(at + 1);
    fmpq_clear(at);
}

/* `before` is the region of the level before, or NULL. */
static void print_region(pby_sheet *s, const struct drawing *d, size_t i)
{
    const pby_region *r = &d->region[i], *before = i == 0 ? NULL : &d->region[i - 1];
    PBY_FMPQ(x);
    pby_sheet_number(s, "level", "level", d->level[i]);
    print_corners(s, r);
    if (r->count > 0) {
        print_steiner(s, r, d->digits);
        if (d->asked->direction != NULL) {
            pby_region_support(x, r, d->direction, d->direction + 1);
            print_number(s, "support", "support", x);
        }
        if (d->asked->point != NULL)
            print_nearest(s, d, r);
        if (before != NULL && before->count > 0) {
            pby_region_apart(x, r, before);
            print_number(s, "hausdorff^2", "hausdorff_square", x);
        }
    }
}

static void print_drawing(pby_sheet *s, const struct drawing *d)
{
    json_t *all = s->object == NULL ? NULL : json_array();
    pby_sheet_number(s, "points", "points", d->records);
    pby_sheet_number(s, "places", "places", d->sites);
    for (size_t i = 0; i < d->levels; i++) {
        pby_sheet part = pby_sheet_part(s);
        pby_sheet_break(&part);
        print_region(&part, d, i);
        json_t *one = pby_sheet_part_end(s, &part);
        if (all != NULL)
            s->short_of_memory |= json_array_append_new(all, one) != 0;
    }
    if (s->object != NULL)
        pby_sheet_member(s, "regions", all);
}

/* ---- what is drawn ------------------------------------------------------------------------------- */

enum { WIDE = 640, MARGIN = 24, LEGEND = 16 };

struct frame {
    double x, y, scale, high;
};

static void frame_of(struct frame *f, const struct drawing *d)
{
    double lo[2] = {(double)d->site[0].x, (double)d->site[0].y}, hi[2] = {lo[0], lo[1]};
    for (size_t i = 0; i < d->sites + d->samples.count; i++) {
        const bool sample = i >= d->sites;
        const double at[2] = {(double)(sample ? d->samples.at[i - d->sites][0] : d->site[i].x),
                              (double)(sample ? d->samples.at[i - d->sites][1] : d->site[i].y)};
        for (int j = 0; j < 2; j++) {
            lo[j] = at[j] < lo[j] ? at[j] : lo[j];
            hi[j] = at[j] > hi[j] ? at[j] : hi[j];
        }
    }
    const double width = hi[0] - lo[0] > 0 ? hi[0] - lo[0] : 1, height = hi[1] - lo[1];
    *f = (struct frame){lo[0], hi[1], (WIDE - 2 * MARGIN) / width, 0};
    if (height * f->scale > WIDE)
        f->scale = WIDE / height;
    f->high = height * f->scale + 2 * MARGIN;
}

static double across(const struct frame *f, double x)
{
    return MARGIN + (x - f->x) * f->scale;
}

static double down(const struct frame *f, double y)
{
    return MARGIN + (f->y - y) * f->scale;
}

static void draw_region(FILE *out, const struct frame *f, const pby_region *r, uint64_t level)
{
    fprintf(
        out,
        "<polygon fill=\"#2a6f97\" fill-opacity=\"0.10\" stroke=\"#2a6f97\" stroke-width=\"1\" points=\"");
    for (size_t i = 0; i < r->count; i++)
        fprintf(out, "%s%.2f,%.2f", i == 0 ? "" : " ", across(f, fmpq_get_d(r->corner + 2 * i)),
                down(f, fmpq_get_d(r->corner + 2 * i + 1)));
    fprintf(out, "\"><title>depth %" PRIu64 "</title></polygon>\n", level);
}

static void draw_steiner(FILE *out, const struct frame *f, const pby_region *r)
{
    PBY_ARB(x, y);
    pby_region_steiner(x, y, r, PBY_PRECISION_FIRST);
    const double at = across(f, arf_get_d(arb_midref(x), ARF_RND_NEAR)),
                 below = down(f, arf_get_d(arb_midref(y), ARF_RND_NEAR));
    fprintf(
        out,
        "<path d=\"M%.2f %.2fl10 10m0 -10l-10 10\" stroke=\"#9b2226\" stroke-width=\"2\" fill=\"none\"/>\n",
        at - 5, below - 5);
}

static void draw_legend(FILE *out, const struct frame *f, const struct drawing *d)
{
    fprintf(out,
            "<text x=\"%d\" y=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">points "
            "<tspan fill=\"#2a6f97\">depth",
            MARGIN, f->high + LEGEND - MARGIN / 2.0);
    for (size_t i = 0; i < d->levels; i++)
        fprintf(out, "%s %" PRIu64, i == 0 ? "" : ",", d->level[i]);
    fprintf(out, "</tspan> <tspan fill=\"#9b2226\">Steiner point</tspan>%s</text>\n",
            d->samples.count == 0 ? "" : " <tspan fill=\"#b36b00\">samples</tspan>");
}

static void draw(FILE *out, const struct drawing *d)
{
    struct frame f;
    size_t deepest = 0;
    frame_of(&f, d);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\" "
            "aria-label=\"points, their depth regions and the Steiner point of the deepest\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDE, f.high + LEGEND);
    for (size_t i = 0; i < d->levels; i++)
        if (d->region[i].count > 0) {
            draw_region(out, &f, &d->region[i], d->level[i]);
            deepest = i;
        }
    for (size_t i = 0; i < d->samples.count; i++)
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"#ee9b00\" fill-opacity=\"0.35\"/>\n",
                across(&f, (double)d->samples.at[i][0]), down(&f, (double)d->samples.at[i][1]));
    for (size_t i = 0; i < d->sites; i++)
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.5\" fill=\"#222\"/>\n",
                across(&f, (double)d->site[i].x), down(&f, (double)d->site[i].y));
    if (d->region[deepest].count > 0)
        draw_steiner(out, &f, &d->region[deepest]);
    draw_legend(out, &f, d);
    fprintf(out, "</svg>\n");
}

static pby_status draw_text(char **svg, const struct drawing *d, pby_error *err)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    draw(out, d);
    return pby_printed_end(svg, &printed, PBY_OK, err);
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static pby_status read_all(struct drawing *d, pby_error *err)
{
    const pby_geometry_asked *a = d->asked;
    struct points points = {NULL, 0, 0};
    if (a->levels == NULL)
        return pby_fail(err, PBY_BAD, "levels: expected integers from 1 on, separated by commas");
    pby_status status = read_levels(d->level, &d->levels, a->levels, err);
    if (status == PBY_OK && a->direction != NULL)
        status = read_pair(d->direction, "direction", a->direction, err);
    if (status == PBY_OK && a->point != NULL)
        status = read_pair(d->point, "point", a->point, err);
    if (status == PBY_OK)
        status = read_points(&points, a->points, RECORDS_MAX, err);
    if (status == PBY_OK)
        status = find_sites(d->site, &d->sites, &points, a->points, err);
    d->records = points.count;
    free(points.at);
    return status == PBY_OK && a->samples != NULL ? read_points(&d->samples, a->samples, SAMPLES_MAX, err)
                                                  : status;
}

pby_status pby_report_geometry(char **text, char **svg, const pby_geometry_asked *asked, pby_report_form form,
                               pby_error *err)
{
    pby_sheet s;
    *text = NULL;
    if (svg != NULL)
        *svg = NULL;
    struct drawing *d = calloc(1, sizeof *d);
    if (d == NULL)
        return pby_no_memory(err);
    d->asked = asked;
    d->digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    for (int j = 0; j < 2; j++) {
        fmpq_init(d->direction + j);
        fmpq_init(d->point + j);
    }
    pby_sheet_begin(&s, form);
    pby_status status = read_all(d, err);
    for (size_t i = 0; i < d->levels && status == PBY_OK; i++)
        status = pby_region_depth(&d->region[i], d->site, d->sites, d->level[i], err);
    if (status == PBY_OK && svg != NULL)
        status = draw_text(svg, d, err);
    if (status == PBY_OK)
        print_drawing(&s, d);
    for (size_t i = 0; i < d->levels; i++)
        pby_region_clear(&d->region[i]);
    for (int j = 0; j < 2; j++) {
        fmpq_clear(d->direction + j);
        fmpq_clear(d->point + j);
    }
    free(d->samples.at);
    free(d);
    status = pby_sheet_end(text, &s, status, err);
    if (status != PBY_OK && svg != NULL) {
        free(*svg);
        *svg = NULL;
    }
    return status;
}
