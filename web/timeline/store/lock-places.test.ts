import { expect, test } from 'vitest';
import type { SnapshotMessage } from '../../../shared/wire/socket.ts';
import { followNow } from '../../cursor/cursor.ts';
import { EMPTY_LIVE_STATE, reduceLive } from '../../data/live/live-state.ts';
import { LiveStore } from '../../data/live/live-store.ts';
import { rangeOf } from '../../testing/loaded-range.ts';
import { makeEvent, makeLock, makeWaiter } from '../../testing/make.ts';
import { workspaceOf } from './workspace.ts';

const QUIET = [...'abcdefgh'].map((name) => `s/0/${name}`);
const STUCK = 's/0/stuck';

/** A live timeline that has the events of nine locks, but not yet their states. */
function loaded() {
  const live = new LiveStore();
  const { timeline } = workspaceOf(live);
  const taken = { type: 'lock.acquired', mode: 'exclusive', holdCount: 1 };
  const events = [...QUIET, STUCK].map((id, n) => makeEvent(n + 1, { ...taken, lock: id.split('/')[2] }));
  followNow();
  timeline.window.replace(rangeOf(events));
  timeline.arrange();
  const locks = [makeLock({ name: 'stuck', held: true, waiters: [makeWaiter('u:1')] })];
  const message: SnapshotMessage = { v: 1, seq: 10, at: 1, locks, sources: [], truncated: false };
  const state = reduceLive(EMPTY_LIVE_STATE, [{ type: 'snapshot', heardAt: 1, message }]);
  return { timeline, hasStates: () => Object.assign(live, { get: () => state }) };
}

test('after the locks are sorted by their states, the first locks are open', () => {
  const { timeline, hasStates } = loaded();
  expect([...timeline.get().open]).toEqual(QUIET.slice(0, 6));
  hasStates();
  timeline.arrange();
  expect([...timeline.get().open]).toEqual([STUCK, ...QUIET.slice(0, 5)]);
});

test('sorting does not close locks after the user has opened or closed one', () => {
  const { timeline, hasStates } = loaded();
  const open = new Set(['s/0/h']);
  timeline.set({ open });
  hasStates();
  timeline.arrange();
  expect(timeline.get().order[0]).toBe(STUCK);
  expect(timeline.get().open).toBe(open);
});
