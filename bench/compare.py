"""Builds and runs a suite of benchmarks, in turns with the peer's, and prints one table.

See tools/bench.sh. The JSON file is a list of {"name", "ours_ns", "peer_ns", "ratio"}; the peer is the faster of
its two modes, ratio is peer / ours, and both are null without one. Rows of the suite "ops" also say {"size",
"dtype", "layout", "threads", "gb_per_s"}, the last for what memory bounds; its peer is in InferenceMode. Those of
"gradients" also say {"ours_peak_bytes", "peer_peak_bytes"}, null where no step is measured. Rows of
the suite "python" are {"name", "budget_ns", "switchyard_ns", "numpy_ns", "torch_ns"}; rows of
the suite "plugins" are {"name", "place", "ours_ns", "instructions"}, place: in the tree ("cpu"), by a plugin's kernel
there ("kernel"), on a plugin's device ("device"); rows of
the suite "cuda" are {"name", "unit", "ours", "peer", "target", "met"} and {"error"} where a row did not run; where
there is no GPU the suite says so and ends with status 3.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

SUITES = ["dispatch", "growth", "encoder", "ops"]


def build(*targets):
    subprocess.run(["bazel", "build", "--noshow_progress", "--ui_event_filters=-info", *targets], check=True)


def run_benchmarks(program, pattern, min_time, environment):
    output = subprocess.run(
        [program, "--benchmark_format=json", f"--benchmark_filter={pattern}", f"--benchmark_min_time={min_time}"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, env={**os.environ, **environment}).stdout
    return json.loads(output)["benchmarks"]


def run_once(program, pattern, min_time, environment):
    """Nanoseconds by benchmark name."""
    return {b["name"].replace("/real_time", ""): b["real_time"]
            for b in run_benchmarks(program, pattern, min_time, environment)}


def measure(runners, repetitions):
    """Medians of each runner, which take turns."""
    times = [{} for _ in runners]
    for _ in range(repetitions):
        for runner, seen in zip(runners, times):
            for name, ns in runner().items():
                seen.setdefault(name, []).append(ns)
    return [{name: statistics.median(ns) for name, ns in seen.items()} for seen in times]


def compare(suite, pattern, repetitions, min_time):
    targets, runners = [f"//bench:{suite}"], []
    runners.append(lambda: run_once(f"bazel-bin/bench/{suite}", pattern, min_time, {}))
    if os.environ.get("TORCH_DIR") and os.path.exists(f"bench/peer_torch/{suite}_cases.cc"):
        targets.append(f"//bench/peer_torch:{suite}")
        for mode in ["0", "1"]:
            runners.append(lambda mode=mode: run_once(f"bazel-bin/bench/peer_torch/{suite}", pattern, min_time,
                                                      {"SWITCHYARD_PEER_INFERENCE": mode}))
    build(*targets)
    ours, *peers = measure(runners, repetitions)
    rows = []
    for name, ns in ours.items():
        times = [p[name] for p in peers if name in p]
        peer = min(times) if times else None
        rows.append({"name": re.sub(r"/threads:1$", "", name), "ours_ns": round(ns, 2),
                     "peer_ns": None if peer is None else round(peer, 2),
                     "ratio": None if peer is None else round(peer / ns, 2)})
    return rows


def row_names(program, pattern):
    output = subprocess.run([program, "--benchmark_list_tests"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return [name for name in output.split("\n") if name and re.search(pattern, name)]


def ops(pattern, repetitions, min_time):
    """Rows of the suite ops. Programs take turns operator by operator, so that both meet the same machine."""
    programs = ["bazel-bin/bench/ops"]
    if os.environ.get("TORCH_DIR"):
        programs.append("bazel-bin/bench/peer_torch/ops")
    build(*["//" + p.removeprefix("bazel-bin/").replace("/ops", ":ops") for p in programs])
    of_operator = {}
    for name in row_names(programs[0], pattern):
        of_operator.setdefault(name.split("/")[0], []).append(name)
    rows = []
    for names in of_operator.values():
        times = [{name: [] for name in names} for _ in programs]
        exactly = f"^({'|'.join(names)})$"
        for _ in range(repetitions):
            for program, seen in zip(programs, times):
                for b in run_benchmarks(program, exactly, min_time, {}):
                    seen[b["name"]].append(b)
        for name in names:
            ours, *peer = [statistics.median(b["real_time"] for b in seen[name]) for seen in times]
            op, dtype, layout, size, threads = name.removesuffix("/real_time").split("/")
            rows.append({"name": op, "size": int(size), "dtype": dtype, "layout": layout, "threads": int(threads),
                         "ours_ns": round(ours, 1), "peer_ns": round(peer[0], 1) if peer else None,
                         "ratio": round(peer[0] / ours, 3) if peer else None,
                         "gb_per_s": round(times[0][name][0]["bytes"] / ours, 2)})
    return rows


def gradients(pattern, repetitions, min_time):
    """Rows of the suite gradients. Programs take turns row by row; each run is a process, whose memory is measured."""
    programs = ["bazel-bin/bench/gradients"]
    if os.environ.get("TORCH_DIR"):
        programs.append("bazel-bin/bench/peer_torch/gradients")
    build(*["//" + p.removeprefix("bazel-bin/").replace("/gradients", ":gradients") for p in programs])
    rows = []
    for name in row_names(programs[0], pattern):
        seen = [[] for _ in programs]
        for _ in range(repetitions):
            for program, runs in zip(programs, seen):
                runs += run_benchmarks(program, f"^{name}$", min_time, {})
        ours, *peer = [statistics.median(b["real_time"] for b in runs) for runs in seen]
        peaks = [statistics.median(b["peak_bytes"] for b in runs) if "peak_bytes" in runs[0] else None for runs in seen]
        rows.append({"name": re.sub(r"/(iterations|real_time|manual_time).*", "", name), "ours_ns": round(ours, 1),
                     "peer_ns": round(peer[0], 1) if peer else None,
                     "ratio": round(peer[0] / ours, 3) if peer else None,
                     "ours_peak_bytes": peaks[0], "peer_peak_bytes": peaks[1] if peer else None})
    return rows


def files(repetitions):
    """Rows of the suite files. The peer is the Python of PEER_PYTHON, or this one, with what it has."""
    program = "bazel-bin/bench/files"
    build("//bench:files")
    with tempfile.TemporaryDirectory(prefix="switchyard-files-") as folder:
        subprocess.run([program, "--make", folder], check=True)
        commands = [[program, folder],
                    [os.environ.get("PEER_PYTHON", sys.executable), "bench/peer_files.py", folder]]
        seen = [{} for _ in commands]
        for _ in range(repetitions):
            for command, least in zip(commands, seen):
                rows = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
                for name, ns in rows.items():
                    least[name] = min(ns, least.get(name, ns))
    ours, peer = seen
    return [{"name": name, "ours_ns": ns, "peer_ns": peer.get(name),
             "ratio": round(peer[name] / ns, 2) if name in peer else None} for name, ns in ours.items()]


def collective(repetitions):
    """Rows of the suite collective: medians of runs; torch.distributed's where TORCH_PYTHON names a python with it."""
    build("//bench:collective", "//collective/gloo:libswitchyard_gloo.so", "//collective/mpi:libswitchyard_mpi.so",
          "//tools:switchyard")
    here = os.getcwd() + "/bazel-bin"
    environment = {**os.environ, "SWITCHYARD_ENGINE_PATH": f"{here}/collective/gloo:{here}/collective/mpi",
                   "OMP_NUM_THREADS": "1"}
    rows, times = {}, {}
    for _ in range(repetitions):
        for ranks in [2, 4]:
            meeting = tempfile.mkdtemp()
            launch = [f"{here}/tools/switchyard", "launch", "-n", str(ranks)]
            commands = [["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks),
                         f"{here}/bench/collective", "mpi"],
                        launch + [f"{here}/bench/collective", "gloo", meeting]]
            if os.environ.get("TORCH_PYTHON"):
                commands.append(launch + [os.environ["TORCH_PYTHON"], "bench/peer_torch/collective.py"])
            for command in commands:
                out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout
                for line in out.splitlines():
                    fields = line.removeprefix("[0] ").split()
                    if len(fields) != 7 or fields[0] not in ("mpi", "gloo", "torch"):
                        continue
                    times.setdefault(tuple(fields[:4]), []).append([float(f) for f in fields[4:]])
    for (engine, ranks, name, size), runs in times.items():
        raw, there, made = (statistics.median(values) for values in zip(*runs))
        row = rows.setdefault((int(ranks), name, int(size)), {"ranks": int(ranks), "name": name, "bytes": int(size)})
        if engine == "torch":
            row["torch_gloo_us"] = there
        else:
            row |= {f"raw_{engine}_us": raw or None, f"{engine}_us": there, f"{engine}_new_us": made}
    return [rows[k] for k in sorted(rows)]


