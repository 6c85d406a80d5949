#include <inttypes.h>

#include "mechanism/family.h"
#include "nearest.h"

static const char *const NAMES[] = {[PBY_ADD_REMOVE] = "add-remove", [PBY_SUBSTITUTE] = "substitute", NULL};

/* By how much a record that is counted in one bar moves a histogram: one bar by one, or two of them. */
static const int64_t record[] = {[PBY_ADD_REMOVE] = 1, [PBY_SUBSTITUTE] = 2};

pby_status pby_neighbours_parse(pby_neighbours *out, const char *name, const char *text, pby_error *err)
{
    size_t i;
    const pby_status status = pby_name_find(&i, NAMES, name, text, err);
    if (status == PBY_OK)
        *out = (pby_neighbours)i;
    return status;
}

const char *pby_neighbours_text(pby_neighbours relation)
{
    return NAMES[relation];
}

int64_t pby_mechanism_distance(const pby_mechanism *m, pby_neighbours relation)
{
    const fmpq *sensitivity = pby_mechanism_value(m, "sensitivity");
    return sensitivity == NULL ? record[relation] : fmpz_get_si(fmpq_numref(sensitivity));
}

pby_status pby_mechanism_spans(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    return pby_mechanism_distance(m, relation) >= record[relation]
               ? PBY_OK
               : pby_mechanism_refuse(
                     m, "sensitivity=2: with substitute neighbours a changed record moves a histogram by 2", err);
}

pby_status pby_mechanism_agree(const pby_mechanism *one, const pby_mechanism *other, pby_neighbours relation,
                               pby_error *err)
{
    const int64_t a = pby_mechanism_distance(one, relation), b = pby_mechanism_distance(other, relation);
    return a == b ? PBY_OK
                  : pby_fail(err, PBY_BAD,
                             "SPEC: with %s neighbours %s takes a histogram to move by %" PRId64 " and %s by %" PRId64
                             ": expected one sensitivity of both",
                             NAMES[relation], one->family->name, a, other->family->name, b);
}
