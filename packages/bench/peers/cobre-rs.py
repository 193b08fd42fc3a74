"""The Rust program by way of its Python package: the two commands that the benchmark needs, with the words and the output of the real ones.

python cobre-rs.py version
python cobre-rs.py run CASE --output DIRECTORY --threads N --quiet
"""

import argparse

import cobre

parser = argparse.ArgumentParser()
commands = parser.add_subparsers(dest="command", required=True)
commands.add_parser("version")
run = commands.add_parser("run")
run.add_argument("case")
run.add_argument("--output", required=True)
run.add_argument("--threads", type=int, default=1)
run.add_argument("--quiet", action="store_true")
words = parser.parse_args()

if words.command == "version":
    print(f"cobre   v{cobre.__version__}")
    print("build:  Python package")
else:
    cobre.run.run(words.case, output_dir=words.output, threads=words.threads)
