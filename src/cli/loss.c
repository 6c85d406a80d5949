#include "probity/loss.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/request.h"
#include "io/file.h"
#include "mechanism/events.h"
#include "number/integer.h"
#include "probity/rational.h"

enum {
    EPSILON,
    DELTA,
    ORDER,
    ZCDP,
    PROFILE,
    XI,
    GROUP,
    CONVERSION,
    COMPOSITION,
    WIDTH,
    PLOT,
    EVENTS,
    NEIGHBOURS,
    DIGITS,
    JSON,
    OPTIONS
};
enum { THE_QUESTION = 1 };

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {"--epsilon", "a rational such as 1/2 or 0.5", THE_QUESTION, NULL},
    [DELTA] = {"--delta", "a rational such as 1e-6", THE_QUESTION, NULL},
    [ORDER] = {"--order", "a rational from 1 on, or inf", THE_QUESTION, NULL},
    [ZCDP] = {"--zcdp", NULL, THE_QUESTION, NULL},
    [PROFILE] = {"--profile", "LO:HI:N, such as 0:2:201", THE_QUESTION, NULL},
    [XI] = {"--xi", "a rational from 0 on", 0, NULL},
    [GROUP] = {"--group", "an integer from 1 to 1000000", 0, NULL},
    [CONVERSION] = {"--conversion", "a name such as zcdp-to-approx-classical", 0, NULL},
    [COMPOSITION] = {"--composition", "exact, basic, advanced or optimal", 0, NULL},
    [WIDTH] = {"--width", "a rational above 0 and below 1, such as 1/1000", 0, NULL},
    [PLOT] = {"--plot", "a file that ends in .svg or .png", 0, NULL},
    [EVENTS] = {"--events", "a file with a tree of events, as JSON", 0, NULL},
    [NEIGHBOURS] = {"--neighbours", "add-remove, substitute or local", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

struct answer {
    pby_enclosure value, claimed;
    const char *source;
    pby_approximate approximate; /* beside an infinite loss */
    bool has_approximate;
    bool wider; /* than it was asked to be */
};

/* One kind of question: the option that asks it, and what is told beside the answer. */
struct question {
    int option;
    pby_question kind;
    const char *given;  /* the name of the option's value */
    const char *answer; /* the name of what is enclosed */
    int least, most;    /* what the option's value is at least and at most; no bound where least > most */
    const char *range;
    pby_status (*ask)(struct answer *answer, const pby_request *request, pby_error *err);
    /* The paper's number for the same; *source is NULL when there is none. May be NULL. */
    pby_status (*claim)(pby_enclosure *claimed, const char **source, const pby_request *request,
                        pby_error *err);
};

static pby_status ask_delta(struct answer *answer, const pby_request *r, pby_error *err)
{
    if (r->seen == NULL)
        return pby_loss_group_delta(&answer->value, &answer->wider, r->spec, r->relation, r->group, r->at,
                                    r->digits, err);
    const pby_loss_options options = {.digits = r->digits, .width = r->width, .wider = &answer->wider};
    return pby_loss(&answer->value, PBY_ASK_DELTA, r->seen, r->relation, r->at, &options, err);
}

static pby_status claim_delta(pby_enclosure *claimed, const char **source, const pby_request *r,
                              pby_error *err)
{
    *source = NULL;
    if (r->seen != r->spec || r->conversion != NULL || r->theorem != NULL)
        return PBY_OK;
    return pby_loss_claimed(claimed, source, r->spec, r->relation, r->at, r->digits, err);
}

static pby_status ask_epsilon(struct answer *answer, const pby_request *r, pby_error *err)
{
    if (r->seen == NULL)
        return pby_loss_group_epsilon(&answer->value, &answer->wider, r->spec, r->relation, r->group, r->at,
                                      r->digits, err);
    const pby_loss_options options = {.digits = r->digits, .width = r->width, .wider = &answer->wider};
    return pby_loss(&answer->value, PBY_ASK_EPSILON, r->seen, r->relation, r->at, &options, err);
}

static pby_status ask_renyi(struct answer *answer, const pby_request *r, pby_error *err)
{
    answer->has_approximate = true;
    return pby_loss_renyi(&answer->value, &answer->approximate, r->seen, r->relation,
                          r->infinite ? NULL : r->at, r->digits, err);
}

static pby_status ask_rho(struct answer *answer, const pby_request *r, pby_error *err)
{
    answer->has_approximate = true;
    return pby_loss_zcdp(&answer->value, &answer->approximate, r->seen, r->relation, r->at, r->digits, err);
}

static const struct question questions[] = {
    {EPSILON, PBY_ASK_DELTA, "epsilon", "delta", 1, 0, NULL, ask_delta, claim_delta},
    {DELTA, PBY_ASK_EPSILON, "delta", "epsilon", 0, 1, "a rational from 0 on, at most 1", ask_epsilon, NULL},
    {ORDER, PBY_ASK_RENYI, "order", "renyi", 1, INT_MAX, "a rational from 1 to 2147483647, or inf", ask_renyi,
     NULL},
    {ZCDP, PBY_ASK_RHO, "xi", "rho", 0, INT_MAX, "a rational from 0 to 2147483647", ask_rho, NULL},
};

static const struct question *find_question(const pby_option *options)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (options[questions[i].option].value != NULL)
            return &questions[i];
    return NULL;
}

