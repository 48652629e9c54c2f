import { readFileSync } from 'node:fs';
import { test as base } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { eventsFromTrace } from '../../../shared/testing/trace-file.ts';
import { Cast, type TestClient } from './cast.ts';
import { plainGroupsOf } from './plain-groups.ts';
import { type TraceTap, tapTrace } from './trace-tap.ts';

/** Each test has a Redis of its own, and eyes on it, so they run side by side. */
export const test = base.extend<{ cast: Cast; tap: TraceTap }>({
  // biome-ignore lint/correctness/noEmptyPattern: what is asked for is read in the pattern
  cast: async ({}, use) => {
    const cast = await Cast.start();
    await use(cast);
    await cast.end();
  },
  tap: async ({ cast }, use) => {
    const tap = await tapTrace(cast.redis.url);
    await use(tap);
    tap.close();
  },
});

/** Fits the milestone of an attempt, of one thread where that is named. */
export const isAttempt = (attempt: number, thread?: number) => (one: object) =>
  'attempt' in one && one.attempt === attempt && (thread === undefined || ('thread' in one && one.thread === thread));

/** Fits what one thread did. */
export const isOf = (thread: number) => (one: object) => 'thread' in one && one.thread === thread;

/** A watchdog's script for one hold: whether it ran is a matter of time. */
const RENEWAL = /^EVAL 1 \S+ \d+ H1[^→]* → hexists [^→]+( → pexpire \S+ LEASE)?$/;

/** What only one of the two sent, up to now. */
export async function compared(tap: TraceTap, name: string, leaseMs: number) {
  const trace = await tap.caughtUp();
  const real = readFileSync(new URL(`../../../shared/traces/redisson-4.7.0/${name}.trace`, import.meta.url), 'latin1');
  // how long somebody waits before it gives up is its own affair
  const groupsOf = (text: string) =>
    plainGroupsOf(text, leaseMs).map((group) => group.replace(/\b(600|2500)\b/g, 'WAIT'));
  const theirs = new Set(groupsOf(real));
  const ours = new Set(groupsOf(trace).filter((group) => theirs.has(group) || !RENEWAL.test(group)));
  const events = eventsFromTrace(trace, true);
  return {
    onlyOurs: [...ours].filter((group) => !theirs.has(group)),
    onlyTheirs: [...theirs].filter((group) => !ours.has(group)),
    kinds: [...new Set(events.map(({ kind }) => kind))],
    events,
  };
}

/** Events of some types, in order. */
export const told = (events: readonly LockEvent[], ...types: LockEvent['type'][]) =>
  events.filter(({ type }) => types.includes(type)).map(({ type }) => type);

/** The two clients that the traces are of. */
export async function twoClients(cast: Cast, watchdogMs = 30_000): Promise<[TestClient, TestClient]> {
  return [await cast.client('app1', watchdogMs), await cast.client('app2', watchdogMs)];
}
