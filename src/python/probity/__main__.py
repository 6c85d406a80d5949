# SPDX-License-Identifier: MIT
"""The command: `probity` and `python -m probity` become the program that lies in the package."""
import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "probity")
    try:
        os.execv(program, ["probity", *sys.argv[1:]])
    except OSError as error:
        print(f"probity: {program}: {error.strerror}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
