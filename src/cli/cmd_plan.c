/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "plan/plan_choose.h"
#include "report/report_plan.h"

enum { JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [JSON] = {"--json", NULL, 0, NULL},
};

/* A plan and the noise that is chosen for it. */
static pby_status open_plan(pby_release_plan **plan, pby_plan_choice *choice, const char *path,
                            pby_error *err)
{
    PBY_TRY(pby_plan_read(plan, path, err));
    const pby_status status = pby_plan_choose(choice, *plan, err);
    if (status != PBY_OK) {
        pby_plan_choice_clear(choice);
        pby_plan_free(*plan);
    }
    return status;
}

static pby_status check(int operands, char **argv, const pby_option *o, pby_error *err)
{
    pby_release_plan *plan;
    pby_plan_choice choice;
    char *text;
    if (operands == 0)
        return pby_fail(err, PBY_BAD, "plan check: expected a PLAN");
    PBY_TRY(pby_operands_at_most(1, operands, argv, "one PLAN", err));
    PBY_TRY(open_plan(&plan, &choice, argv[0], err));
    const pby_status status = pby_report_plan(&text, plan, &choice, pby_option_form(&o[JSON]), err);
    pby_plan_choice_clear(&choice);
    pby_plan_free(plan);
    return pby_print_report(text, status);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    static const char *const actions[] = {"check", NULL};
    pby_option o[OPTIONS + 1];
    int operands;
    size_t action;
    PBY_TRY(pby_options_parse(o, known, argc, argv, &operands, err));
    if (operands == 0)
        return pby_fail(err, PBY_BAD, "plan: expected check");
    PBY_TRY(pby_name_find(&action, actions, "plan", argv[0], err));
    return check(operands - 1, argv + 1, o, err);
}

static const char help[] =
    "probity plan: a whole release, from bounds and one budget\n"
    "\n"
    "usage: probity plan check PLAN [--json]\n"
    "\n"
    "A PLAN is a file of TOML that states a unit of privacy, bounds on a user's rows, statistics and one\n"
    "budget (docs/plan.md). The sensitivities are derived from the bounds, the budget is shared out, and\n"
    "the noise is the least whose exact composed loss is within the budget. No data are read.\n"
    "\n"
    "  check     what each statistic is worth, what all releases cost, and which changes would help most;\n"
    "            exit status 1 where an error that is asked for (within) does not fit the budget\n"
    "\n"
    "  --json    one JSON object\n"
    "\n"
    "examples:\n"
    "  probity plan check visits.toml\n"
    "  probity plan check visits.toml --json\n";

const pby_command pby_command_plan = {"plan", "a whole release, from bounds and one budget", help, run};