static bool infinite(const struct answer *answer)
{
    return answer->has_approximate && mpfr_inf_p(answer->value.lo) &&
           !mpfr_zero_p(answer->approximate.delta.hi);
}

static void print_answer(const struct question *question, const pby_request *r, const struct answer *answer)
{
    pby_request_print(r);
    pby_print_line(question->given, r->at_text);
    pby_print_enclosure(question->answer, &answer->value, r->digits, NULL);
    if (answer->wider)
        pby_print_line("wider", pby_request_wider(r));
    if (infinite(answer)) {
        pby_print_enclosure("approximate", &answer->approximate.loss, r->digits,
                            "at most, given an event on either input");
        pby_print_enclosure("  but for", &answer->approximate.delta, r->digits,
                            "delta, the most that the event lacks to certainty");
    }
    if (answer->source != NULL)
        pby_print_enclosure("claimed", &answer->claimed, r->digits, answer->source);
}

static json_t *approximate_json(const struct question *question, const pby_request *r,
                                const struct answer *answer)
{
    return json_pack("{s:o, s:o}", question->answer, pby_json_enclosure(&answer->approximate.loss, r->digits),
                     "delta", pby_json_enclosure(&answer->approximate.delta, r->digits));
}

static pby_status set_claimed(json_t *object, const pby_request *r, const struct answer *answer,
                              pby_error *err)
{
    json_t *claimed = pby_json_enclosure(&answer->claimed, r->digits);
    const pby_status status = pby_json_set(object, "claimed", claimed, err);
    return status == PBY_OK ? pby_json_set(claimed, "source", json_string(answer->source), err) : status;
}

static pby_status print_json(const struct question *question, const pby_request *r,
                             const struct answer *answer, pby_error *err)
{
    json_t *object;
    pby_status status = pby_request_json(&object, r, err);
    if (status == PBY_OK)
        status = pby_json_set(object, question->given, json_string(r->at_text), err);
    if (status == PBY_OK)
        status = pby_json_set(object, question->answer, pby_json_enclosure(&answer->value, r->digits), err);
    if (status == PBY_OK && answer->wider)
        status = pby_json_set(object, "wider", json_string(pby_request_wider(r)), err);
    if (status == PBY_OK && infinite(answer))
        status = pby_json_set(object, "approximate", approximate_json(question, r, answer), err);
    if (status == PBY_OK && answer->source != NULL)
        status = set_claimed(object, r, answer, err);
    if (status == PBY_OK)
        return pby_print_json(object, err);
    json_decref(object);
    return status;
}

