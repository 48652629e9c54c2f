import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { BatchMessage, SnapshotMessage } from '../../../shared/wire/socket.ts';
import { makeEvent, makeHolder, makeLock } from '../../testing/make.ts';
import { EMPTY_LIVE_STATE, EVENT_CAP, isCutOff, type LiveMessage, reduceLive } from './live-state.ts';

function snapshot(seq: number, locks: Lock[] = [], part: Partial<SnapshotMessage> = {}): LiveMessage {
  const message: SnapshotMessage = { v: 1, seq, at: 1, locks, sources: [], truncated: false, ...part };
  return { type: 'snapshot', heardAt: 1, message };
}

function batch(events: LockEvent[], part: Partial<BatchMessage> = {}): LiveMessage {
  const fromSeq = events[0]?.seq ?? 1;
  const toSeq = events.at(-1)?.seq ?? fromSeq;
  const message: BatchMessage = { v: 1, fromSeq, toSeq, at: 1, events, locks: [], gone: [], ...part };
  return { type: 'batch', heardAt: 2, message };
}

const seqs = (events: readonly LockEvent[]) => events.map((event) => event.seq);

test('a snapshot sets the state, and a batch changes it', () => {
  const free = makeLock({ name: 'a' });
  const held = makeLock({ name: 'a', held: true, changedAt: 5 });
  const state = reduceLive(EMPTY_LIVE_STATE, [snapshot(10, [free]), batch([makeEvent(11)], { locks: [held] })]);
  expect(state.link).toBe('live');
  expect(state.seq).toBe(11);
  expect(seqs(state.events)).toEqual([11]);
  expect(state.locks.get('s/0/a')?.held).toBe(true);
});

test('events that are sent again are kept once', () => {
  const state = reduceLive(EMPTY_LIVE_STATE, [
    snapshot(10),
    batch([makeEvent(11), makeEvent(12)]),
    batch([makeEvent(11)]),
    batch([makeEvent(12), makeEvent(13)]),
  ]);
  expect(seqs(state.events)).toEqual([11, 12, 13]);
});

test('a batch without events may still change locks', () => {
  const gone = makeLock({ name: 'a', held: true, holders: [makeHolder('u:1', { presence: 'gone' })] });
  const state = reduceLive(EMPTY_LIVE_STATE, [snapshot(10, []), batch([], { fromSeq: 11, toSeq: 10, locks: [gone] })]);
  expect(state.locks.get('s/0/a')?.holders[0]?.presence).toBe('gone');
});

test('a dropped lock does not return if an older HTTP response still contains it', () => {
  const lock = makeLock({ name: 'a' });
  const state = reduceLive(EMPTY_LIVE_STATE, [
    snapshot(10, [lock]),
    batch([makeEvent(11)], { gone: ['s/0/a'] }),
    { type: 'locks-read', locks: [lock] },
  ]);
  expect(state.locks.size).toBe(0);
});

test('a lock read over HTTP does not overwrite a newer state of the lock', () => {
  const state = reduceLive(EMPTY_LIVE_STATE, [
    snapshot(10, [makeLock({ name: 'a', held: true, changedAt: 9 })]),
    { type: 'locks-read', locks: [makeLock({ name: 'a', changedAt: 8 }), makeLock({ name: 'b' })] },
  ]);
  expect(state.locks.get('s/0/a')?.held).toBe(true);
  expect(state.locks.has('s/0/b')).toBe(true);
});

test('the locks that are not loaded follow the total of the server, until all locks are read', () => {
  const locks = ['a', 'b', 'c'].map((name) => makeLock({ name }));
  const partly = reduceLive(EMPTY_LIVE_STATE, [
    snapshot(10, locks),
    { type: 'locks-read', locks: [...locks.slice(0, 1), makeLock({ name: 'd' })], total: 100 },
  ]);
  expect([partly.locks.size, partly.unloaded]).toEqual([4, 96]);
  const changed = reduceLive(partly, [batch([], { fromSeq: 11, toSeq: 10, locks: [makeLock({ name: 'e' })] })]);
  expect([changed.locks.size, changed.unloaded]).toEqual([5, 95]);
  expect(reduceLive(changed, [{ type: 'locks-counted', total: 101, held: 1 }]).unloaded).toBe(96);
  const all = reduceLive(changed, [{ type: 'locks-read', locks: [], total: null }]);
  expect(reduceLive(all, [{ type: 'locks-counted', total: 101, held: 1 }]).unloaded).toBe(0);
});

test('while locks are not loaded, the number of held locks is the one that the server sent', () => {
  const locks = ['a', 'b'].map((name) => makeLock({ name, held: true }));
  const partly = reduceLive(EMPTY_LIVE_STATE, [snapshot(10, locks, { truncated: true, total: 100, totalHeld: 80 })]);
  expect(partly.heldByServer).toBe(80);
  const read = reduceLive(partly, [{ type: 'locks-read', locks: [makeLock({ name: 'c', held: true })], total: 100 }]);
  expect(read.heldByServer).toBe(80);
  expect(reduceLive(read, [{ type: 'locks-counted', total: 101, held: 79 }]).heldByServer).toBe(79);
  expect(reduceLive(read, [{ type: 'locks-read', locks: [], total: null }]).heldByServer).toBeNull();
  expect(reduceLive(read, [snapshot(20, locks)]).heldByServer).toBeNull();
});

