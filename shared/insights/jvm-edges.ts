import type { RedisTime } from '../base/time.ts';
import { type ClientDump, type ClientDumps, isBefore, javaIdOf, ownerAwaitedBy } from '../dumps/client-dump.ts';
import { clientOf } from '../events/names/names.ts';
import type { LockState } from '../state/lock-state.ts';
import type { Drawing } from './graph-drawing.ts';

/** A chain of threads inside a JVM is followed this far. */
const MOST_STEPS = 20;

/**
 * Adds to a graph what its threads wait for inside their JVM, as the newest thread dumps show. A thread is left out if
 * its newest hold or wait began later than 10 s before the dump, or at an unknown time: the thread may have moved
 * since, so the dump shows nothing about it.
 */
export function addJvmEdges(drawing: Drawing, locks: readonly LockState[], dumps: ClientDumps, at: RedisTime): void {
  const followed = new Set<string>();
  for (const [person, { source, newest }] of peopleIn(locks)) {
    const dump = dumps.get(clientOf(person));
    if (!dump || dump.takenAt === null || dump.takenAt > at || !isBefore(newest, dump.takenAt)) continue;
    if (drawing.hasThread(person)) follow(drawing, { source, dump, takenAt: dump.takenAt }, person, followed);
  }
}

type People = Map<string, { readonly source: string; readonly newest: RedisTime | null }>;

/**
 * Holders and waiters, with the time at which their newest hold or wait began; null: one of these times is not known.
 */
function peopleIn(locks: readonly LockState[]): People {
  const people: People = new Map();
  for (const { source, holders, waiters } of locks) {
    const all = [...holders.map(({ id, since, firstAt }) => ({ id, since: since ?? firstAt ?? null })), ...waiters];
    for (const { id, since } of all) {
      const known = people.get(id);
      const isNewer = !known || (known.newest !== null && (since === null || since > known.newest));
      if (isNewer) people.set(id, { source, newest: since });
    }
  }
  return people;
}

type InDump = { readonly source: string; readonly dump: ClientDump; readonly takenAt: RedisTime };

/** `followed`: threads without a node of their own whose waits are already in the graph. */
function follow(drawing: Drawing, { source, dump, takenAt }: InDump, person: string, followed: Set<string>): void {
  let holder = person;
  for (let step = 0; step < MOST_STEPS; step++) {
    const id = javaIdOf(holder);
    const thread = id === null ? undefined : dump.threads.get(id);
    const ownerId = thread ? ownerAwaitedBy(thread) : null;
    if (ownerId === null) return;
    const owner = `${dump.client}:${ownerId}`;
    const isKnown = drawing.hasThread(owner);
    drawing.addBlocked(source, holder, owner, takenAt);
    if (isKnown || followed.has(owner)) return;
    followed.add(owner);
    holder = owner;
  }
}
