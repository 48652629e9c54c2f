import { expect, test } from 'vitest';
import type { RecordingEntry } from '../../shared/wire/recordings.ts';
import { goneProblem, ObserverGone } from '../watch/observer/observer-problems.ts';
import type { RecordingCut } from '../watch/recording/recording-sink.ts';
import { saveEach } from './save-memory.ts';

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

test('a full disk is still an error', async () => {
  const full = () => Promise.reject(new Error('no space'));
  await expect(saveEach(['a', 'b'], async () => PART, full)).rejects.toThrow('no space');
});
