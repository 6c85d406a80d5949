/* SPDX-License-Identifier: MIT */
#include "loss/divergence/spectrum.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/scoped.h"

/* ---- making ----------------------------------------------------------------------------------- */

static void keep_constant(pby_spectrum *s, const pby_use *use)
{
    pby_use *kept = &s->constant[s->constants++];
    kept->times = use->times;
    pby_mechanism_init(&kept->mechanism, NULL);
    pby_mechanism_copy(&kept->mechanism, &use->mechanism);
}

/* False where the use is known by its pairs. */
static bool add_promise(pby_spectrum *s, const pby_use *use)
{
    PBY_PRIVACY(p, &use->mechanism);
    pby_promise *one = &p.promise;
    if (!one->made)
        return false;
    PBY_FMPZ(times);
    fmpz_set_ui(times, use->times);
    fmpq_mul_fmpz(one->xi, one->xi, times);
    fmpq_mul_fmpz(one->rho, one->rho, times);
    fmpq_add(s->line.xi, s->line.xi, one->xi);
    fmpq_add(s->line.rho, s->line.rho, one->rho);
    if (one->bounded && (!s->line.bounded || fmpq_cmp(one->most, s->line.most) < 0))
        fmpq_set(s->line.most, one->most);
    s->line.bounded = s->line.bounded || one->bounded;
    s->promised = true;
    s->loose = s->loose || p.loose;
    if (one->constant != NULL)
        keep_constant(s, use);
    return true;
}

/* Takes the pairs into the part. */
static pby_status take_pairs(pby_spectrum_part *part, pby_pairs *pairs, bool *finite, pby_error *err)
{
    part->renyi = calloc(pairs->count, sizeof *part->renyi);
    part->direction = calloc(pairs->count, sizeof *part->direction);
    if (part->renyi == NULL || part->direction == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < pairs->count; i++) {
        part->direction[i] = pairs->pair[i].direction;
        const pby_status status = pby_renyi_init(&part->renyi[i], &pairs->pair[i], err);
        part->count++;
        if (status != PBY_OK)
            return status;
        *finite = *finite && part->renyi[i].finite;
    }
    return PBY_OK;
}

static pby_status add_part(pby_spectrum *s, pby_pairs *pairs, uint64_t times, pby_error *err)
{
    pby_spectrum_part *part = &s->part[s->count++];
    part->times = times;
    const pby_status status = take_pairs(part, pairs, &s->finite, err);
    pby_pairs_clear(pairs);
    return status;
}

/* Adds the factors, which are cleared: divergences of independent parts add. */
static pby_status add_product(pby_spectrum *s, pby_product *product, uint64_t times, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < product->count && status == PBY_OK; i++) {
        pby_factor *f = &product->factor[i];
        const bool finite = s->finite;
        status = add_part(s, &f->pairs, f->times * times, err);
        s->finite = f->reached == 0 ? finite : s->finite;
        s->bound = s->bound || f->reached < f->times;
    }
    pby_product_clear(product);
    return status;
}

/* A sampled curve has the divergence of a removal in either direction. That is the worse one of a list whose
 * other uses have no direction, or are samples of one pair that is its own reverse; of others it is a bound.
 */
static void note_directions(pby_spectrum *s, const pby_mechanism *m, const pby_product *product)
{
    static const pby_pairs none = {NULL, 0};
    const pby_pairs *pairs = product->factored ? &none : &product->factor->pairs;
    const bool sample = pby_mechanism_sample(m) != NULL && pairs->count == 2;
    s->directed = s->directed || pairs->count == 0;
    for (size_t i = 0; i < pairs->count; i++) {
        s->sampled = s->sampled || (sample && pairs->pair[i].curve != NULL);
        s->directed = s->directed || (!sample && pairs->pair[i].direction != PBY_BOTH);
    }
    s->loose = s->loose || (s->sampled && s->directed);
}

/* Divergences of uses add, so that it is enough to bound each use. */
static pby_status add_pairs(pby_spectrum *s, const pby_use *use, pby_neighbours relation, pby_error *err)
{
    const pby_wanted wanted = {pby_mechanism_fixed(&use->mechanism) ? PBY_ONCE : PBY_ABOVE, relation,
                               .factors = true};
    pby_product product;
    if (pby_mechanism_allocated(&use->mechanism))
        return pby_fail(err, PBY_BAD,
                        "SPEC: Renyi divergences of an allocated mechanism are not enclosed: expected a "
                        "question about epsilon and delta");
    PBY_TRY(pby_product_of(&product, &use->mechanism, &wanted, err));
    s->loose = s->loose || pby_mechanism_loose(&use->mechanism);
    note_directions(s, &use->mechanism, &product);
    return add_product(s, &product, use->times, err);
}

