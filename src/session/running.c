/* SPDX-License-Identifier: MIT */
#include "session/running.h"

#include <flint/fmpz_vec.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "certificate/ledger/spent.h"
#include "io/sole.h"
#include "law/sampler.h"
#include "mechanism/matrix/bands.h"
#include "mechanism/matrix/family_matrix.h"
#include "number/scoped.h"
#include "session/digests.h"
#include "session/session_file.h"
#include "session/session_lines.h"

/* Totals are kept in binary, with so many digits behind the point, and told in decimals. */
enum { FRACTION = 96, THOUSAND = 1000 };

/* No count times a band, added up, comes near the ends of 64 bits; noise of at most 2^80 does not either. */
#define RELEASED_MAX ((int64_t)1 << 61)

struct pby_running {
    pby_session_file file;
    json_t *state;
    pby_spec *spec;
    pby_bands bands;
    bool has_bands;
    int64_t most;
    fmpz *part, *total; /* what each step brought as far as the releases tell, and the sums of these */
    uint64_t known;     /* of how many steps */
    pby_sampler *noise;
    pby_entropy *source, *fresh; /* of the noise, and of the digests */
    bool owns_source;
    bool broken; /* what the file holds is not known: nothing more is released */
};

static const char expected_spec[] =
    "one matrix with a grid, such as matrix:sigma2=100,steps=365,bands=sqrt,grid=1/64";

bool pby_running_meant(const pby_spec *spec)
{
    return spec->use[0].mechanism.family == &pby_family_matrix;
}

static pby_status check_spec(const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m;
    PBY_TRY(pby_spec_single(&m, spec, expected_spec, err));
    return m->family == &pby_family_matrix && pby_mechanism_value(m, PBY_ROLE_GRID) != NULL
               ? PBY_OK
               : pby_refuse(err, "SPEC", pby_spec_text(spec), expected_spec);
}

/* ---- the state ------------------------------------------------------------------------------------ */

static json_t *noisy_of(const pby_running *t)
{
    return json_object_get(t->state, "noisy");
}

static json_t *counts_of(const pby_running *t)
{
    return json_object_get(t->state, "counts");
}

static json_int_t item(const json_t *array, size_t i)
{
    return json_integer_value(json_array_get(array, i));
}

const char *pby_running_spec(const pby_running *t)
{
    return pby_spec_text(t->spec);
}

uint64_t pby_running_steps(const pby_running *t)
{
    return json_array_size(noisy_of(t));
}

uint64_t pby_running_left(const pby_running *t)
{
    return (uint64_t)json_integer_value(json_object_get(t->state, "left"));
}

int64_t pby_running_most(const pby_running *t)
{
    return t->most;
}

int64_t pby_running_noisy(const pby_running *t, uint64_t step)
{
    return item(noisy_of(t), step - 1);
}

const char *pby_running_digest(const pby_running *t)
{
    return pby_digests_last(t->state);
}

pby_status pby_running_after(const pby_running *t, const char *digest, pby_error *err)
{
    return pby_digests_after(t->state, digest, err);
}

static bool are_integers(const json_t *array, json_int_t most)
{
    bool good = json_is_array(array);
    for (size_t i = 0; good && i < json_array_size(array); i++)
        good = json_is_integer(json_array_get(array, i)) && item(array, i) >= -most && item(array, i) <= most;
    return good;
}

/* Returns the number of counts that are kept behind so many steps. */
static uint64_t counts_behind(const pby_running *t, uint64_t steps)
{
    const uint64_t window = (uint64_t)t->bands.count - 1;
    return steps < window ? steps : window;
}

/* Refuses a state that this program never writes, which a digest cannot see. */
static pby_status check_state(const pby_running *t, pby_error *err)
{
    const json_t *left = json_object_get(t->state, "left");
    const uint64_t all = (uint64_t)t->bands.steps;
    const bool good =
        are_integers(noisy_of(t), INT64_MAX) && are_integers(counts_of(t), t->most) &&
        json_is_integer(left) && json_integer_value(left) >= 0 && pby_running_steps(t) <= all &&
        pby_running_left(t) <= all - pby_running_steps(t) &&
        (pby_running_left(t) == 0 || json_array_size(counts_of(t)) == counts_behind(t, pby_running_steps(t)));
    return good ? PBY_OK : pby_refuse(err, "session", t->file.path, "a state that a session can be in");
}

