/* SPDX-License-Identifier: MIT */
#include "mechanism/sparse/family_sparse.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "probity/certificate.h"
#include "probity/enclosure.h"
#include "probity/loss.h"
#include "tests/claims/decide.h"

/* ---- the law of short streams ----------------------------------------------------------------- */

/* A stream of up to DEPTH questions is a tree: the question behind the outputs so far. The law is a sum over
 * the threshold's noise of products over the answers, in long double, from the definition. */
enum { DEPTH = 3, TREE = (1 << DEPTH) - 1, OUTPUTS = 1 << (DEPTH + 1), REACH = 90, FAR = REACH + 30 };

struct noises {
    double sigma2, rate, answer_sigma2, answer_rate; /* of each noise one is 0 */
    int tops, questions, stages;
    long gap, d; /* gap 0: none */
};

struct tables {
    long double mass[2 * REACH + 1], reaches[2 * FAR + 1];
};

static void make_tables(struct tables *t, const struct noises *n)
{
    long double total = 0, answers = 0;
    for (long k = -REACH; k <= REACH; k++) {
        t->mass[k + REACH] = n->sigma2 > 0 ? expl(-k * k / (2 * (long double)n->sigma2))
                                           : expl(-n->rate * (double)labs(k));
        total += t->mass[k + REACH];
    }
    for (long k = -REACH; k <= REACH; k++)
        t->mass[k + REACH] /= total;
    for (long k = FAR; k >= -FAR; k--) {
        answers += n->answer_sigma2 > 0 ? expl(-k * k / (2 * (long double)n->answer_sigma2))
                                        : expl(-n->answer_rate * (double)labs(k));
        t->reaches[k + FAR] = answers;
    }
    for (long k = -FAR; k <= FAR; k++)
        t->reaches[k + FAR] /= answers;
}

/* law[w] for the word w of outputs, a 1 in front of it, that end the stages; node is the place in the tree.
 */
struct walk {
    const struct tables *t;
    const struct noises *n;
    const long *answer;
    long double *law;
};

static void ask(const struct walk *w, long double chance, long z, int word, int tops, int asked, int stages);

static void begin(const struct walk *w, long double chance, int word, int stages)
{
    if (stages == 0 || word > TREE) {
        w->law[word] += chance;
        return;
    }
    for (long z = -REACH; z <= REACH; z++)
        ask(w, chance * w->t->mass[z + REACH], z, word, 0, 0, stages);
}

static void ask(const struct walk *w, long double chance, long z, int word, int tops, int asked, int stages)
{
    if (chance < 1e-22L)
        return;
    if (tops == w->n->tops || (w->n->questions > 0 && asked == w->n->questions)) {
        begin(w, chance, word, stages - 1);
        return;
    }
    if (word > TREE) {
        w->law[word] += chance;
        return;
    }
    long q = w->answer[word - 1];
    if (w->n->gap > 0 && q < -w->n->gap)
        q = -w->n->gap;
    const long at = z - q;
    const long double yes = at < -FAR ? 1 : at > FAR ? 0 : w->t->reaches[at + FAR];
    ask(w, chance * yes, z, 2 * word + 1, tops + 1, asked + 1, stages);
    ask(w, chance * (1 - yes), z, 2 * word, tops, asked + 1, stages);
}

static void law_of(long double *law, const struct tables *t, const struct noises *n, const long *answer)
{
    const struct walk w = {t, n, answer, law};
    memset(law, 0, OUTPUTS * sizeof *law);
    begin(&w, 1, 1, n->stages);
}

static long double hockey(const long double *p, const long double *q, double epsilon)
{
    long double delta = 0;
    for (size_t i = 0; i < OUTPUTS; i++)
        delta += fmaxl(0, p[i] - expl(epsilon) * q[i]);
    return delta;
}

static long double renyi(const long double *p, const long double *q, double order)
{
    long double sum = 0;
    for (size_t i = 0; i < OUTPUTS; i++)
        sum += p[i] > 0 ? powl(p[i], order) * powl(q[i], 1 - order) : 0;
    return logl(sum) / (order - 1);
}

/* ---- asked of the library --------------------------------------------------------------------- */

static pby_spec *parse(const char *text)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    return spec;
}

