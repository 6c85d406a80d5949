/* SPDX-License-Identifier: MIT */
#include "report/loss/report_plot.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "io/spool.h"
#include "number/exact.h"
#include "number/scoped.h"

enum { TITLE_MAX = 80, CHUNK = 1 << 16, LABELLED_MAX = 9 };

/* ---- gnuplot ---------------------------------------------------------------------------------- */

/* Runs gnuplot with these as its standard streams; *code is its exit status. */
static pby_status run_gnuplot(int *code, int in, int out, char *argument, pby_error *err)
{
    char name[] = "gnuplot";
    char *argv[] = {name, argument, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int state;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
    const int failed = posix_spawnp(&pid, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT)
        return pby_fail(err, PBY_FAILED, "plot: gnuplot is not installed (Debian package gnuplot-nox)");
    if (failed != 0)
        return pby_fail(err, PBY_FAILED, "plot: gnuplot: %s", strerror(failed));
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return pby_fail(err, PBY_FAILED, "plot: gnuplot: %s", strerror(errno));
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    return PBY_OK;
}

static bool ends_in(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

pby_status pby_plot_check(const char *path, pby_error *err)
{
    if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
        return pby_refuse(err, "plot", path, "a file that ends in .svg or .png");
    int scratch, code;
    char version[] = "--version";
    pby_status status = pby_file_nameless(&scratch, err);
    if (status != PBY_OK)
        return status;
    status = run_gnuplot(&code, scratch, scratch, version, err);
    close(scratch);
    if (status == PBY_OK && code != 0)
        status = pby_fail(err, PBY_FAILED, "plot: gnuplot --version exits %d; is gnuplot-nox whole?", code);
    return status;
}

/* ---- the script ------------------------------------------------------------------------------- */

/* log10 of a positive delta, rounded down or up. */
static double log10_of(mpfr_srcptr delta, mpfr_rnd_t rounding)
{
    PBY_MPFR(64, log);
    mpfr_log10(log, delta, rounding);
    return mpfr_get_d(log, rounding);
}

/* A lower end of 0 under a positive upper one is drawn down to the frame. */
static double log10_or(mpfr_srcptr delta, mpfr_rnd_t rounding, double otherwise)
{
    return mpfr_sgn(delta) > 0 ? log10_of(delta, rounding) : otherwise;
}

static bool drawn(const pby_profile_points *points, size_t i)
{
    return mpfr_sgn(points->delta[i].hi) > 0;
}

/* The logarithms of the least and the greatest delta that are drawn; false when there are none. */
static bool range(double *least, double *most, const pby_profile_points *points)
{
    bool any = false;
    for (size_t i = 0; i < points->count; i++)
        if (drawn(points, i)) {
            const double hi = log10_of(points->delta[i].hi, MPFR_RNDU);
            const double lo = log10_or(points->delta[i].lo, MPFR_RNDD, hi);
            *least = !any || lo < *least ? lo : *least;
            *most = !any || hi > *most ? hi : *most;
            any = true;
        }
    return any;
}

/* The least of 1, 2, 5, 10, 20, 50, ... that is not below x. */
static double round_step(double x)
{
    double step = 1;
    for (int i = 0; step < x; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    return step;
}

/* Whole decades, a label on every step-th; over two decades or less 2 and 5 are labelled too. */
static void write_axis(FILE *out, double bottom, double top)
{
    const bool few = top - bottom <= 2;
    const double step = round_step((top - bottom) / LABELLED_MAX);
    const double minor = step > 10 ? step / 10 : 1;
    fprintf(out, "set yrange [%g:%g]\nset ytics nomirror (", bottom, top);
    const char *comma = "";
    const int from = (int)ceil(bottom / minor), to = (int)floor(top / minor);
    for (int i = from; i <= to; i++) {
        const double k = i * minor;
        if (fmod(k, step) == 0)
            fprintf(out, "%s\"10^{%g}\" %g 0", comma, k + 0.0, k + 0.0);
        else
            fprintf(out, "%s\"\" %g 1", comma, k);
        comma = ", ";
        for (int digit = 2; digit <= 9 && step == 1 && k < top; digit++)
            if (few && (digit == 2 || digit == 5))
                fprintf(out, ", \"%d·10^{%g}\" %.17g 0", digit, k, k + log10(digit));
            else
                fprintf(out, ", \"\" %.17g 1", k + log10(digit));
    }
    fputs(")\n", out);
}

/* True if the box from point i to the next has an end that is wider than asked for. */
static bool wide_box(const pby_profile_points *points, size_t i)
{
    return points->wide[i] || points->wide[i + 1];
}

/* The boxes that are wide, or those that are not, one after the other: a gap is an empty line. Returns
 * whether there are any. */
static bool write_boxes(FILE *out, const pby_profile_points *points, double bottom, bool wide)
{
    bool any = false;
    for (size_t i = 0; i + 1 < points->count && drawn(points, i); i++) {
        if (wide_box(points, i) != wide) {
            fputs("\n", out);
            continue;
        }
        const double lo = log10_or(points->delta[i + 1].lo, MPFR_RNDD, bottom);
        const double hi = log10_of(points->delta[i].hi, MPFR_RNDU);
        fprintf(out, "%.17g %.17g %.17g\n%.17g %.17g %.17g\n", mpq_get_d(points->epsilon + i), lo, hi,
                mpq_get_d(points->epsilon + i + 1), lo, hi);
        any = true;
    }
    return any;
}

/* Blocks: the points' upper ends, and the band, where it is as narrow as was asked for and where it is not.
 * delta never grows with epsilon, so that between two points it lies under the left one's upper end and over
 * the right one's lower end: the band is made of such boxes, and is as certain between the points as at them.
 */
static void write_data(FILE *out, bool *narrow, bool *wide, const pby_profile_points *points, double bottom)
{
    fputs("$upper << EOD\n", out);
    for (size_t i = 0; i < points->count && drawn(points, i); i++)
        fprintf(out, "%.17g %.17g\n", mpq_get_d(points->epsilon + i),
                log10_of(points->delta[i].hi, MPFR_RNDU));
    fputs("EOD\n$band << EOD\n", out);
    *narrow = write_boxes(out, points, bottom, false);
    fputs("EOD\n$wide << EOD\n", out);
    *wide = write_boxes(out, points, bottom, true);
    fputs("EOD\n", out);
}

/* The first epsilon from which on delta is 0 to the end, if there is one; the words stand on the side
 * that has room. */
static void mark_zero(FILE *out, const pby_profile_points *points)
{
    size_t i = points->count;
    while (i > 0 && !drawn(points, i - 1))
        i--;
    if (i == points->count)
        return;
    char *at = pby_exact_text(points->epsilon + i);
    const double x = mpq_get_d(points->epsilon + i);
    fprintf(out, "set arrow from %.17g, graph 0 to %.17g, graph 1 nohead dashtype 3 lc rgb '#606060'\n", x,
            x);
    fprintf(out,
            "set label 'δ = 0 from ε = %s on' at %.17g, graph 0.5 center rotate by 90 offset %s,0 tc rgb "
            "'#404040'\n",
            at == NULL ? "here" : at, x, i > points->count - points->count / 12 ? "-1.2" : "1.2");
    free(at);
}

static void write_script(FILE *out, const char *path, const pby_profile_points *points, const char *title,
                         const char *neighbours)
{
    double least = -1, most = 0;
    const bool any = range(&least, &most, points);
    fputs(ends_in(path, ".svg") ? "set terminal svg size 800,560 dynamic font 'Helvetica,15'"
                                : "set terminal pngcairo size 1600,1120 font 'Helvetica,26' linewidth 2",
          out);
    fputs(" enhanced background rgb 'white'\n", out);
    fputs("set encoding utf8\nset border 3 lc rgb '#404040'\nset grid lt 1 lc rgb '#e4e4e4'\n", out);
    fprintf(out, "set title \"%.*s%s\" noenhanced\n", TITLE_MAX, title,
            strlen(title) > TITLE_MAX ? " ..." : "");
    fprintf(out,
            "set xlabel 'ε' offset 0,0.5\nset ylabel 'δ, enclosed (%s neighbours)'\nset xtics nomirror\n",
            neighbours);
    fprintf(out, "set xrange [%.17g:%.17g]\n", mpq_get_d(points->epsilon),
            mpq_get_d(points->epsilon + points->count - 1));
    const double bottom = floor(least), top = ceil(most) > bottom ? ceil(most) : bottom + 1;
    write_axis(out, bottom, top);
    mark_zero(out, points);
    if (!any) {
        fputs("unset key\nplot NaN\n", out);
        return;
    }
    bool narrow, wide;
    write_data(out, &narrow, &wide, points, bottom);
    fputs("set key bmargin center horizontal noenhanced\nplot ", out);
    if (narrow)
        fputs("$band using 1:2:3 with filledcurves lc rgb '#9dc3e6' title 'certified band', \\\n     ", out);
    if (wide)
        fputs("$wide using 1:2:3 with filledcurves lc rgb '#f4b183' title 'certified band, wider than asked "
              "for', \\\n"
              "     ",
              out);
    fputs("$upper using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'upper bound at the points'\n", out);
}

/* ---- the file --------------------------------------------------------------------------------- */

/* The script in a nameless file, at its start. */
static pby_status script_file(int *fd, const char *path, const pby_profile_points *points, const char *title,
                              const char *neighbours, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return pby_no_memory(err);
    write_script(out, path, points, title, neighbours);
    pby_status status = fclose(out) == 0 ? pby_file_nameless(fd, err) : pby_no_memory(err);
    if (status == PBY_OK) {
        status = pby_file_write_all(*fd, text, size, "the plot's script", err);
        if (status == PBY_OK && lseek(*fd, 0, SEEK_SET) != 0)
            status = pby_fail(err, PBY_FAILED, "the plot's script: %s", strerror(errno));
        if (status != PBY_OK)
            close(*fd);
    }
    free(text);
    return status;
}

static pby_status copy_to(const char *path, int fd, pby_error *err)
{
    pby_spool *spool;
    pby_status status = pby_spool_open(&spool, path, err);
    if (status != PBY_OK)
        return status;
    off_t at = 0;
    ssize_t n = 1;
    while (status == PBY_OK && n > 0) {
        uint8_t *room;
        status = pby_spool_reserve(spool, CHUNK, &room, err);
        if (status != PBY_OK)
            break;
        n = pread(fd, room, CHUNK, at);
        if (n < 0)
            status = pby_fail(err, PBY_FAILED, "the plot: %s", strerror(errno));
        pby_spool_advance(spool, n < 0 ? 0 : (size_t)n);
        at += n;
    }
    if (status == PBY_OK && at == 0)
        status = pby_fail(err, PBY_FAILED, "plot: gnuplot drew nothing");
    if (status == PBY_OK)
        return pby_spool_commit(spool, err);
    pby_spool_abort(spool);
    return status;
}

pby_status pby_plot(const char *path, const pby_profile_points *points, const char *title,
                    const char *neighbours, pby_error *err)
{
    int script, picture, code = 0;
    char from_stdin[] = "-";
    pby_status status = script_file(&script, path, points, title, neighbours, err);
    if (status != PBY_OK)
        return status;
    status = pby_file_nameless(&picture, err);
    if (status == PBY_OK) {
        status = run_gnuplot(&code, script, picture, from_stdin, err);
        if (status == PBY_OK && code != 0)
            status = pby_fail(err, PBY_FAILED, "plot: gnuplot exits %d", code);
        if (status == PBY_OK)
            status = copy_to(path, picture, err);
        close(picture);
    }
    close(script);
    return status;
}
