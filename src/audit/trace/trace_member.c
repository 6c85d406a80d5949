/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_member.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "number/scoped.h"

static void published_init(pby_published *p)
{
    *p = (pby_published){.noise = 0};
    pby_trace_number_init(&p->centre);
    mpq_inits(p->scale, p->factor, NULL);
}

static void published_clear(pby_published *p)
{
    pby_trace_number_clear(&p->centre);
    mpq_clears(p->scale, p->factor, NULL);
}

void pby_members_clear(pby_members *m)
{
    for (size_t i = 0; i < m->count; i++)
        for (int side = 0; side < 2; side++)
            published_clear(&m->item[i].side[side]);
    free(m->item);
    *m = (pby_members){.count = 0};
}

/* ---- one coordinate ---------------------------------------------------------------------------- */

static bool is_open(const pby_trace_run *run, size_t noise, size_t element)
{
    for (size_t i = 0; i < run->opens_count; i++)
        if (run->opens[i].noise == noise && run->opens[i].element == element)
            return true;
    return false;
}

/* True if a coordinate has the value a y + b, but for the rounding of many operations: a program may have
 * written something else in the place of the sum. */
static bool has_its_value(const pby_trace_output *o, const pby_trace_sum *s)
{
    PBY_MPQ(value, size, part);
    if (!pby_trace_number_finite(&s->value) || !pby_trace_number_finite(&o->b) ||
        !pby_trace_number_finite(&o->value))
        return !pby_trace_number_finite(&o->value);
    mpq_mul(value, o->a.q, s->value.q);
    mpq_abs(size, value);
    mpq_add(value, value, o->b.q);
    mpq_abs(part, o->b.q);
    mpq_add(size, size, part);
    mpq_div_2exp(size, size, 30);
    mpq_sub(value, value, o->value.q);
    mpq_abs(value, value);
    return mpq_cmp(value, size) <= 0;
}

/* Reads a coordinate that is a y + b; false where it is none. */
static bool read_sum(pby_published *p, const pby_trace_run *run, size_t place)
{
    const pby_trace_output *o = &run->outputs[place];
    if (o->sum < 0)
        return false;
    const pby_trace_sum *s = &run->sums[o->sum];
    p->noise = s->noise;
    p->element = s->element;
    p->sum = (size_t)o->sum;
    p->of = &run->noise[s->noise];
    p->law = p->of->law;
    mpq_mul(p->factor, o->a.q, s->factor.q);
    mpq_set(p->scale, pby_trace_scale(p->of, s->element)->q);
    pby_trace_number_affine(&p->centre, &o->a, &s->centre, &o->b);
    return o->a.kind == PBY_TRACE_FINITE && mpq_sgn(p->factor) != 0 && p->centre.kind != PBY_TRACE_NOISY &&
           (run->probe || has_its_value(o, s)) && !is_open(run, p->noise, p->element);
}

/* A coordinate of a run as `first` has it in another. */
static bool same_sum(const pby_published *first, const pby_trace_run *run, size_t place, const char *path)
{
    pby_published p;
    if (place >= run->outputs_count || strcmp(run->outputs[place].path, path) != 0)
        return false;
    published_init(&p);
    const bool same = read_sum(&p, run, place) && p.noise == first->noise && p.element == first->element &&
                      p.law == first->law && mpq_equal(p.scale, first->scale) &&
                      mpq_equal(p.factor, first->factor) && pby_trace_number_equal(&p.centre, &first->centre);
    published_clear(&p);
    return same;
}

/* ---- coordinates without `of` ------------------------------------------------------------------ */

/* The value of a sum of Laplace or normal noise; NULL where there is none of that number. */
static const pby_trace_number *sum_value(const pby_trace_run *run, size_t sum)
{
    if (sum >= run->sums_count)
        return NULL;
    const pby_trace_law law = run->noise[run->sums[sum].noise].law;
    return law == PBY_TRACE_LAPLACE || law == PBY_TRACE_GAUSS ? &run->sums[sum].value : NULL;
}

static bool shows_sum(const pby_trace_run *run, size_t place, size_t sum)
{
    if (place >= run->outputs_count || run->outputs[place].text != NULL || run->outputs[place].sum >= 0)
        return false;
    const pby_trace_number *value = sum_value(run, sum);
    return value != NULL && pby_trace_number_finite(value) &&
           pby_trace_number_equal(value, &run->outputs[place].value);
}

/* True if a coordinate is that sum in every run, and always another value. A run and its replay have one
 * value, so that it is another on one side of every run. */