static double upper_end(const char *text, pby_question question, double value)
{
    pby_spec *spec = parse(text);
    pby_error err;
    pby_enclosure x;
    mpq_t at;
    mpq_init(at);
    mpq_set_d(at, value);
    pby_enclosure_init(&x);
    const pby_status status = question == PBY_ASK_RENYI
                                  ? pby_loss_renyi(&x, NULL, spec, PBY_ADD_REMOVE, at, 9, &err)
                                  : pby_loss_delta(&x, spec, PBY_ADD_REMOVE, at, 9, &err);
    cr_assert_eq(status, PBY_OK, "%s: %s", text, err.text);
    const double hi = mpfr_get_d(x.hi, MPFR_RNDU);
    cr_assert(mpfr_sgn(x.lo) >= 0 && mpfr_get_d(x.lo, MPFR_RNDD) <= hi);
    pby_enclosure_clear(&x);
    mpq_clear(at);
    pby_spec_free(spec);
    return hi;
}

static const double epsilons[] = {-0.5, 0, 0.25, 0.75, 1.5, 3}, orders[] = {1.0625, 1.5, 2, 5, 12};

enum { EPSILONS = sizeof epsilons / sizeof *epsilons, ORDERS = sizeof orders / sizeof *orders };

struct row {
    const char *spec;
    struct noises n;
};

static const struct row rows[] = {
    {"sparse:sigma2=4,questions=3", {4, 0, 16, 0, 1, 3, 1, 0, 1}},
    {"sparse:sigma2=4,answer-sigma2=9,tops=2,questions=3", {4, 0, 9, 0, 2, 3, 1, 0, 1}},
    {"sparse:sigma2=9,tops=3,questions=3,sensitivity=2", {9, 0, 36, 0, 3, 3, 1, 0, 2}},
    {"sparse:sigma2=4,answer-rate=1/2,tops=2", {4, 0, 0, 0.5, 2, 0, 1, 0, 1}},
    {"sparse:rate=1/2,tops=2", {0, 0.5, 0, 0.25, 2, 0, 1, 0, 1}},
    {"sparse:rate=1,answer-rate=1/4,sensitivity=2", {0, 1, 0, 0.25, 1, 0, 1, 0, 2}},
    {"sparse:rate=1/2,answer-sigma2=9,tops=2,questions=3", {0, 0.5, 9, 0, 2, 3, 1, 0, 1}},
    {"sparse:sigma2=4,gap=2", {4, 0, 16, 0, 1, 0, 1, 2, 1}},
    {"sparse:sigma2=2,answer-sigma2=9,tops=2,gap=1", {2, 0, 9, 0, 2, 0, 1, 1, 1}},
    {"2*sparse:sigma2=4,questions=2", {4, 0, 16, 0, 1, 2, 2, 0, 1}},
    {"2*sparse:rate=1/2", {0, 0.5, 0, 0.25, 1, 0, 2, 0, 1}},
};

/* Streams that adapt, at random, and their neighbours: none is worse than the bounds, at any epsilon and any
 * order. The stream is seeded, and the test knows no chance.
 * claims: Survey/Theorem 9.12 */
Test(sparse_vector, no_stream_is_worse_than_the_bounds)
{
    enum { TRIES = 24 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct tables t;
        const struct noises *n = &rows[i].n;
        double delta[EPSILONS], divergence[ORDERS];
        for (size_t j = 0; j < EPSILONS; j++)
            delta[j] = upper_end(rows[i].spec, PBY_ASK_DELTA, epsilons[j]);
        for (size_t j = 0; j < ORDERS; j++)
            divergence[j] = upper_end(rows[i].spec, PBY_ASK_RENYI, orders[j]);
        make_tables(&t, n);
        uint64_t state = 1 + i;
        for (size_t k = 0; k < TRIES; k++) {
            long x[TREE], y[TREE];
            long double p[OUTPUTS], q[OUTPUTS];
            for (size_t l = 0; l < TREE; l++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                x[l] = (long)(state >> 33) % 7 - 5;
                y[l] = x[l] + ((state >> 60) % 2 == 0 ? n->d : -n->d);
            }
            law_of(p, &t, n, x);
            law_of(q, &t, n, y);
            for (size_t j = 0; j < EPSILONS; j++)
                cr_assert(hockey(p, q, epsilons[j]) <= delta[j] + 1e-12L, "%s: delta at %g", rows[i].spec,
                          epsilons[j]);
            for (size_t j = 0; j < ORDERS; j++)
                cr_assert(claims_le_d(CLAIMS_ALL, (double)renyi(p, q, orders[j]), divergence[j] + 1e-9),
                          "%s: order %g", rows[i].spec, orders[j]);
        }
    }
}