static pby_status make_room(pby_spectrum *s, const pby_spec *spec, pby_error *err)
{
    *s = (pby_spectrum){.finite = true};
    pby_promise_init(&s->line);
    s->part = calloc(PBY_PARTS_MAX * spec->count, sizeof *s->part);
    s->constant = calloc(spec->count, sizeof *s->constant);
    return s->part == NULL || s->constant == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_spectrum_init(pby_spectrum *s, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    pby_status status = make_room(s, spec, err);
    for (size_t i = 0; i < spec->count && status == PBY_OK; i++) {
        const pby_use *use = &spec->use[i];
        if (!add_promise(s, use))
            status = add_pairs(s, use, relation, err);
    }
    return status;
}

/* An addition to a sampled curve has the divergence of the removal, which it does not reach. */
static void drop_additions(pby_pairs *pairs)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        pby_pair *pair = &pairs->pair[i];
        if (pair->curve != NULL && pair->direction == PBY_FORWARD)
            pby_pair_clear(pair);
        else
            pairs->pair[kept++] = *pair;
    }
    pairs->count = kept;
}

static pby_status add_reached(pby_spectrum *s, const pby_use *use, pby_neighbours relation, const fmpq *order,
                              pby_error *err)
{
    const pby_mechanism *m = &use->mechanism;
    if (!pby_mechanism_loose(m) && add_promise(s, use))
        return PBY_OK;
    const pby_wanted wanted = {pby_mechanism_loose(m) ? PBY_DIVERGING : PBY_ABOVE, relation, .order = order,
                               .factors = true};
    pby_product product;
    PBY_TRY(pby_product_of(&product, m, &wanted, err));
    if (pby_mechanism_sample(m) != NULL && !product.factored)
        drop_additions(&product.factor->pairs);
    if (product.factor->pairs.count == 0)
        product.count = 0;
    return add_product(s, &product, use->times, err);
}

pby_status pby_spectrum_below(pby_spectrum *s, const pby_spec *spec, pby_neighbours relation,
                              const fmpq *order, pby_error *err)
{
    PBY_TRY(make_room(s, spec, err));
    for (size_t i = 0; i < spec->count; i++)
        PBY_TRY(add_reached(s, &spec->use[i], relation, order, err));
    return PBY_OK;
}

pby_status pby_spectrum_of_pairs(pby_spectrum *s, pby_pairs *pairs, pby_error *err)
{
    *s = (pby_spectrum){.finite = true};
    pby_promise_init(&s->line);
    s->part = calloc(1, sizeof *s->part);
    return s->part == NULL ? pby_no_memory(err) : add_part(s, pairs, 1, err);
}

static void clear_parts(pby_spectrum *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = 0; j < s->part[i].count; j++)
            pby_renyi_clear(&s->part[i].renyi[j]);
        free(s->part[i].renyi);
        free(s->part[i].direction);
    }
    s->count = 0;
}

void pby_spectrum_clear(pby_spectrum *s)
{
    clear_parts(s);
    free(s->part);
    for (size_t i = 0; i < s->constants; i++)
        pby_mechanism_clear(&s->constant[i].mechanism);
    free(s->constant);
    pby_promise_clear(&s->line);
}

bool pby_spectrum_straighten(pby_spectrum *s)
{
    bool all = !s->line.bounded && s->constants == 0;
    PBY_FMPQ(rho, sum);
    for (size_t i = 0; i < s->count && all; i++) {
        all = pby_spectrum_rho(rho, &s->part[i]);
        fmpq_add(sum, sum, rho);
    }
    if (all) {
        fmpq_add(s->line.rho, s->line.rho, sum);
        clear_parts(s);
    }
    return all;
}

/* ---- answering -------------------------------------------------------------------------------- */

static bool curve_rho(fmpq_t rho, const pby_curve *curve)
{
    if (curve == NULL)
        return false;
    if (curve->class->rho == NULL)
        return curve->class->limit != NULL && curve->class->limit(rho, curve);
    curve->class->rho(rho, curve);
    return true;
}

bool pby_spectrum_rho(fmpq_t rho, const pby_spectrum_part *part)
{
    bool known = part->count > 0;
    PBY_FMPQ(one);
    fmpq_zero(rho);
    for (size_t i = 0; i < part->count && known; i++) {
        known = curve_rho(one, part->renyi[i].pair.curve);
        if (known && fmpq_cmp(one, rho) > 0)
            fmpq_set(rho, one);
    }
    fmpq_mul_ui(rho, rho, part->times);
    return known;
}

