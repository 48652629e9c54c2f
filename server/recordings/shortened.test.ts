import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRecording } from './replay-observatory.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000001:1';
const SCRIPT = "if (redis.call('exists', KEYS[1]) == 0) then";
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function opened(lines: readonly string[]) {
  const path = join(dir, 'a.txt');
  writeFileSync(path, lines.map((line, n) => `1795218450.${String(n).padStart(6, '0')} ${line}`).join('\n'));
  const { observatory, summary } = await openRecording(path, { memory: 512 * 1024 * 1024 });
  const { events } = await observatory.history.search({ limit: 1000 });
  const [source] = observatory.sources();
  const types = events.map(({ type }) => type).filter((type) => !type.startsWith('blind-spot'));
  return {
    events,
    types,
    bad: source?.recording?.badLines.first.map(({ reason }) => reason),
    badCount: summary.badLines,
  };
}

const call = (words: string) => `[0 10.0.0.7:51422] ${words}`;
const lua = (words: string) => `[0 lua] ${words}`;
const PING = call('"PING"');
const acquire = (head: string) => [
  call(head),
  lua('"exists" "orders:42"'),
  lua(`"hincrby" "orders:42" "${HOLDER}" "1"`),
  lua('"pexpire" "orders:42" "30000"'),
  PING,
];
const release = (...head: readonly string[]) => [
  ...head.map(call),
  lua(`"hexists" "orders:42" "${HOLDER}"`),
  lua(`"hincrby" "orders:42" "${HOLDER}" "-1"`),
  lua('"del" "orders:42"'),
  lua('"publish" "redisson_lock__channel:{orders:42}" "0"'),
  PING,
];
const WHOLE = `"EVAL" "${SCRIPT}" "1" "orders:42" "30000" "${HOLDER}"`;
const OF_RELEASE = `"2" "orders:42" "redisson_lock__channel:{orders:42}" "0" "30000" "${HOLDER}"`;

describe('in lines that a person has shortened', () => {
  test.each([
    ['the text of a script', `"EVAL" "${SCRIPT} ... " "1" "orders:42" "30000" "${HOLDER}"`],
    ['the text of a script, with one character', `"EVAL" "${SCRIPT}…" "1" "orders:42" "30000" "${HOLDER}"`],
    ['the text of a script, with brackets', `"EVAL" "[...]" "1" "orders:42" "30000" "${HOLDER}"`],
    ['the SHA of a script', `"EVALSHA" "149c5a8b..." "1" "orders:42" "30000" "${HOLDER}"`],
  ])('%s may be shortened, because the commands that the script ran show what it did', async (_, head) => {
    const { types, badCount } = await opened([PING, ...acquire(head), ...release(`"EVAL" "..." ${OF_RELEASE}`)]);
    expect(types).toEqual(['lock.acquired', 'lock.released', 'wakeup.published']);
    expect(badCount).toBe(0);
  });

  test.each([
    ['words without quotes', `"EVAL" ... ${OF_RELEASE}`],
    ['one character without quotes', `"EVAL" … ${OF_RELEASE}`],
    ['brackets without quotes', `"EVAL" [...] ${OF_RELEASE}`],
    ['the end of the line', `"EVAL" "${SCRIPT}" "2" "orders:42" ...`],
    ['the end of the line within a word', `"EVAL" "${SCRIPT} ...`],
    ['the end of a word with its quote', `"EVAL" "${SCRIPT} ... ${OF_RELEASE}`],
    ['a key', `"EVAL" "${SCRIPT}" ${OF_RELEASE.replace('"orders:42"', '"ord..."')}`],
    ['a holder', `"EVAL" "${SCRIPT}" ${OF_RELEASE.replace(HOLDER, '0a00…:1')}`],
    ['a channel', `"EVAL" "${SCRIPT}" ${OF_RELEASE.replace('_channel:{orders:42}', '...')}`],
  ])('%s must not be shortened: the script is not interpreted', async (_, head) => {
    const { types, bad } = await opened([...acquire(WHOLE), ...release(head)]);
    expect(types).toEqual(['lock.acquired']);
    expect(bad).toEqual(['shortened']);
  });

  test.each([
    ['no call', []],
    ['a call without its keys', [`"EVAL" "${SCRIPT}"`]],
    ['a call without one of its keys', [`"EVAL" "${SCRIPT}" "2" "orders:42"`]],
  ])('the commands of a script after %s are not interpreted', async (_, head) => {
    const { types, bad } = await opened([...acquire(WHOLE), ...release(...head)]);
    expect(types).toEqual(['lock.acquired']);
    expect(bad).toEqual(['no-call']);
  });

  test.each(['"DEL" "orders..."', '"SET" "orders:42" "abc..." "NX" "PX" "30000"', '"SUBSCRIBE" "redisson_lock…"'])(
    'the plain command %s is not interpreted',
    async (words) => {
      const { types, bad } = await opened([...acquire(WHOLE), call(words), PING]);
      expect(types).toEqual(['lock.acquired']);
      expect(bad).toEqual(['shortened']);
    },
  );

  test('if a call is cut after its keys, the commands that its script ran name the holder', async () => {
    const cut = `"EVALSHA" "${'a'.repeat(40)}" "1" "orders:42"`;
    const renewal = [call(cut), lua(`"hexists" "orders:42" "${HOLDER}"`), lua('"pexpire" "orders:42" "30000"'), PING];
    const refused = [call(cut), lua('"exists" "orders:42"'), lua('"hexists" "orders:42" "b"'), PING].map((line) =>
      line.replace('"b"', `"${HOLDER.replace('0a', '0b')}"`),
    );
    const asked = [call(cut), lua(`"hexists" "orders:42" "${HOLDER}"`), PING];
    const cutRelease = release(`"EVAL" "${SCRIPT}" "2" "orders:42" "redisson_lock__channel:{orders:42}"`);
    const { events, types, badCount } = await opened([
      ...acquire(cut),
      ...renewal,
      ...refused,
      ...asked,
      ...cutRelease,
    ]);
    expect(types).toEqual(['lock.acquired', 'lease.renewed', 'lock.released', 'wakeup.published']);
    expect(events.find(({ type }) => type === 'lease.renewed')).toMatchObject({ holder: HOLDER, cause: 'watchdog' });
    expect(badCount).toBe(0);
  });

  test('a value that contains three dots itself is not treated as shortened', async () => {
    const values = [
      '"GET" "a..."',
      '"SET" "text" "Loading..."',
      String.raw`"EVAL" "return 1" "1" "a" "{\"t\":\"wait...\"}"`,
    ];
    const { types, badCount } = await opened([...values.map(call), ...acquire(WHOLE)]);
    expect(types).toEqual(['lock.acquired']);
    expect(badCount).toBe(0);
  });

  test('a shortened call does not change how the lines after it are read', async () => {
    const quoted = acquire(WHOLE).map((line) => line.replaceAll('orders:42', String.raw`a\" \"b`));
    expect((await opened([PING, call(`"EVAL" ... ${OF_RELEASE}`), ...quoted])).types).toEqual(['lock.acquired']);
  });
});
