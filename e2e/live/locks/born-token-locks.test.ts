import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { untilScanned, withoutVerdicts } from '../../support/lockscope/watched-redis.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Sets a key with a lease and deletes it at once, so that no read can find it. */
const SHORT = "redis.call('set', KEYS[1], ARGV[1], 'PX', '60000') redis.call('del', KEYS[1])";

let redis: RunningRedis;
let app: App;
let lockscope: Lockscope;

beforeAll(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
  app = await connectApp(redis.url);
  lockscope = await startLockscope(redis.url, ['--observe', 'events']);
  await untilScanned(lockscope);
});
afterAll(async () => {
  await app?.close();
  await lockscope?.stop();
  await redis?.stop();
});

async function eventsOf(name: string): Promise<string[]> {
  const events = await lockscope.eventsAfter(0);
  return withoutVerdicts(events.filter(({ lock }) => lock === name)).map(({ type }) => type);
}

/** Waits until a lock has as many events as `types`, and expects these types. Returns the types. */
function story(name: string, ...types: string[]): Promise<string[]> {
  return waitFor(`${types.length} events of ${name}`, async (missing) => {
    const own = await eventsOf(name);
    return own.length >= types.length ? own : missing(JSON.stringify(own));
  }).then((own) => {
    expect(own).toEqual(types);
    return own;
  });
}

const set = (name: string, value: string) => app.command('SET', name, value, 'NX', 'PX', '60000');

test('level events: a lock with a token is reported while it is held, and so is its release', async () => {
  const token = randomUUID();
  await set('lock:order:7', token);
  await story('lock:order:7', 'lock.acquired');
  expect(await lockscope.lock('lock:order:7')).toMatchObject({
    ...{ kind: 'token-lock', library: 'unknown', kindKnown: false, held: true },
    holders: [{ id: token }],
  });
  await app.command('DEL', 'lock:order:7');
  await story('lock:order:7', 'lock.acquired', 'lock.released');
});

test('level events: a key whose name is not like a lock’s is a lock once it is set again and again with other tokens', async () => {
  let n = 0;
  const shown = await waitFor('it to be shown', async () => {
    const lock = await lockscope.lock('order:7');
    if (!lock) await (n++ % 2 === 0 ? set('order:7', randomUUID()) : app.command('DEL', 'order:7'));
    return lock;
  });
  expect(n).toBeGreaterThan(3);
  expect(shown).toMatchObject({ evidence: ['token', 'reused'] });
  await app.command('DEL', 'order:7');
  const first = await waitFor('its end', async (missing) => {
    const reported = (await lockscope.eventsAfter(0, { lock: 'order:7' })).map(({ type }) => type);
    return reported.length >= 2 ? reported.slice(0, 2) : missing(reported.join());
  });
  expect(first).toEqual(['lock.acquired', 'lock.released']);
});

test('level events: a session, a cache and a number are not locks', async () => {
  await app.command('SET', 'session:1', randomUUID(), 'PX', '60000');
  await app.command('SET', 'page:1', '{"html":1}', 'PX', '60000');
  await app.command('SET', 'lock:attempts', '3', 'PX', '60000');
  await set('lock:last', randomUUID());
  await story('lock:last', 'lock.acquired');
  expect((await lockscope.locks()).map(({ name }) => name).sort()).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/session|page|attempts/)]),
  );
});

test('level events: a key with JSON is not shown as a lock, and that is reported', async () => {
  await set('order:submit:1001', '{"host":"app-1","at":1795000000001}');
  await waitFor('the key to be named', async (missing) => {
    const unseen = (await lockscope.health()).sources[0]?.unseen ?? [];
    const other = unseen.find(({ code }) => code === 'unseen-other-values');
    return (
      (other && 'name' in other.values && other.values.name === 'order:submit:1001') || missing(JSON.stringify(other))
    );
  });
  expect(await lockscope.lock('order:submit:1001')).toBeUndefined();
});

test('level events: the number of locks that ended before they were read is shown', async () => {
  for (let n = 0; n < 3; n++) await app.command('EVAL', SHORT, '1', `lock:short:${n}`, randomUUID());
  await waitFor('three short locks', async (missing) => {
    const unseen = (await lockscope.health()).sources[0]?.unseen ?? [];
    const short = unseen.find(({ code }) => code === 'unseen-short-locks');
    return (short && 'count' in short.values && short.values.count === 3) || missing(JSON.stringify(short));
  });
});
