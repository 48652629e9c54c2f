import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { forceRelease, SCRIPTS } from './force-scripts.ts';

/** The SHA-1 by which Redis and the protocol know a script. */
function shaOf(script: string): string {
  return createHash('sha1').update(script).digest('hex');
}

test('the scripts are those of Redisson, by their SHA-1', () => {
  expect(shaOf(SCRIPTS.plain)).toBe('605e338249a7a1d40df83b04f7658354f883b41b');
  expect(shaOf(SCRIPTS.spin)).toBe('51b433c3cc9a6ca991b3aefec63d23490c246318');
  expect(shaOf(SCRIPTS.fair)).toBe('71ed11d4e4818119ac560b3d670a7f08256afc46');
  expect(shaOf(SCRIPTS.read)).toBe('27dbe744e95c1d854a7f556cc6817030de2d0d01');
  expect(shaOf(SCRIPTS.write)).toBe('2e2cb2a3b13e2e80e4236ef6a25beaf365dba608');
});

test('semaphores, latches and group locks cannot be released', () => {
  const lock = { name: 'a', mode: 'exclusive', publish: 'PUBLISH', nowMs: 0 } as const;
  for (const kind of ['semaphore', 'expirable-semaphore', 'latch', 'group-lock'] as const) {
    expect(forceRelease({ ...lock, kind })).toBeNull();
  }
});
