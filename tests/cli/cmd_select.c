/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <gmp.h>
#include <jansson.h>
#include <string.h>

#include "probity/rational.h"
#include "tests/cli/run.h"

static void has(const pby_run *r, const char *text)
{
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_empty(r->err);
    cr_assert_not_null(strstr(r->out, text), "no '%s' in: %s", text, r->out);
}

Test(select_command, shows_the_choice_and_its_better_neighbour)
{
    const pby_run *r = PBY_RUN(NULL, "select", "stlap", "--epsilon", "1/2", "--delta", "1e-6");
    cr_assert_str_eq(r->out,
                     "choice      stlap:eps=1/2,q=51\n"
                     "  delta     [9.41401223e-07, 9.41401224e-07]  within the target\n"
                     "neighbours  add-remove\n"
                     "chosen      q in steps of 1\n"
                     "better      stlap:eps=1/2,q=50\n"
                     "  delta     [1.20878409e-06, 1.2087841e-06]  exceeds the target\n"
                     "  beyond    in steps of two, delta falls as q rises, at every epsilon\n"
                     "recipe      stlap:eps=1/2,q=51\n"
                     "  delta     [9.41401223e-07, 9.41401224e-07]\n"
                     "  from      (exp(eps)-1)/(2(exp(eps q/2)-1)), epsilon and delta shared by the uses\n"
                     "  saving    none\n");
}

Test(select_command, answers_the_examples)
{
    has(PBY_RUN(NULL, "select", "threshold", "--epsilon", "1/10", "--delta", "1e-9"),
        "choice      threshold:eps=1/10,T=202\n");
    const pby_run *r =
        PBY_RUN(NULL, "select", "dgauss", "--epsilon", "1", "--delta", "1e-6", "--uses", "100");
    has(r, "choice      100*dgauss:sigma2=1785\n");
    has(r, "better      100*dgauss:sigma2=1784\n");
    has(r, "recipe      100*dgauss:sigma2=2863\n");
    has(r, "  saving    sigma2 is 37.6 % smaller\n");
}

Test(select_command, says_it_in_json)
{
    const pby_run *r = PBY_RUN(NULL, "select", "range", "--epsilon", "1/2", "--delta", "1e-6", "--json");
    has(r, "\"choice\": {\"spec\": \"range:eps=1/2,L=25\", \"value\": \"25\", \"delta\": {\"lo\": \"9.12");
    has(r, "\"better\": {\"spec\": \"range:eps=1/2,L=24\"");
    has(r, "\"adjacent\": true");
}

Test(select_command, prints_the_table_of_a_partition)
{
    const pby_run *r =
        PBY_RUN(NULL, "select", "partition", "--epsilon", "1", "--delta", "1e-3", "--digits", "4");
    has(r, "choice      partition:eps=1,delta=1/1000\n");
    has(r, "the target itself, by an exact sign\n");
    has(r, "       2  [0.003718, 0.003719]\n"); /* delta (1 + e) */
    has(r, "      14  [1, 1]\n");
    cr_assert_null(strstr(r->out, "      15  "));
    has(PBY_RUN(NULL, "select", "partition", "--epsilon", "1", "--delta", "1e-3", "--json"),
        "\"table\": [{\"k\": 1, ");
}

