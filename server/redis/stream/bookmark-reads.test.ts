import { afterEach, expect, test, vi } from 'vitest';
import { RedisError, type Reply } from '../connection/reply.ts';
import { LineReader } from '../lines/line-reader.ts';
import { RefusedRights } from '../rights/refused-rights.ts';
import { BookmarkReads } from './bookmark-reads.ts';

afterEach(() => void vi.useRealTimers());

/**
 * Sends one read a second on a connection on which Redis answers each command with this error. Returns what a read
 * resolves to, how many seconds the connection lasts, at most 60, and how many lines count as unreadable.
 */
async function lastsWith(code: string) {
  vi.useFakeTimers();
  let end: Error | undefined;
  let rejected = 0;
  let settle = () => {};
  const ordered = (commands: readonly unknown[], take: (replies: Reply[]) => void) =>
    take(commands.map(() => new RedisError(`${code} no`)));
  const gate = {
    expect: (_: string, done: () => void) => {
      settle = done;
    },
    settle: () => settle(),
  };
  const reads = new BookmarkReads({
    ...{ stream: { fail: (reason: Error) => (end = reason) }, reader: { ordered, host: 'h' }, lines: new LineReader() },
    ...{
      sink: { onRejected: () => rejected++ },
      order: { gate, signals: {}, silence: { expect() {} } },
      effects: undefined,
    },
    ...{ clock: { earliest: 0, setBack: 0 }, rights: new RefusedRights(), nonce: 'n', isClosed: () => false },
    capabilities: () => ({ version: '7.0.15' }),
  } as unknown as ConstructorParameters<typeof BookmarkReads>[0]); // the code under test uses only these parts
  reads.succeeded();
  let s = 0;
  let outcome: unknown;
  for (; s < 60 && !end; s++) {
    outcome = await reads.read(0, [
      { name: 'lock', kind: 'lock' } as unknown as Parameters<typeof reads.read>[1][number],
    ]);
    vi.advanceTimersByTime(1000);
  }
  return { s, outcome, rejected };
}

test('a connection ends if no read succeeds for 20 s, unless a script keeps Redis busy', async () => {
  expect(await lastsWith('OOM')).toMatchObject({ s: 21, outcome: [] });
  expect(await lastsWith('BUSY')).toMatchObject({ s: 60, outcome: 'busy' });
  expect(await lastsWith('EXECABORT Transaction discarded because of: BUSY')).toMatchObject({ outcome: 'busy' });
});

test('a read that Redis refuses does not count as a line that could not be read', async () => {
  expect(await lastsWith('OOM')).toMatchObject({ rejected: 0 });
});
