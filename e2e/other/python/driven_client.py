"""What every client of a Python library has in common: it reads operations from standard input and writes what it saw to standard output.

    started with   --url redis://127.0.0.1:6379 --name app1
    input          ACTOR OPERATION KIND NAME [ARGUMENT ...]      one thread per actor
    output         µs app1 ready redis-py 8.1.0
                   µs app1 A > lock lock orders:42 3000          called
                   µs app1 A < lock lock orders:42 3000 = ok     returned; "! Error: message" if it raised

The end of the input ends the client.
"""

import os
import queue
import sys
import threading
import time

import redis

OUTPUT = threading.Lock()


def tell(client, what):
    with OUTPUT:
        sys.stdout.write(f"{time.time_ns() // 1000} {client} {what}\n")
        sys.stdout.flush()


class Actor(threading.Thread):
    """One thread, which may hold locks. It runs its calls one after another; a library defines `perform`."""

    def __init__(self, letter, client, server):
        super().__init__(daemon=True)
        self.letter = letter
        self.client = client
        self.server = server
        self.calls = queue.Queue()
        self.locks = {}
        self.start()

    def run(self):
        while True:
            call = self.calls.get()
            text = " ".join(call)
            tell(self.client, f"{self.letter} > {text}")
            try:
                outcome = f"= {self.perform(*call)}"
            except Exception as error:  # of any type: the caller saw it
                outcome = f"! {type(error).__name__}: {error}"
            tell(self.client, f"{self.letter} < {text} {outcome}")

    def perform(self, operation, kind, name, *arguments):
        raise NotImplementedError


def drive(actor, library):
    """Runs the operations of standard input, each by the thread of its actor. `library`: its name and version."""
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    client = options["--name"]
    # A waiter may sleep in BLPOP for longer than redis-py waits for an answer by itself.
    server = redis.Redis.from_url(options["--url"], client_name=client, socket_timeout=120)
    server.ping()
    tell(client, f"ready {library}")
    actors = {}
    for line in sys.stdin:
        letter, *call = line.split()
        if letter not in actors:
            actors[letter] = actor(letter, client, server)
        actors[letter].calls.put(call)
    os._exit(0)
