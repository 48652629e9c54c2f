import { expect, test } from 'vitest';
import { endsAfterEach } from '../support/random/ends-after-each.ts';
import { keepStory } from '../support/random/keep-story.ts';
import { type Chance, chanceFrom, seedOfRun } from '../support/random/seeded.ts';
import { isStandstill } from '../support/random/standstill.ts';
import { watchAtLevels } from '../support/random/watch-at-levels.ts';
import { pause } from '../support/wait-for.ts';
import { DrivenClient } from './driven-client.ts';
import { type ClientId, LIBRARIES, PERMIT_LIBRARIES, PROGRAMS } from './libraries.ts';

/** How long each library runs; HEALTHY_SECONDS for a long run by hand. */
const SECONDS = Number(process.env.HEALTHY_SECONDS || 20);
/**
 * How much longer than usual a caller may rest before it locks, in ms; HEALTHY_REST for many long runs on one machine.
 */
const LONGER_REST_MS = Number(process.env.HEALTHY_REST || 0);
const NAMES = ['app1', 'app2'];
const LEASE_MS = 60_000;
/** Clients whose process has one thread: a second caller would wait until the first one's wait has ended. */
const ONE_CALLER: ReadonlySet<ClientId> = new Set(['laravel', 'symfony']);

/** How a client uses its library: the kind of its locks. The names of these locks in this test begin with `id`. */
type Usage = { readonly id: string; readonly client: ClientId; readonly kind: string };
const USAGES: readonly Usage[] = [
  ...LIBRARIES,
  ...PERMIT_LIBRARIES.map(({ client }) => ({ id: `permits-${client}`, client, kind: 'lock' })),
];
type Ready = { readonly usage: Usage; readonly clients: readonly DrivenClient[] };

const seed = seedOfRun();
const keep = endsAfterEach();

test('a healthy load of the other libraries, without job queues, raises no alarm at levels monitor and events', {
  timeout: (SECONDS + 900) * 1000,
}, async () => {
  const { redis, watching } = await watchAtLevels(keep);
  const started = new Map<ClientId, Promise<readonly DrivenClient[]>>();
  const ready: Ready[] = [];
  // The clients start one after the other: if all started at once, each of them would take too long.
  for (const usage of USAGES) {
    const clients = started.get(usage.client) ?? start(usage.client, redis.port);
    started.set(usage.client, clients);
    ready.push({ usage, clients: await clients });
  }
  const until = Date.now() + SECONDS * 1000;
  const holds = new Map<string, number>();
  const acquiredAt: number[] = [];
  await Promise.all(
    ready.flatMap(({ usage, clients }) =>
      clients.flatMap((client) =>
        (ONE_CALLER.has(usage.client) ? ['A'] : ['A', 'B']).map(async (letter) => {
          const caller = `${letter}-${usage.id}`;
          const chance = chanceFrom(seed, usage.id, client.name, letter);
          const count = await runLoad(client, caller, usage, { until, chance, acquiredAt });
          holds.set(usage.id, (holds.get(usage.id) ?? 0) + count);
        }),
      ),
    ),
  );
  const idle = USAGES.filter(({ id }) => (holds.get(id) ?? 0) === 0).map(({ id }) => id);
  expect(idle, 'libraries that never had a lock').toEqual([]);
  await pause(3000);
  const accounts = { acquiredAt, seconds: SECONDS, slowlog: await redis.command('SLOWLOG', 'GET', '-1') };
  for (const { level, lockscope, reading } of watching) {
    const [source] = (await lockscope.health()).sources;
    const events = await reading.stop();
    const alarms = events.filter((event) => event.type === 'insight.opened' && !isStandstill(event, accounts));
    const where = alarms.length === 0 ? '' : keepStory({ seed, level, alarms, events });
    console.log(
      `healthy load of other libraries, SEED=${seed}, ${level}: ${events.length} events, ${alarms.length} alarms, drift ${source?.drift}`,
    );
    expect.soft(alarms, `SEED=${seed}, ${level}: story in ${where}`).toEqual([]);
    if (level === 'monitor') expect.soft(source).toMatchObject({ drift: 0, rejected: 0 });
  }
  console.log([...holds].map(([id, count]) => `${id}: ${count} holds`).join('\n'));
});

async function start(id: ClientId, port: number): Promise<readonly DrivenClient[]> {
  const clients: DrivenClient[] = [];
  for (const name of NAMES) {
    clients.push(keep(await DrivenClient.start(name, await PROGRAMS[id](port, name)), (client) => client.kill()));
  }
  return clients;
}

type Load = { readonly until: number; readonly chance: Chance; readonly acquiredAt: number[] };

/**
 * Locks and unlocks at random until `until`. Adds the times at which it acquired locks, in µs. Returns the number of
 * holds. Throws if a call fails, except an attempt that does not wait.
 */
async function runLoad(
  client: DrivenClient,
  caller: string,
  usage: Usage,
  { until, chance, acquiredAt }: Load,
): Promise<number> {
  const { id, kind } = usage;
  let holds = 0;
  while (Date.now() < until) {
    await pause(chance.whole(20, 400 + LONGER_REST_MS));
    const name = `${id}:load:${chance.whole(1, 2)}`;
    const operation = chance.isTrue(0.3) ? 'try' : 'lock';
    const answer = await client.call(caller, operation, kind, name, LEASE_MS);
    if (answer !== 'ok') {
      if (operation === 'lock') throw new Error(`${client.name} ${caller} locks ${name}: ${answer} ${client.errors}`);
      continue;
    }
    holds++;
    acquiredAt.push(Date.now() * 1000);
    await pause(chance.whole(0, 40));
    const released = await client.call(caller, 'unlock', kind, name);
    if (released !== 'ok' && released !== 'true')
      throw new Error(`${client.name} ${caller} unlocks ${name}: ${released} ${client.errors}`);
  }
  return holds;
}
