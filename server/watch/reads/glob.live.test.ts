import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCommandConnection } from '../../redis/connection/command-connection.ts';
import { startLocalRedis } from '../../redis/private-server/local-redis.ts';
import { patternFromGlob } from './glob.ts';

/** The same names and globs in every run. */
const SEED = 1;

test('a glob matches the names that KEYS of a real Redis returns for it', async () => {
  const redis = await startLocalRedis();
  const connection = openCommandConnection({ url: redis.url });
  try {
    await connection.whenReady(60_000);
    const nameUnits = fc.constantFrom('a', 'b', 'y', '-', '[', ']', '\\', '^', '*', 'é');
    const name = fc.string({ unit: nameUnits, minLength: 1, maxLength: 5 });
    const names = [...new Set(fc.sample(name, { seed: SEED, numRuns: 1000 }))];
    await connection.call('MSET', ...names.flatMap((each) => [each, '']));
    const units = fc.constantFrom('a', 'b', 'y', '-', '[', '[^', '[b-a', '[a-z]', ']', '\\', '^', '*', '?');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: units, minLength: 1, maxLength: 8 }), async (glob) => {
        const found = (await connection.call('KEYS', glob)) as string[]; // KEYS replies with names
        const pattern = patternFromGlob(glob);
        expect(names.filter((each) => pattern.test(each)).sort()).toEqual(found.sort());
      }),
      { seed: SEED, numRuns: 1000 },
    );
  } finally {
    connection.close();
    await redis.stop();
  }
});
