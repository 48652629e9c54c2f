import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { samplesIn, valuesOf } from '../../../testing/stories/parse-metrics.ts';
import { DemoClients } from '../../support/clients/demo-clients.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type ReceivedSpan, type Receiver, startReceiver } from '../../support/otlp/receiver.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const SECRET = 'T0KEN-of-the-receiver';
/** The exporters send everything soon. */
const SOON = {
  OTEL_BSP_SCHEDULE_DELAY: '100',
  OTEL_BLRP_SCHEDULE_DELAY: '100',
  OTEL_METRIC_EXPORT_INTERVAL: '300',
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRET}`,
};

let redis: RunningRedis;
let receiver: Receiver;
let lockscope: Lockscope | undefined;
const clients = new DemoClients({ threads: 2, watchdogMs: 60_000 });
const client = (name: string) => clients.client(name, redis.url);

beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await lockscope?.stop();
  lockscope = undefined;
  await receiver.stop();
  await clients.settle();
  await redis.command('FLUSHALL');
});
afterAll(async () => {
  await clients.end();
  await redis?.stop();
});

/** Starts a Lockscope that exports to this URL, with these variables in its environment. */
async function watch(url: string, env: Record<string, string>): Promise<Lockscope> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  lockscope = await startLockscope(redis.url, ['--observe', 'monitor', '--otlp', url]);
  return lockscope;
}

const ofHolder = (holder: string) => (span: ReceivedSpan) => span.attributes['lock.holder'] === holder;

test('a real wait and hold are one trace, a deadlock is a log record, and the metrics are those of /metrics', async () => {
  receiver.statuses.push(503, 503, 503);
  const { health, output, url } = await watch(`${receiver.url}/${SECRET}/`, SOON);
  const [a, b] = [await client('svc-a'), await client('svc-b')];
  await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
  await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
  const waiting = b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
  await redis.command('PEXPIRE', 'orders:1', '600000');
  await waitFor('a wait and a renewal', async () => {
    const reported = await lockscope?.eventsAfter(0, { lock: 'orders:1' });
    const types = reported?.map(({ type }) => type) ?? [];
    return types.includes('lease.renewed') && types.filter((type) => type === 'lock.refused').length > 1;
  });
  await a.ask({ thread: 1, action: 'unlock', lock: 'orders:1' });
  await a.ask({ thread: 1, action: 'unlock', lock: 'orders:1' });
  await waiting;
  await b.ask({ thread: 1, action: 'unlock', lock: 'orders:1' });

  await waitFor('three spans, after the receiver refused some requests', () => receiver.spans.length === 3);
  const [holdOfA] = receiver.spans.filter(ofHolder(`${a.uuid}:1`));
  const [wait, hold] = receiver.spans.filter(ofHolder(`${b.uuid}:1`));
  expect(holdOfA).toMatchObject({ name: 'lock hold', parentSpanId: '' });
  expect(holdOfA?.events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['lock.reentered', 'lease.renewed', 'lock.partially-released']),
  );
  const { traceId, spanId } = holdOfA ?? {};
  expect(wait).toMatchObject({ name: 'lock wait', links: [{ traceId, spanId }] });
  expect(hold).toMatchObject({
    name: 'lock hold',
    traceId: wait?.traceId,
    parentSpanId: wait?.spanId,
    start: wait?.end,
  });
  expect(wait?.traceId).not.toBe(traceId);
  const { port } = new URL(redis.url);
  expect(wait?.attributes).toMatchObject({
    ...{ 'db.system.name': 'redis', 'db.namespace': '0', 'server.address': '127.0.0.1', 'server.port': Number(port) },
    ...{ 'lock.name': 'orders:1', 'lock.end': 'acquired', 'lock.woken_by': 'message', 'lock.observed': true },
  });
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'lockscope' });

  await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
  await b.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
  void a.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
  void b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
  const isDeadlock = ({ attributes }: { attributes: object }) =>
    'lock.verdict.incident' in attributes && attributes['lock.verdict.incident'] === 'abba-deadlock';
  const verdict = await waitFor('the verdict', () => receiver.logs.find(isDeadlock));
  expect(verdict).toMatchObject({ eventName: 'lock.verdict.opened', severityText: 'ERROR' });
  expect(verdict.body).toMatch(/^Deadlock: threads wait for each other: .*waits for orders:/);

  const scraped = samplesIn(await (await fetch(`${url}/metrics`)).text());
  const point = (name: string, end: string) =>
    receiver.points().find(({ name: each, attributes }) => each === name && (attributes.end ?? '') === end);
  const length = await waitFor('the metrics', () => point('lockscope_hold_duration_seconds', 'released'));
  expect(length).toMatchObject({ type: 'histogram', value: 2 });
  const bySeries = valuesOf(scraped, 'lockscope_hold_duration_seconds_sum');
  expect(length.sum).toBe(bySeries['redis lock released']);
  expect(length.counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  const names = new Set(receiver.points().map(({ name }) => name));
  for (const name of ['lockscope_locks', 'lockscope_otlp_sent_total', 'lockscope_source_level'])
    expect(names).toContain(name);

  expect(receiver.headers[0]).toMatchObject({ authorization: `Bearer ${SECRET}` });
  const { otlp } = await health();
  expect(otlp).toMatchObject({ spans: { sent: 3, dropped: 0 }, metrics: { dropped: 0 } });
  expect(output() + JSON.stringify(otlp)).not.toContain(SECRET);
});

test('without a receiver, dropped items are counted, and Lockscope continues', async () => {
  const endedUrl = receiver.url;
  await receiver.stop();
  const { health, output, locks, url, stop } = await watch(endedUrl, { ...SOON, OTEL_EXPORTER_OTLP_TIMEOUT: '100' });
  const a = await client('svc-a');
  for (const lock of ['a', 'b', 'c']) {
    await a.ask({ thread: 1, action: 'lock', lock });
    await a.ask({ thread: 1, action: 'unlock', lock });
  }
  const otlp = await waitFor('the spans to be dropped', async () => {
    const { otlp } = await health();
    return otlp && otlp.spans.dropped === 3 && otlp.metrics.dropped > 0 ? otlp : undefined;
  });
  expect(otlp).toMatchObject({
    spans: { sent: 0, waiting: 0 },
    problem: 'the receiver cannot be reached (ECONNREFUSED)',
  });
  const dropped = valuesOf(samplesIn(await (await fetch(`${url}/metrics`)).text()), 'lockscope_otlp_dropped_total');
  expect(dropped).toMatchObject({ 'spans export': 3 });
  expect(output().match(/spans are not exported/g)).toHaveLength(1);
  expect(await locks()).toHaveLength(3);
  await stop();
});

test('at the end, queued items are sent, and a lock that is still held has no span', async () => {
  const { newestSeq, stop } = await watch(receiver.url, { OTEL_BSP_SCHEDULE_DELAY: '3600000' });
  const a = await client('svc-a');
  await a.ask({ thread: 1, action: 'lock', lock: 'a' });
  await a.ask({ thread: 1, action: 'unlock', lock: 'a' });
  await a.ask({ thread: 1, action: 'lock', lock: 'b' });
  await waitFor('the second lock', async () => (await lockscope?.lock('b'))?.holders.length === 1 && newestSeq());
  expect(receiver.spans).toEqual([]);
  await stop();
  expect(receiver.spans.map(({ name, attributes }) => [name, attributes['lock.name']])).toEqual([['lock hold', 'a']]);
});
