import { readFileSync } from 'node:fs';
import { test as base } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { eventsFromTrace } from '../../../testing/traces/trace-file.ts';
import { plainGroupsOf } from './plain-groups.ts';
import { TestBed, type TestClient } from './test-bed.ts';
import { type TraceTap, tapTrace } from './trace-tap.ts';

/** Each test has its own Redis and its own recorder, so tests can run concurrently. */
export const test = base.extend<{ bed: TestBed; tap: TraceTap }>({
  // biome-ignore lint/correctness/noEmptyPattern: what is asked for is read in the pattern
  bed: async ({}, use) => {
    const bed = await TestBed.start();
    await use(bed);
    await bed.end();
  },
  tap: async ({ bed }, use) => {
    const tap = await tapTrace(bed.redis.url);
    await use(tap);
    tap.close();
  },
});

/** Matches the milestone of an attempt, of one thread if that is given. */
export const isAttempt = (attempt: number, thread?: number) => (milestone: object) =>
  'attempt' in milestone &&
  milestone.attempt === attempt &&
  (thread === undefined || ('thread' in milestone && milestone.thread === thread));

/** Matches the milestones of one thread. */
export const isOf = (thread: number) => (milestone: object) => 'thread' in milestone && milestone.thread === thread;

/** A watchdog's renewal of one hold. Whether one ran depends on timing. */
const RENEWAL = /^EVAL 1 \S+ \d+ H1[^→]* → hexists [^→]+( → pexpire \S+ LEASE)?$/;

/** Compares the demo with a trace of real Redisson: groups of commands that only one of them sent, and our events. */
export async function compared(tap: TraceTap, name: string, leaseMs: number) {
  const trace = await tap.caughtUp();
  const real = readFileSync(new URL(`../../../shared/traces/redisson-4.7.0/${name}.trace`, import.meta.url), 'latin1');
  // the time limits of waits differ and do not matter
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

/** The types of those events that have one of `types`, in order. */
export const reported = (events: readonly LockEvent[], ...types: LockEvent['type'][]) =>
  events.filter(({ type }) => types.includes(type)).map(({ type }) => type);

/** Two clients with the names used in the traces. */
export async function twoClients(bed: TestBed, watchdogMs = 30_000): Promise<[TestClient, TestClient]> {
  return [await bed.client('app1', watchdogMs), await bed.client('app2', watchdogMs)];
}
