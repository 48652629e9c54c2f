import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { strictly } from '../../shared/testing/strictly.ts';
import { type CheckBody, checkBody } from '../../shared/wire/check.ts';
import { type DemoProcess, startDemoProcess } from '../support/clients/demo-process.ts';
import { LockscopeCommand } from '../support/clients/lockscope-command.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/** A port that no machine offers. */
const NO_REDIS = 'redis://127.0.0.1:1';
/** The reads at the beginning send an ECHO too: one each. */
const BEATS = 8;
let redis: RunningRedis;
let clients: DemoProcess[] = [];
let commands: LockscopeCommand[] = [];

beforeEach(async () => {
  redis = await startRedis();
});

afterEach(async () => {
  await Promise.all([...clients, ...commands].map((each) => each.kill()));
  clients = [];
  commands = [];
  await redis.stop();
});

function check(...words: string[]): LockscopeCommand {
  const command = new LockscopeCommand(['check', ...words]);
  commands.push(command);
  return command;
}

async function client(name: string): Promise<DemoProcess> {
  const started = await startDemoProcess({ name, redisUrl: redis.url, threads: 2, watchdogMs: 60_000 });
  clients.push(started);
  return started;
}

function bodyOf({ out }: LockscopeCommand): CheckBody {
  return strictly(checkBody, JSON.parse(out));
}

/**
 * Waits until Lockscope has switched MONITOR on and has sent some beats of its heartbeat (an ECHO each 200 ms): from then
 * on it sees what clients do.
 */
async function isWatching(command: LockscopeCommand): Promise<void> {
  let echoes: number | undefined;
  await waitFor('MONITOR', async (missing) => {
    if (command.child.exitCode !== null) throw new Error(`ended with ${command.child.exitCode}: ${command.err}`);
    const list = String(await redis.command('CLIENT', 'LIST'));
    if (!/ cmd=monitor /.test(list)) return missing(list);
    const now = (await redis.commandCalls()).get('echo') ?? 0;
    echoes ??= now;
    return now >= echoes + BEATS || missing(`${now - echoes} beats`);
  });
}

/** How often CLIENT LIST was called. Redis 6 counts all CLIENT commands together. */
async function listsAsked(): Promise<number> {
  const calls = await redis.commandCalls();
  return calls.get('client|list') ?? calls.get('client') ?? 0;
}

describe('lockscope check', () => {
  test('without a verdict: exit code 0, and what was checked and what cannot be seen', async () => {
    const [text, json] = [check(redis.url), check(redis.url, '--json')];
    expect(await text.ended()).toBe(0);
    expect(text.out).toContain('No verdicts, now.');
    expect(text.out).toMatch(/^Watched: redis:\S+, Redis \S+, level events\.$/m);
    expect(text.out).toMatch(/^Checked: .*holder-crashed-wait-ttl/m);
    expect(text.out).toMatch(/^Not known \(not at this level, use --observe monitor\): .*abba-deadlock/m);
    expect(text.out).toContain('Cannot see: ');
    expect(await json.ended()).toBe(0);
    expect(bodyOf(json)).toMatchObject({
      exitCode: 0,
      insights: [],
      sources: [{ level: 'events', status: 'observing' }],
    });
  });

  test('a deadlock: exit code 4, with locks, threads, evidence and advice', async () => {
    const [a, b] = [await client('svc-a'), await client('svc-b')];
    const command = check(redis.url, '--observe', 'monitor', '--for', '20s');
    await isWatching(command);
    await a.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    await b.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    void a.ask({ thread: 1, action: 'lock', lock: 'orders:2' });
    void b.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    expect(await command.ended(), `${command.out}\n${command.err}`).toBe(4);
    expect(command.out).toMatch(/^CRITICAL {2}abba-deadlock {2}orders:[12] \(redis, database 0\)$/m);
    expect(command.out).toContain(`${a.uuid}:1`);
    expect(command.out).toContain('To do: Release one of these locks by hand.');
    expect(command.out).toMatch(/^Verdicts: 1 critical, in \d+ s\.$/m);
  });

  test('a holder that crashed: exit code 3, with the end by itself', async () => {
    const command = check(redis.url, '--observe', 'monitor', '--for', '40s', '--json');
    await isWatching(command);
    const holder = await client('svc-a');
    await holder.ask({ thread: 1, action: 'lock', lock: 'orders:1' });
    const before = await listsAsked();
    // The first list may have been under way when the client was not known yet. The second was asked for after it.
    await waitFor('its connections to be listed', async () => (await listsAsked()) >= before + 2);
    await holder.kill();
    expect(await command.ended()).toBe(3);
    const { insights, exitCode } = bodyOf(command);
    expect(exitCode).toBe(3);
    expect(insights.map(({ incident, lock, holders }) => ({ incident, lock, holders }))).toContainEqual({
      ...{ incident: 'holder-crashed-wait-ttl', lock: 'orders:1', holders: [`${holder.uuid}:1`] },
    });
    expect(insights.find(({ incident }) => incident === 'holder-crashed-wait-ttl')?.selfHealsAt).toBeGreaterThan(0);
  });

  test('a server that cannot be reached: exit code 1, one line with the reason, and a document that says so', async () => {
    const [text, json] = [check(NO_REDIS), check(NO_REDIS, '--json')];
    expect(await text.ended()).toBe(1);
    expect(text.err.trimEnd().split('\n')).toHaveLength(1);
    expect(text.err).toContain('127.0.0.1:1');
    expect(text.out).toMatch(/^Not watched: redis:\/\/127\.0\.0\.1:1\./m);
    expect(await json.ended()).toBe(1);
    expect(bodyOf(json)).toMatchObject({ exitCode: 1, checked: [], sources: [{ problem: { code: 'refused' } }] });
  });

  test('SIGTERM ends it without a result, and not with success', async () => {
    const command = check(redis.url, '--observe', 'monitor', '--for', '10m');
    await isWatching(command);
    command.child.kill('SIGTERM');
    expect(await command.ended()).toBe(143);
    expect(command.out).toBe('');
  });
});