static pby_status save(pby_running *t, pby_error *err)
{
    PBY_TRY(pby_digests_add(t->state, t->fresh, err));
    return pby_session_file_save(&t->file, t->state, err);
}

/* ---- totals out of what was released ------------------------------------------------------------- */

/* part_t = (noisy_t - sum of band_j part_(t-j))/band_0, which needs nothing but what is published. */
static void follow(pby_running *t)
{
    PBY_FMPZ(rest);
    for (; t->known < pby_running_steps(t); t->known++) {
        const slong at = (slong)t->known;
        fmpz_set_si(rest, item(noisy_of(t), t->known));
        fmpz_mul_2exp(rest, rest, FRACTION);
        for (slong j = 1; j < t->bands.count && j <= at; j++)
            fmpz_submul(rest, t->bands.band + j, t->part + at - j);
        fmpz_fdiv_q(t->part + at, rest, t->bands.band);
        fmpz_set(t->total + at, t->part + at);
        if (at > 0)
            fmpz_add(t->total + at, t->total + at, t->total + at - 1);
    }
}

pby_status pby_running_text(char **out, const pby_running *t, uint64_t step, pby_error *err)
{
    PBY_FMPZ(x, whole, rest);
    *out = NULL;
    fmpz_mul_ui(x, t->total + step - 1, 2 * THOUSAND);
    fmpz_fdiv_q_2exp(x, x, FRACTION);
    fmpz_add_ui(x, x, 1);
    fmpz_fdiv_q_2exp(x, x, 1);
    const bool negative = fmpz_sgn(x) < 0;
    fmpz_abs(x, x);
    fmpz_set_ui(rest, THOUSAND);
    fmpz_fdiv_qr(whole, rest, x, rest);
    char *digits = fmpz_get_str(NULL, 10, whole);
    const int size =
        asprintf(out, "%s%s.%03" PRIu64, negative ? "-" : "", digits, (uint64_t)fmpz_get_ui(rest));
    flint_free(digits);
    return size < 0 ? pby_no_memory(err) : PBY_OK;
}

/* ---- open and close ------------------------------------------------------------------------------- */

void pby_running_close(pby_running *t)
{
    if (t == NULL)
        return;
    pby_session_file_close(&t->file);
    json_decref(t->state);
    pby_sampler_free(t->noise);
    if (t->has_bands) {
        _fmpz_vec_clear(t->part, t->bands.steps);
        _fmpz_vec_clear(t->total, t->bands.steps);
        pby_bands_clear(&t->bands);
    }
    pby_spec_free(t->spec);
    if (t->owns_source)
        pby_entropy_free(t->source);
    pby_entropy_free(t->fresh);
    free(t);
}

/* The bands, and the greatest count: so many times all bands stay below RELEASED_MAX. */
static pby_status make_bands(pby_running *t, const pby_mechanism *m, pby_error *err)
{
    const pby_status status = pby_bands_of(&t->bands, m, err);
    PBY_FMPZ(sum, most);
    t->has_bands = true;
    t->part = _fmpz_vec_init(t->bands.steps);
    t->total = _fmpz_vec_init(t->bands.steps);
    for (slong j = 0; j < t->bands.count; j++)
        fmpz_add(sum, sum, t->bands.band + j);
    fmpz_set_si(most, RELEASED_MAX);
    if (status == PBY_OK && fmpz_cmp(sum, most) <= 0) {
        fmpz_fdiv_q(most, most, sum);
        t->most = fmpz_get_si(most);
        return PBY_OK;
    }
    return status != PBY_OK
               ? status
               : pby_mechanism_refuse(m, "a grid on which the bands add up to at most 2^61 steps", err);
}

static pby_status make_noise(pby_running *t, const pby_mechanism *m, pby_error *err)
{
    pby_law *law;
    PBY_TRY(pby_matrix_law(&law, m, err));
    return pby_sampler_of_law(&t->noise, law, err);
}

