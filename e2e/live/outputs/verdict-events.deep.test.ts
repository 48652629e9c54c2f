import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DemoProcess, startDemoProcess } from '../../support/lockscope/demo-process.ts';
import type { Lockscope, ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { launchLockscopeProcess, startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

const LOCK = 'orders:verdicts';
let redis: RunningRedis;
let lockscope: Lockscope;
let clients: DemoProcess[] = [];
const file = join(tmpdir(), `verdicts-${process.pid}.lockscope`);

beforeEach(async () => {
  redis = await startRedis();
  lockscope = await startLockscopeProcess(redis.url, ['--observe', 'monitor', '--record', file]);
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.kill()));
  clients = [];
  await lockscope.stop();
  await redis.stop();
  await rm(file, { force: true });
});

const isListed = ({ type, certainty }: ReportedEvent) => type === 'client.connected' && certainty === 'observed';

type Verdict = Extract<ReportedEvent, { incident: string }>;

async function verdicts(from = lockscope): Promise<Verdict[]> {
  const events = await from.eventsAfter(0);
  return events.filter((event): event is Verdict => event.type.startsWith('insight.'));
}

const reported = (type: Verdict['type'], incident: string) =>
  waitFor(`${type} of ${incident}`, async (missing) => {
    const all = await verdicts();
    return all.find((event) => event.type === type && event.incident === incident) ?? missing(JSON.stringify(all));
  });

test('the verdict about a crash has an event when it opens and when it closes, and the recording has the same', async () => {
  const client = await startDemoProcess({ name: 'order-svc-1', redisUrl: redis.url, threads: 1, watchdogMs: 60_000 });
  clients.push(client);
  await client.ask({ thread: 1, action: 'lock', lock: LOCK });
  await waitFor('the client in a list', async () => (await lockscope.eventsAfter(0)).some(isListed));
  await client.kill();
  const opened = await reported('insight.opened', 'holder-crashed-wait-ttl');
  expect(opened).toMatchObject({ lock: LOCK, certainty: 'inferred', severity: 'warning', confidence: 'certain' });
  const causes = await Promise.all((opened.because ?? []).map((seq) => lockscope.eventsAfter(seq - 1)));
  expect(causes.map(([cause]) => cause?.type)).toContain('lock.acquired');

  // A recording is also checked for problems once a second, but at other instants: a shorter problem may be missing in
  // it.
  await pause(1500);
  await redis.command('DEL', LOCK);
  const closed = await reported('insight.closed', 'holder-crashed-wait-ttl');
  expect(closed).toMatchObject({ insight: opened.insight });
  expect(closed).not.toHaveProperty('isUnknown');
  expect(closed.seq).toBeGreaterThan(opened.seq);

  await lockscope.stop();
  const played = await launchLockscopeProcess('open', [file]);
  try {
    const again = await verdicts(played);
    const both = again.filter(({ incident }) => incident === 'holder-crashed-wait-ttl');
    expect(both.map(({ type, insight }) => [type, insight])).toEqual([
      ['insight.opened', opened.insight],
      ['insight.closed', opened.insight],
    ]);
    expect(Math.abs((both[0]?.at ?? 0) - opened.at)).toBeLessThan(3_000_000);
  } finally {
    await played.stop();
  }
});
