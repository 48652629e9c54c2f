import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Holder, Lock, Waiter } from '../../shared/wire/locks/lock.ts';
import type { Source } from '../../shared/wire/source.ts';
import { WATCHED_SOURCE } from '../../testing/stories/watched-source.ts';

/** Makes a renewal event with this `seq`; `part` overrides its fields. */
export function makeEvent(seq: number, part: Record<string, unknown> = {}): LockEvent {
  return {
    seq,
    at: redisTime(seq * 1000),
    source: 's',
    db: 0,
    lock: 'orders:42',
    kind: 'lock',
    certainty: 'observed',
    type: 'lease.renewed',
    holder: 'u:1',
    cause: 'watchdog',
    ...part,
  } as LockEvent; // tests write only fields that belong together
}

/** Makes a free lock of source `s`, database 0; `part` overrides its fields. */
export function makeLock(part: Partial<Lock> & { name: string }): Lock {
  return {
    id: `s/0/${part.name}`,
    source: 's',
    db: 0,
    kind: 'lock',
    library: 'redisson',
    held: false,
    holders: [],
    waiters: [],
    subscribers: null,
    lease: { ms: null, expiresAt: null },
    certainty: 'observed',
    changedAt: 1,
    ...part,
  };
}

export function makeHolder(id: string, part: Partial<Holder> = {}): Holder {
  return {
    id,
    client: id.split(':')[0] ?? id,
    thread: id.split(':')[1] ?? null,
    name: null,
    letter: 'A',
    holdCount: 1,
    mode: 'exclusive',
    since: 1,
    watchdog: 'on',
    renewals: 0,
    lastRenewedAt: null,
    expiresAt: null,
    presence: 'connected',
    goneSince: null,
    ...part,
  };
}

export function makeWaiter(id: string, part: Partial<Waiter> = {}): Waiter {
  return {
    id,
    client: id.split(':')[0] ?? id,
    thread: id.split(':')[1] ?? null,
    name: null,
    letter: 'B',
    mode: 'exclusive',
    since: 1,
    attempts: 2,
    asleep: true,
    position: null,
    deadline: null,
    presumedGone: false,
    ...part,
  };
}

export function makeSource(part: Partial<Source> = {}): Source {
  return { ...WATCHED_SOURCE, id: 's', level: 'monitor', ...part };
}