/* Two uses of the choice have a delta of 1 - (1 - d)^2, which probity loss finds by composing the coins. */
Test(select_command, shares_a_partition)
{
    const pby_run *r =
        PBY_RUN(NULL, "select", "partition", "--epsilon", "1", "--delta", "1/10", "--uses", "2");
    has(r, "choice      2*partition:eps=1/2,delta=5131/100000\n"
           "  delta     [0.0999872838, 0.099987284]  within the target\n");
    has(r, "better      2*partition:eps=1/2,delta=1283/25000\n");
    has(r, "recipe      2*partition:eps=1/2,delta=1/20\n");
    has(PBY_RUN(NULL, "loss", "2*partition:eps=1/2,delta=5131/100000", "--epsilon", "1", "--digits", "4"),
        "0.09998");
    PBY_REFUSED(2, "--uses '2': expected 1 for partition between substitute neighbours", NULL, "select",
                "partition", "--epsilon", "1", "--delta", "1e-3", "--uses", "2", "--neighbours",
                "substitute");
    PBY_REFUSED(2, "--epsilon '1': expected at least the eps of all uses together", NULL, "select",
                "partition:eps=2/3", "--epsilon", "1", "--delta", "1e-3", "--uses", "2");
    PBY_REFUSED(2, "eps, or the resolution, binds", NULL, "select", "partition:eps=1", "--epsilon", "1/2",
                "--delta", "1/10");
    has(PBY_RUN(NULL, "select", "partition", "--epsilon", "1", "--delta", "1/10", "--neighbours",
                "substitute"),
        "  beyond    others were tried at doubling distances, not one by one\n");
    has(PBY_RUN(NULL, "select", "partition:eps=1", "--epsilon", "1/2", "--delta", "1/4"),
        "  beyond    others were tried at doubling distances, not one by one\n");
}

Test(select_command, chooses_for_a_rho)
{
    const pby_run *r = PBY_RUN(NULL, "select", "gauss", "--rho", "1/8", "--uses", "10");
    has(r, "choice      10*gauss:sigma2=40\n"
           "  rho       0.125  within the target\n");
    has(r, "better      10*gauss:sigma2=3999/100\n");
    has(r, "  beyond    rho is D^2/(2 sigma2) for each use, exactly\n");
    cr_assert_null(strstr(r->out, "recipe"));
    r = PBY_RUN(NULL, "select", "geometric", "--rho", "1/8", "--json");
    has(r, "{\"rho\": \"1/8\", \"uses\": 1");
    has(r, "\"choice\": {\"spec\": \"geometric:eps=1263/2500\", \"value\": \"1263/2500\", \"rho\": {\"lo\": "
           "\"0.12");
    has(r, "\"recipe\": {\"spec\": \"geometric:eps=1/2\"");
}

Test(select_command, names_a_recipe_by_the_norm)
{
    has(PBY_RUN(NULL, "select", "dgauss:norm2=9", "--rho", "1/10"),
        "  beyond    rho is norm2/(2 sigma2) for each use, exactly\n");
    has(PBY_RUN(NULL, "select", "dgauss:norm2=1", "--epsilon", "1", "--delta", "1e-6"),
        "  from      rho = uses norm2/(2 sigma2), epsilon = rho + 2 sqrt(rho log(1/delta))\n");
}

Test(select_command, chooses_a_continuous_gaussian)
{
    const pby_run *r = PBY_RUN(NULL, "select", "gauss", "--epsilon", "1", "--delta", "1e-6", "--uses", "100");
    has(r, "choice      100*gauss:sigma2=1785\n");
    has(r, "better      100*gauss:sigma2=1784\n");
    has(r, "  beyond    noise of a greater sigma2 is noise of a smaller one plus more noise\n");
}

/* ---- the certificate of the choice ------------------------------------------------------------- */

/* Runs select with --certify in a fresh folder, verifies what it wrote, and checks that its upper end is
 * within delta. */
static void certifies(const char *spec, const char *family, const char *delta, const char *uses)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "choice.json");
    const pby_run *r = PBY_RUN(NULL, "select", family, "--epsilon", "1", "--delta", delta, "--uses", uses,
                               "--certify", path);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "verify", path, "--json");
    has(r, spec);
    json_t *answer = json_loads(r->out, 0, NULL);
    mpq_t hi, most;
    mpq_inits(hi, most, (mpq_ptr)0);
    const char *text = json_string_value(json_object_get(json_object_get(answer, "delta"), "hi"));
    cr_assert_not_null(text);
    cr_assert_eq(pby_rational_parse(hi, "hi", text, NULL), PBY_OK);
    cr_assert_eq(pby_rational_parse(most, "delta", delta, NULL), PBY_OK);
    cr_assert_leq(mpq_cmp(hi, most), 0, "%s: %s", spec, text);
    mpq_clears(hi, most, (mpq_ptr)0);
    json_decref(answer);
    pby_folder_remove(folder);
}

