"""One python-redis-lock client, driven as `driven_client.py` says."""

import importlib.metadata
import uuid

import redis_lock

from driven_client import Actor, drive

#: A waiter sleeps in BLPOP for at most this long.
PATIENCE_S = 60


class RedisLockActor(Actor):
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


drive(RedisLockActor, f"python-redis-lock {importlib.metadata.version('python-redis-lock')}")
