import { expect, test } from 'vitest';
import type { Source } from '../../../shared/wire/source.ts';
import { makeEvent, makeLock, makeSource } from '../../testing/make.ts';
import { EMPTY_LIVE_STATE, type LiveMessage } from './live-state.ts';
import { bringsOnlyFigures } from './only-figures.ts';

const source = makeSource({ lagMs: 3, linesPerSecond: 10 });
const live = { ...EMPTY_LIVE_STATE, link: 'live' as const, seq: 7, sources: [source] };

function batch(part: Partial<Extract<LiveMessage, { type: 'batch' }>['message']>): LiveMessage {
  const message = { v: 1 as const, fromSeq: 7, toSeq: 7, at: 1, events: [], locks: [], gone: [], ...part };
  return { type: 'batch', heardAt: 1, message };
}

function withSource(part: Partial<Source>): LiveMessage {
  return batch({ sources: [{ ...source, ...part }] });
}

test('a message that changes only figures of a source can wait', () => {
  expect(bringsOnlyFigures(batch({}), live)).toBe(true);
  expect(bringsOnlyFigures(withSource({ lagMs: 5, linesPerSecond: 0, snapshotAt: 99 }), live)).toBe(true);
  expect(bringsOnlyFigures(withSource({ status: 'reconnecting' }), live)).toBe(false);
  expect(bringsOnlyFigures(withSource({ level: 'events' }), live)).toBe(false);
  expect(bringsOnlyFigures(withSource({ drift: 1 }), live)).toBe(false);
  expect(bringsOnlyFigures(batch({ sources: [source, source] }), live)).toBe(false);
});

test('a message with events, locks, dropped locks or omitted events cannot wait', () => {
  expect(bringsOnlyFigures(batch({ toSeq: 8, events: [makeEvent(8)] }), live)).toBe(false);
  expect(bringsOnlyFigures(batch({ locks: [makeLock({ name: 'a' })] }), live)).toBe(false);
  expect(bringsOnlyFigures(batch({ gone: ['s/0/a'] }), live)).toBe(false);
  expect(bringsOnlyFigures(batch({ skipped: 3 }), live)).toBe(false);
});

test('messages that end or report a lost connection do not wait', () => {
  expect(bringsOnlyFigures(batch({}), { ...live, link: 'lost' })).toBe(false);
  expect(bringsOnlyFigures({ type: 'link', link: 'lost' }, live)).toBe(false);
});