def print_collective(rows):
    columns = ["raw_mpi_us", "mpi_us", "mpi_new_us", "raw_gloo_us", "gloo_us", "gloo_new_us", "torch_gloo_us"]
    print("| ranks | collective | bytes | " + " | ".join(c.replace("_us", " µs").replace("_", " ") for c in columns) +
          " |\n|---:|---|---:|" + "---:|" * len(columns))
    for r in rows:
        values = [r.get(c) for c in columns]
        print(f"| {r['ranks']} | {r['name']} | {r['bytes']} | " +
              " | ".join("–" if v is None else f"{v:,.2f}" for v in values) + " |")


def cuda_values(program, pattern):
    """Of each row: (unit, value, target), or what went wrong."""
    run = subprocess.run([program, "--benchmark_format=json", f"--benchmark_filter={pattern}"],
                         stdout=subprocess.PIPE, check=False)
    if run.returncode != 0:
        sys.exit(run.returncode)
    values = {}
    for b in json.loads(run.stdout)["benchmarks"]:
        unit = next((u for u in ["TB/s", "TFLOP/s"] if u in b), "µs")
        name = re.sub(r"/iterations:.*", "", b["name"])
        values[name] = b["error_message"] if b.get("error_occurred") else (unit, b.get(unit, b["real_time"]), b["target"])
    return values


