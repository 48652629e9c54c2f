import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { Interpreter } from '../events/interpreter.ts';
import { signalFromJson } from './parse-signal-line.ts';
import { lineFromSignal } from './signal-line.ts';

test.each([
  [[]],
  [['GET']],
  [['SET', 'orders:42', '']],
  [['SET', 'a "quoted" word', 'a \\ backslash', 'tab\t', '\x7f', 'Köln', '\ud800']],
])('the words %j are written as JSON', (words) => {
  const line = { kind: 'line', at: redisTime(1), db: 3, words } as const;
  expect(lineFromSignal({ ...line, client: null })).toBe(`{"at":1,"db":3,"lua":${JSON.stringify(words)}}`);
  expect(lineFromSignal({ ...line, client: 'c"1' })).toBe(
    `{"at":1,"db":3,"from":${JSON.stringify('c"1')},"do":${JSON.stringify(words)}}`,
  );
});

test('the line that records how a source is watched is read as it was written', () => {
  const signal = {
    kind: 'watch',
    at: redisTime(7),
    level: 'monitor',
    isPushFirst: true,
    hearsMessages: false,
    clockBehindMs: 12,
    hasIfEqual: true,
    lacks: ['presence'],
    isSame: true,
  } as const;
  expect(signalFromJson(JSON.parse(lineFromSignal(signal)))).toEqual({ ok: true, value: signal });
});

test.each([null, 'Kim'])('a note is read as it was written, and is an event of its lock (author: %s)', (author) => {
  const note = {
    insight: 'i 1',
    db: 3,
    lock: 'orders:42',
    text: 'restarting "orders-api"',
    author,
    isAcknowledged: true,
  };
  const signal = { kind: 'note', at: redisTime(7), ...note } as const;
  const read = signalFromJson(JSON.parse(lineFromSignal(signal)));
  expect(read).toEqual({ ok: true, value: signal });
  const [event] = new Interpreter({ source: 'redis' }).interpret(signal);
  expect(event).toMatchObject({
    ...{
      type: 'insight.noted',
      at: 7,
      db: 3,
      lock: 'orders:42',
      insight: 'i 1',
      text: note.text,
      isAcknowledged: true,
    },
    ...(author === null ? {} : { author }),
  });
});

test.each([
  ['the text is a number', { text: 1 }],
  ['the author is a number', { author: 1 }],
  ['`isAcknowledged` is not a boolean', { isAcknowledged: 'yes' }],
])('the line of a note in a recording is a bad line if %s', (_why, part) => {
  const note = { insight: 'i', db: 0, lock: '', text: '', author: null, isAcknowledged: false, ...part };
  expect(signalFromJson({ at: 1, note })).toMatchObject({ ok: false });
});
