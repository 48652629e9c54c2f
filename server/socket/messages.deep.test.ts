import { describe, expect, test } from 'vitest';
import { acquired, released } from '../testing/make-events.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { ChangeLog } from './change-log.ts';
import { MessageMaker } from './messages.ts';
import { newViewer } from './viewer.ts';
import { MOST_WEIGHT, weightOf } from './weight.ts';

const MB = 1024 * 1024;
const longName = (n: number) => `${n}:`.padEnd(MB, '\u0001');

function make() {
  const observatory = makeMemoryObservatory();
  const log = new ChangeLog(0);
  observatory.onBatch((batch) => log.note(batch));
  const maker = new MessageMaker(observatory, log, 'run');
  return { observatory, log, maker };
}

const isBounded = (value: unknown) => weightOf(value) <= 2 * MOST_WEIGHT;

describe('with names of a megabyte', () => {
  test('a snapshot is bounded, is marked as truncated, and contains held locks before free ones', () => {
    const { observatory, maker } = make();
    observatory.record(acquired('held', 'u1:1'), acquired(longName(99), 'u1:1'));
    for (let n = 0; n < 20; n++) observatory.record(acquired(longName(n), 'u1:1'), released(longName(n), 'u1:1'));
    const step = maker.next({ ...newViewer(), pending: 'snapshot' });
    if (step.type !== 'snapshot') throw new Error(step.type);
    expect(isBounded(step.message)).toBe(true);
    expect(step.message.truncated).toBe(true);
    expect(step.message.locks.filter(({ held }) => held).map(({ name }) => name.slice(0, 4))).toEqual([
      '99:\u0001',
      'held',
    ]);
  });

  test('a page that reconnects gets all its events, in several batches', () => {
    const { observatory, maker } = make();
    const name = longName(0);
    for (let n = 0; n < 20; n++) observatory.record(acquired(name, 'u1:1'), released(name, 'u1:1'));
    const viewer = { ...newViewer(), pending: 'missed' as const };
    let batches = 0;
    for (let isDone = false; !isDone; batches++) {
      const step = maker.next(viewer);
      if (step.type !== 'batch') throw new Error(step.type);
      expect(isBounded(step.message)).toBe(true);
      expect(step.message.fromSeq).toBe(viewer.seq + 1);
      viewer.seq = step.seq;
      isDone = step.done;
    }
    expect(viewer.seq).toBe(40);
    expect(batches).toBeGreaterThan(1);
  });

  test('too many events for one message are counted as skipped', () => {
    const { observatory, log, maker } = make();
    observatory.record(acquired('a', 'u1:1'));
    const viewer = { ...newViewer(), pending: 'live' as const, seq: 1, tick: log.tick };
    for (let n = 0; n < 20; n++) observatory.record(acquired(longName(0), 'u1:1'), released(longName(0), 'u1:1'));
    const step = maker.next(viewer);
    if (step.type !== 'batch') throw new Error(step.type);
    expect(isBounded(step.message)).toBe(true);
    expect(step.message.skipped).toBe(40 - step.message.events.length);
    expect(step.seq).toBe(41);
  });

  test('changed locks that are too large for one message cause a resync', () => {
    const { observatory, maker } = make();
    for (let n = 0; n < 20; n++) observatory.record(acquired(longName(n), 'u1:1'));
    const viewer = { ...newViewer(), pending: 'live' as const, seq: 0, tick: 0 };
    const step = maker.next(viewer);
    expect(step.type).toBe('resync');
  });
});