static pby_status ask(struct answer *answer, const struct question *question, const pby_request *r,
                      pby_error *err)
{
    if (r->theorem != NULL && r->composition != PBY_COMPOSE_EXACT)
        return pby_loss_composed(&answer->value, r->composition, question->kind, r->seen, r->relation, r->at,
                                 r->digits, err);
    if (r->conversion == NULL)
        return question->ask(answer, r, err);
    return pby_loss_convert(&answer->value, r->conversion, question->kind, r->seen, r->relation,
                            r->infinite ? NULL : r->at, r->digits, err);
}

static pby_status answer_question(const struct question *question, const pby_request *r, bool json,
                                  pby_error *err)
{
    struct answer answer = {.source = NULL};
    pby_enclosure_init(&answer.value);
    pby_enclosure_init(&answer.claimed);
    pby_approximate_init(&answer.approximate);
    pby_clock waiting;
    pby_clock_begin(&waiting, "loss");
    pby_status status = ask(&answer, question, r, err);
    if (status == PBY_OK && question->claim != NULL)
        status = question->claim(&answer.claimed, &answer.source, r, err);
    pby_clock_end(&waiting);
    if (status == PBY_OK && json)
        status = print_json(question, r, &answer, err);
    else if (status == PBY_OK)
        print_answer(question, r, &answer);
    pby_approximate_clear(&answer.approximate);
    pby_enclosure_clear(&answer.claimed);
    pby_enclosure_clear(&answer.value);
    return status;
}

/* ---- the arguments ---------------------------------------------------------------------------- */

/* The value of the option that asks. */
static pby_status read_value(pby_request *r, const struct question *question, const pby_option *options,
                             pby_error *err)
{
    const pby_option *asked = &options[question->option == ZCDP ? XI : question->option];
    r->at_text = asked->value == NULL ? "0" : asked->value;
    r->infinite = question->option == ORDER && strcmp(r->at_text, "inf") == 0;
    if (r->infinite)
        return PBY_OK;
    const pby_status status = pby_rational_parse(r->at, asked->name, r->at_text, err);
    if (status == PBY_OK && question->least <= question->most &&
        (mpq_cmp_si(r->at, question->least, 1) < 0 || mpq_cmp_si(r->at, question->most, 1) > 0))
        return pby_refuse(err, asked->name, r->at_text, question->range);
    return status;
}

static pby_status read_events(pby_spec **out, const char *path, pby_error *err)
{
    enum { LONGEST = 1 << 24 };
    char *text = NULL;
    size_t size = 0;
    pby_error why = PBY_NO_ERROR;
    pby_status status = pby_file_read(&text, &size, path, LONGEST, &why);
    if (status == PBY_OK && size > LONGEST)
        status = pby_fail(&why, PBY_BAD, "expected at most 16 MiB");
    if (status == PBY_OK)
        status = pby_spec_of_events(out, text, size, &why);
    free(text);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "--events '%.200s': %s", path, why.text);
}

/* The spec, and what a group sees of it: only delta and epsilon have a theorem for every family. */
static pby_status read_spec(pby_request *r, const struct question *question, const char *events, int operands,
                            char **argv, pby_error *err)
{
    pby_status status = events != NULL
                            ? read_events(&r->spec, events, err)
                            : pby_spec_parse(&r->spec, (const char *const *)argv, (size_t)operands, err);
    r->seen = r->spec;
    if (status != PBY_OK || r->group == 1)
        return status;
    status = pby_spec_group(&r->seen, r->spec, r->group, err);
    const bool theorem =
        (question == NULL || question->kind == PBY_ASK_DELTA || question->kind == PBY_ASK_EPSILON) &&
        r->conversion == NULL && r->theorem == NULL && r->width_text == NULL;
    return status == PBY_BAD && theorem ? PBY_OK : status;
}

