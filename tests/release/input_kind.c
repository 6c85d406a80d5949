/* SPDX-License-Identifier: MIT */
/* No kind of input draws a word of noise before the budget is charged: opened with a source that has none,
 * each succeeds, and only its run fails. */
#include "release/input_kind.h"

#include <criterion/criterion.h>
#include <flint/flint.h>

#include "io/spool.h"
#include "mechanism/run/noise_bars.h"
#include "probity.h"
#include "tests/cli/run.h"

static pby_error err;
static char folder[PBY_PATH_SIZE], data[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(data, folder, "data.csv");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(input_kind, .init = setup, .fini = teardown);

static pby_release *wordless(const pby_spec *spec, pby_neighbours relation)
{
    pby_release *release;
    pby_entropy *none;
    cr_assert_eq(pby_entropy_tape(&none, NULL, 0, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_release_with(&release, spec, relation, none, &err), PBY_OK, "%s", err.text);
    return release;
}

static void draws_only_in_its_run(const pby_input_kind *kind, const char *text, pby_neighbours relation,
                                  const char *input, const pby_statistic *statistic)
{
    pby_spec *spec;
    pby_spool *spool;
    void *in = NULL;
    pby_write_file(data, input);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    const pby_budget nobody = {.spec = spec};
    const pby_pipeline p = {.budget = &nobody,
                            .names = &pby_arguments_library,
                            .in = data,
                            .limit = INT64_MAX,
                            .statistic = statistic};
    pby_release *release = wordless(spec, relation);
    cr_assert_eq(pby_spool_open_memory(&spool, &err), PBY_OK);
    pby_rows rows = {.spool = spool};
    cr_expect_eq(kind->open(&in, &p, release, &err), PBY_OK, "%s: %s", kind->name, err.text);
    if (kind->again != NULL)
        cr_expect_eq(kind->again(in, &p, release, &err), PBY_OK, "%s: %s", kind->name, err.text);
    cr_expect_eq(kind->run(&rows, in, &p, release, &err), PBY_FAILED, "%s draws no word", kind->name);
    kind->close(in);
    pby_spool_abort(spool);
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(input_kind, no_kind_draws_before_its_run)
{
    static const pby_statistic mode = {.name = PBY_STATISTIC_MODE, .k = 1, .den = 1};
    static const char histogram[] = "key,count\na,40\nb,7\n", points[] = "1\n3\n7\n", replies[] = "0\n1\n1\n";
    draws_only_in_its_run(&pby_kind_counts, "geometric:eps=1", PBY_ADD_REMOVE, histogram, NULL);
    draws_only_in_its_run(&pby_kind_chosen, "choosing:eps=1,counts=1/2", PBY_ADD_REMOVE, histogram, NULL);
    draws_only_in_its_run(&pby_kind_settled, "ptr:eps=1,T=3,answers=3", PBY_ADD_REMOVE, histogram, &mode);
    draws_only_in_its_run(&pby_kind_points, "buckethist:eps=1/2,q=40,bound=100,width=10", PBY_ADD_REMOVE,
                          points, NULL);
    draws_only_in_its_run(&pby_kind_lattice, "fbquantile:eps=1,q=3/4,n=3,bound=50", PBY_SUBSTITUTE, points,
                          NULL);
    draws_only_in_its_run(&pby_kind_answers, "rr:eps=1", PBY_LOCAL, replies, NULL);
    draws_only_in_its_run(&pby_kind_scores, "exponential:eps=1", PBY_ADD_REMOVE, "red,3\ngreen,9\n", NULL);
}

/* A kind that has failed to open is closed all the same. */
Test(input_kind, nothing_that_was_opened_in_part_is_lost)
{
    const pby_input_kind *const kinds[] = {&pby_kind_counts, &pby_kind_points, &pby_kind_lattice,
                                           &pby_kind_answers, &pby_kind_scores};
    const char *const specs[] = {"geometric:eps=1", "buckethist:eps=1/2,q=40,bound=100,width=10",
                                 "fbquantile:eps=1,q=3/4,n=3,bound=50", "rr:eps=1", "exponential:eps=1"};
    const pby_neighbours relations[] = {PBY_ADD_REMOVE, PBY_ADD_REMOVE, PBY_SUBSTITUTE, PBY_LOCAL,
                                        PBY_ADD_REMOVE};
    pby_write_file(data, "1,2\n1,2\n???\n");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        pby_spec *spec;
        void *in = NULL;
        cr_assert_eq(pby_spec_parse(&spec, &specs[i], 1, &err), PBY_OK, "%s", err.text);
        const pby_budget nobody = {.spec = spec};
        const pby_pipeline p = {
            .budget = &nobody, .names = &pby_arguments_library, .in = data, .limit = INT64_MAX};
        pby_release *release = wordless(spec, relations[i]);
        cr_expect_eq(kinds[i]->open(&in, &p, release, &err), PBY_BAD, "%s", kinds[i]->name);
        kinds[i]->close(in);
        kinds[i]->close(NULL);
        pby_release_free(release);
        pby_spec_free(spec);
    }
}