Test(select_command, certifies_its_choice)
{
    certifies("\"100*dgauss:sigma2=1785\"", "dgauss", "1e-6", "100"); /* on a grid, finer than usual */
    certifies("\"stlap:eps=1,q=28\"", "stlap", "1e-6", "1");
    certifies("\"partition:eps=1,delta=1/1000\"", "partition", "1e-3", "1"); /* the target itself */
    certifies("\"geometric:eps=1\"", "geometric", "0", "1");
    certifies("\"3*gauss:sigma2=", "gauss", "1e-6", "3");
}

Test(select_command, certifies_the_buckets_it_plans)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "choice.json");
    const pby_run *r = PBY_RUN(NULL, "select", "buckethist", "--epsilon", "1", "--delta", "1e-6", "--bound",
                               "100", "--records", "1e6", "--alpha", "1/100", "--certify", path);
    cr_assert_eq(r->status, 0, "%s", r->err);
    has(PBY_RUN(NULL, "verify", path), "mechanism   buckethist:eps=1,q=28,bound=100,width=100/357\n");
    pby_folder_remove(folder);
}

Test(select_command, writes_no_certificate_when_it_refuses)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "choice.json");
    PBY_REFUSED(2, "eps, the rate of the noise, binds", NULL, "select", "stlap:eps=1", "--epsilon", "1/2",
                "--delta", "1e-6", "--certify", path);
    PBY_REFUSED(2, "--mu '1/3': expected a decimal of at most 20 digits", NULL, "select", "gauss", "--mu",
                "1/3", "--certify", path);
    PBY_REFUSED(2, "--certify: expected --alpha or --beta, which choose the buckets", NULL, "select",
                "buckethist", "--epsilon", "1", "--delta", "1e-6", "--bound", "100", "--records", "1e6",
                "--certify", path);
    PBY_REFUSED(2, "--certify '-': expected the name of a file", NULL, "select", "stlap", "--epsilon", "1",
                "--delta", "1e-6", "--certify", "-");
    PBY_REFUSED(2, "--delta '1/3': expected a decimal of at most 20 digits", NULL, "select", "partition",
                "--epsilon", "1", "--delta", "1/3", "--resolution", "1/3", "--certify", path);
    cr_assert_eq(pby_folder_entries(folder), 0);
    pby_folder_remove(folder);
}

/* The search would take seconds: what no certificate can state is refused before it. */
Test(select_command, what_cannot_be_certified_is_refused_before_the_search)
{
    static const struct {
        const char *family, *option, *value, *why;
    } cases[] = {
        {"zcdp", "--rho", "1/8", "FAMILY 'zcdp': expected a mechanism, as of a promise nothing"},
        {"rdp:order=10", "--rho", "1/8", "FAMILY 'rdp': expected a mechanism, as of a promise nothing"},
        {"gdp", "--mu", "1", "select gauss --mu M --certify chooses one that keeps it"},
        {"gauss:sigma2=4", "--rho", "1/8", "FAMILY 'gauss': expected no sampling"},
        {"permuteflip", "--rho", "1/8", "as this one's is only bounded"},
    };
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "choice.json");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        PBY_REFUSED(2, cases[i].why, NULL, "select", cases[i].family, cases[i].option, cases[i].value,
                    "--certify", path);
    PBY_REFUSED(2, "select gauss --rho R --certify", NULL, "select", "zcdp", "--epsilon", "1", "--delta",
                "1e-6", "--certify", path);
    PBY_REFUSED(2, "select gauss --rho R --certify", NULL, "select", "rdp:order=10", "--epsilon", "1",
                "--delta", "1e-6", "--certify", path);
    cr_assert_eq(pby_folder_entries(folder), 0);
    pby_folder_remove(folder);
}

