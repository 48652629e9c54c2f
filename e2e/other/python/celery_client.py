"""One client that queues unique jobs of Celery, and runs them. Driven as `driven_client.py` says."""

import importlib.metadata
import sys

from celery import Celery
from celery_once import AlreadyQueued, QueueOnce
from celery_singleton import Singleton

from driven_client import Actor, drive

URL = dict(zip(sys.argv[1::2], sys.argv[2::2]))["--url"]
app = Celery("jobs", broker=URL)
app.conf.update(
    singleton_lock_expiry=60,
    singleton_raise_on_duplicate=False,
    ONCE={"backend": "celery_once.backends.Redis", "settings": {"url": URL, "default_timeout": 60}},
    task_ignore_result=True,
)


@app.task(base=Singleton, name="jobs.singleton")
def singleton(name):
    return name


@app.task(base=QueueOnce, name="jobs.once")
def once(name):
    return name


TASKS = {"singleton": singleton, "once": once}


class CeleryActor(Actor):
    def perform(self, operation, kind, name, *arguments):
        task = TASKS[kind]
        if operation == "queue":
            job = f"job-{self.client}-{len(self.locks)}"
            self.locks[job] = name
            try:
                return "ok" if task.apply_async((name,), task_id=job).id == job else "false"
            except AlreadyQueued:
                return "false"
        if operation == "run":  # as a worker does that got the job: only the hooks of the library send anything
            task.apply((name,), task_id=arguments[0] if arguments else None).get()
            return "ok"
        if operation == "key":
            return task.generate_lock(task.name, [name]) if kind == "singleton" else task.get_key((name,))
        raise ValueError(f"no such operation: {operation}")


drive(CeleryActor, f"celery-{importlib.metadata.version('celery')}")