bool pby_spectrum_late(const pby_spectrum_part *part)
{
    PBY_FMPQ(rho);
    bool late = false;
    if (!pby_spectrum_rho(rho, part))
        return false;
    for (size_t i = 0; i < part->count; i++)
        late = late || part->renyi[i].pair.curve->class->rho == NULL;
    return late;
}

void pby_spectrum_closed(fmpq_t rho, const pby_spectrum *s)
{
    PBY_FMPQ(one);
    fmpq_zero(rho);
    for (size_t i = 0; i < s->count; i++)
        if (pby_spectrum_rho(one, &s->part[i]))
            fmpq_add(rho, rho, one);
}

static bool goes(pby_direction direction, pby_direction way)
{
    return direction == PBY_BOTH || direction == way;
}

/* The worst pair of a part in one direction, so many times. */
static pby_status part_at(arb_t ball, const pby_spectrum_part *part, pby_direction way, const fmpq *order,
                          slong prec, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(one);
    arb_zero(ball);
    for (size_t i = 0; i < part->count && status == PBY_OK; i++)
        if (goes(part->direction[i], way)) {
            status = pby_renyi_at(one, &part->renyi[i], order, prec, err);
            pby_raise_to(ball, one, prec);
        }
    arb_mul_ui(ball, ball, part->times, prec);
    return status;
}

pby_status pby_spectrum_one_way(arb_t ball, const pby_spectrum *s, pby_direction way, const fmpq *order,
                                bool closed, slong prec, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(one);
    PBY_FMPQ(rho);
    arb_zero(ball);
    for (size_t i = 0; i < s->count && status == PBY_OK; i++) {
        if (!closed && pby_spectrum_rho(rho, &s->part[i]))
            continue;
        status = part_at(one, &s->part[i], way, order, prec, err);
        arb_add(ball, ball, one, prec);
    }
    return status;
}

bool pby_spectrum_one_sided(const pby_spectrum *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->part[i].count; j++)
            if (s->part[i].direction[j] != PBY_BOTH)
                return true;
    return false;
}

void pby_spectrum_range(arb_t ball, const pby_spectrum *s, pby_direction way, slong prec)
{
    PBY_ARB(one);
    PBY_FMPQ(rho);
    arb_zero(ball);
    for (size_t i = 0; i < s->count; i++) {
        const pby_spectrum_part *part = &s->part[i];
        size_t found = 0;
        for (size_t j = 0; j < part->count; j++)
            if (goes(part->direction[j], way)) {
                pby_renyi_range(one, &part->renyi[j], prec);
                found++;
            }
        if (found == 0 || pby_spectrum_rho(rho, part))
            continue;
        arb_addmul_ui(ball, one, part->times, prec);
        if (found > 1)
            arb_pos_inf(ball);
    }
}

/* D_a of all pairs, in the direction that is worse. */
static pby_status both_ways(arb_t ball, const pby_spectrum *s, const fmpq *order, slong prec, pby_error *err)
{
    pby_status status = pby_spectrum_one_way(ball, s, PBY_FORWARD, order, true, prec, err);
    if (status != PBY_OK || !pby_spectrum_one_sided(s))
        return status;
    PBY_ARB(back);
    status = pby_spectrum_one_way(back, s, PBY_BACKWARD, order, true, prec, err);
    pby_raise_to(ball, back, prec);
    return status;
}

/* ---- the line --------------------------------------------------------------------------------- */

pby_status pby_spectrum_constant(arb_t b, const pby_spectrum *s, slong prec, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(one);
    arb_zero(b);
    for (size_t i = 0; i < s->constants && status == PBY_OK; i++) {
        const pby_mechanism *m = &s->constant[i].mechanism;
        PBY_PRIVACY(p, m);
        status = p.promise.constant(one, m, prec, err);
        arb_addmul_ui(b, one, s->constant[i].times, prec);
    }
    return status;
}

void pby_spectrum_lowest(arb_t ball, const pby_spectrum *s, const arb_t b, slong prec)
{
    PBY_ARB(rho, root);
    arb_set_fmpq(rho, s->line.rho, prec);
    arb_mul(root, rho, b, prec);
    arb_sqrt(root, root, prec);
    arb_mul_2exp_si(root, root, 1);
    arb_set_fmpq(ball, s->line.xi, prec);
    arb_add(ball, ball, rho, prec);
    arb_add(ball, ball, root, prec);
}