Test(select_command, certificates_of_rho_and_mu)
{
    static const struct {
        const char *family, *option, *value, *uses, *spec, *claim;
    } cases[] = {
        {"gauss", "--mu", "1/2", "10", "mechanism   10*gauss:sigma2=40\n", "mu          0.5\n"},
        {"gauss", "--rho", "1/8", "1", "mechanism   gauss:sigma2=4\n", "rho         0.125\n"},
        {"dgauss", "--mu", "1/2", "10", "mechanism   10*dgauss:sigma2=4009/100\n",
         "mu          [0, 0.499959"},
        {"dgauss", "--rho", "1/8", "10", "mechanism   10*dgauss:sigma2=40\n", "rho         0.125\n"},
        {"geometric", "--rho", "1/8", "3", "mechanism   3*geometric:eps=181/625\n", "rho         [0.12493"},
    };
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "choice.json");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pby_run *r = PBY_RUN(NULL, "select", cases[i].family, cases[i].option, cases[i].value, "--uses",
                                   cases[i].uses, "--certify", path);
        cr_assert_eq(r->status, 0, "%s", r->err);
        r = PBY_RUN(NULL, "verify", path);
        cr_assert_eq(r->status, 0, "%s", r->err);
        has(r, cases[i].spec);
        has(r, cases[i].claim);
    }
    pby_folder_remove(folder);
}

#define BUCKETS "select", "buckethist", "--epsilon", "1", "--delta", "1e-6", "--bound", "100"

Test(select_command, plans_buckets)
{
    const pby_run *r = PBY_RUN(NULL, BUCKETS, "--records", "1e6", "--alpha", "1/100");
    has(r, "buckets     buckethist:eps=1,q=28,bound=100,width=100/357\n"); /* 357 28 <= 10000 < 358 28 */
    has(r, "  finer     with beta 25/179, alpha would be 1253/125000\n");
    r = PBY_RUN(NULL, BUCKETS, "--records", "1e6", "--beta", "1/100");
    has(r, "width=1/50\n");
    has(r, "            7/50 of the points at most are dropped (alpha)\n"); /* 5000 28 / 10^6 */
    r = PBY_RUN(NULL, BUCKETS, "--records", "1e4", "--dimension", "2");
    has(r, "4           25/2                      28/625\n");
    has(PBY_RUN(NULL, BUCKETS, "--records", "1e4", "--json"),
        "\"frontier\": [{\"spec\": \"buckethist:eps=1,q=28");
}

/* Whatever the buckets are, q is that of stlap. */
Test(select_command, plans_several_uses_of_buckets)
{
    const pby_run *r = PBY_RUN(NULL, BUCKETS, "--records", "1e6", "--alpha", "1/100", "--uses", "3");
    has(r, "buckets     3*buckethist:eps=1/3,q=78,bound=100,width=25/32\n"
           "            156/15625 of the points at most are dropped in each use (alpha)\n"
           "            25/64 at most is a coordinate moved in each use (beta)\n");
    has(r, "choice      3*stlap:eps=1/3,q=78\n");
    has(r, "better      3*stlap:eps=1/3,q=77\n");
    has(PBY_RUN(NULL, "select", "stlap", "--epsilon", "1", "--delta", "1e-6", "--uses", "3"),
        "choice      3*stlap:eps=1/3,q=78\n");
    has(PBY_RUN(NULL, "select", "buckethist:bound=100,width=1", "--epsilon", "1", "--delta", "1e-6", "--uses",
                "3"),
        "choice      3*buckethist:eps=1/3,q=78,bound=100,width=1\n");
    has(PBY_RUN(NULL, "select", "buckethist:eps=1/4", "--epsilon", "1", "--delta", "1e-6", "--bound", "100",
                "--records", "1e6", "--beta", "1"),
        "buckets     buckethist:eps=1/4,q=89,bound=100,width=2\n");
}

