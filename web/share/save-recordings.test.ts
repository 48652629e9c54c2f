import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { saveRecordings } from './save-recordings.ts';

const at = redisTime(1_763_726_671_000_000);

async function savedOf(sources: readonly string[], away: readonly string[] = []) {
  const files: string[] = [];
  const read = async (_: unknown, source: string) => {
    if (away.includes(source)) throw new Error('away');
    return new Blob([source]);
  };
  const share = { sources, range: { from: at, to: at }, name: 'Timeline', at };
  const failed = await saveRecordings(share, read, (_, name) => void files.push(name));
  return { files, failed: failed.map(({ source }) => source) };
}

test('each source on screen is saved in its own file', async () => {
  expect(await savedOf(['redis'])).toEqual({ files: ['Timeline-2025-11-21T12-04-31Z.lockscope'], failed: [] });
  expect((await savedOf(['redis-1', 'redis-2'])).files).toEqual([
    'Timeline-redis-1-2025-11-21T12-04-31Z.lockscope',
    'Timeline-redis-2-2025-11-21T12-04-31Z.lockscope',
  ]);
});

test('a source that cannot be saved is named, and all other sources are saved', async () => {
  const { files, failed } = await savedOf(['redis-1', 'redis-2'], ['redis-1']);
  expect(files).toHaveLength(1);
  expect(failed).toEqual(['redis-1']);
  expect((await savedOf(['redis'], ['redis'])).failed).toEqual([null]);
});