/* The law of the tests is one: it adds up to 1, and has as many outputs as B counts. */
Test(sparse_vector, outputs_are_counted)
{
    static struct tables t;
    const struct noises n = {4, 0, 16, 0, 2, 3, 1, 0, 1};
    const long answer[TREE] = {-1, 0, 1, -2, 0, 1, 2};
    long double law[OUTPUTS], sum = 0;
    int outputs = 0;
    make_tables(&t, &n);
    law_of(law, &t, &n, answer);
    for (size_t i = 0; i < OUTPUTS; i++) {
        sum += law[i];
        outputs += law[i] > 0;
    }
    cr_assert_float_eq((double)sum, 1, 1e-12);
    cr_assert_eq(outputs, 1 + 3 + 3);
}

/* ---- the promise ------------------------------------------------------------------------------ */

static double constant_of(const char *text)
{
    pby_spec *spec = parse(text);
    pby_sparse_use use;
    arb_t b;
    arb_init(b);
    pby_sparse_use_init(&use, &spec->use[0].mechanism);
    cr_assert_eq(pby_sparse_constant(b, &use, 128, NULL), PBY_OK);
    cr_assert(arb_rel_accuracy_bits(b) > 100, "%s", text);
    const double x = arf_get_d(arb_midref(b), ARF_RND_NEAR);
    pby_sparse_use_clear(&use);
    arb_clear(b);
    pby_spec_free(spec);
    return x;
}

Test(sparse_vector, the_constant_counts_outputs)
{
    cr_assert_float_eq(constant_of("sparse:sigma2=4,questions=9"), log(10), 1e-12);
    cr_assert_float_eq(constant_of("sparse:sigma2=4,tops=2,questions=9"), log(1 + 9 + 36), 1e-12);
    cr_assert_float_eq(constant_of("sparse:sigma2=4,tops=3,questions=3"), log(8), 1e-12);
    cr_assert_float_eq(constant_of("sparse:rate=4,answer-sigma2=1,tops=2,questions=4"), log(11), 1e-12);
}

/* log(M)/g summed in long double, far beyond where it counts. */
static double moment(double s1, double s2, int tops, long gap)
{
    const long double power = tops * (1 + s2 / s1 / tops) / 2;
    long double n1 = 0, n2 = 0, sum = 0, tail = 0;
    for (long k = -500; k <= 500; k++) {
        n1 += expl(-k * k / (2 * (long double)s1));
        n2 += expl(-k * k / (2 * (long double)s2));
    }
    for (long t = 500; t >= -500; t--) {
        tail += expl(-t * t / (2 * (long double)s2));
        const long z = t - gap;
        sum += expl(-z * z / (2 * (long double)s1) + power * logl(n2 / tail));
    }
    return (double)(logl(sum / n1) * tops / power);
}

Test(sparse_vector, the_moment_is_enclosed)
{
    cr_assert_float_eq(constant_of("sparse:sigma2=4,gap=2"), moment(4, 16, 1, 2), 1e-9);
    cr_assert_float_eq(constant_of("sparse:sigma2=100,answer-sigma2=300,gap=30"), moment(100, 300, 1, 30),
                       1e-9);
    cr_assert_float_eq(constant_of("sparse:sigma2=10,answer-sigma2=35,tops=3,gap=1"), moment(10, 35, 3, 1),
                       1e-9);
}

/* D_a <= a A + B/(a-1), flat up to where that is least. */
Test(sparse_vector, the_curve)
{
    const double a = 1.0 / 8 + 2 * 2 / 16.0, b = log(1 + 9 + 36), flat = a + 2 * sqrt(a * b);
    const char *spec = "sparse:sigma2=4,tops=2,questions=9";
    const double lowest = 1 + sqrt(b / a);
    cr_assert_float_eq(upper_end(spec, PBY_ASK_RENYI, 1), flat, 1e-8);
    cr_assert_float_eq(upper_end(spec, PBY_ASK_RENYI, 2), flat, 1e-8);
    cr_assert_gt(lowest, 4);
    cr_assert_lt(lowest, 5);
    cr_assert_float_eq(upper_end(spec, PBY_ASK_RENYI, 8), 8 * a + b / 7, 1e-8);
    const char *three = "3*sparse:sigma2=4,tops=2,questions=9";
    cr_assert_float_eq(upper_end(three, PBY_ASK_RENYI, 8), 3 * (8 * a + b / 7), 1e-7);
}