Test(select_command, says_what_binds)
{
    PBY_REFUSED(2, "the records bind", NULL, BUCKETS, "--records", "10", "--alpha", "1/100");
    PBY_REFUSED(2, "--alpha '0.01': expected at least q/n", NULL, BUCKETS, "--records", "10", "--alpha",
                "1/100");
    PBY_REFUSED(2, "--delta '1e-06': expected at least ", NULL, "select", "stlap:eps=1", "--epsilon", "1/2",
                "--delta", "1e-6");
    PBY_REFUSED(2, "eps, the rate of the noise, binds", NULL, "select", "stlap:eps=1", "--epsilon", "1/2",
                "--delta", "1e-6");
    PBY_REFUSED(2,
                "--delta '0.25': expected at least 0.263816723, which no q goes below: eps, the rate of the "
                "noise, binds",
                NULL, "select", "stlap:eps=1", "--epsilon", "1/4", "--delta", "0.25");
    PBY_REFUSED(2, "--delta '0.05': expected at least 0.401796965, which no L goes below", NULL, "select",
                "range:eps=3,sensitivity=9,dimensions=1", "--epsilon", "21/50", "--delta", "1/20");
    PBY_REFUSED(2, "--delta '0.05': expected at least 0.11832962, which no bound goes below", NULL, "select",
                "tgeometric:eps=1/2,sensitivity=5", "--epsilon", "1/4", "--delta", "1/20");
    PBY_REFUSED(2, "threshold:sensitivity '2147483647': expected at most 4194304", NULL, "loss",
                "threshold:eps=1,T=9,sensitivity=2147483647", "--epsilon", "1");
    PBY_REFUSED(2, "--delta '0'", NULL, "select", "dgauss", "--epsilon", "1", "--delta", "0");
    PBY_REFUSED(2,
                "--resolution '1e-30': expected a larger step, because: rate of the "
                "noise '1e-30': expected at least 2^-40",
                NULL, "select", "geometric", "--epsilon", "1", "--delta", "0", "--resolution", "1e-30");
}

Test(select_command, refuses_bad_usage)
{
    PBY_REFUSED(2, "select: expected a FAMILY", NULL, "select");
    PBY_REFUSED(2, "one FAMILY, not two", NULL, "select", "a", "b");
    PBY_REFUSED(2, "select: expected --epsilon E and --delta D, --rho R, or --mu M", NULL, "select", "stlap",
                "--epsilon", "1");
    PBY_REFUSED(2, "--rho '1': expected it in place of --epsilon and --delta", NULL, "select", "gauss",
                "--rho", "1", "--delta", "1e-6");
    PBY_REFUSED(2, "--rho 'x': expected a rational", NULL, "select", "gauss", "--rho", "x");
    PBY_REFUSED(2, "no partition has a finite rho", NULL, "select", "partition", "--rho", "1");
    PBY_REFUSED(2, "--alpha '1': expected it with select buckethist --records N --bound B alone", NULL,
                "select", "stlap", "--epsilon", "1", "--delta", "1e-6", "--alpha", "1");
    PBY_REFUSED(2, "--records N and --bound B", NULL, "select", "buckethist", "--epsilon", "1", "--delta",
                "1e-6");
    PBY_REFUSED(2, "--alpha and --beta", NULL, BUCKETS, "--records", "10", "--alpha", "1", "--beta", "1");
    PBY_REFUSED(2, "--beta '0': expected a rational above 0", NULL, BUCKETS, "--records", "10", "--beta",
                "0");
    PBY_REFUSED(2, "--alpha '2': expected a rational from 0 to 1", NULL, BUCKETS, "--records", "10",
                "--alpha", "2");
    PBY_REFUSED(2, "--bound '-1': expected a rational above 0", NULL, "select", "buckethist", "--epsilon",
                "1", "--delta", "1e-6", "--bound", "-1", "--records", "10");
    PBY_REFUSED(2, "--epsilon '-1': expected a rational above 0", NULL, "select", "stlap", "--epsilon", "-1",
                "--delta", "1e-6");
    PBY_REFUSED(2, "--delta '1': expected a rational from 0 to below 1", NULL, "select", "stlap", "--epsilon",
                "1", "--delta", "1.0");
    PBY_REFUSED(2, "--resolution '0': expected a rational above 0", NULL, "select", "dgauss", "--epsilon",
                "1", "--delta", "1e-6", "--resolution", "0");
    PBY_REFUSED(2, "--resolution '0.5': expected none", NULL, "select", "stlap", "--epsilon", "1", "--delta",
                "1e-6", "--resolution", "0.5");
    PBY_REFUSED(2, "--uses '0'", NULL, "select", "stlap", "--epsilon", "1", "--delta", "1e-6", "--uses", "0");
}

