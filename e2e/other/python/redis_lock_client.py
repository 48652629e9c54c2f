"""One python-redis-lock client. It is driven as `redis_py_client.py` is."""

import os
import queue
import sys
import threading
import time
import uuid

import redis
import redis_lock

OUTPUT = threading.Lock()
#: A waiter sleeps in BLPOP for this long.
PATIENCE_S = 60


def tell(client, what):
    with OUTPUT:
        sys.stdout.write(f"{time.time_ns() // 1000} {client} {what}\n")
        sys.stdout.flush()


class Actor(threading.Thread):
    """One thread, which may hold locks. It runs its calls one after another."""

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
            except Exception as error:  # whatever it is: it is what the caller saw
                outcome = f"! {type(error).__name__}: {error}"
            tell(self.client, f"{self.letter} < {text} {outcome}")

    def perform(self, operation, _kind, name, *arguments):
        if operation in ("lock", "try"):
            lease = int(int(arguments[0]) / 1000)
            lock = redis_lock.Lock(self.server, name, expire=lease, id=f"{self.client}-{uuid.uuid4()}")
            self.locks[name] = lock
            is_acquired = lock.acquire(timeout=min(PATIENCE_S, lease)) if operation == "lock" else lock.acquire(blocking=False)
            return "ok" if is_acquired else "false"
        lock = self.locks[name]
        if operation == "extend":
            lock.extend(int(int(arguments[0]) / 1000))
            return "ok"
        if operation == "unlock":
            lock.release()
            return "ok"
        if operation == "owner":
            return lock.id
        raise ValueError(f"no such operation: {operation}")


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    client = options["--name"]
    server = redis.Redis.from_url(options["--url"], client_name=client)
    server.ping()
    tell(client, "ready python-redis-lock 4.0.1")
    actors = {}
    for line in sys.stdin:
        letter, *call = line.split()
        if letter not in actors:
            actors[letter] = Actor(letter, client, server)
        actors[letter].calls.put(call)
    os._exit(0)


main()
