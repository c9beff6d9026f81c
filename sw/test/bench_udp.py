#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_udp.py BENCH_UDP REPORT: link=udp between two processes of this machine, beside libfabric's tcp (fi_pingpong)
and UCX's tcp (ucx_perftest) in the same run, in turns: times of a busy machine say little, ratios of neighbours more.
The medians of the turns go into REPORT too."""
import json, os, shutil, socket, statistics, subprocess, sys, time

BYTES, TURNS, ROUNDS, UNDER_WAY = (64, 1024), 1000, 3, 32
ENV = os.environ | {"UCX_TLS": "tcp,self"}


def ours(n):
    return json.loads(subprocess.run([sys.argv[1], str(n), str(TURNS)], stdout=subprocess.PIPE, check=True,
                                     text=True).stdout)


def port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


def against(server, client, what):
    """What the client prints, as soon as its server listens."""
    serves = subprocess.Popen(server, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV)
    try:
        for _ in range(100):
            got = subprocess.run(client, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENV)
            if got.returncode == 0:
                return got.stdout.splitlines()
            time.sleep(0.05)
    finally:
        serves.kill()
        serves.wait()
    sys.exit(f"{what} does not find its server")


def fabric(n):
    """Half a round trip in us."""
    p, cmd = port(), ["fi_pingpong", "-p", "tcp", "-e", "msg", "-I", str(TURNS), "-S", str(n)]
    return {"us": float(against([*cmd, "-B", p], [*cmd, "-P", p, "127.0.0.1"], cmd[0])[-1].split()[6])}


def ucx_test(test, n, *more):
    p = port()
    client = ["ucx_perftest", "-p", p, "127.0.0.1", "-t", test, "-s", str(n), "-w", "100", "-f", "-v", *more]
    head, line = against(["ucx_perftest", "-p", p], client, client[0])[-2:]
    return dict(zip(head.split(","), line.split(",")))


def ucx(n):
    """Half a round trip in us, messages a second with as many under way as ours."""
    return {"us": float(ucx_test("tag_lat", n, "-n", str(TURNS))["overall_lat"]),
            "a_second": float(ucx_test("tag_bw", n, "-n", str(4 * TURNS), "-O", str(UNDER_WAY))["overall_mr"])}


# Name in the report, what it is called, its program, how it is measured
OTHERS = (("libfabric", "libfabric's tcp", "fi_pingpong", fabric), ("ucx", "UCX's tcp", "ucx_perftest", ucx))


def beside(row, key, called, runs):
    """runs: of each turn ours and theirs."""
    row |= {f"{key}_tcp_us": statistics.median(r[1]["us"] for r in runs),
            f"{key}_ratio": statistics.median(r[0]["half_round_trip_us"] / r[1]["us"] for r in runs)}
    text = f"{called} {row[f'{key}_tcp_us']:.1f} us; link=udp takes {row[f'{key}_ratio']:.2f} of that"
    if "a_second" in runs[0][1]:
        row |= {f"{key}_tcp_a_second": statistics.median(r[1]["a_second"] for r in runs),
                f"{key}_rate_ratio": statistics.median(r[0]["puts_a_second"] / r[1]["a_second"] for r in runs)}
        text += f"; {row[f'{key}_tcp_a_second']:.0f} messages/s; link=udp makes {row[f'{key}_rate_ratio']:.2f} of that"
    print(f"               {text}")


def main():
    have = [o for o in OTHERS if shutil.which(o[2])]
    report = []
    print("link=udp, two processes of this machine; medians of", ROUNDS)
    for n in BYTES:
        runs = [(ours(n), *(o[3](n) for o in have)) for _ in range(ROUNDS)]
        keys = ("half_round_trip_us", "puts_a_second", "own_us_of_a_put", "kernel_us_of_a_put")
        row = {k: statistics.median(r[0][k] for r in runs) for k in keys}
        row |= {"bytes": n, "lost": sum(r[0]["lost"] for r in runs)}
        print(f"  {n:5} bytes: half a round trip {row['half_round_trip_us']:.1f} us, {row['puts_a_second']:.0f} "
              f"puts/s, the sender's processor {row['own_us_of_a_put']:.1f} us a put and its kernel's part "
              f"{row['kernel_us_of_a_put']:.1f} us, {row['lost']} datagrams lost")
        for i, (key, called, _, _) in enumerate(have, 1):
            beside(row, key, called, [(r[0], r[i]) for r in runs])
        report.append(row)
    for _, called, program, _ in OTHERS:
        if not shutil.which(program):
            print(f"skipped in part: {called}: there is no {program}")
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        json.dump(report, f, indent=1)


main()
