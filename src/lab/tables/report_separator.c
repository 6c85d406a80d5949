/* SPDX-License-Identifier: MIT */
/* The separator of two labelled sets of points, out of a histogram whose keys are points.
 *
 * The last coordinate of a key is its label. Counts say which points occur, and nothing more. */
#include "probity/experimental/reports.h"
#include "probity/experimental/separator.h"

#include <arb.h>
#include <stdlib.h>
#include <string.h>

#include "number/ball.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "table/answer/bars.h"

struct points {
    mpq_t *x;     /* n rows of d */
    bool *second; /* of the greater label */
    size_t n, d;
    mpq_t label[2];
    size_t labels;
};

static size_t coordinates(const char *key)
{
    size_t n = 0;
    for (const char *at = key; *at != '\0';) {
        n += *at != ' ';
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return n;
}

/* The next coordinate of *at, which moves behind it. */
static pby_status next(mpq_t out, const char **at, pby_error *err)
{
    *at += strspn(*at, " ");
    const size_t length = strcspn(*at, " ");
    char *word = strndup(*at, length);
    if (word == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_rational_parse(out, "key", word, NULL);
    *at += length;
    free(word);
    return status == PBY_OK ? PBY_OK
                            : pby_fail(err, PBY_BAD, "keys: expected points of numbers separated by spaces");
}

/* Keeps the two labels in order. The sets of points before a smaller label change sides. */
static pby_status take_label(struct points *p, const mpq_t label, pby_error *err)
{
    for (size_t i = 0; i < p->labels; i++)
        if (mpq_equal(label, p->label[i])) {
            p->second[p->n] = i == 1;
            return PBY_OK;
        }
    if (p->labels == 2)
        return pby_fail(err, PBY_BAD, "keys: expected at most two labels, which the last coordinate is");
    if (p->labels == 1 && mpq_cmp(label, p->label[0]) < 0) {
        mpq_set(p->label[1], p->label[0]);
        mpq_set(p->label[0], label);
        for (size_t i = 0; i < p->n; i++)
            p->second[i] = true;
        p->second[p->n] = false;
    } else {
        mpq_set(p->label[p->labels], label);
        p->second[p->n] = p->labels == 1;
    }
    p->labels++;
    return PBY_OK;
}

static pby_status take_point(struct points *p, const char *key, pby_error *err)
{
    const size_t n = coordinates(key);
    mpq_t label;
    if (n < 2 || (p->n > 0 && n != p->d + 1))
        return pby_fail(err, PBY_BAD,
                        "keys: expected coordinates and a label, the same number of them in each");
    p->d = n - 1;
    pby_status status = PBY_OK;
    const char *at = key;
    mpq_init(label);
    for (size_t k = 0; k < p->d && status == PBY_OK; k++)
        status = next(p->x[p->n * p->d + k], &at, err);
    if (status == PBY_OK)
        status = next(label, &at, err);
    if (status == PBY_OK)
        status = take_label(p, label, err);
    p->n += status == PBY_OK;
    mpq_clear(label);
    return status;
}

static pby_status points_init(struct points *p, const pby_bars *bars, size_t *room, pby_error *err)
{
    *p = (struct points){.x = NULL};
    mpq_inits(p->label[0], p->label[1], NULL);
    *room = 0;
    for (size_t i = 0; i < bars->count; i++)
        *room += coordinates(bars->bar[i].key);
    p->x = calloc(*room + 1, sizeof *p->x);
    p->second = calloc(bars->count + 1, sizeof *p->second);
    for (size_t i = 0; p->x != NULL && i < *room; i++)
        mpq_init(p->x[i]);
    return p->x == NULL || p->second == NULL ? pby_no_memory(err) : PBY_OK;
}

static void points_clear(struct points *p, size_t room)
{
    for (size_t i = 0; p->x != NULL && i < room; i++)
        mpq_clear(p->x[i]);
    free(p->x);
    free(p->second);
    mpq_clears(p->label[0], p->label[1], NULL);
}

/* ---- what is told ----------------------------------------------------------------------------- */

static void print_none(pby_sheet *s, const char *why)
{
    pby_sheet_line(s, "separator", "none, %s", why);
    pby_sheet_member(s, "normal", json_null());
    pby_sheet_member(s, "level", json_null());
}

static pby_status print_normal(pby_sheet *s, const pby_separator *found, pby_error *err)
{
    json_t *list = json_array();
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    pby_status status = out == NULL || list == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t k = 0; k < found->dimension && status == PBY_OK; k++) {
        char *one = NULL;
        status = pby_rational_print(&one, found->normal[k], err);
        if (status == PBY_OK) {
            fprintf(out, "%s%s", k == 0 ? "" : " ", one);
            json_array_append_new(list, json_string(one));
        }
        free(one);
    }
    if (out != NULL)
        fclose(out);
    if (status == PBY_OK)
        pby_sheet_line(s, "normal", "%s", line);
    pby_sheet_member(s, "normal", list);
    free(line);
    return status;
}

static void print_margin(pby_sheet *s, const pby_separator *found)
{
    pby_enclosure margin;
    const slong prec = pby_precision_for_digits(PBY_DIGITS_DEFAULT);
    PBY_ARB(root);
    PBY_FMPQ(square);
    pby_enclosure_init(&margin);
    fmpq_set_mpq(square, found->distance);
    arb_set_fmpq(root, square, prec);
    arb_sqrt(root, root, prec);
    pby_enclosure_set_arb(&margin, root, PBY_DIGITS_DEFAULT);
    pby_sheet_enclosure(s, "margin", "margin", &margin, PBY_DIGITS_DEFAULT, NULL);
    pby_enclosure_clear(&margin);
}

static pby_status print_separator(pby_sheet *s, const struct points *p, const pby_separator *found,
                                  pby_error *err)
{
    pby_status status = PBY_OK;
    if (!found->both) {
        print_none(s, "because fewer than two labels occur");
        pby_sheet_member(s, "margin", json_null());
        return PBY_OK;
    }
    pby_sheet_exact(s, "first", "first", p->label[0]);
    pby_sheet_exact(s, "second", "second", p->label[1]);
    if (mpq_sgn(found->distance) == 0) {
        print_none(s, "because the hulls meet");
    } else {
        status = print_normal(s, found, err);
        pby_sheet_exact(s, "level", "level", found->level);
    }
    print_margin(s, found);
    return status;
}

pby_status pby_report_separator(char **text, const char *path, pby_report_form form, pby_error *err)
{
    pby_bars bars;
    pby_sheet s;
    struct points p = {.x = NULL};
    pby_separator *found = NULL;
    size_t room = 0;
    pby_sheet_begin(&s, form);
    pby_sheet_member(&s, "statistic", json_string("separator"));
    pby_status status = pby_bars_read(&bars, path, err);
    if (status == PBY_OK) {
        status = points_init(&p, &bars, &room, err);
        for (size_t i = 0; i < bars.count && status == PBY_OK; i++)
            if (bars.bar[i].count > 0)
                status = take_point(&p, bars.bar[i].key, err);
        if (status == PBY_OK)
            status = pby_separate(&found, (const mpq_t *)p.x, p.second, p.n, p.d == 0 ? 1 : p.d, err);
        if (status == PBY_OK)
            status = print_separator(&s, &p, found, err);
        pby_separator_free(found);
        points_clear(&p, room);
    }
    pby_bars_clear(&bars);
    return pby_sheet_end(text, &s, status, err);
}