/* A mechanism that can have delta 0 is asked for that, and the neighbours are those that it is about. */
Test(select_command, delta_and_neighbours_may_be_left_out)
{
    const pby_run *r = PBY_RUN(NULL, "select", "krr:k=5", "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"delta\": \"0\""), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\"neighbours\": \"local\""), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"krr:eps=1,k=5\""), "%s", r->out);
    PBY_REFUSED(2, "expected --epsilon E and --delta D", NULL, "select", "stlap", "--epsilon", "1");
    PBY_REFUSED(2, "expected local", NULL, "select", "rr", "--epsilon", "1", "--neighbours", "add-remove");
}

/* A bound stands for the loss of several uses, and for a rho. */
Test(select_command, choices_are_judged_by_their_bounds)
{
    const pby_run *r =
        PBY_RUN(NULL, "select", "permuteflip", "--epsilon", "1", "--delta", "1e-6", "--uses", "20", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"20*permuteflip:eps=2877/50000\""), "%s", r->out);
    r = PBY_RUN(NULL, "select", "noisymax", "--rho", "1/10", "--uses", "3", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"3*noisymax:eps=1739/5000\""), "%s", r->out);
}

/* Where the worst neighbours are not known the next candidate is not shown to exceed anything: its enclosure
 * is that of loss, and the choice has a certificate, which holds. */
Test(select_command, a_bound_that_is_not_reached_shows_no_excess)
{
    static char shown[8192];
    static const char *const families[] = {"noisymax", "above", "sparse"};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const pby_run *r =
            PBY_RUN(NULL, "select", families[i], "--epsilon", "1/2", "--delta", "1/100", "--certify", path);
        cr_assert_eq(r->status, 0, "%s: %s", families[i], r->err);
        has(r, ", by its upper bound; the next is not shown to suffice\n");
        has(r, "]  not shown to suffice\n");
        cr_assert_null(strstr(r->out, "exceeds the target"), "%s", r->out);
        r = PBY_RUN(NULL, "verify", path);
        cr_assert_eq(r->status, 0, "%s: %s", families[i], r->err);
        has(r, ", 0.01]\n");
    }
    const pby_run *r = PBY_RUN(NULL, "select", "above", "--epsilon", "1/2", "--delta", "1/100");
    const char *delta = strstr(r->out, "  delta     [");
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(delta + 2, "]") + 1, delta + 2);
    has(PBY_RUN(NULL, "loss", "above:eps=2973/5000", "--epsilon", "1/2"), strchr(shown, '['));
    /* one use of permuteflip has its worst neighbours known */
    has(PBY_RUN(NULL, "select", "permuteflip", "--epsilon", "1/2", "--delta", "1/100"),
        "]  exceeds the target\n");
    pby_folder_remove(folder);
}