/* The sign of rho (a-1)^2 - B: on which side of the lowest place of the line an order is; 0 where it is near.
 */
static int side_of(const pby_spectrum *s, const fmpq_t order, const arb_t b, slong prec)
{
    PBY_FMPQ(x);
    PBY_ARB(y);
    fmpq_sub_si(x, order, 1);
    fmpq_mul(x, x, x);
    fmpq_mul(x, x, s->line.rho);
    arb_set_fmpq(y, x, prec);
    return arb_lt(y, b) ? -1 : arb_gt(y, b);
}

/* ball = xi + rho a + B/(a-1) */
static void raw_line(arb_t ball, const pby_spectrum *s, const fmpq_t order, const arb_t b, slong prec)
{
    PBY_FMPQ(x);
    PBY_ARB(y);
    fmpq_mul(x, s->line.rho, order);
    fmpq_add(x, x, s->line.xi);
    arb_set_fmpq(ball, x, prec);
    if (!arb_is_zero(b)) {
        fmpq_sub_si(x, order, 1);
        arb_set_fmpq(y, x, prec);
        arb_div(y, b, y, prec);
        arb_add(ball, ball, y, prec);
    }
}

/* The line falls up to its lowest place and rises from there on. Before that place the value at it holds, or
 * that at the line's end where this comes first. */
static pby_status line_at(arb_t ball, const pby_spectrum *s, const fmpq *order, slong prec, pby_error *err)
{
    const pby_promise *line = &s->line;
    PBY_ARB(b);
    const pby_status status = order == NULL ? PBY_OK : pby_spectrum_constant(b, s, prec, err);
    if (order == NULL)
        arb_set_fmpq(ball, line->xi, prec);
    else if (arb_is_zero(b) || side_of(s, order, b, prec) >= 0)
        raw_line(ball, s, order, b, prec);
    else if (line->bounded && side_of(s, line->most, b, prec) <= 0)
        raw_line(ball, s, line->most, b, prec);
    else
        pby_spectrum_lowest(ball, s, b, prec);
    return status;
}

pby_status pby_spectrum_at(arb_t ball, const pby_spectrum *s, const fmpq *order, slong prec, pby_error *err)
{
    const pby_promise *line = &s->line;
    if (order == NULL ? line->bounded || !fmpq_is_zero(line->rho)
                      : line->bounded && fmpq_cmp(order, line->most) > 0) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    PBY_ARB(on_line);
    pby_status status = line_at(on_line, s, order, prec, err);
    if (status == PBY_OK)
        status = both_ways(ball, s, order, prec, err);
    arb_add(ball, ball, on_line, prec);
    return status;
}

/* sum += times log(1 - x) */
static void add_log_rest(arb_t sum, const arb_t x, uint64_t times, slong prec)
{
    PBY_ARB(log);
    arb_neg(log, x);
    if (arb_is_one(x))
        arb_neg_inf(log);
    else
        arb_log1p(log, log, prec);
    arb_mul_ui(log, log, times, prec);
    arb_add(sum, sum, log, prec);
}

/* The logarithm of the chance that every use stays in its common support, under P and under Q. */
static void log_staying(arb_t p, arb_t q, const pby_spectrum *s, pby_direction way, slong prec)
{
    PBY_ARB(x, y, worst_x, worst_y);
    arb_zero(p);
    arb_zero(q);
    for (size_t i = 0; i < s->count; i++) {
        const pby_spectrum_part *part = &s->part[i];
        arb_zero(worst_x);
        arb_zero(worst_y);
        for (size_t j = 0; j < part->count; j++)
            if (goes(part->direction[j], way)) {
                pby_renyi_missing(x, y, &part->renyi[j], prec);
                arb_max(worst_x, worst_x, x, prec);
                arb_max(worst_y, worst_y, y, prec);
            }
        add_log_rest(p, worst_x, part->times, prec);
        add_log_rest(q, worst_y, part->times, prec);
    }
}

void pby_spectrum_missing(arb_t delta, const pby_spectrum *s, slong prec)
{
    PBY_ARB(p, q);
    arb_zero(delta);
    for (pby_direction way = PBY_FORWARD; way <= PBY_BACKWARD; way++) {
        log_staying(p, q, s, way, prec);
        arb_min(p, p, q, prec);
        arb_expm1(p, p, prec);
        arb_neg(p, p);
        arb_max(delta, delta, p, prec);
    }
}