/* The points say no less than the conversion, and not much more. */
Test(sparse_vector, the_pair_is_close_to_the_conversion)
{
    const char *text = "sparse:sigma2=400,tops=2,questions=10";
    pby_spec *spec = parse(text);
    pby_enclosure x;
    mpq_t at;
    pby_error err;
    mpq_init(at);
    pby_enclosure_init(&x);
    for (double e = 0.3; e < 0.9; e += 0.0371) {
        mpq_set_d(at, e);
        cr_assert_eq(
            pby_loss_convert(&x, "renyi-to-approx", PBY_ASK_DELTA, spec, PBY_ADD_REMOVE, at, 12, &err),
            PBY_OK, "%s", err.text);
        const double converted = mpfr_get_d(x.lo, MPFR_RNDD), pair = upper_end(text, PBY_ASK_DELTA, e);
        cr_assert(pair >= converted && pair <= 1.05 * converted, "%g: %g and %g", e, pair, converted);
    }
    pby_enclosure_clear(&x);
    mpq_clear(at);
    pby_spec_free(spec);
}

/* One top and two geometric noises are above threshold. */
Test(sparse_vector, geometric_noise_is_that_of_above)
{
    for (size_t j = 0; j < EPSILONS; j++) {
        const double one = upper_end("sparse:rate=1/2", PBY_ASK_DELTA, epsilons[j]);
        cr_assert_float_eq(one, upper_end("above:eps=1", PBY_ASK_DELTA, epsilons[j]), 1e-8);
        const double three = upper_end("sparse:rate=1/2,sensitivity=3", PBY_ASK_DELTA, epsilons[j]);
        cr_assert_float_eq(three, upper_end("above:eps=3,sensitivity=3", PBY_ASK_DELTA, epsilons[j]), 1e-8);
    }
}

/* With two geometric noises the largest loss, D (r1 + 2 c r2), is approached: 200 answers below that the
 * neighbour has one higher, and behind them two above that it has one lower. Beyond it delta is 0. */
static long double below_and_two_above(long below, long above)
{
    const long double a = expl(-0.5L), b = expl(-0.25L);
    long double sum = 0;
    for (long z = -200; z <= 300; z++) {
        const long up = z - above, down = z - below;
        const long double yes = up > 0 ? powl(b, up) / (1 + b) : 1 - powl(b, 1 - up) / (1 + b);
        const long double no = 1 - (down > 0 ? powl(b, down) / (1 + b) : 1 - powl(b, 1 - down) / (1 + b));
        sum += (1 - a) / (1 + a) * powl(a, labs(z)) * powl(no, 200) * yes * yes;
    }
    return sum;
}

Test(sparse_vector, long_streams_come_near_the_largest_loss)
{
    const long double loss = logl(below_and_two_above(0, -10) / below_and_two_above(1, -11));
    cr_assert(loss <= 1.5L + 1e-12L && loss >= 1.49L, "%Lg", loss);
    cr_assert_gt(upper_end("sparse:rate=1/2,tops=2", PBY_ASK_DELTA, 1.4921875), 0);
    cr_assert_eq(upper_end("sparse:rate=1/2,tops=2", PBY_ASK_DELTA, 1.5), 0);
}

Test(sparse_vector, certificates_hold)
{
    static const char *const specs[] = {"sparse:sigma2=400,tops=2,questions=10", "3*sparse:sigma2=100,gap=9",
                                        "2*sparse:rate=1/4,tops=2", "2*sparse:sigma2=50,answer-rate=1/9"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_spec *spec = parse(specs[i]);
        pby_error err;
        pby_certificate *read;
        char *text;
        mpq_t e;
        mpq_init(e);
        mpq_set_d(e, 0.5);
        cr_assert_eq(pby_certify(&text, spec, PBY_ADD_REMOVE, e, &err), PBY_OK, "%s: %s", specs[i], err.text);
        cr_assert_eq(pby_verify(&read, text, strlen(text), &err), PBY_OK, "%s: %s", specs[i], err.text);
        pby_certificate_free(read);
        free(text);
        mpq_clear(e);
        pby_spec_free(spec);
    }
}

