import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { rangeOf } from '../../testing/loaded-range.ts';
import { makeEvent } from '../../testing/make.ts';
import { ShownWindow } from '../../testing/shown-window.ts';
import { isInView } from '../../timeline/layout/quiet.ts';
import { type Drop, droppedOf, dropsBehind, hasDroppedIn, joinedDrops } from './drops.ts';
import { joined } from './loaded-range.ts';

const ID = 's/0/a';
const at = (n: number) => redisTime(n * 1000);
const taken = makeEvent(1, { type: 'lock.acquired', lock: 'a', mode: 'exclusive', holdCount: 1 });
const other = makeEvent(2, { type: 'lock.acquired', lock: 'b', mode: 'exclusive', holdCount: 1 });
const again = makeEvent(9, { type: 'lock.acquired', lock: 'a', holder: 'v:1', mode: 'exclusive', holdCount: 1 });
const drop: Drop = { afterSeq: 2, at: redisTime(3500), ids: new Set([ID]) };

function windowOf(events = [taken, other, again], drops = [drop]): ShownWindow {
  const window = new ShownWindow();
  window.replace({ ...rangeOf(events), drops });
  return window;
}

test('a dropped lock is unknown until its next event', () => {
  expect(droppedOf(windowOf(), ID)).toEqual([{ from: 3500, to: again.at }]);
  expect(droppedOf(windowOf([taken, other]), ID)).toEqual([{ from: 3500, to: null }]);
  expect(droppedOf(windowOf(), 's/0/b')).toEqual([]);
});

test('a range in which a shown lock was dropped is only partly known', () => {
  const within = (from: number, to: number, ids = [ID]) =>
    hasDroppedIn(windowOf(), ids, { from: redisTime(from), to: redisTime(to) }, at(20));
  expect(within(1000, 5000)).toBe(true);
  expect(within(1000, 3000)).toBe(false);
  expect(within(1000, 5000, ['s/0/b'])).toBe(false);
  expect(within(1000, 5000, ['s/0/b', ID])).toBe(true);
});

test('a hold that was open when its lock was dropped ends at the drop, as unseen', () => {
  const track = windowOf([taken, other]).track(ID, 0);
  expect(track?.lanes[0]?.spans).toMatchObject([{ kind: 'hold', from: taken.at, to: 3500, ended: 'unseen' }]);
  expect(windowOf().track('s/0/b', 0)?.lanes[0]?.spans).toMatchObject([{ to: null, ended: null }]);
});

test('after a drop, the state is made from later events only, without the earlier holder', () => {
  const window = windowOf();
  const holders = (when: number) => window.lockAt(ID, at(when))?.holders.map(({ id }) => id);
  expect(holders(2)).toEqual(['u:1']);
  expect(holders(5)).toBeUndefined();
  expect(holders(9)).toEqual(['v:1']);
});

test('a drop of all locks, or of all locks of a source, applies to a lock of that source', () => {
  const of = (part: Partial<Drop>) =>
    droppedOf(windowOf(undefined, [{ afterSeq: 2, at: redisTime(3500), ...part }]), ID);
  expect(of({ source: 's' })).toHaveLength(1);
  expect(of({})).toHaveLength(1);
  expect(of({ source: 't' })).toEqual([]);
});

test('a drop that is reported while the page follows live events changes the track', () => {
  const window = windowOf([taken, other], []);
  expect(window.track(ID, 0)?.lanes[0]?.spans).toMatchObject([{ to: null }]);
  window.drop([drop]);
  window.drop([drop]);
  expect(window.drops).toHaveLength(1);
  expect(window.track(ID, 0)?.lanes[0]?.spans).toMatchObject([{ to: 3500 }]);
});

test('a drop no longer applies to a lock that changed after it, before the left edge', () => {
  const window = new ShownWindow();
  window.replace({ ...rangeOf([taken, other, again, makeEvent(10, { lock: 'b' })], 3), drops: [drop] });
  expect(droppedOf(window, ID)).toEqual([]);
  expect(window.track(ID, 0)?.lanes.map(({ spans }) => spans[0]?.to)).toContain(null);
});

test('a drop that is in both of two joined ranges is listed once, in order', () => {
  const later: Drop = { afterSeq: 5, at: at(5) };
  const [left, right] = [rangeOf([taken, other], 0, 2, false), rangeOf([taken, other, again], 2)];
  expect(joined({ ...left, drops: [drop] }, { ...right, drops: [later, drop] }).drops).toEqual([drop, later]);
  expect(joinedDrops([drop], [])).toEqual([drop]);
});

test('a lock that was dropped before the left edge has a lane that is unknown until its next event', () => {
  const window = new ShownWindow();
  window.replace({ ...rangeOf([makeEvent(8, { lock: 'b' }), again]), drops: [drop] });
  expect([...window.lockIds()].sort()).toEqual([ID, 's/0/b']);
  expect(droppedOf(window, ID)).toEqual([{ from: 3500, to: again.at }]);
  const view = { from: at(6), to: at(7) };
  expect(isInView(window, ID, view, at(9))).toBe(true);
  expect(isInView(window, 's/0/b', view, at(9))).toBe(false);
});

test('if only one lock is shown, other dropped locks have no lane', () => {
  const window = new ShownWindow();
  window.onlyLock = 'b';
  window.replace({ ...rangeOf([makeEvent(8, { lock: 'b' })]), drops: [drop] });
  expect([...window.lockIds()]).toEqual(['s/0/b']);
});

test('two answers that name different locks of one drop are merged', () => {
  const other: Drop = { ...drop, ids: new Set(['s/0/c']) };
  expect([...(joinedDrops([drop], [other])[0]?.ids ?? [])]).toEqual([ID, 's/0/c']);
  const all = [drop];
  expect(joinedDrops(all, [drop])).toBe(all);
});

test('if the left edge moves past a drop, the drop still applies to locks without a later event', () => {
  const both: Drop = { ...drop, ids: new Set([ID, 's/0/c']) };
  const ofSource: Drop = { afterSeq: 2, at: redisTime(3500), source: 's' };
  expect(dropsBehind([both, ofSource], [taken, other, again])).toEqual([{ ...drop, ids: new Set(['s/0/c']) }]);
  const later: Drop = { ...drop, afterSeq: 9 };
  expect(dropsBehind([later], [taken, other, again])).toEqual([later]);
});
