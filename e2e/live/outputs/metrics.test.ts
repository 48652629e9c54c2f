import { expect, onTestFinished, test } from 'vitest';
import { samplesIn } from '../../../testing/stories/parse-metrics.ts';
import { connectApp, listenFor } from '../../support/clients/app.ts';
import { watchRedis } from '../../support/lockscope/watched-redis.ts';
import { expectAgreement, expectOnlyRises, metricsText } from '../../support/metrics-agree.ts';

test('the metrics agree with the API, and counters only rise', async () => {
  const { redis, app, lockscope, eventsUntil, end } = await watchRedis({}, [
    ...['--observe', 'monitor', '--metrics-lock', '*'],
  ]);
  onTestFinished(end);
  const waiter = await connectApp(redis.url);
  onTestFinished(() => waiter.close());
  await app.acquire('held');
  await app.acquire('wanted');
  await waiter.acquire('wanted');
  const stopListening = await listenFor(redis.url, 'wanted');
  await waiter.acquire('wanted');
  await app.release('wanted');
  await waiter.acquire('wanted');
  await stopListening();
  await eventsUntil('wanted', 'waiter.unsubscribed');
  const samples = await expectAgreement(lockscope);

  await waiter.release('wanted');
  await app.acquire('the-last');
  await eventsUntil('the-last', 'lock.acquired');
  const later = samplesIn(await metricsText(lockscope));
  expectOnlyRises(samples, later);
  expect(later.length).toBeGreaterThanOrEqual(samples.length);
});