/* True if the certified upper end is at most the target. */
static bool is_within(const char *path, const char *delta)
{
    json_t *certificate = json_load_file(path, 0, NULL);
    mpq_t hi, most;
    mpq_inits(hi, most, (mpq_ptr)0);
    cr_assert_eq(
        pby_rational_parse(
            hi, "hi", json_string_value(json_object_get(json_object_get(certificate, "delta"), "hi")), NULL),
        PBY_OK);
    cr_assert_eq(pby_rational_parse(most, "delta", delta, NULL), PBY_OK);
    const bool within = mpq_cmp(hi, most) <= 0;
    mpq_clears(hi, most, (mpq_ptr)0);
    json_decref(certificate);
    return within;
}

/* Several uses whose worst neighbours are not known are chosen by their bound too. They were once refused,
 * because their two ends do not meet. */
Test(select_command, several_uses_are_chosen_by_their_upper_bound)
{
    static const char *const families[] = {"fbquantile:q=1/2,n=50,bound=20", "depth:level=2,bound=9",
                                           "fbsupport:level=3,x=1,y=0,bound=4", "smooth:range=10"};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const pby_run *r = PBY_RUN(NULL, "select", families[i], "--epsilon", "1", "--delta", "1/10", "--uses",
                                   "3", "--certify", path);
        cr_assert_eq(r->status, 0, "%s: %s", families[i], r->err);
        has(r, ", by its upper bound; the next is not shown to suffice\n");
        cr_assert(is_within(path, "1/10"), "%s", families[i]);
        cr_assert_eq(PBY_RUN(NULL, "verify", path)->status, 0, "%s", families[i]);
    }
    has(PBY_RUN(NULL, "select", families[0], "--epsilon", "1", "--delta", "1/10", "--uses", "3"),
        "choice      3*fbquantile:eps=1,q=1/2,n=50,bound=20\n");
    pby_folder_remove(folder);
}

/* A sample of what tests/agree.py goes through: the choice is certified within the target, and the
 * certificate is verified and released. */
Test(select_command, what_is_chosen_is_certified_verified_and_released)
{
    static const struct {
        const char *family, *uses, *epsilon, *delta;
    } cases[] = {{"dgauss:sensitivity=3", "30", "1", "1e-6"},
                 {"dgauss", "2", "1/2", "1e-9"},
                 {"geometric", "12", "2", "1e-5"},
                 {"stlap", "12", "1", "1e-6"},
                 {"threshold", "2", "1/2", "1e-9"},
                 {"range", "2", "1", "1e-5"},
                 {"laplace:grid=1", "12", "1", "1e-6"},
                 {"microdata", "2", "2", "1e-5"}};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu.json", i);
        pby_folder_path(path, folder, name);
        const pby_run *r = PBY_RUN(NULL, "select", cases[i].family, "--uses", cases[i].uses, "--epsilon",
                                   cases[i].epsilon, "--delta", cases[i].delta, "--certify", path);
        cr_assert_eq(r->status, 0, "%s: %s", cases[i].family, r->err);
        cr_assert(is_within(path, cases[i].delta), "%s", cases[i].family);
        r = PBY_RUN(NULL, "verify", path);
        cr_assert_eq(r->status, 0, "%s: %s", cases[i].family, r->err);
        r = PBY_RUN("a,10\nb,2000\n", "release", path, "--quiet");
        cr_assert_eq(r->status, 0, "%s: %s", cases[i].family, r->err);
    }
    pby_folder_remove(folder);
}