static pby_status begin(pby_running *t, const pby_spec *known, pby_entropy *source, pby_error *err)
{
    const char *text = json_string_value(json_object_get(t->state, "spec"));
    if (known == NULL && text == NULL)
        return pby_refuse(err, "session", t->file.path, "a session with a spec");
    PBY_TRY(known != NULL ? pby_spec_times(&t->spec, known, 1, err)
                          : pby_spec_parse(&t->spec, &text, 1, err));
    PBY_TRY(check_spec(t->spec, err));
    PBY_TRY(make_bands(t, &t->spec->use[0].mechanism, err));
    t->source = source;
    t->owns_source = source == NULL;
    if (source == NULL)
        PBY_TRY(pby_entropy_system(&t->source, err));
    return pby_entropy_system(&t->fresh, err);
}

static pby_running *totals_new(pby_error *err)
{
    pby_running *t = calloc(1, sizeof *t);
    if (t != NULL)
        t->file.fd = -1;
    else
        (void)pby_no_memory(err);
    return t;
}

static bool is_of_totals(const json_t *state)
{
    const char *kind = json_string_value(json_object_get(state, "kind"));
    return kind != NULL && strcmp(kind, "totals") == 0;
}

pby_status pby_running_open(pby_running **out, const char *path, pby_entropy *source, pby_error *err)
{
    *out = NULL;
    pby_running *t = totals_new(err);
    if (t == NULL)
        return PBY_FAILED;
    pby_status status = pby_session_file_open(&t->file, &t->state, path, err);
    if (status == PBY_OK && !is_of_totals(t->state))
        status = pby_refuse(err, "session", path, "a session of running totals");
    if (status == PBY_OK)
        status = begin(t, NULL, source, err);
    if (status == PBY_OK)
        status = check_state(t, err);
    if (status == PBY_OK)
        follow(t);
    if (status == PBY_OK)
        *out = t;
    else
        pby_running_close(t);
    return status;
}

bool pby_running_is(const char *path)
{
    pby_session_file file;
    json_t *state;
    const bool good = pby_session_file_open(&file, &state, path, NULL) == PBY_OK;
    const bool totals = good && is_of_totals(state);
    if (good) {
        json_decref(state);
        pby_session_file_close(&file);
    }
    return totals;
}

/* ---- a new one ------------------------------------------------------------------------------------ */

/* The file is there, and says that nothing is left; now it is paid for, and may be asked. */
static pby_status pay(pby_running *t, pby_ledger *ledger, pby_error *err)
{
    const uint64_t before = pby_ledger_spends(ledger);
    pby_status status = ledger == NULL ? PBY_OK : pby_ledger_spend(ledger, t->spec, NULL, err);
    if (status == PBY_OK)
        status = pby_json_set(t->state, "left", json_integer(t->bands.steps), err);
    if (status == PBY_OK)
        status = save(t, err);
    if (status != PBY_OK)
        unlink(t->file.path);
    return pby_ledger_note(ledger, before, status, err);
}

pby_status pby_running_create(const char *path, const pby_spec *spec, pby_ledger *ledger, pby_entropy *source,
                              pby_error *err)
{
    PBY_TRY(check_spec(spec, err));
    if (ledger != NULL)
        PBY_TRY(pby_ledger_affords(ledger, spec, NULL, err));
    pby_running *t = totals_new(err);
    if (t == NULL)
        return PBY_FAILED;
    t->state = json_pack("{s:s, s:i, s:s, s:s, s:I, s:[], s:[]}", "probity", "session", "version", 1, "kind",
                         "totals", "spec", pby_spec_text(spec), "left", (json_int_t)0, "counts", "noisy");
    pby_status status = t->state == NULL ? pby_no_memory(err) : begin(t, spec, source, err);
    if (status == PBY_OK)
        status = pby_session_file_make(&t->file, path, t->state, err);
    if (status == PBY_OK)
        status = pay(t, ledger, err);
    pby_running_close(t);
    return status;
}

/* ---- steps ---------------------------------------------------------------------------------------- */

static pby_status check_use(const pby_running *t, pby_error *err)
{
    PBY_TRY(pby_sole_process(t->file.process, "session", err));
    return t->broken
               ? pby_fail(err, PBY_FAILED, "session: an earlier total could not be recorded; open it again")
               : pby_session_file_check(&t->file, err);
}

