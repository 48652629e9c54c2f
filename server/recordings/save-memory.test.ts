import { expect, test } from 'vitest';
import type { RecordingEntry } from '../../shared/wire/recordings.ts';
import { goneProblem, ObserverGone } from '../watch/observer/observer-problems.ts';
import type { RecordingCut } from '../watch/recording/recording-sink.ts';
import { savedName, saveEach } from './save-memory.ts';

const PART = { startedAt: 1, bytes: new Uint8Array() } as RecordingCut; // the value is only passed on
const keep = async (source: string) => ({ id: source }) as RecordingEntry; // only the id is read

test('a source that does not answer, or has no events, does not prevent the others from being saved', async () => {
  const gone = goneProblem({ cause: 'exited', quote: '1' });
  const cut = async (source: string) => {
    if (source === 'away') throw new ObserverGone(gone);
    return source === 'empty' ? undefined : PART;
  };
  const { saved, notSaved } = await saveEach(['away', 'empty', 'there'], cut, keep);
  expect(saved.map(({ id }) => id)).toEqual(['there']);
  expect(notSaved).toMatchObject([
    { source: 'away', problem: gone },
    { source: 'empty', problem: { code: 'not-in-memory' } },
  ]);
});

test('if a part of memory cannot be kept, saving fails with the same error', async () => {
  const full = () => Promise.reject(new Error('no space'));
  await expect(saveEach(['a', 'b'], async () => PART, full)).rejects.toThrow('no space');
});

test('two parts of memory that begin at the same instant have two names', () => {
  const from = Date.parse('2025-11-21T23:57:34.5Z') * 1000;
  const minutes = (n: number) => from + n * 60_000_000;
  expect(savedName(from, minutes(1))).toBe('lockscope-2025-11-21T23-57-34Z-to-23-58-34Z.lockscope');
  expect(savedName(from, minutes(5), 'redis-2')).toBe(
    'lockscope-2025-11-21T23-57-34Z-to-2025-11-22T00-02-34Z-redis-2.lockscope',
  );
});
