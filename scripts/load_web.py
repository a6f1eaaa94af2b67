#!/usr/bin/env python3
"""Puts load on `cannonade web` on this machine: 50 tabs that analyse, a client that never reads, and
1,000 quick requests. Checks that nothing is lost and that the memory stays steady.

    scripts/load_web.py [--program target/release/cannonade] [--tabs 50] [--requests 1000]
"""

import argparse
import http.client
import json
import socket
import subprocess
import sys
import threading
import time

from inputs import need_program


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "web", "--no-open", "--no-games", "--threads", "1", "--hash", "16"],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http"):
            sys.exit(f"error: '{program} web' did not start")
        _, _, self.host, self.token, _ = self.url.split("/")

    def memory(self):
        """The resident memory in MiB, where the system tells it."""
        try:
            with open(f"/proc/{self.process.pid}/status") as status:
                lines = dict(line.split(":", 1) for line in status)
            return int(lines["VmRSS"].split()[0]) / 1024, int(lines["Threads"])
        except OSError:
            return 0.0, 0

    def end(self):
        self.process.terminate()
        return self.process.wait(30)


class Client:
    """One kept connection."""

    def __init__(self, server):
        self.base = f"/{server.token}/api/"
        self.connection = http.client.HTTPConnection(server.host, timeout=60)

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        text = None if body is None else json.dumps(body)
        try:
            self.connection.request(method, self.base + path, text, headers)
            response = self.connection.getresponse()
        except (BrokenPipeError, http.client.RemoteDisconnected, ConnectionResetError):
            # The server ends connections that are silent for long, as browsers know.
            self.connection.close()
            self.connection.request(method, self.base + path, text, headers)
            response = self.connection.getresponse()
        data = response.read()
        if response.status >= 300:
            raise AssertionError(f"{method} {path}: {response.status} {data[:200]!r}")
        return json.loads(data) if data else None


class Tab(threading.Thread):
    """A tab that analyses and reads its stream; it keeps the deepest line."""

    def __init__(self, server, number):
        super().__init__(daemon=True)
        self.server, self.client = server, Client(server)
        self.order = {"page": f"tab {number}", "moves": "h2e2" if number % 2 else "", "lines": 3}
        self.depth, self.events, self.first, self.has_ended = 0, 0, 0.0, False

    def run(self):
        connection = http.client.HTTPConnection(self.server.host, timeout=120)
        connection.request("POST", self.client.base + "search", json.dumps(self.order), {"Content-Type": "application/json"})
        response = connection.getresponse()
        start = time.time()
        for line in response:
            if not line.strip():
                continue
            self.events += 1
            if found := json.loads(line).get("lines"):
                self.first = self.first or time.time() - start
                self.depth = max(self.depth, found["lines"][0]["score"]["depth"])
        self.has_ended = True


def silent_client(server, number):
    """A connection whose stream is never read, with as little space for it as the system allows."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    name, port = server.host.split(":")
    client.connect((name, int(port)))
    body = json.dumps({"page": f"silent {number}", "lines": 3})
    head = (f"POST /{server.token}/api/search HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}")
    client.sendall(head.encode())
    return client


def quick_requests(server, count):
    """So many requests one after another; the time of each in milliseconds."""
    client, times = Client(server), []
    line = {"moves": "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "notation": "wxf"}
    for number in range(count):
        start = time.perf_counter()
        if number % 4 == 0:
            client.ask("POST", "book", {})
        elif number % 4 == 1:
            client.ask("GET", "about")
        else:
            client.ask("POST", "judge", line)
        times.append(1000 * (time.perf_counter() - start))
    return sorted(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/cannonade")
    parser.add_argument("--tabs", type=int, default=50)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=60, help="how long the tabs analyse")
    options = parser.parse_args()
    need_program(parser, options.program)
    server = Server(options.program)
    try:
        problems = put_load(server, options)
    finally:
        code = server.end()
    if code != 0:
        problems.append(f"the server ended with {code}")
    print("; ".join(problems) or "nothing lost, memory steady")
    return 1 if problems else 0


def put_load(server, options):
    """Returns what is wrong."""
    print(f"at the start: {server.memory()[0]:.0f} MiB")
    tabs = [Tab(server, number) for number in range(options.tabs)]
    for tab in tabs:
        tab.start()
    silent = [silent_client(server, number) for number in range(3)]
    half = options.seconds / 2
    time.sleep(half)
    before, threads = server.memory()
    print(f"{options.tabs} tabs after {half:.0f} s: {before:.0f} MiB, {threads} threads")
    times = quick_requests(server, options.requests)
    print(f"{len(times)} requests: median {times[len(times) // 2]:.1f} ms, "
          f"99 % within {times[len(times) * 99 // 100]:.1f} ms, the longest {times[-1]:.1f} ms")
    time.sleep(half)
    after, threads = server.memory()
    print(f"after {options.seconds} s: {after:.0f} MiB, {threads} threads")
    depths = sorted(tab.depth for tab in tabs)
    first = max(tab.first or 1e9 for tab in tabs)
    print(f"depths from {depths[0]} to {depths[-1]}, the last tab had its first line after {first:.1f} s, "
          f"{sum(tab.events for tab in tabs)} events")
    # Every stream ends when its page wants nothing more.
    for tab in tabs:
        tab.client.ask("POST", "stop", {"page": tab.order["page"]})
    end = time.time() + 20
    while time.time() < end and not all(tab.has_ended for tab in tabs):
        time.sleep(0.1)
    lost = [number for number, tab in enumerate(tabs) if not tab.has_ended]
    for client in silent:
        client.close()
    problems = [f"tabs whose stream does not end: {lost}"] if lost else []
    if depths[0] == 0:
        problems.append("a tab had no line")
    if after > before + 20:
        problems.append(f"the memory grew from {before:.0f} to {after:.0f} MiB")
    return problems


if __name__ == "__main__":
    sys.exit(main())