/* The greatest base: 2 log(41/25) is just below 1, and 2 log(33/20) above it. */
Test(select_command, chooses_a_base)
{
    has(PBY_RUN(NULL, "select", "power", "--epsilon", "1"), "choice      power:base=41/25\n");
    has(PBY_RUN(NULL, "select", "power", "--epsilon", "1", "--delta", "1e-6"), "power:base=33/20\n");
    has(PBY_RUN(NULL, "select", "power", "--epsilon", "5"), "choice      power:base=12\n");
    has(PBY_RUN(NULL, "select", "power:sensitivity=2,scores=monotone", "--epsilon", "1", "--delta", "1e-3",
                "--uses", "4"),
        "choice      4*power:base=121/100,sensitivity=2,scores=monotone\n");
    PBY_REFUSED(2, "expected a base whose numerator", NULL, "select", "power", "--epsilon", "1/100");
    PBY_REFUSED(2, "expected the parameters that are not to be chosen", NULL, "select", "power:base=2",
                "--epsilon", "1");
    PBY_REFUSED(2, "scores=general", NULL, "select", "power:scores=monotone", "--epsilon", "1",
                "--neighbours", "substitute");
}

/* The given parameters decide which noise is chosen: a limit on questions, or geometric answers, go with a
 * Gaussian threshold. */
Test(select_command, chooses_the_noise_of_the_sparse_vector)
{
    has(PBY_RUN(NULL, "select", "sparse:tops=3", "--epsilon", "1"), "choice      sparse:rate=1/4,tops=3\n");
    has(PBY_RUN(NULL, "select", "sparse:questions=10", "--rho", "1"),
        "choice      sparse:sigma2=1151/100,questions=10\n");
    PBY_REFUSED(2, "expected above 0, because no sparse has delta 0", NULL, "select", "sparse:questions=10",
                "--epsilon", "1", "--delta", "0");
    PBY_REFUSED(2, "expected the parameters that are not to be chosen", NULL, "select", "sparse:rate=1/2",
                "--epsilon", "1");
    PBY_REFUSED(2, "sparse:questions ''", NULL, "select", "sparse:questions", "--epsilon", "1");
}

Test(select_command, chooses_a_gaussian_sparse_vector)
{
    has(PBY_RUN(NULL, "select", "sparse:questions=1000", "--epsilon", "1", "--delta", "1e-6"),
        "choice      sparse:sigma2=3341/50,questions=1000\n");
    has(PBY_RUN(NULL, "select", "sparse:answer-rate=1/8", "--epsilon", "1", "--delta", "1e-6"),
        "choice      sparse:sigma2=3053/100,answer-rate=1/8\n");
    has(PBY_RUN(NULL, "select", "sparse:gap=20", "--epsilon", "1", "--delta", "1e-6"),
        "choice      sparse:sigma2=7417/100,gap=20\n");
}

/* Two uses of eps = 1/2 have delta 0 at 1, and so has nothing above; a delta above 0 buys more. */
Test(select_command, several_uses_of_the_exponential_mechanism)
{
    const pby_run *r = PBY_RUN(NULL, "select", "exponential", "--epsilon", "1", "--uses", "2", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"2*exponential:eps=1/2\""), "%s", r->out);
    r = PBY_RUN(NULL, "select", "exponential", "--epsilon", "1", "--delta", "1/1000", "--uses", "2",
                "--resolution", "1/50", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"2*exponential:eps=29/50\""), "%s", r->out);
}

/* Families whose lower bounds fall towards 0 as eps grows: no eps is known to exceed the target, and the
 * search for a power of ten that does went on to where the lower end has more bits than there is memory. */
Test(select_command, bounds_that_exceed_no_target_end_the_search)
{
    static const char *const families[] = {"fbquantile:q=1/2,n=50,bound=20",
                                           "fbsupport:level=3,x=1,y=0,bound=4"};
    for (size_t i = 0; i < 2; i++) {
        const pby_run *r = PBY_RUN(NULL, "select", families[i], "--epsilon", "1", "--delta", "1/10");
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_not_null(strstr(r->out, "eps=167/100,"), "%s", r->out);
    }
}
