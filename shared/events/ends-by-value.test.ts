import { describe, expect, test } from 'vitest';
import { reportAt } from '../../testing/goldens/report-from-events.ts';
import { command, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory } from '../../testing/stories/token-story.ts';

const [A, B, C] = ['10.0.0.1:1', '10.0.0.2:1', '10.0.0.3:1'];
const [T1, T2, T3] = [1, 2, 3].map((n) => `c4b8e2f0-1111-4a5b-8c6d-00000000000${n}`);
const attempt = (by: string, key: string, token = '') => command(by, `SET ${key} ${token} NX PX 60000`);

/** Each event with its holder, in the order of time. */
const shown = (...sent: Sent[]) =>
  eventsFromScripts(sent).map((event) => [
    event.type.replace('lock.', ''),
    'holder' in event ? event.holder?.replace(/^.*?(?=\d$)/, '') : '',
  ]);

describe('an idempotency key, over whose token its client writes the result', () => {
  const key = 'idem:pay:7';
  const failed = script(A, key, `P:${T1}`, `get ${key}`, `del ${key}`);
  const story = (...later: Sent[]) => [attempt(A, key, `P:${T1}`), failed, attempt(B, key, `P:${T2}`), ...later];
  const result = `P:${T2} COMPLETED 86400000`;

  test.each<[string, Sent]>([
    ['by a script', script(B, key, result, `get ${key}`, `psetex ${key} 86400000 COMPLETED`)],
    ['by a script of another connection', script(C, key, result, `get ${key}`, `psetex ${key} 86400000 COMPLETED`)],
    ['by SET', command(B, `SET ${key} {"status":200} EX 86400`)],
  ])(
    '[T9] the result that is written over the token of an idempotency key %s ends the hold without an alarm',
    (_, done) => {
      const sent = story(done, attempt(A, key, `P:${T3}`), attempt(A, key, `P:${T3}`), command(A, `GET ${key}`));
      expect(shown(...sent)).toEqual([
        ['acquired', '1'],
        ['released', '1'],
        ['acquired', '2'],
        ['released', '2'],
      ]);
      expect(reportAt(eventsFromScripts(sent), seconds(2)).insights).toEqual([]);
    },
  );

  test('a SET over an idempotency token by another client deletes the lock, and a SET of another token by its own client renews the lease', () => {
    expect(shown(...story(command(C, `SET ${key} x`))).at(-1)).toEqual(['deleted', '2']);
    expect(shown(...story(command(B, `SET ${key} P:${T3} PX 60000`))).at(-1)).toEqual(['lease.renewed', '2']);
  });

  test('if the user named an idempotency key, attempts are refused until the result in it is gone', () => {
    const { run } = makeTokenStory((name) => name === key);
    const types = [
      ...run(0, A, ['SET', key, T1 ?? '', 'NX', 'PX', '60000']),
      ...run(1, A, ['SET', key, 'COMPLETED', 'PX', '60000']),
      ...run(2, B, ['SET', key, T2 ?? '', 'NX', 'PX', '60000']),
    ].map(({ type }) => type);
    expect(types).toEqual(['lock.acquired', 'lock.released', 'lock.refused']);
  });

  test('a key that gets another value before it is known to be a lock is not shown as a lock', () => {
    expect(
      shown(attempt(A, 'lock:7', 'busy'), command(A, 'SET lock:7 done EX 3600'), command(A, 'DEL lock:7')),
    ).toEqual([]);
  });
});

test.each<[string, readonly Sent[]]>([
  ['by a script', [script(A, 'stock:7', T1 ?? '', 'get stock:7', 'pexpire stock:7 0')]],
  ['by a plain command', [command(A, 'EXPIRE lock:7 -1')]],
])('[T1] a lease of 0 or less is a release: %s', (_, ended) => {
  const key = ended[0]?.words.find((word) => /:7$/.test(word)) ?? '';
  const story = [attempt(A, key, T1), attempt(B, key, T2), ...ended, attempt(B, key, T2)];
  expect(shown(...story)).toEqual([
    ['acquired', '1'],
    ['refused', '2'],
    ['released', '1'],
    ['acquired', '2'],
  ]);
});

test("the states of Bucket4j's rate limits, and tokens that replace each other, are not locks", () => {
  const key = 'bucket:7';
  const [one, two] = ['\\x00\\x01state1', '\\x00\\x01state2'];
  const made = script(A, key, `${one} 10000`, `set ${key} ${one} nx px 10000`);
  const swapped = script(B, key, `${one} ${two} 10000`, `get ${key}`, `psetex ${key} 10000 ${two}`);
  const late = script(A, key, `${one} ${two} 10000`, `get ${key}`);
  expect(shown(made, swapped, late, made, late)).toEqual([]);
  const rotated = script(B, 'refresh:7', `${T1} ${T2} 60000`, 'get refresh:7', `psetex refresh:7 60000 ${T2}`);
  const used = script(A, 'refresh:7', T2 ?? '', 'get refresh:7', 'del refresh:7');
  expect(shown(command(A, `SET refresh:7 ${T1} PX 60000`), rotated, used)).toEqual([]);
});
