/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/spool.h"
#include "lab/geometry/halfplane.h"
#include "probity/experimental/reports.h"
#include "probity/report.h"

enum { LEVELS, DIRECTION, POINT, SAMPLES, SVG, HALFPLANE, MOVE, DIGITS, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [LEVELS] = {.name = "--levels",
                .shown = "K,...",
                .expected = "integers from 1 on, separated by commas",
                .help = "up to 64 integers from 1 on; a level above the deepest has an empty region"},
    [DIRECTION] = {.name = "--direction",
                   .shown = "X,Y",
                   .expected = "X,Y, two rationals",
                   .help = "also the support function: the greatest <X,Y> of the region"},
    [POINT] = {.name = "--point",
               .shown = "X,Y",
               .expected = "X,Y, two rationals",
               .help = "also the nearest point of the region, and the square of its distance"},
    [SAMPLES] = {.name = "--samples",
                 .shown = "FILE",
                 .expected = "the name of a file with X,Y a line",
                 .completes = "file",
                 .help = "shown in the picture too, X,Y a line, such as what release depth:... -n N writes"},
    [SVG] = {.name = "--svg",
             .shown = "FILE",
             .expected = "the name of a file to write",
             .completes = "file",
             .help = "also a picture: points, regions, and the Steiner point of the last one"},
    [HALFPLANE] = {.name = "--halfplane",
                   .shown = "A,B,C",
                   .expected = "A,B,C, three rationals",
                   .help = "without --levels: how many points have A X + B Y >= C, and how few and how many "
                           "may have where each has moved"},
    [MOVE] = {.name = "--move",
              .shown = "R",
              .expected = "a rational from 0 on",
              .help = "of --halfplane: how far each point may move (0)"},
    [DIGITS] = {.name = "--digits",
                .shown = "N",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits of the Steiner point, 1 to 1000 (9)"},
    [JSON] = {.name = "--json", .help = "one JSON object; rationals as strings"},
};

static pby_status run_halfplane(const pby_option *o, const char *points, pby_error *err)
{
    static const int wrong[] = {LEVELS, DIRECTION, POINT, SAMPLES, SVG, DIGITS};
    const pby_halfplane_asked asked = {points, o[HALFPLANE].value, o[MOVE].value};
    char *text = NULL;
    PBY_TRY(pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --halfplane", err));
    const pby_status status = pby_report_halfplane(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

static pby_status run_geometry(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_geometry_asked asked = {.points = NULL};
    char *text = NULL, *svg = NULL;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one file of points", err);
    if (status == PBY_OK && options[HALFPLANE].value != NULL)
        return run_halfplane(options, operands > 0 ? argv[0] : NULL, err);
    if (status == PBY_OK)
        status = pby_options_unread(options, (const int[]){MOVE}, 1, "it with --halfplane", err);
    if (status == PBY_OK)
        status = pby_option_digits(&asked.digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status != PBY_OK)
        return status;
    asked.points = operands > 0 ? argv[0] : NULL;
    asked.levels = options[LEVELS].value;
    asked.direction = options[DIRECTION].value;
    asked.point = options[POINT].value;
    asked.samples = options[SAMPLES].value;
    if (asked.samples != NULL && options[SVG].value == NULL)
        return pby_refuse(err, "--samples", asked.samples, "--svg beside it: a picture shows them");
    status = pby_report_geometry(&text, options[SVG].value == NULL ? NULL : &svg, &asked,
                                 pby_option_form(&options[JSON]), err);
    if (status == PBY_OK && svg != NULL)
        status = pby_spool_text(options[SVG].value, svg, "", err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    free(svg);
    return pby_print_report(text, status);
}

static const char help[] =
    "probity geometry: compute depth regions of public points in the plane\n"
    "\n"
    "usage: probity geometry [POINTS.csv] --levels K,... [--direction X,Y] [--point X,Y] [--svg FILE\n"
    "                        [--samples FILE]] [--digits N] [--json]\n"
    "       probity geometry [POINTS.csv] --halfplane A,B,C [--move R] [--json]\n"
    "\n"
    "The region of level K is what every half-plane around has K of the points in common with: the points\n"
    "of Tukey depth K, the floating body of the quantiles. It is a convex polygon with rational corners.\n"
    "Prints the corners, the Steiner point (the mean of the corners, weighted by their exterior angles),\n"
    "and the square of the Hausdorff distance from the region before. All but the Steiner point is exact.\n"
    "Nothing is private: for points of a release, or others that are public. probity release depth:...\n"
    "draws private points of such a region.\n"
    "\n"
    "  POINTS.csv       X,Y a line, integers up to 1048576 in size, at most 400 different points; - or\n"
    "                   nothing is standard input\n";

static const char end[] = "\n"
                          "example:\n"
                          "  probity geometry points.csv --levels 1,5,10 --svg regions.svg\n";

const pby_command pby_command_geometry = {
    "geometry", "compute depth regions of public points in the plane", help, known, end, run_geometry};
