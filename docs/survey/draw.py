#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The picture of docs/survey.md: how far the interval of each mechanism reaches around the truth, at epsilon 1.

Simulates the users of the page, releases and estimates with the command, and draws what came out. Each run draws new noise.
usage: draw.py PROBITY OUT.svg"""
import json
import os
import subprocess
import sys
import tempfile

USERS, CITIES, HOURS = 100000, 8, 40
SCALE, LEFT, TOP, ROW, WIDTH = 60, 370, 70, 22, 800  # pixels: of a percent, of the labels, of a row, of all
LOCAL, CENTRAL = "#b5541c", "#1c6fb5"


def users(seed, value):
    """The answers of all users, by the same generator as on the page."""
    for _ in range(USERS):
        seed = seed * 16807 % 2147483647
        yield value(seed)


class Survey:
    def __init__(self, probity, folder):
        self.probity, self.folder, self.rows = os.path.abspath(probity), folder, []

    def run(self, *arguments):
        return subprocess.run([self.probity, *arguments], cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True).stdout

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as out:
            out.writelines(f"{line}\n" for line in lines)

    def local(self, what, spec, name, truths, width, release=("release", "--quiet")):
        """The interval of every estimate, as parts of the width around the truth."""
        self.write("reports", self.run(release[0], spec, name, *release[1:]).splitlines())
        for e in json.loads(self.run("estimate", spec, "reports", "--json"))["estimates"]:
            truth = truths[e["truth"]]
            ends = [(float(e["interval"][end]) - truth) / width for end in ("lo", "hi")]
            self.rows.append((what.format(e["truth"]), spec, *ends, LOCAL))

    def central(self, what, spec, total, width, users=USERS):
        """The noisy total, less the true one, and how far noise goes but for a chance of 1/20."""
        self.write("total", [f"total,{total}"])
        noisy = int(self.run("release", spec, "total", "--quiet").split(",")[1])
        beta = json.loads(self.run("accuracy", spec, "--support", "1", "--gamma", "1/20", "--json"))["release"]["beta"]
        ends = [(noisy - total + sign * float(beta)) / users / width for sign in (-1, 1)]
        self.rows.append((what, spec, *ends, CENTRAL))


def ask(survey):
    smokes = list(users(1, lambda s: int(s % 100 < 23)))
    hours = list(users(2, lambda s: int(s % 41 * (s % 7) / 6)))
    city = list(users(3, lambda s: int((s % 64) ** 0.5)))
    shares = {str(v): city.count(v) / USERS for v in range(CITIES)}
    for name, column in (("smokes", smokes), ("hours", hours), ("city", city)):
        survey.write(name, column)
    survey.central("smokers", "geometric:eps=1", sum(smokes), 1)
    survey.local("smokers", "rr:eps=1", "smokes", {"1": sum(smokes) / USERS}, 1)
    survey.central("mean of hours", f"geometric:eps=1,sensitivity={HOURS}", sum(hours), HOURS)
    survey.local("mean of hours", f"onebit:eps=1,hi={HOURS}", "hours", {"mean": sum(hours) / USERS}, HOURS)
    survey.local("city {}", f"krr:eps=1,k={CITIES}", "city", shares, 1)
    survey.local("city {}", f"rappor:bits={CITIES},f=19/25,reports=1", "city", shares, 1, ("report", "--once"))


def svg(rows):
    """A line for each interval, from its lower to its upper end, and the truth in the middle."""
    height, zero = TOP + ROW * len(rows) + 30, LEFT + (WIDTH - LEFT) / 2
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">'
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>'
           f'<text x="20" y="24" font-size="15">Intervals around the truth, {USERS} users, epsilon 1, error 1/20</text>'
           f'<text x="20" y="44" fill="{CENTRAL}">central noise</text><text x="120" y="44" fill="{LOCAL}">reports of users</text>')
    for percent in range(-3, 4):
        x = zero + percent * SCALE
        yield (f'<line x1="{x}" y1="{TOP - 10}" x2="{x}" y2="{height - 24}" stroke="#ccc"/>'
               f'<text x="{x}" y="{height - 8}" text-anchor="middle">{percent} %</text>')
    for i, (what, spec, lo, hi, colour) in enumerate(rows):
        y, ends = TOP + ROW * i + 10, [max(LEFT, min(WIDTH - 6, zero + 100 * end * SCALE)) for end in (lo, hi)]
        yield (f'<text x="20" y="{y + 4}">{what}</text><text x="130" y="{y + 4}" fill="#666" font-size="11">{spec}</text>'
               f'<line x1="{ends[0]:.1f}" y1="{y}" x2="{ends[1]:.1f}" y2="{y}" stroke="{colour}" stroke-width="4"/>'
               f'<circle cx="{sum(ends) / 2:.1f}" cy="{y}" r="4" fill="{colour}"/>')
    yield "</svg>\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        survey = Survey(sys.argv[1], folder)
        ask(survey)
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("\n".join(svg(survey.rows)))
    failed = sum(not lo <= 0 <= hi for _, _, lo, hi, _ in survey.rows)
    print(f"{len(survey.rows)} intervals, {failed} without the truth")


if __name__ == "__main__":
    main()