def cuda(pattern, repetitions):
    """Rows of the suite cuda: the best of each program's runs, which take turns."""
    programs = ["bazel-bin/bench/cuda"]
    if os.environ.get("TORCH_DIR"):
        programs.append("bazel-bin/bench/peer_torch/cuda")
    build(*["//" + p.removeprefix("bazel-bin/").replace("/cuda", ":cuda") for p in programs])
    runs = [[] for _ in programs]
    for _ in range(repetitions):
        for program, seen in zip(programs, runs):
            seen.append(cuda_values(program, pattern))
    rows = []
    for name, first in runs[0][0].items():
        if isinstance(first, str):
            rows.append({"name": name, "error": first})
            continue
        unit, _, target = first
        better = min if unit == "µs" else max
        ours, *peers = [better(run[name][1] for run in seen) if isinstance(seen[0].get(name), tuple) else None
                        for seen in runs]
        rows.append({"name": name, "unit": unit, "ours": round(ours, 3), "target": target,
                     "peer": round(peers[0], 3) if peers and peers[0] else None,
                     "met": ours <= target if unit == "µs" else ours >= target})
    return rows


def print_cuda(rows):
    print("| row | ours | peer | target | |\n|---|---:|---:|---:|---|")
    for r in rows:
        if "error" in r:
            print(f"| {r['name']} | {r['error']} | | | |")
            continue
        peer = "" if r["peer"] is None else f"{r['peer']:.2f}"
        print(f"| {r['name']} | {r['ours']:.2f} {r['unit']} | {peer} | {r['target']} | {'' if r['met'] else 'missed'} |")


