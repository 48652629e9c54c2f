import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthBody, locksBody } from '../../../shared/wire/http.ts';
import { windowBody } from '../../../shared/wire/window.ts';
import { type CommandConnection, openCommandConnection } from '../../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../../redis/private-server/local-redis.ts';
import { Program } from '../../testing/program.ts';
import { PrivatePostgres } from '../testing/private-postgres.ts';

const LONG = { timeout: 60_000, interval: 100 };
const running: Program[] = [];
let redis: LocalRedis;
let postgres: PrivatePostgres;
let app: CommandConnection;

beforeEach(async () => {
  [redis, postgres] = await Promise.all([startLocalRedis(), PrivatePostgres.start()]);
  app = openCommandConnection({ url: redis.url });
  await app.whenReady(10_000);
});

afterEach(async () => {
  for (const program of running.splice(0)) await program.kill();
  app.close();
  await Promise.all([redis.stop(), postgres.stop()]);
});

function start(): Program {
  const words = [redis.url, '--observe', 'monitor', '--port', '0', '--no-open'];
  const program = new Program(words, { LOCKSCOPE_STORE: postgres.url() });
  running.push(program);
  return program;
}

/** The address of a program's page, once the program sees every command. */
async function watching(program: Program): Promise<string> {
  await vi.waitFor(() => expect(program.err).toContain('observing at level monitor'), LONG);
  return program.ready();
}

async function lockSome(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await app.call('SET', `lock:${n % 20}`, `token-0123456789abcdef-${n}`, 'NX', 'PX', 600_000);
    await app.call('DEL', `lock:${n % 20}`);
  }
}

async function json(url: string): Promise<unknown> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

const healthOf = async (url: string) => healthBody.parse(await json(`${url}/api/health`));
const eventsOf = async (url: string, from: number) =>
  windowBody.parse(await json(`${url}/api/window?from=${from}&limit=5000`)).events;

/** Waits until everything that has happened is stored. */
async function stored(url: string): Promise<void> {
  await vi.waitFor(async () => {
    const { store, history } = await healthOf(url);
    const [newest] = (await eventsOf(url, 0)).slice(-1);
    expect(newest).toBeDefined();
    expect([store?.problem, (newest?.seq ?? 0) + 1]).toEqual([undefined, history.nextSeq]);
    expect(store?.to).toBeGreaterThanOrEqual(newest?.at ?? 0);
  }, LONG);
}

test.each(['crash', 'pause'] as const)(
  'if PostgreSQL ends by %s and comes back, it has each event once',
  async (end) => {
    const first = start();
    const url = await watching(first);
    await app.call('SET', 'lock:orders', 'token-0123456789abcdef-0', 'NX', 'PX', 600_000);
    await lockSome(200);
    await stored(url);
    const before = await eventsOf(url, 0);
    await postgres[end]();
    await lockSome(200);
    await vi.waitFor(async () => {
      const { status, store } = await healthOf(url);
      expect([status, store?.problem?.code, store?.problem?.values]).toMatchObject([
        'degraded',
        'store-failed',
        { why: 'gone' },
      ]);
      expect(store?.until).toBeGreaterThanOrEqual(before.at(-1)?.at ?? 0);
    }, LONG);
    await lockSome(200);
    const locks = locksBody.parse(await json(`${url}/api/locks`));
    expect(locks.locks.find(({ name }) => name === 'lock:orders')).toMatchObject({ held: true });
    await postgres.go();
    await stored(url);
    expect((await healthOf(url)).status).toBe('ok');
    await lockSome(50);
    await stored(url);
    const events = await eventsOf(url, 0);
    await first.kill();

    const second = start();
    const again = await watching(second);
    const kept = (await eventsOf(again, before[0]?.at ?? 0)).filter(({ seq }) => seq <= (events.at(-1)?.seq ?? 0));
    expect(kept).toEqual(events);
    const then = locksBody.parse(await json(`${again}/api/locks?at=${before.at(-1)?.at}`));
    expect(then.locks.find(({ name }) => name === 'lock:orders')).toMatchObject({ held: true });
  },
);

test('if the past cannot be read, the response is the reason, not an empty list', async () => {
  const first = start();
  const before = await watching(first);
  await lockSome(20);
  await stored(before);
  const [event] = await eventsOf(before, 0);
  await first.end('SIGTERM');
  const second = start();
  const url = await watching(second);
  await postgres.pause();
  const answer = await fetch(`${url}/api/locks?at=${event?.at}`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'store-unreadable' } }]);
  await postgres.go();
  await vi.waitFor(async () => expect((await fetch(`${url}/api/locks?at=${event?.at}`)).status).toBe(200), LONG);
});

test('after a kill less than the last 1.5 s is missing, and the time after it is shown as not watched', async () => {
  const first = start();
  const url = await watching(first);
  await lockSome(300);
  await stored(url);
  const newest = (await eventsOf(url, 0)).at(-1)?.seq ?? 0;
  await lockSome(300);
  const events = await eventsOf(url, 0);
  await first.kill();
  const second = start();
  const again = await watching(second);
  const kept = await vi.waitFor(async () => {
    const found = await eventsOf(again, events[0]?.at ?? 0);
    expect(found.some(({ type }) => type === 'blind-spot.ended')).toBe(true);
    return found;
  }, LONG);
  const gap = kept.findIndex((event) => event.type === 'blind-spot.began' && event.reason === 'not-running');
  expect(gap).toBeGreaterThanOrEqual(newest);
  const both = Math.min(gap, events.length); // events after the last answer may be stored, too
  expect(kept.slice(0, both)).toEqual(events.slice(0, both));
  const lost = (events.at(-1)?.at ?? 0) - (kept[gap - 1]?.at ?? 0);
  expect(lost).toBeLessThan(1_500_000);
});

test('a second Lockscope on the same servers is refused, and neither output nor health shows the password', async () => {
  const first = start();
  const url = await watching(first);
  const second = start();
  expect(await second.ended()).toBe(1);
  expect(second.err).toContain(
    `--store postgres://127.0.0.1:${postgres.port}/postgres: another Lockscope stores the same servers there.`,
  );
  await postgres.pause();
  await lockSome(20);
  await vi.waitFor(async () => expect((await healthOf(url)).status).toBe('degraded'), LONG);
  const shown = JSON.stringify([await json(`${url}/api/health`), first.out, first.err, second.out, second.err]);
  expect(shown).toContain(`postgres://127.0.0.1:${postgres.port}/postgres`);
  expect(shown).not.toMatch(/s3cret|lockscope:s3/);
  await postgres.go();
});
