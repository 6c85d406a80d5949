/* Measures and distances with numbers as text. */
#include <string.h>

#include "base/status.h"
#include "number/worded.h"
#include "probity/accuracy.h"
#include "probity/rational.h"

pby_status pby_measure_add_text(pby_measure *m, const char *at, const char *mass, pby_error *err)
{
    static const char *const names[] = {"at", "mass"};
    const char *const texts[] = {at, mass};
    mpq_t x[2];
    mpq_inits(x[0], x[1], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 2, err);
    if (status == PBY_OK)
        status = pby_measure_add(m, x[0], x[1], err);
    mpq_clears(x[0], x[1], NULL);
    return status;
}

pby_status pby_distance_text(char **out, const pby_distance *x, pby_error *err)
{
    if (!x->infinite)
        return pby_rational_print(out, x->value, err);
    *out = strdup("inf");
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

/* A distance of laws at a gamma, as text. */
typedef pby_status lossy(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                         pby_error *err);

static pby_status at_gamma(char **out, lossy *by, const pby_measure *p, const pby_measure *q,
                           const char *gamma, pby_error *err)
{
    mpq_t x, answer;
    *out = NULL;
    mpq_inits(x, answer, NULL);
    pby_status status = pby_rational_parse(x, "gamma", gamma, err);
    if (status == PBY_OK)
        status = by(answer, p, q, x, err);
    if (status == PBY_OK)
        status = pby_rational_print(out, answer, err);
    mpq_clears(x, answer, NULL);
    return status;
}

pby_status pby_lossy_distance_text(char **out, const pby_measure *p, const pby_measure *q, const char *gamma,
                                   pby_error *err)
{
    return at_gamma(out, pby_lossy_distance, p, q, gamma, err);
}

pby_status pby_lossy_average_text(char **out, const pby_measure *p, const pby_measure *q, const char *gamma,
                                  pby_error *err)
{
    return at_gamma(out, pby_lossy_average, p, q, gamma, err);
}

pby_status pby_total_variation_text(char **out, const pby_measure *p, const pby_measure *q, pby_error *err)
{
    mpq_t answer;
    *out = NULL;
    mpq_init(answer);
    pby_status status = pby_total_variation(answer, p, q, err);
    if (status == PBY_OK)
        status = pby_rational_print(out, answer, err);
    mpq_clear(answer);
    return status;
}

/* ---- distortions -------------------------------------------------------------------------------- */

typedef pby_status distortion(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err);

static pby_status distorted(char **out, distortion *by, const pby_measure *x, const pby_measure *y,
                            pby_error *err)
{
    pby_distance answer;
    *out = NULL;
    pby_distance_init(&answer);
    pby_status status = by(&answer, x, y, err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    pby_distance_clear(&answer);
    return status;
}

pby_status pby_distortion_drop_text(char **out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    return distorted(out, pby_distortion_drop, x, y, err);
}

pby_status pby_distortion_move_text(char **out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    return distorted(out, pby_distortion_move, x, y, err);
}

pby_status pby_distortion_drop_move_text(char **out, const pby_measure *x, const pby_measure *y,
                                         const char *eta, pby_error *err)
{
    pby_distance answer;
    mpq_t price;
    *out = NULL;
    pby_distance_init(&answer);
    mpq_init(price);
    pby_status status = pby_rational_parse(price, "eta", eta, err);
    if (status == PBY_OK)
        status = pby_distortion_drop_move(&answer, x, y, price, err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    mpq_clear(price);
    pby_distance_clear(&answer);
    return status;
}