static pby_status check_counts(const pby_running *t, const int64_t *counts, size_t n, pby_error *err)
{
    if (n > pby_running_left(t))
        return pby_fail(err, PBY_NO, "session '%s': it has no step left, and nothing is released any more",
                        t->file.path);
    for (size_t i = 0; i < n; i++)
        if (counts[i] < -t->most || counts[i] > t->most)
            return pby_fail(err, PBY_BAD,
                            "count (not shown): expected an integer from -%" PRId64 " to %" PRId64, t->most,
                            t->most);
    return PBY_OK;
}

/* Releases a step: its count and those before it times the bands, and the noise. */
static pby_status release(pby_running *t, int64_t count, int64_t noise, pby_error *err)
{
    json_t *counts = counts_of(t);
    const size_t before = json_array_size(counts);
    PBY_FMPZ(sum, x);
    fmpz_set_si(sum, noise);
    fmpz_set_si(x, count);
    fmpz_addmul(sum, t->bands.band, x);
    for (slong j = 1; j < t->bands.count && (size_t)j <= before; j++) {
        fmpz_set_si(x, item(counts, before - (size_t)j));
        fmpz_addmul(sum, t->bands.band + j, x);
    }
    if (!fmpz_fits_si(sum))
        return pby_fail(err, PBY_FAILED, "session: noise too great for 64 bits");
    if (json_array_append_new(noisy_of(t), json_integer(fmpz_get_si(sum))) != 0 ||
        json_array_append_new(counts, json_integer(count)) != 0)
        return pby_no_memory(err);
    while (json_array_size(counts) > counts_behind(t, pby_running_steps(t)))
        json_array_remove(counts, 0);
    return PBY_OK;
}

static pby_status draw_and_release(pby_running *t, const int64_t *counts, size_t n, pby_error *err)
{
    int64_t *noise = calloc(n, sizeof *noise);
    pby_status status = noise == NULL      ? pby_no_memory(err)
                        : t->noise == NULL ? make_noise(t, &t->spec->use[0].mechanism, err)
                                           : PBY_OK;
    if (status == PBY_OK)
        status = pby_draw_many(t->noise, t->source, noise, n, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        status = release(t, counts[i], noise[i], err);
    if (noise != NULL)
        sodium_memzero(noise, n * sizeof *noise);
    free(noise);
    return status;
}

pby_status pby_running_add(pby_running *t, const int64_t *counts, size_t n, pby_error *err)
{
    PBY_TRY(check_use(t, err));
    PBY_TRY(check_counts(t, counts, n, err));
    if (n == 0)
        return PBY_OK;
    const json_int_t left = (json_int_t)(pby_running_left(t) - n);
    t->broken = true;
    PBY_TRY(draw_and_release(t, counts, n, err));
    PBY_TRY(pby_json_set(t->state, "left", json_integer(left), err));
    PBY_TRY(save(t, err));
    t->broken = false;
    follow(t);
    return PBY_OK;
}

pby_status pby_running_end(pby_running *t, pby_error *err)
{
    PBY_TRY(check_use(t, err));
    t->broken = true;
    PBY_TRY(pby_json_set(t->state, "left", json_integer(0), err));
    PBY_TRY(pby_json_set(t->state, "counts", json_array(), err));
    PBY_TRY(save(t, err));
    t->broken = false;
    return PBY_OK;
}

/* ---- lines ---------------------------------------------------------------------------------------- */

struct steps {
    pby_running *totals;
    pby_running_told *told;
    void *what;
};

/* Counts for which there are steps are taken before the others are refused. */
static pby_status take_counts(void *what, const int64_t *counts, size_t n, pby_error *err)
{
    const struct steps *s = what;
    const uint64_t before = pby_running_steps(s->totals), left = pby_running_left(s->totals);
    const size_t taken = n < left ? n : (size_t)left;
    PBY_TRY(pby_running_add(s->totals, counts, taken, err));
    if (taken > 0)
        PBY_TRY(s->told(s->what, before + 1, before + taken, err));
    return taken < n ? pby_running_add(s->totals, counts + taken, n - taken, err) : PBY_OK;
}

pby_status pby_running_add_lines(pby_running *t, int fd, const char *name, pby_running_told *told, void *what,
                                 pby_error *err)
{
    struct steps s = {t, told, what};
    return pby_session_read_lines(fd, name, take_counts, &s, err);
}