/* Fills the request; what it holds is freed by the caller whether this succeeds or not. Without a
 * question a profile is asked for. */
static pby_status read_request(pby_request *r, const struct question *question, const pby_option *options,
                               int operands, char **argv, pby_error *err)
{
    pby_status status = pby_request_width(r, options[WIDTH].value, options[DIGITS].value, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&r->group, "--group", options[GROUP].value, 1, PBY_GROUP_MAX, 1, err);
    if (status != PBY_OK)
        return status;
    r->conversion = options[CONVERSION].value;
    r->theorem = options[COMPOSITION].value;
    if (r->theorem != NULL)
        status = pby_composition_parse(&r->composition, "--composition", r->theorem, err);
    if (status == PBY_OK && question != NULL)
        status = read_value(r, question, options, err);
    if (status == PBY_OK)
        status = read_spec(r, question, options[EVENTS].value, operands, argv, err);
    return status == PBY_OK ? pby_option_neighbours(&r->relation, options[NEIGHBOURS].value, r->spec, err)
                            : status;
}

static bool by_theorem(const char *composition)
{
    return composition != NULL && strcmp(composition, "exact") != 0;
}

static pby_status check_options(const pby_option *options, const struct question *question, int operands,
                                pby_error *err)
{
    if (options[EVENTS].value != NULL && operands > 0)
        return pby_refuse(err, "--events", options[EVENTS].value, "no SPEC beside it");
    if (options[EVENTS].value == NULL && operands == 0)
        return pby_fail(err, PBY_BAD, "loss: expected a SPEC such as stlap:eps=1/2,q=40");
    if (question == NULL && options[PROFILE].value == NULL && options[PLOT].value == NULL)
        return pby_fail(err, PBY_BAD,
                        "loss: expected one of --epsilon E and --delta D, or --order A, --zcdp, --profile "
                        "LO:HI:N or --plot FILE");
    if (options[XI].value != NULL && options[ZCDP].value == NULL)
        return pby_refuse(err, "--xi", options[XI].value, "--zcdp beside it");
    if (options[COMPOSITION].value != NULL &&
        (options[CONVERSION].value != NULL ||
         (options[EPSILON].value == NULL && options[DELTA].value == NULL)))
        return pby_refuse(err, "--composition", options[COMPOSITION].value,
                          "--epsilon or --delta beside it, and no --conversion");
    if (options[WIDTH].value != NULL &&
        (options[CONVERSION].value != NULL || options[ORDER].value != NULL || options[ZCDP].value != NULL ||
         by_theorem(options[COMPOSITION].value)))
        return pby_refuse(err, "--width", options[WIDTH].value,
                          "the exact composition, asked for delta or epsilon");
    if (options[PLOT].value != NULL && question != NULL)
        return pby_refuse(err, "--plot", options[PLOT].value, "--profile LO:HI:N beside it, or no question");
    return PBY_OK;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    const struct question *question = find_question(options);
    status = check_options(options, question, operands, err);
    if (status != PBY_OK)
        return status;
    const bool json = options[JSON].value != NULL;
    pby_request r = {.spec = NULL};
    mpq_inits(r.at, r.width, NULL);
    status = read_request(&r, question, options, operands, argv, err);
    if (status == PBY_OK)
        status = question != NULL
                     ? answer_question(question, &r, json, err)
                     : pby_request_profile(&r, options[PROFILE].value, options[PLOT].value, json, err);
    mpq_clears(r.at, r.width, NULL);
    if (r.seen != r.spec)
        pby_spec_free(r.seen);
    pby_spec_free(r.spec);
    return status;
}

