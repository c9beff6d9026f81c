#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_udp.py BENCH_UDP REPORT: link=udp between two processes of this machine, beside libfabric's tcp (fi_pingpong) in the same
run, in turns: times of a busy machine say little, ratios of neighbours more. The medians of the turns go into REPORT too."""
import json, shutil, socket, statistics, subprocess, sys, time

BYTES, TURNS, ROUNDS = (64, 1024), 1000, 3


def ours(n):
    return json.loads(subprocess.run([sys.argv[1], str(n), str(TURNS)], stdout=subprocess.PIPE, check=True, text=True).stdout)


def port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


def fabric(n):
    """Half a round trip in us."""
    p = port()
    cmd = ["fi_pingpong", "-p", "tcp", "-e", "msg", "-I", str(TURNS), "-S", str(n)]
    server = subprocess.Popen([*cmd, "-B", p], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            got = subprocess.run([*cmd, "-P", p, "127.0.0.1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            if got.returncode == 0:
                return float(got.stdout.splitlines()[-1].split()[6])
            time.sleep(0.05)
    finally:
        server.kill()
        server.wait()
    sys.exit("fi_pingpong does not find its server")


def main():
    have = shutil.which("fi_pingpong") is not None
    report = []
    print("link=udp, two processes of this machine; medians of", ROUNDS)
    for n in BYTES:
        runs = [(ours(n), fabric(n) if have else None) for _ in range(ROUNDS)]
        row = {k: statistics.median(r[0][k] for r in runs) for k in ("half_round_trip_us", "puts_a_second", "cpu_us_of_a_put")}
        row |= {"bytes": n, "lost": sum(r[0]["lost"] for r in runs)}
        print(f"  {n:5} bytes: half a round trip {row['half_round_trip_us']:.1f} us, {row['puts_a_second']:.0f} puts/s, "
              f"{row['cpu_us_of_a_put']:.1f} us of the sender's processor a put, {row['lost']} datagrams lost")
        if have:
            row["libfabric_tcp_us"] = statistics.median(r[1] for r in runs)
            row["ratio"] = statistics.median(r[0]["half_round_trip_us"] / r[1] for r in runs)
            print(f"               libfabric's tcp {row['libfabric_tcp_us']:.1f} us; link=udp takes {row['ratio']:.2f} of that")
        report.append(row)
    if not have:
        print("skipped in part: libfabric's tcp: there is no fi_pingpong")
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        json.dump(report, f, indent=1)


main()
