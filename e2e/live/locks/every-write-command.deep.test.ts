import { expect, test } from 'vitest';
import { withoutRow, writeCommandsIn } from '../../../testing/stories/write-commands.ts';
import { startRedis } from '../../support/servers/redis.ts';

test('every command of this server that writes a key is known, ignored with a reason, or followed by a read', async () => {
  const redis = await startRedis();
  try {
    const names = writeCommandsIn(await redis.command('COMMAND'));
    expect(names.length).toBeGreaterThan(80);
    expect(withoutRow(names)).toEqual([]);
  } finally {
    await redis.stop();
  }
});