static bool shows_always(const pby_trace_side *side, size_t place, size_t sum)
{
    for (size_t i = 0; i < side->count; i++) {
        if (!shows_sum(&side->runs[i], place, sum))
            return false;
        for (size_t j = 0; j < i; j++)
            if (pby_trace_number_equal(&side->runs[i].sums[sum].value, &side->runs[j].sums[sum].value))
                return false;
    }
    return side->count > 1;
}

static void set_sum(pby_trace_output *o, size_t sum)
{
    o->sum = (int64_t)sum;
    mpq_set_ui(o->a.q, 1, 1);
    mpq_set_ui(o->b.q, 0, 1);
}

/* Finds the sum that each coordinate without one is equal to. */
static void infer_sums(pby_trace_side *side)
{
    const pby_trace_run *first = &side->runs[0];
    for (size_t place = 0; place < first->outputs_count; place++)
        for (size_t sum = 0; sum < first->sums_count && first->outputs[place].sum < 0; sum++)
            if (shows_always(side, place, sum))
                for (size_t i = 0; i < side->count; i++)
                    set_sum(&side->runs[i].outputs[place], sum);
}

/* ---- choices ----------------------------------------------------------------------------------- */

static bool shows_label(const pby_trace_run *run, size_t place, size_t noise)
{
    if (place >= run->outputs_count || noise >= run->noise_count)
        return false;
    const pby_trace_output *o = &run->outputs[place];
    const pby_trace_noise *n = &run->noise[noise];
    if (n->law != PBY_TRACE_CHOICE || o->sum >= 0)
        return false;
    const char *label = n->labels[n->chosen];
    if (o->text != NULL)
        return strcmp(o->text, label) == 0;
    pby_trace_number value;
    pby_trace_number_init(&value);
    const bool same = pby_trace_number_parse(&value, label) && pby_trace_number_equal(&value, &o->value);
    pby_trace_number_clear(&value);
    return same;
}

static bool same_chances(const pby_trace_noise *a, const pby_trace_noise *b)
{
    if (a->labels_count != b->labels_count)
        return false;
    for (size_t i = 0; i < a->labels_count; i++)
        if (!pby_trace_number_equal(&a->p[i], &b->p[i]) || strcmp(a->labels[i], b->labels[i]) != 0)
            return false;
    return true;
}

/* True if a coordinate shows the label of that choice in every run and probe, with the same chances. */
static bool shows_choice(const pby_trace_side *side, size_t place, size_t noise)
{
    const pby_trace_noise *first = &side->runs[0].noise[noise];
    for (size_t i = 0; i < side->count + side->probes_count; i++) {
        const pby_trace_run *run = i < side->count ? &side->runs[i] : &side->probes[i - side->count];
        if (!shows_label(run, place, noise) || !same_chances(first, &run->noise[noise]))
            return false;
    }
    return true;
}

/* ---- a side ------------------------------------------------------------------------------------ */

/* True if a coordinate is published and fixed on a side; *p says as what. */
static bool find_published(pby_published *p, const pby_trace_side *side, size_t place, bool probed)
{
    const pby_trace_run *first = &side->runs[0];
    const char *path = first->outputs[place].path;
    if (first->outputs[place].sum < 0) {
        for (size_t noise = 0; noise < first->noise_count && probed; noise++)
            if (first->noise[noise].law == PBY_TRACE_CHOICE && shows_choice(side, place, noise)) {
                p->noise = noise;
                p->law = PBY_TRACE_CHOICE;
                p->of = &first->noise[noise];
                return true;
            }
        return false;
    }
    if (!read_sum(p, first, place))
        return false;
    for (size_t i = 1; i < side->count; i++)
        if (!same_sum(p, &side->runs[i], place, path))
            return false;
    for (size_t i = 0; i < side->probes_count && probed; i++)
        if (!same_sum(p, &side->probes[i], place, path))
            return false;
    return true;
}

/* The place of a path in a run: most often that on the other side. */
static bool find_path(size_t *place, const pby_trace_run *run, const char *path, size_t likely)
{
    for (size_t i = 0; i <= run->outputs_count; i++) {
        *place = i == 0 ? likely : i - 1;
        if (*place < run->outputs_count && strcmp(run->outputs[*place].path, path) == 0)
            return true;
    }
    return false;
}

/* ---- members ----------------------------------------------------------------------------------- */

static bool is_first(const pby_members *m, const pby_member *x)
{
    for (size_t i = 0; i < m->count; i++)
        for (int side = 0; side < 2; side++)
            if (m->item[i].side[side].noise == x->side[side].noise &&
                m->item[i].side[side].element == x->side[side].element)
                return false;
    return true;
}

static bool same_coordinate(const pby_trace_run *run, size_t place, const pby_trace_output *first)
{
    const pby_trace_output *o = place < run->outputs_count ? &run->outputs[place] : NULL;
    return o != NULL && strcmp(o->path, first->path) == 0 && (o->text == NULL) == (first->text == NULL) &&
           (o->text != NULL ? strcmp(o->text, first->text) == 0
                            : pby_trace_number_equal(&o->value, &first->value));
}

