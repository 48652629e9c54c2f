import { expect, onTestFinished, test } from 'vitest';
import type { ToldEvent } from '../support/clients/lockscope.ts';
import { watchRedis } from '../support/clients/watched-redis.ts';
import { waitFor } from '../support/wait-for.ts';

type Verdict = Extract<ToldEvent, { type: `insight.${string}` }>;

test('a verdict is an event when it begins and when it ends, with its causes', async () => {
  const { app, lockscope, end } = await watchRedis();
  onTestFinished(end);
  const told = (type: Verdict['type']) =>
    waitFor(type, async (missing) => {
      const all = (await lockscope.eventsAfter(0)).filter((event): event is Verdict => event.type === type);
      return all.find(({ incident }) => incident === 'no-ttl-lock') ?? missing(JSON.stringify(all));
    });
  await app.acquire('orders:42');
  await app.command('PERSIST', 'orders:42');
  const opened = await told('insight.opened');
  expect(opened).toMatchObject({
    ...{ lock: 'orders:42', certainty: 'inferred', severity: 'warning', confidence: 'certain' },
  });
  const causes = await Promise.all((opened.because ?? []).map((seq) => lockscope.eventsAfter(seq - 1)));
  expect(causes.map(([cause]) => cause?.type)).toContain('lock.acquired');

  await app.command('PEXPIRE', 'orders:42', '600000');
  const closed = await told('insight.closed');
  expect(closed).toMatchObject({ insight: opened.insight });
  expect(closed).not.toHaveProperty('isUnknown');
  expect(closed.seq).toBeGreaterThan(opened.seq);
});
