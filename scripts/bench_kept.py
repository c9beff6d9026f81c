# SPDX-License-Identifier: Apache-2.0
"""What the pages show of a benchmark's rows: (key, how, which rows, format).

how: min, max or range of their values; or of their ratio to the limit, of the limit to them (inverse),
or of what they are above it (over). A key whose rows exist only when something else was made first, a recording,
says `not run` without them.
"""
import re

PAYLOAD = "NIC: {}: payload"
KEPT = (
    ("hit-latency", "max", r"hit latency, .*", "g"),
    ("put", "min", r"rate, put \d+ B, (logging off|metadata logged)", ".2f"),
    ("put-data-64", "min", "rate, put 64 B, data logged", ".2f"),
    ("put-data-256", "min", "rate, put 256 B, data logged", ".2f"),
    ("put-data-4096", "min", "rate, put 4096 B, data logged", ".3f"),
    ("put-active", "min", "rate, put 8 B, redirected", ".2f"),
    ("put-active-pointer", "min", "rate, put 8 B, redirected, pointer in memory", ".2f"),
    ("put-slow-memory", "range", "rate, put 8 B, (metadata logged|redirected), memory 18", ".2f"),
    ("get-data-8", "min", "rate, get 8 B, data logged", ".2f"),
    ("get-data-64", "min", "rate, get 64 B, data logged", ".2f"),
    ("get-data-256", "min", "rate, get 256 B, data logged", ".2f"),
    ("get-data-4096", "min", "rate, get 4096 B, data logged", ".3f"),
    ("get-any-order", "range", "rate, get 4096 B, data logged, answered in any order", ".2f"),
    ("cost-data-64", "max", "cost in the path, put 64 B, data logged", ".2g"),
    ("cost-data-256", "max", "cost in the path, put 256 B, data logged", ".2g"),
    ("cost-data-4096", "max", "cost in the path, put 4096 B, data logged", ".1g"),
    ("cost-else", "max", r"cost in the path, put \d+ B, (logging off|metadata logged)", ".1g"),
    ("miss-alone", "max over", "miss alone, .*: translated", "g"),
    ("ports", "min", "two ports, .*: the smaller share", ".3f"),
    ("port-beside-stalled", "min", "a port beside one that waits for room in its log", ".2f"),
    ("publish-1", "max", "publish latency, put 8 B redirected, memory 1", "g"),
    ("publish-18", "max", "publish latency, put 8 B redirected, memory 18", "g"),
    ("lockstep", "max", "lockstep: time with the model", ".2f"),
    ("recorded", "range inverse", r"recorded (?!dht)\w+-\d+: cycles with TLPs under way", ".3f"),
    ("recorded-dht", "range inverse", r"recorded dht-\d+: cycles with TLPs under way", ".3f"),
    ("nic-write", "min ratio", PAYLOAD.format(r"write, \d+ B"), ".2f"),
    ("nic-send-64", "min ratio", PAYLOAD.format("SEND, 64 B"), ".2f"),
    ("nic-send-256", "min ratio", PAYLOAD.format("SEND, 256 B"), ".2f"),
    ("nic-send-4096", "min ratio", PAYLOAD.format("SEND, 4096 B"), ".2f"),
    ("nic-read-64", "min ratio", PAYLOAD.format("read response, 64 B"), ".2f"),
    ("nic-read-256", "min ratio", PAYLOAD.format("read response, 256 B"), ".2f"),
    ("nic-read-4096", "min ratio", PAYLOAD.format("read response, 4096 B"), ".3f"),
    ("nic-xtq-64", "min ratio", PAYLOAD.format("XtqPut, 64 B"), ".2f"),
    ("nic-xtq-256", "min ratio", PAYLOAD.format("XtqPut, 256 B"), ".2f"),
    ("nic-xtq-4016", "min ratio", PAYLOAD.format("XtqPut, 4016 B.*"), ".2f"),
    ("nic-mixed-done", "min", "NIC: 4 QPs, .*: done of 80", "g"),
    ("nic-mixed-refused", "max", "NIC: 4 QPs, .*: refused for room", "g"),
    ("nic-mixed-acks", "range", "NIC: 4 QPs, .*: ACKs", "g"),
    ("nic-both", "range ratio", PAYLOAD.format(r"both directions, WRITE, \d+ B, 16 QPs, memory \d+") + " in", ".3f"),
    ("nic-doorbell", "max", "NIC: XtqPut, last beat in to doorbell, 64 B", "g"),
)
WALKERS = "translations, 100 % misses of 4 loads, memory 18, {} walker{}"
OPTIONAL = ("recorded", "recorded-dht")
MODEL = (
    ("hit-put", "model: IOTLB hit, put"),
    ("hit-get", "model: IOTLB hit, get"),
    ("walk", "model: walk of 4 levels, put"),
    ("walk-callbacks", "model: callbacks of a walk of 4 levels"),
    ("active-put", "model: active put of 64 B"),
    ("logged-get", "model: logged get of 64 B"),
    ("completion", "model: completion of a get"),
    ("logged-completion", "model: completion of a logged get of 64 B"),
)


def one(rows, how, name, form):
    """The rows that a name fits, as text: `None` if there is none."""
    fold, _, of = how.partition(" ")
    number = {"": lambda r: r["value"], "ratio": lambda r: r["value"] / r["limit"],
              "inverse": lambda r: r["limit"] / r["value"], "over": lambda r: r["value"] - r["limit"]}[of]
    found = [number(r) for r in rows if re.fullmatch(name, r["name"]) and r["value"] is not None]
    if not found:
        return None
    least, most = format(min(found) + 0.0, form), format(max(found) + 0.0, form)
    return {"min": least, "max": most, "range": least if least == most else f"{least} to {most}"}[fold]


def values(rows):
    """{key: text} of a whole run; a row that is not there any more is an error, so that no figure stays behind."""
    out = {}
    for key, how, name, form in KEPT:
        out[key] = one(rows, how, name, form) or ("not run" if key in OPTIONAL else None)
    alone, together = (one(rows, "min", WALKERS.format(n, "s" * (n > 1)), ".6g") for n in (1, 8))
    out["walkers"] = format(float(together) / (8 * float(alone)), ".2f") if alone and together else None
    return whole(out)


def model(rows):
    return whole({key: one(rows, "max", re.escape(name), ".0f") for key, name in MODEL})


def whole(out):
    lost = [key for key, value in out.items() if value is None]
    if lost:
        raise SystemExit(f"bench: no row for {', '.join(lost)}: scripts/bench_kept.py")
    return out
