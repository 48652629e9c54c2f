import { afterEach, expect, test } from 'vitest';
import { startDemoProcess } from '../../support/lockscope/demo-process.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { OTELCOL, startCollector } from '../../support/otlp/collector.ts';
import { startReceiver } from '../../support/otlp/receiver.ts';
import { hasProgram } from '../../support/servers/prometheus.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/*
 * A Collector drops what it cannot read. This Collector prints what it received, and passes everything on to a receiver
 * that decodes it.
 */

const MISSING = hasProgram(OTELCOL) ? '' : ' (skipped: no otelcol; e2e/support/otlp/README.md builds one)';
const SOON = {
  OTEL_BSP_SCHEDULE_DELAY: '100',
  OTEL_BLRP_SCHEDULE_DELAY: '100',
  OTEL_METRIC_EXPORT_INTERVAL: '300',
};

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Returns what was started. At the end of the test, calls `end` for it. */
function kept<T>(started: T, end: (started: T) => Promise<unknown>): T {
  ends.push(() => end(started));
  return started;
}

test.skipIf(MISSING)(
  `a Collector receives spans, verdicts and metrics, and refuses none of them${MISSING}`,
  async () => {
    const redis = kept(await startRedis(), (each) => each.stop());
    const receiver = kept(await startReceiver(), (each) => each.stop());
    const collector = kept(await startCollector(receiver.url), (each) => each.stop());
    const flags = ['--observe', 'monitor', '--otlp', collector.url];
    const lockscope = kept(await startLockscopeProcess(redis.url, flags, SOON), (each) => each.stop());
    const client = async (name: string) =>
      kept(await startDemoProcess({ name, redisUrl: redis.url, threads: 2, watchdogMs: 60_000 }), (each) =>
        each.kill(),
      );
    const [a, b] = [await client('svc-a'), await client('svc-b')];

    await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    const waiting = b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    await waitFor('a wait', async () =>
      (await lockscope.eventsAfter(0, { lock: 'orders:1' })).some(({ type }) => type === 'waiter.subscribed'),
    );
    await a.ask({ thread: 1, action: 'unlock', lock: 'orders:1' });
    await waiting;
    await b.ask({ thread: 1, action: 'unlock', lock: 'orders:1' });
    await waitFor('three spans', () => receiver.spans.length === 3);
    const spanOf = (uuid: string, name: string) =>
      receiver.spans.find((span) => span.name === name && span.attributes['lock.holder'] === `${uuid}:1`);
    const [first, wait, hold] = [spanOf(a.uuid, 'lock hold'), spanOf(b.uuid, 'lock wait'), spanOf(b.uuid, 'lock hold')];
    expect(wait?.links).toEqual([{ traceId: first?.traceId, spanId: first?.spanId }]);
    expect(hold).toMatchObject({ traceId: wait?.traceId, parentSpanId: wait?.spanId, start: wait?.end });

    await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    await b.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    void a.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    void b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    const incidentOf = (log: (typeof receiver.logs)[number]) => log.attributes['lock.verdict.incident'];
    const verdict = await waitFor('the verdict', () =>
      receiver.logs.find((log) => incidentOf(log) === 'abba-deadlock'),
    );
    expect(verdict).toMatchObject({ eventName: 'lock.verdict.opened', severityText: 'ERROR' });

    const isHoldDuration = ({ name }: { name: string }) => name === 'lockscope_hold_duration_seconds';
    const holds = await waitFor('the metrics', () => receiver.points().find(isHoldDuration));
    expect(holds).toMatchObject({ type: 'histogram', value: 2 });
    for (const text of [/Name +: lock wait/, /Name +: lock hold/, /abba-deadlock/, /Name: lockscope_locks/])
      await waitFor(`${text} in what the Collector printed`, () => text.test(collector.output()));
    const { otlp } = await lockscope.health();
    expect(otlp).toMatchObject({ spans: { sent: 3, dropped: 0 }, logs: { dropped: 0 }, metrics: { dropped: 0 } });
    expect(collector.output().match(/^.*\t(?:warn|error)\t.*$/gim) ?? []).toEqual([]);
  },
);