static const char help[] =
    "probity loss: the privacy loss of a mechanism, enclosed\n"
    "\n"
    "usage: probity loss SPEC... (--epsilon E | --delta D | --order A | --zcdp [--xi X]) [OPTIONS]\n"
    "       probity loss SPEC... (--profile LO:HI:N | --plot FILE) [OPTIONS]\n"
    "\n"
    "Computes the loss from the exact output distribution on the worst neighbouring inputs. The answer is\n"
    "an enclosure [lo, hi]: the true value lies between the two decimals, which are rounded outwards. If a\n"
    "paper gives a formula for the same number, its value is printed as 'claimed', and is not used.\n"
    "\n"
    "  SPEC             a mechanism, such as stlap:eps=1/2,q=40; several compose, and so do 3*SPEC\n"
    "  --epsilon E      delta at this epsilon; E is a rational, possibly negative\n"
    "  --delta D        the least epsilon whose delta is at most D, a rational from 0 to 1\n"
    "  --order A        the Renyi divergence of order A, a rational from 1 on, or inf. If outputs of one\n"
    "                   input are impossible on the other, it is inf, and the approximate divergence is\n"
    "                   printed too: the divergence given events of probability at least 1 - delta\n"
    "  --zcdp           the least rho with D_a <= rho a for every order a > 1\n"
    "  --xi X           with --zcdp: the least rho with D_a <= X + rho a\n"
    "  --profile LO:HI:N  delta at N epsilons from LO to HI, as CSV: epsilon,delta_lo,delta_hi, and wider\n"
    "                   (yes or no) if some enclosures stay wider than requested\n"
    "  --plot FILE      the same (0:2:201 if left out) as a picture, FILE.svg or FILE.png; needs gnuplot\n"
    "  --group K        between inputs at most K neighbours apart; the spec of the group is printed too\n"
    "  --conversion C   the result of a conversion instead of the exact loss: an upper bound; C is\n"
    "                   pure-to-renyi, pure-to-zcdp, renyi-to-approx or zcdp-to-approx, or one of these\n"
    "                   with -classical at its end\n"
    "  --composition T  how several uses compose: exact (the default), or the upper bound of a theorem:\n"
    "                   basic, advanced or optimal\n"
    "  --width W        the widest enclosure of an exact composition on a grid, relative to its smaller\n"
    "                   end; a rational above 0 and below 1 (1/100)\n"
    "  --events FILE    in place of SPEC: a tree of events as JSON, the way other accountants describe a\n"
    "                   run (docs/events.md)\n"
    "  --neighbours R   add-remove (one record more or fewer), substitute (one changed) or local (any two\n"
    "                   values of one user); by default the first of these that the SPEC allows\n"
    "  --digits N       significant digits of the answer, 1 to 1000 (9)\n"
    "  --json           one JSON object: spec, neighbours, what was given (epsilon, delta, order or xi)\n"
    "                   and what is enclosed (delta, epsilon, renyi, rho, or a list under profile) as\n"
    "                   {\"lo\": \"...\", \"hi\": \"...\"}; claimed with its source if there is one\n"
    "\n"
    "examples:\n"
    "  probity loss stlap:eps=1/2,q=40 --epsilon 1/2\n"
    "  probity loss stlap:eps=1/2,q=40 --delta 1e-6 --digits 20\n"
    "  probity loss geometric:eps=2,sensitivity=4 --epsilon 0.5 --neighbours substitute --json\n"
    "  probity loss laplace:scale=2 --zcdp\n"
    "  probity loss zcdp:rho=1/20 --delta 1e-6 --conversion zcdp-to-approx-classical\n"
    "  probity loss 10000*dgauss:sigma2=10000 --delta 1e-6\n"
    "  probity loss 100*laplace:scale=10 --delta 1e-6 --width 1e-5\n"
    "  probity loss 100*laplace:scale=10 --delta 1e-6 --composition advanced\n"
    "  probity loss stlap:eps=1/2,q=40 --plot delta.svg\n";

const pby_command pby_command_loss = {"loss", "the privacy loss of a mechanism, enclosed", help, run};