test('locks that a snapshot leaves out count as not loaded', () => {
  const locks = ['a', 'b', 'c'].map((name) => makeLock({ name }));
  const state = reduceLive(EMPTY_LIVE_STATE, [snapshot(10, locks, { truncated: true, total: 100 })]);
  expect([state.locks.size, state.unloaded]).toEqual([3, 97]);
  const read = reduceLive(state, [{ type: 'locks-read', locks: [], total: null }]);
  expect(reduceLive(read, [snapshot(20, locks.slice(0, 1), { truncated: true, total: 101 })]).unloaded).toBe(100);
  expect(reduceLive(state, [snapshot(20, locks)]).unloaded).toBe(0);
});

test('a resync keeps the events, a restart of the server drops them', () => {
  const before = reduceLive(EMPTY_LIVE_STATE, [snapshot(10), batch([makeEvent(11)])]);
  const resynced = reduceLive(before, [snapshot(500)]);
  expect(seqs(resynced.events)).toEqual([11]);
  expect(resynced.snapshotCount).toBe(2);
  expect(reduceLive(before, [snapshot(3)]).events).toEqual([]);
  const restarted = { ...snapshot(500), isNewRun: true } as LiveMessage;
  expect(reduceLive(before, [restarted]).events).toEqual([]);
});

test('the number of events is limited, and skipped events are counted', () => {
  const many = Array.from({ length: EVENT_CAP + 5 }, (_, n) => makeEvent(n + 1));
  const state = reduceLive(EMPTY_LIVE_STATE, [snapshot(0), batch(many, { skipped: 7 }), batch([makeEvent(99_999)])]);
  expect(state.events.length).toBe(EVENT_CAP);
  expect(state.events.at(-1)?.seq).toBe(99_999);
  expect(state.skipped).toBe(7);
});

test('a lost connection changes only the state of the link', () => {
  const before = reduceLive(EMPTY_LIVE_STATE, [snapshot(10, [makeLock({ name: 'a' })]), batch([makeEvent(11)])]);
  const lost = reduceLive(before, [{ type: 'link', link: 'lost' }]);
  expect(lost).toEqual({ ...before, link: 'lost' });
  const refused = reduceLive(before, [{ type: 'link', link: 'refused' }]);
  expect(refused).toEqual({ ...before, link: 'refused' });
  expect([before, lost, refused].map(isCutOff)).toEqual([false, true, true]);
});

test('names of clients are kept after their hold has ended', () => {
  const held = makeLock({ name: 'a', held: true, holders: [makeHolder('u:1', { client: 'u', name: 'order-svc-1' })] });
  const state = reduceLive(EMPTY_LIVE_STATE, [snapshot(1, [held]), batch([], { locks: [makeLock({ name: 'a' })] })]);
  expect(state.names.get('u')).toBe('order-svc-1');
});

test('reducing a message does not change the previous state', () => {
  const before = reduceLive(EMPTY_LIVE_STATE, [snapshot(10, [makeLock({ name: 'a' })])]);
  reduceLive(before, [batch([makeEvent(11, { at: redisTime(7) })], { gone: ['s/0/a'] })]);
  expect(before.locks.size).toBe(1);
  expect(before.events).toEqual([]);
});

test('a part that a message does not change stays the same object', () => {
  const before = reduceLive(EMPTY_LIVE_STATE, [snapshot(10, [makeLock({ name: 'a' })]), batch([makeEvent(11)])]);
  const heard = reduceLive(before, [{ type: 'heard', heardAt: 9 }]);
  expect(heard.locks).toBe(before.locks);
  expect(heard.events).toBe(before.events);
  const more = reduceLive(before, [batch([makeEvent(12)])]);
  expect(more.locks).toBe(before.locks);
  expect(more.names).toBe(before.names);
});

test('[G1] a later event can add earlier events to a group or remove them from it', () => {
  const joined = batch([makeEvent(13, { group: 'gb', groupSeqs: [11] })]);
  const state = reduceLive(EMPTY_LIVE_STATE, [snapshot(10), batch([makeEvent(11), makeEvent(12)]), joined]);
  expect(state.events.map(({ group }) => group)).toEqual(['gb', undefined, 'gb']);
  const after = reduceLive(state, [batch([makeEvent(14, { groupSeqs: [11, 13] })])]);
  expect(after.events.map(({ group }) => group)).toEqual([undefined, undefined, undefined, undefined]);
});

const attempts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) =>
    makeEvent(from + n, { type: 'lock.refused', holder: 'u:2', attempt: from + n, asleep: false }),
  );

test('of a dense run that arrives in two batches, only the first and the last attempt are kept, without a gap', () => {
  const state = reduceLive(EMPTY_LIVE_STATE, [
    snapshot(10),
    batch([makeEvent(11)]),
    batch(attempts(12, 900)),
    batch([...attempts(901, 5000), makeEvent(5001)]),
  ]);
  expect(seqs(state.events)).toEqual([11, 12, 5000, 5001]);
  expect(state.wholeFrom).toBe(11);
});

test('after a gap, the list is complete only from the next event on', () => {
  const state = reduceLive(EMPTY_LIVE_STATE, [
    snapshot(10),
    batch([makeEvent(11)]),
    batch([makeEvent(20), makeEvent(21)]),
  ]);
  expect(state.wholeFrom).toBe(20);
});

test('the list is complete only from the oldest kept event on', () => {
  const many = Array.from({ length: EVENT_CAP + 5 }, (_, n) => makeEvent(11 + n));
  const state = reduceLive(EMPTY_LIVE_STATE, [snapshot(10), batch(many)]);
  expect(state.events[0]?.seq).toBe(16);
  expect(state.wholeFrom).toBe(16);
});
