import { describe, expect, test } from 'vitest';
import { type SentAt, script, stepsAt } from '../../testing/stories/script-story.ts';
import { holderOf, seconds } from '../../testing/stories/story.ts';
import type { BookmarkSignal } from '../signals/signal.ts';
import { Interpreter } from './interpreter.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const KEY = 'orders:42';
const TAKEN = script('a:1', KEY, `30000 ${A}`, `exists ${KEY}`, `hincrby ${KEY} ${A} 1`, `pexpire ${KEY} 30000`);

/** The events of these scripts at second 0, 1, …, and of a read half a second after the last one. */
function eventsOf(sent: SentAt, found: string | null, pttl = 28_500): string[] {
  const interpreter = new Interpreter({ source: 'story' });
  const fields = found === null ? {} : { [found]: '1' };
  const type = found === null ? 'none' : 'hash';
  const at = seconds(sent.length - 0.5);
  const read: BookmarkSignal = {
    ...{ kind: 'bookmark', at },
    reads: [{ ...{ db: 0, name: KEY, hasChanged: false, subscribers: null }, type, fields, pttl }],
  };
  const events = [...stepsAt(sent), read].flatMap((step) => interpreter.interpret(step));
  return events.map((event) => `${event.type} ${'holder' in event ? (event.holder ?? '') : ''}`.trim());
}

const afterTaken = (...ran: string[]): SentAt => [
  { sent: TAKEN, atMs: 0 },
  { sent: script('ops:1', `${KEY} spare`, 'x', ...ran), atMs: 1000 },
];

describe('a key that a script deletes or renames', () => {
  test.each([
    ['DUMP, DEL, RESTORE', [`dump ${KEY}`, `del ${KEY}`, `restore ${KEY} 28500 …`]],
    ['RENAME there and back', [`rename ${KEY} spare`, `rename spare ${KEY}`]],
    ['COPY, DEL, RENAME', [`copy ${KEY} spare`, `del ${KEY}`, `rename spare ${KEY}`]],
  ])('a key that a script removes and brings back keeps its holder if a read finds the holder: %s', (_, ran) => {
    expect(eventsOf(afterTaken(...ran), A)).toEqual([`lock.acquired ${A}`]);
  });

  test('a key that a script removes and brings back with another end of the lease keeps its holder', () => {
    const ran = [`dump ${KEY}`, `del ${KEY}`, `restore ${KEY} 9000 …`];
    expect(eventsOf(afterTaken(...ran), A, 8500)).toEqual([`lock.acquired ${A}`, 'lease.shortened']);
  });

  test('a key that a script removes and brings back has lost its holder if a read finds another holder or none', () => {
    const ran = [`del ${KEY}`, `restore ${KEY} 28500 …`];
    expect(eventsOf(afterTaken(...ran), B)).toEqual([`lock.acquired ${A}`, `lock.deleted ${A}`, 'lock.found']);
    expect(eventsOf(afterTaken(...ran), null)).toEqual([`lock.acquired ${A}`, `lock.deleted ${A}`]);
  });

  test('a key that a script renames and does not bring back has lost its holder at once', () => {
    expect(eventsOf(afterTaken(`rename ${KEY} spare`, `copy spare other`), null)).toContain(`lock.deleted ${A}`);
  });
});
