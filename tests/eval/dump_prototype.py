#!/usr/bin/env python3
"""Writes drives of another generator as logs: dump_prototype.py MODULE_DIR RUNS SEED OUT_DIR

MODULE_DIR holds sim.py with make_thermal(), make_decoy() and simulate(). The truth goes into each
log's note, where `eval logs OUT_DIR` finds it.
"""
import os
import random
import sys

COLUMNS = "time_s,phase,op,bytes,mb_s,temp_c,tmt1_count,tmt1_s,tmt2_count,tmt2_s,link_gt_s,link_width,queue_avg,foreign_bytes,events"


def cell(value):
    return "" if value is None else "%g" % value


def write(path, run, spec):
    truth = run.truth
    onset = truth["onset"]
    heat = truth["cls"].startswith("thermal") and onset is not None
    note = "heat=%d gentle=%d onset=%s temp=%s loss=%.4f kind=%s" % (
        heat, truth["cls"] == "thermal-gentle" or truth["loss"] < 0.05,
        cell(onset - run.idle if onset is not None else None), cell(truth["temp"]),
        truth["loss"], spec["name"].replace(" ", "_"))
    with open(path, "w") as out:
        out.write("# schema: 1\n# op: %s\n# queue_depth: 32\n# interval_s: 1\n" % run.op)
        out.write("# wctemp_c: %s\n# tmt1_c: %s\n# note: %s\n" % (cell(run.wctemp), cell(run.tmt1), note))
        out.write(COLUMNS + "\n")
        for i, s in enumerate(run.s):
            load = s["load"]
            row = [i + 1, "load" if load else "baseline" if i < run.idle else "cooldown",
                   run.op if load else "", s["mbps"] * 1e6, s["mbps"], s["temp"]]
            row += [s[k] for k in ("tmt1c", "tmt1s", "tmt2c", "tmt2s")]
            row += [s["link"] / 4, 4, s["qd"] if load else 0, s["foreign"] * 1e6]
            out.write(",".join(v if isinstance(v, str) else cell(v) for v in row))
            out.write("," + ("lost" if s["err"] and not run.s[i - 1]["err"] else "") + "\n")


def main():
    sys.path.insert(0, sys.argv[1])
    import sim  # noqa: the module named on the command line
    rng = random.Random(int(sys.argv[3]))
    runs = int(sys.argv[2])
    os.makedirs(sys.argv[4], exist_ok=True)
    for i in range(2 * runs):
        spec = sim.make_thermal(rng) if i < runs else sim.make_decoy(rng)
        spec["idle"], spec["cool"] = 20, 120
        write(os.path.join(sys.argv[4], "%06d.csv" % i), sim.simulate(spec, rng), spec)


main()
