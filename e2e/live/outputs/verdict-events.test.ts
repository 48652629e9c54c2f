import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { watchRedis } from '../../support/lockscope/watched-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

type Verdict = Extract<ReportedEvent, { incident: string }>;

test('a verdict is an event when it begins and when it ends, with its causes', async () => {
  const { app, lockscope, end } = await watchRedis();
  onTestFinished(end);
  const reported = (type: Verdict['type']) =>
    waitFor(type, async (missing) => {
      const all = (await lockscope.eventsAfter(0)).filter((event): event is Verdict => event.type === type);
      return all.find(({ incident }) => incident === 'no-ttl-lock') ?? missing(JSON.stringify(all));
    });
  await app.acquire('orders:42');
  await app.command('PERSIST', 'orders:42');
  const opened = await reported('insight.opened');
  expect(opened).toMatchObject({
    ...{ lock: 'orders:42', certainty: 'inferred', severity: 'warning', confidence: 'certain' },
  });
  const causes = await Promise.all((opened.because ?? []).map((seq) => lockscope.eventsAfter(seq - 1)));
  expect(causes.map(([cause]) => cause?.type)).toContain('lock.acquired');

  const note = { insight: opened.insight, text: 'restarting orders-api', author: 'Kim' };
  expect(await lockscope.post('/api/problems/notes', note)).toMatchObject({ status: 200 });
  expect(await lockscope.post('/api/problems/notes', { ...note, insight: 'none' })).toMatchObject({
    ...{ status: 404, body: { error: { code: 'unknown-problem' } } },
  });

  await app.command('PEXPIRE', 'orders:42', '600000');
  const closed = await reported('insight.closed');
  expect(closed).toMatchObject({ insight: opened.insight });
  expect(closed).not.toHaveProperty('isUnknown');
  expect(closed.seq).toBeGreaterThan(opened.seq);

  const { body } = await lockscope.get('/api/problems');
  const known = { insight: opened.insight, incident: 'no-ttl-lock', lock: 'orders:42', to: closed.to ?? closed.at };
  const notes = [{ text: 'restarting orders-api', author: 'Kim', isAcknowledged: true }];
  expect(body).toMatchObject({ problems: [{ ...known, notes }] });
  const file = await fetch(`${lockscope.url}/api/recording`).then((answer) => answer.arrayBuffer());
  expect(gunzipSync(Buffer.from(file)).toString()).toContain('"text":"restarting orders-api"');
});
