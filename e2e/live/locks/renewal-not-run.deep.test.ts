import { afterEach, expect, test } from 'vitest';
import { insightsBody } from '../../../shared/wire/insights/insight.ts';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { withoutVerdicts } from '../../support/lockscope/watched-redis.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Redisson's renewal script since 3.44.0, which this Redis never had. */
const SHA = '6a3d31570dc6f4b0bd32bcdc8e75667747c6f635';
const RENEW = `if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) return 1 end
return 0`;
const LEASE_MS = '5000';

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

test('[L11] a renewal that Redis answers with NOSCRIPT is reported if it is repeated, and so is the lease that ended meanwhile', async () => {
  const redis = await startRedis({ 'notify-keyspace-events': 'KA' });
  undo.push(() => redis.stop());
  const lockscope = await startLockscope(redis.url, ['--observe', 'monitor']);
  undo.push(() => lockscope.stop());
  const [app, once] = await Promise.all([connectApp(redis.url), connectApp(redis.url)]);
  undo.push(app.close, once.close);
  const renew = (by: typeof app, lock: string) => by.command('EVALSHA', SHA, '1', lock, LEASE_MS, by.holder());

  await app.acquire('job', { leaseMs: Number(LEASE_MS) });
  await once.acquire('other', { leaseMs: Number(LEASE_MS) });
  const answers = await Promise.allSettled([renew(app, 'job'), renew(app, 'job'), renew(once, 'other')]);
  expect(answers.map((answer) => answer.status === 'rejected' && String(answer.reason))).toEqual(
    answers.map(() => expect.stringContaining('NOSCRIPT')),
  );
  await waitFor('both leases to end', async () => (await app.command('EXISTS', 'job', 'other')) === 0);
  for (const [by, lock] of [[app, 'job'] as const, [once, 'other'] as const])
    await by.command('EVAL', RENEW, '1', lock, LEASE_MS, by.holder());

  const insights = await waitFor('the verdict', async (missing) => {
    const body = insightsBody.parse((await lockscope.get('/api/insights')).body);
    const found = body.insights.filter(({ incident }) => incident === 'renewal-broken-after-error');
    return found.length > 0 ? found : missing(JSON.stringify(body));
  });
  expect(insights).toMatchObject([{ lock: 'job', holders: [app.holder()], values: { fault: 'not-run', times: 1 } }]);
  const types = async (lock: string) =>
    withoutVerdicts(await lockscope.eventsAfter(0, { lock })).map(({ type }) => type);
  expect(await types('job')).toEqual(['lock.acquired', 'renewal.not-run', 'lease.expired', 'renewal.refused']);
  expect(await types('other')).toEqual(['lock.acquired', 'lease.expired', 'renewal.refused']);
});