/* A gap that is too far to be summed over is refused when its loss is asked for. */
Test(sparse_vector, a_gap_may_be_too_far)
{
    pby_spec *spec = parse("sparse:sigma2=100,gap=2147483647");
    pby_enclosure x;
    pby_error err;
    mpq_t at;
    mpq_init(at);
    pby_enclosure_init(&x);
    cr_assert_eq(pby_loss_delta(&x, spec, PBY_ADD_REMOVE, at, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "sparse:gap '2147483647'"), "%s", err.text);
    pby_enclosure_clear(&x);
    mpq_clear(at);
    pby_spec_free(spec);
}

Test(sparse_vector, parameters_that_do_not_go_together_are_refused)
{
    static const struct {
        const char *spec, *expected;
    } bad[] = {
        {"sparse:questions=9", "sigma2 or rate, the noise of the threshold"},
        {"sparse:sigma2=1,rate=1,questions=9", "sigma2 or rate, the noise of the threshold"},
        {"sparse:rate=1,answer-rate=1,answer-sigma2=1,questions=9", "answer-sigma2 or answer-rate, not both"},
        {"sparse:sigma2=9,tops=4,questions=3", "at least as many questions as tops"},
        {"sparse:rate=9,tops=70000", "at most 65536 tops"},
        {"sparse:rate=1,gap=3", "no gap: geometric answers need none"},
        {"sparse:sigma2=9", "questions or gap, because Gaussian answers need a limit"},
        {"sparse:sigma2=9,questions=3,gap=3", "questions or gap, because Gaussian answers need a limit"},
        {"sparse:rate=1,answer-sigma2=9,gap=3", "with a gap a Gaussian threshold"},
        {"sparse:sigma2=9,tops=4,gap=3", "with a gap a Gaussian threshold"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_spec *spec;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&spec, &bad[i].spec, 1, &err), PBY_BAD, "%s", bad[i].spec);
        cr_assert_not_null(strstr(err.text, bad[i].expected), "%s", err.text);
    }
}

/* ---- the constant ----------------------------------------------------------------------------- */

/* The output of a stream of k questions whose answers are q and q - 1 in turn, as far as it tells whether the
 * first positive answer is one of the former, one of the latter, or none. */
static void law_of_two_kinds(long double law[3], const struct tables *t, long first, long second, int k)
{
    law[0] = law[1] = law[2] = 0;
    for (long z = -REACH; z <= REACH; z++) {
        const long one = z - first, other = z - second;
        const long double a = one > FAR ? 0 : t->reaches[one + FAR],
                          b = other > FAR ? 0 : t->reaches[other + FAR];
        const long double both = (1 - a) * (1 - b), none = powl(both, k / 2);
        const long double rounds = both < 1 - 1e-15L ? (1 - none) / (1 - both) : k / 2;
        law[0] += t->mass[z + REACH] * a * rounds;
        law[1] += t->mass[z + REACH] * (1 - a) * b * rounds;
        law[2] += t->mass[z + REACH] * none;
    }
}

/* Far below the threshold a positive answer has far noise, which tells the answers of neighbours apart: of a
 * hundred thousand questions the divergence is beyond a A, and within a A + B/(a-1). */
Test(sparse, many_questions_need_the_constant)
{
    enum { K = 100000 };
    static const double asked[] = {1.25, 2};
    const char *spec = "sparse:sigma2=25,questions=100000";
    const struct noises n = {.sigma2 = 25, .answer_sigma2 = 100, .d = 1};
    static struct tables t;
    long double p[OUTPUTS] = {0}, q[OUTPUTS] = {0};
    make_tables(&t, &n);
    law_of_two_kinds(p, &t, -40, -41, K);
    law_of_two_kinds(q, &t, -41, -40, K);
    cr_assert(fabsl(p[0] + p[1] + p[2] - 1) < 1e-9L);
    for (size_t i = 0; i < 2; i++) {
        long double sum = 0;
        for (int o = 0; o < 3; o++)
            sum += powl(p[o], asked[i]) * powl(q[o], 1 - asked[i]);
        const double lost = (double)(logl(sum) / (asked[i] - 1));
        cr_assert_gt(lost, 1.3 * asked[i] * (1 / 50. + 2 / 100.), "the constant is not needed");
        cr_assert_lt(lost, upper_end(spec, PBY_ASK_RENYI, asked[i]));
    }
    for (int i = 0; i < 4; i++)
        cr_assert_lt((double)hockey(p, q, i / 10.), upper_end(spec, PBY_ASK_DELTA, i / 10.));
}
