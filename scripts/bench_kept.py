# SPDX-License-Identifier: Apache-2.0
"""What the pages show of a benchmark's rows: (key, how, which rows, format).

how: min, max or range of their values; or of their ratio to the limit, of the limit to them (inverse),
or of what they are above it (over). A key whose rows exist only when something else was made first, a recording,
says `not run` without them.
"""
import re

PAYLOAD = "NIC: {}: payload"
LOST = r"1 % of frames lost, WRITE, {} B, memory \d+"
CROWD = r"128 QPs read 4 KiB, 128 write 64 B, memory \d+"
CONTEXT = r"NIC: context, WRITE of 64 B, first beat in to first MWr, {}, memory \d+"
# Of the steps of one message: the last word of the key, what the row says
LIFE = (
    ("out-entry", "out: MRd of the entry"),
    ("out-send", "out: RetSend"),
    ("out-buffer-1", "out: MRd of the first buffer"),
    ("out-buffer-2", "out: MRd of the second"),
    ("out-tx", "out: RetTx"),
    ("out-first", "out: first beat"),
    ("out-last", "out: last beat"),
    ("in-rx", "in: RetRx"),
    ("in-frame", "in: RetFrame"),
    ("in-task", "in: RetTask"),
    ("in-tx", "in: RetTx of the ACK"),
    ("in-ack-first", "in: first beat of the ACK"),
    ("in-ack-last", "in: last beat of the ACK"),
    ("in-payload", "in: MWr of arguments and payload"),
    ("in-packet", "in: MWr of the packet"),
    ("in-header", "in: MWr of its header"),
    ("in-doorbell", "in: doorbell"),
)
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
    ("nic-both-64", "range ratio", PAYLOAD.format(r"both directions, WRITE, 64 B, 16 QPs, memory \d+") + " in", ".2f"),
    ("nic-both-4096", "range ratio", PAYLOAD.format(r"both directions, WRITE, 4096 B, 16 QPs, memory \d+") + " in",
     ".3f"),
    ("nic-one", "min ratio", PAYLOAD.format("initiator, WRITE, 64 B, 1 of 256 QPs, memory 200"), ".2f"),
    ("nic-loss-64", "min ratio", PAYLOAD.format(LOST.format(64)), ".2f"),
    ("nic-loss-4096", "min ratio", PAYLOAD.format(LOST.format(4096)), ".2f"),
    ("nic-loss-sent-64", "max", f"NIC: {LOST.format(64)}: sent for each needed", ".2f"),
    ("nic-loss-sent-4096", "max", f"NIC: {LOST.format(4096)}: sent for each needed", ".2f"),
    ("nic-loss-taken", "max", f"NIC: {LOST.format(r'[0-9]+')}: sent though taken", "g"),
    ("nic-crowd-refused", "range", f"NIC: {CROWD}: refused of the first 128 reads", "g"),
    ("nic-crowd-writes", "min", f"NIC: {CROWD}: writes done of 512", "g"),
    ("nic-crowd-tries", "max", f"NIC: {CROWD}: the most tries of one read", "g"),
    ("nic-crowd-payload", "range ratio", PAYLOAD.format(CROWD) + " of answers", ".2f"),
    ("nic-ctx-in-place", "max", CONTEXT.format("in a place"), "g"),
    ("nic-ctx-free", "range", CONTEXT.format("into a free place"), "g"),
    ("nic-ctx-saved", "range", CONTEXT.format("into one that is saved first"), "g"),
    ("nic-send-first", "max", "NIC: doorbell of a send ring to first beat out, XtqPut of 64 B, memory 1", "g"),
    ("nic-doorbell", "max", "NIC: XtqPut, last beat in to doorbell, 64 B", "g"),
) + tuple((f"nic-life-{key}", "max", f"NIC: life of an XtqPut of 64 B, {what}", "g") for key, what in LIFE)
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