def plugins(pattern, repetitions, min_time):
    """Rows of the suite plugins: the least time of all runs, which take turns case by case, and instructions."""
    from instructions import count
    programs = ["bazel-bin/bench/plugins", "bazel-bin/bench/plugins_instructions"]
    build("//bench:plugins", "//bench:plugins_instructions")
    least = {}
    for _ in range(repetitions):
        for name in row_names(programs[0], pattern):
            if name.endswith("/threads:1"):
                [b] = run_benchmarks(programs[0], f"^{name}$", min_time, {})
                case = name.removesuffix("/real_time/threads:1")
                least[case] = min(b["cpu_time"], least.get(case, b["cpu_time"]))
    counts = count(programs[1])
    return [{"name": case.rsplit("/", 1)[0], "place": case.rsplit("/", 1)[1], "ours_ns": round(ns, 1),
             "instructions": counts[case]} for case, ns in least.items()]


def print_plugins(rows):
    """An operation a line."""
    places = ["cpu", "kernel", "device"]
    print("| case | cpu, ns | plugin's kernel | plugin's device | ratio | cpu, instructions | plugin's kernel "
          "| plugin's device |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in dict.fromkeys(r["name"] for r in rows):
        of = {r["place"]: r for r in rows if r["name"] == name}
        ns, counts = ([of[p][key] if p in of else "" for p in places] for key in ("ours_ns", "instructions"))
        ratio = f"{ns[2] / ns[0]:.2f}" if ns[0] and ns[2] else ""
        print(f"| {name} | {' | '.join(map(str, ns))} | {ratio} | {' | '.join(map(str, counts))} |")


def print_ops(rows):
    """A line a row, worst first, then what they come to."""
    rows = sorted(rows, key=lambda r: r["ratio"] or 0)
    print("| operator | dtype | layout | elements | threads | ours, µs | peer, µs | ratio | GB/s |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for r in rows:
        peer, ratio = ("", "") if r["peer_ns"] is None else (f"{r['peer_ns'] / 1e3:.1f}", f"{r['ratio']:.2f}")
        print(f"| {r['name']} | {r['dtype']} | {r['layout']} | {r['size']} | {r['threads']} | {r['ours_ns'] / 1e3:.1f} "
              f"| {peer} | {ratio} | {r['gb_per_s'] or ''} |")
    ratios = [r["ratio"] for r in rows if r["ratio"]]
    if ratios:
        print(f"\n{len(ratios)} rows of {len({r['name'] for r in rows})} operators: geometric mean "
              f"{statistics.geometric_mean(ratios):.2f}, {sum(x < 0.9 for x in ratios)} below 0.9")


def print_gradients(rows):
    """Steps in milliseconds, with the memory they take; an operator of a chain in nanoseconds."""
    print("| row | unit | ours | peer | ratio | ours, MB | peer, MB |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for r in rows:
        unit, size = ("ms", 1e6) if r["ours_peak_bytes"] is not None else ("ns", 1)
        cells = ["" if r[key] is None else f"{r[key] / per:.{digits}f}" for key, per, digits in [
            ("ours_ns", size, 2), ("peer_ns", size, 2), ("ratio", 1, 2), ("ours_peak_bytes", 1e6, 1),
            ("peer_peak_bytes", 1e6, 1)]]
        print(f"| {r['name']} | {unit} | {' | '.join(cells)} |")


def print_table(rows):
    width = max(len(r["name"]) for r in rows)
    print(f"| {'case':{width}} | ours, ns | peer, ns | ratio |")
    print(f"|{'-' * (width + 2)}|---------:|---------:|------:|")
    for r in rows:
        peer, ratio = ("", "") if r["peer_ns"] is None else (f"{r['peer_ns']:.1f}", f"{r['ratio']:.1f}")
        print(f"| {r['name']:{width}} | {r['ours_ns']:8.1f} | {peer:>8} | {ratio:>5} |")


def python(repetitions):
    """Rows of the suite python: the best of each interpreter's runs, which take turns."""
    sys.path.insert(0, os.path.abspath("bench"))
    from python_calls import CASES
    build("//python:package")
    ours = {**os.environ, "PYTHONPATH": os.path.abspath("bazel-bin/python/package")}
    runs = {"switchyard": ("/usr/bin/python3", ours), "numpy": ("/usr/bin/python3", os.environ)}
    if os.environ.get("TORCH_DIR"):
        folder = os.path.join(os.environ["TORCH_DIR"], "../../../../bin/python")
        runs["torch"] = (os.environ.get("TORCH_PYTHON", os.path.normpath(folder)), os.environ)
    times = {name: {} for name in runs}
    for _ in range(repetitions):
        for name, (program, environment) in runs.items():
            out = subprocess.run([program, "bench/python_calls.py", name], env=environment, check=True,
                                 stdout=subprocess.PIPE).stdout
            for case, ns in json.loads(out).items():
                times[name][case] = min(ns, times[name].get(case, ns))
    budgets = {case: budget for case, budget, *_ in CASES} | {"import": 6e6}
    return [{"name": case, "budget_ns": budgets[case],
             **{name + "_ns": round(of[case], 1) if case in of else None for name, of in times.items()}}
            for case in times["switchyard"]]


def print_python(rows):
    print("| case | budget, ns | ours, ns | NumPy, ns | PyTorch, ns | |\n|---|---:|---:|---:|---:|---|")
    for r in rows:
        cells = ["" if r.get(k) is None else f"{r[k]:.0f}" for k in ("budget_ns", "switchyard_ns", "numpy_ns", "torch_ns")]
        missed = r["budget_ns"] is not None and r["switchyard_ns"] > r["budget_ns"]
        print(f"| `{r['name']}` | {' | '.join(cells)} | {'missed' if missed else ''} |")


def start():
    build("//bench:start", "//bench:first_call", "//bench:empty")
    subprocess.run(["bazel-bin/bench/start", "bazel-bin/bench/first_call", "bazel-bin/bench/empty"], check=True)


def size():
    build("//bench:size_report")
    with open("bazel-bin/bench/size_report.txt", encoding="utf-8") as f:
        print(f.read(), end="")


def instructions():
    build("//bench:dispatch_instructions")
    subprocess.run([sys.executable, "bench/instructions.py", "bazel-bin/bench/dispatch_instructions",
                    "bench/instructions.txt", "--write"], check=True)


def main():
    parser = argparse.ArgumentParser(prog="tools/bench.sh")
    parser.add_argument("--suite", default="dispatch",
                        choices=SUITES + ["files", "gradients", "collective", "python", "plugins", "cuda", "start",
                                          "size", "instructions"])
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--filter", default=".")
    parser.add_argument("--min-time", type=float, default=0.05, help="seconds a case and repetition")
    a = parser.parse_args()
    if a.suite not in SUITES + ["files", "gradients", "collective", "python", "plugins", "cuda"]:
        return {"start": start, "size": size, "instructions": instructions}[a.suite]()
    if a.suite == "cuda":
        rows = cuda(a.filter, a.repetitions)
        print_cuda(rows)
    elif a.suite == "files":
        rows = files(a.repetitions)
        print_table(rows)
    elif a.suite == "python":
        rows = python(a.repetitions)
        print_python(rows)
    elif a.suite == "ops":
        rows = ops(a.filter, a.repetitions, a.min_time)
        print_ops(rows)
    elif a.suite == "collective":
        rows = collective(a.repetitions)
        print_collective(rows)
    elif a.suite == "plugins":
        rows = plugins(a.filter, a.repetitions, a.min_time)
        print_plugins(rows)
    elif a.suite == "gradients":
        rows = gradients(a.filter, a.repetitions, a.min_time)
        print_gradients(rows)
    else:
        rows = compare(a.suite, a.filter, a.repetitions, a.min_time)
        print_table(rows)
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)


main()
