import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DumpEntry, dumpBody, dumpDetailBody } from '../../shared/wire/dumps.ts';
import { graphBody } from '../../shared/wire/graph.ts';
import { insightsBody } from '../../shared/wire/insights/insight.ts';
import { buildDrivenClient } from '../support/clients/redisson-build.ts';
import { spawned } from '../support/clients/reporting-process.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { end } from '../support/servers/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('./dumps/DumpedClient.java', import.meta.url));
/** Lockscope compares a wait with a dump only if the wait began at least 10 s before. Here it is 1 s more, to be sure. */
const OLD_ENOUGH_US = 11_000_000;

let redis: RunningRedis;
let lockscope: Lockscope;
let java: Awaited<ReturnType<typeof startClient>>;

async function startClient(redisUrl: string) {
  const classpath = await buildDrivenClient('4.7.0');
  const child = await spawned({ command: 'java', args: ['-cp', classpath, SOURCE, redisUrl] });
  const lines: string[] = [];
  createInterface({ input: child.stdout!, crlfDelay: 0 }).on('line', (line) => lines.push(line));
  const ids = await waitFor('the threads to be stuck', () => {
    const [, ...all] = lines.find((line) => line.startsWith('ready '))?.split(' ') ?? [];
    return all.length === 3 && all;
  });
  return { child, lines, pid: child.pid ?? 0, ids };
}

beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscopeProcess(redis.url);
  java = await startClient(redis.url);
});
afterAll(async () => {
  if (java) await end(java.child, 'SIGKILL');
  await lockscope?.stop();
  await redis?.stop();
});

async function add(text: string, takenAt: number): Promise<DumpEntry> {
  const init = { method: 'POST', body: text, headers: { 'Content-Type': 'text/plain' } };
  const answer = await fetch(`${lockscope.url}/api/thread-dumps?takenAt=${takenAt}`, init);
  return dumpBody.parse(await answer.json()).dump;
}

/** Returns the time of Redis's clock, once the wait for orders:42 is old enough. */
function oldEnough(): Promise<number> {
  return waitFor('the wait to be old enough', async () => {
    const body = (await lockscope.get('/api/locks/orders:42')).body as { at: number; waiters?: { since: number }[] };
    const [waiter] = body.waiters ?? []; // none: the lock is not seen yet
    return waiter !== undefined && body.at - waiter.since > OLD_ENOUGH_US && body.at;
  });
}

test('a dump of a real client shows a deadlock across Redis and the JVM, and a thread that has ended', async () => {
  const takenAt = await oldEnough();
  const { stdout } = await run('jcmd', [String(java.pid), 'Thread.print', '-l'], { maxBuffer: 64 << 20 });
  const dump = await add(stdout, takenAt);
  expect(dump).toMatchObject({ format: 'print', isWhole: true, clientBy: 'threads', waiting: 1 });
  const [one, two, ended] = java.ids.map((id) => `${dump.client}:${id}`);

  const { people } = dumpDetailBody.parse((await lockscope.get(`/api/thread-dumps/${dump.id}`)).body);
  const nameOf = (holder?: string) => people.find((person) => person.holder === holder)?.thread?.name;
  expect([nameOf(one), nameOf(two)]).toEqual(['orders-1', 'orders-2']);
  expect(people).toContainEqual({ holder: ended, found: 'missing' });

  const { insights } = insightsBody.parse((await lockscope.get('/api/insights')).body);
  const found = insights.map(({ incident, lock, holders }) => ({ incident, lock, holders }));
  expect(found).toContainEqual({ incident: 'jvm-redis-deadlock', lock: 'orders:42', holders: [one, two] });
  expect(found).toContainEqual({ incident: 'holder-thread-ended', lock: 'stock:7', holders: [ended] });
  const { edges } = graphBody.parse((await lockscope.get('/api/graph')).body);
  expect(edges).toContainEqual(
    expect.objectContaining({ kind: 'blocked', from: `thread ${one}`, to: `thread ${two}` }),
  );
});

test('jstack, kill -3 and the fields of the actuator show the same client and the same threads', async () => {
  const takenAt = await oldEnough();
  const { stdout: jstack } = await run('jstack', [String(java.pid)], { maxBuffer: 64 << 20 });
  java.child.stdin?.write('\n');
  const actuator = await waitFor('the answer of the client', () => java.lines.find((line) => line.startsWith('{')));
  java.child.kill('SIGQUIT');
  await waitFor('the dump in the log', () => java.lines.some((line) => line.startsWith('JNI global ref')));
  const printed = java.lines.filter((line) => !line.startsWith('{')).join('\n');
  const dumps: DumpEntry[] = [];
  for (const text of [jstack, printed, actuator]) dumps.push(await add(text, takenAt));
  expect(dumps.map(({ format, client }) => `${format} ${client}`)).toEqual(
    ['print', 'print', 'actuator'].map((format) => `${format} ${dumps[0]?.client}`),
  );
  expect(dumps[0]?.client).not.toBeNull();
  for (const { id, client } of dumps) {
    const { people } = dumpDetailBody.parse((await lockscope.get(`/api/thread-dumps/${id}`)).body);
    const blocked = people.find(({ holder }) => holder === `${client}:${java.ids[0]}`);
    expect(blocked?.thread).toMatchObject({ name: 'orders-1', state: 'BLOCKED', waitsFor: { ownerName: 'orders-2' } });
  }
});