/* True if a coordinate of a side is the given one in every run, and in every probe if `probed`. */
static bool is_constant(const pby_trace_side *side, size_t place, const pby_trace_output *as, bool probed)
{
    for (size_t i = 0; i < side->count + (probed ? side->probes_count : 0); i++)
        if (!same_coordinate(i < side->count ? &side->runs[i] : &side->probes[i - side->count], place, as))
            return false;
    return true;
}

/* Notices a coordinate that is constant on each side, and another constant on the other. */
static void find_told(pby_members *out, const pby_trace_side side[2], size_t place, bool probed)
{
    size_t other = 0;
    const pby_trace_output *mine = &side[0].runs[0].outputs[place], *theirs;
    if (out->told || mine->path[0] == '#' || side[0].count < 2 ||
        !find_path(&other, &side[1].runs[0], mine->path, place))
        return;
    theirs = &side[1].runs[0].outputs[other];
    if (mine->sum >= 0 || theirs->sum >= 0 || pby_trace_same_value(mine, theirs) ||
        !is_constant(&side[0], place, mine, probed) || !is_constant(&side[1], other, theirs, probed))
        return;
    out->told = true;
    out->told_at[0] = place;
    out->told_at[1] = other;
}

static bool same_error(const char *x, const char *y)
{
    return (x == NULL) == (y == NULL) && (x == NULL || strcmp(x, y) == 0);
}

/* Notices that every run of a side ends by one exception, and those of the other by another or none. */
static void find_error(pby_members *out, const pby_trace_side side[2])
{
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < side[s].count; i++)
            if (side[s].count < 2 || !same_error(side[s].runs[0].error, side[s].runs[i].error))
                return;
    out->told_by_error = !same_error(side[0].runs[0].error, side[1].runs[0].error);
}

static pby_status add_member(bool *added, pby_members *out, const pby_trace_side side[2], size_t place,
                             bool probed, pby_error *err)
{
    const pby_trace_run *first = &side[0].runs[0];
    pby_member x = {.path = first->outputs[place].path, .place = {place, 0}};
    PBY_RESERVE(out->item, out->room, out->count + 1, err);
    published_init(&x.side[0]);
    published_init(&x.side[1]);
    *added = find_path(&x.place[1], &side[1].runs[0], x.path, place) &&
             find_published(&x.side[0], &side[0], place, probed) &&
             find_published(&x.side[1], &side[1], x.place[1], probed) && x.side[0].law == x.side[1].law;
    if (*added) {
        x.first = is_first(out, &x);
        out->item[out->count++] = x;
        return PBY_OK;
    }
    published_clear(&x.side[0]);
    published_clear(&x.side[1]);
    return PBY_OK;
}

pby_status pby_members_find(pby_members *out, pby_trace_side side[2], bool probed, pby_error *err)
{
    const pby_trace_run *first = &side[0].runs[0];
    *out = (pby_members){.whole = first->outputs_count == side[1].runs[0].outputs_count &&
                                  first->error == NULL && side[1].runs[0].error == NULL};
    for (int s = 0; s < 2; s++)
        infer_sums(&side[s]);
    for (size_t place = 0; place < first->outputs_count; place++) {
        bool added = false;
        PBY_TRY(add_member(&added, out, side, place, probed, err));
        const pby_trace_output *o = &first->outputs[place];
        const bool constant = !added && (probed || o->path[0] == '#') &&
                              is_constant(&side[0], place, o, probed) &&
                              is_constant(&side[1], place, o, probed);
        if (!(added ? out->item[out->count - 1].first : constant))
            out->whole = false;
        if (!added && !constant)
            find_told(out, side, place, probed);
    }
    find_error(out, side);
    return PBY_OK;
}

bool pby_members_agree(const pby_members *m, const pby_trace_side *of, int side, const pby_trace_run *run)
{
    const pby_trace_run *first = &of->runs[0];
    if ((m->told && !same_coordinate(run, m->told_at[side], &first->outputs[m->told_at[side]])) ||
        (m->told_by_error && !same_error(run->error, first->error)))
        return false;
    for (size_t i = 0; i < m->count; i++) {
        const pby_published *p = &m->item[i].side[side];
        const size_t place = m->item[i].place[side];
        if (p->law == PBY_TRACE_CHOICE)
            return false;
        if (place < run->outputs_count && run->outputs[place].sum < 0 && shows_sum(run, place, p->sum))
            set_sum(&run->outputs[place], p->sum);
        if (!same_sum(p, run, place, m->item[i].path))
            return false;
    }
    return true;
}
