"""One redis-py client, driven as `driven_client.py` says."""

import redis

from driven_client import Actor, drive


class RedisPyActor(Actor):
    def perform(self, operation, _kind, name, *arguments):
        if operation in ("lock", "try"):
            lock = self.server.lock(name, timeout=int(arguments[0]) / 1000)
            self.locks[name] = lock
            is_acquired = lock.acquire(blocking=operation == "lock")
            return "ok" if is_acquired else "false"
        lock = self.locks[name]
        if operation == "extend":
            return str(lock.extend(int(arguments[0]) / 1000)).lower()
        if operation == "reacquire":
            return str(lock.reacquire()).lower()
        if operation == "unlock":
            lock.release()
            return "ok"
        if operation == "owner":
            return lock.local.token.decode()
        raise ValueError(f"no such operation: {operation}")


drive(RedisPyActor, f"redis-py {redis.__version__}")
