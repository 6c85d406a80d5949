#include "select/row.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

static const char betrayed[] = "the ends of the law's range betray the neighbour",
                  rate[] = "eps, the rate of the noise,",
                  doubled[] = "(exp(eps)-1)/(2(exp(eps q/2)-1)), epsilon and delta shared by the uses",
                  by_two[] = "in steps of two, delta falls as q rises, at every epsilon",
                  theorems[] = "basic or advanced composition of the largest loss",
                  squared[] = "rho = uses eps^2/2 of the largest loss eps",
                  renyi[] = "rho = uses D^2/(2 sigma2), epsilon = rho + 2 sqrt(rho log(1/delta))",
                  less_eps[] = "noise of a smaller eps is noise of a greater one plus more noise",
                  more_scale[] = "noise of a greater scale is noise of a smaller one plus more noise",
                  more_sigma2[] = "noise of a greater sigma2 is noise of a smaller one plus more noise",
                  proportional[] = "rho is D^2/(2 sigma2) for each use, exactly";

static const pby_select_row rows[] = {
    {.family = &pby_family_stlap, .parameter = "q", .instead = "tau", .rising = true, .shares = true, .both = true,
     .integers = &pby_integers_stlap, .monotone = by_two, .recipe = pby_recipe_claimed, .source = doubled,
     .never_zero = betrayed, .binds = rate},
    {.family = &pby_family_buckethist, .parameter = "q", .rising = true, .shares = true, .both = true,
     .integers = &pby_integers_stlap, .monotone = by_two, .recipe = pby_recipe_claimed, .source = doubled,
     .never_zero = betrayed, .binds = rate},
    {.family = &pby_family_tgeometric, .parameter = "bound", .rising = true, .shares = true,
     .integers = &pby_integers_tgeometric, .monotone = "delta falls as the bound rises above half the sensitivity",
     .recipe = pby_recipe_clipped, .source = "bound >= log(4 uses/delta)/eps + 1, eps shared by the uses",
     .never_zero = betrayed, .binds = rate},
    {.family = &pby_family_threshold, .parameter = "T", .rising = true, .shares = true,
     .integers = &pby_integers_threshold, .monotone = "a release under a greater T is a part of one under a smaller T",
     .recipe = pby_recipe_claimed, .source = "Thresh/Lemma 5, epsilon and delta shared by the uses",
     .never_zero = "a bar that only one neighbour has may pass", .binds = rate},
    {.family = &pby_family_range, .parameter = "L", .rising = true, .shares = true, .integers = &pby_integers_range,
     .monotone = "delta falls as L rises, at every epsilon, from half the sensitivity on",
     .recipe = pby_recipe_claimed, .source = "Thresh/Lemma 2, or Theorem 2, which is refuted; epsilon and delta shared by the uses",
     .never_zero = "the ends of an interval's reach betray the neighbour", .binds = rate},
    {.family = &pby_family_partition, .parameter = "delta", .rising = false, .unit = true, .shares = true, .both = true,
     .monotone = "at the eps of all uses delta is 1-(1-delta)^uses of the parameter",
     .recipe = pby_recipe_named, .source = "epsilon and delta shared by the uses", .composes_as = &pby_family_approx,
     .never_zero = "a bar that only one neighbour has may be shown", .binds = "eps, or the resolution,"},
    {.family = &pby_family_geometric, .parameter = "eps", .rising = false, .monotone = less_eps,
     .recipe = pby_recipe_theorems, .source = theorems, .rho_monotone = less_eps, .rho_recipe = pby_recipe_pure,
     .rho_source = squared, .binds = "the resolution"},
    {.family = &pby_family_laplace, .parameter = "scale", .rising = true, .monotone = more_scale,
     .recipe = pby_recipe_theorems, .source = theorems, .rho_monotone = more_scale, .rho_recipe = pby_recipe_pure,
     .rho_source = squared},
    {.family = &pby_family_gauss, .parameter = "sigma2", .rising = true, .monotone = more_sigma2,
     .recipe = pby_recipe_concentrated, .source = renyi, .rho_monotone = proportional,
     .never_zero = "its loss has no largest value"},
    {.family = &pby_family_dgauss, .parameter = "sigma2", .rising = true,
     .recipe = pby_recipe_concentrated, .source = renyi, .rho_monotone = proportional,
     .never_zero = "its loss has no largest value"},
};

const pby_select_row *pby_select_row_find(const char *family, size_t length, pby_error *err)
{
    enum { ROWS = sizeof rows / sizeof *rows, SHOWN = 64 };
    const char *names[ROWS + 1] = {NULL};
    char given[SHOWN];
    for (size_t i = 0; i < ROWS; i++) {
        names[i] = rows[i].family->name;
        if (strlen(names[i]) == length && memcmp(names[i], family, length) == 0)
            return &rows[i];
    }
    snprintf(given, sizeof given, "%.*s", (int)(length < SHOWN ? length : SHOWN), family);
    (void)pby_refuse_name(err, "FAMILY", given, names);
    return NULL;
}
