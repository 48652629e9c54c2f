import { afterEach, expect, test } from 'vitest';
import { eventsBody, locksBody } from '../../../shared/wire/http.ts';
import { type Fault, KilledFleet, type Source } from '../../support/fleet/killed-fleet.ts';
import { nowMicros } from '../../support/fleet/lock-account.ts';
import { type Chance, chanceFrom, seedOfRun } from '../../support/random/seeded.ts';

/** `KILLS=1000 KILL_SOURCES=20 KILL_INSTANTS=1000` takes half an hour on two cores. */
const KILLS = Number(process.env.KILLS ?? 40);
const SOURCES = Number(process.env.KILL_SOURCES ?? 3);
const INSTANTS = Number(process.env.KILL_INSTANTS ?? 300);
const PACE_MS = 1000;
/** At most this many faults go on at the same time. */
const AT_ONCE = 6;
/** A change this near to an instant may be before or after it, by the clock of the process that asks. */
const NEAR_MICROS = 100_000;
/**
 * After a blind spot, a lock that was free before it counts as free until it is read, which takes at most this long.
 */
const READ_MICROS = 2_000_000;
const HOURS = 3_600_000;

/** The faults to choose from. A fault that is listed more often happens more often. */
const WEIGHTED_FAULTS: readonly Fault[] = [
  ...Array<Fault>(9).fill('kill-observer'),
  ...Array<Fault>(2).fill('kill-writer'),
  ...Array<Fault>(2).fill('cut-watched'),
  ...Array<Fault>(2).fill('cut-bus'),
  'freeze-observer',
  'kill-viewer',
  'kill-bus',
  'crash-database',
];

let fleet: KilledFleet | undefined;
afterEach(() => fleet?.stop());

test(
  `after ${KILLS} random kills, no line is stored twice, and states that are known are right`,
  async () => {
    const seed = seedOfRun();
    const chance = chanceFrom(seed, 'kills');
    process.stdout.write(`SEED=${seed}\n`);
    fleet = await KilledFleet.start(SOURCES, chance);
    const began = nowMicros();
    await runFaults(fleet, chance);
    const ended = nowMicros();
    await fleet.settle();
    process.stdout.write(`${(ended - began) / 1e6} s: ${JSON.stringify([...fleet.happened])}\n`);

    let [stored, missing, gaps] = [0, 0, 0];
    for (const { name } of fleet.sources) {
      const lasts = new Map<number, number>();
      for (const { run, first, last } of await fleet.stored(name)) {
        const before = lasts.get(run) ?? 0;
        expect(first, `${name}, run ${run}: line ${first} is stored again after ${before}`).toBeGreaterThan(before);
        stored += last - first + 1;
        missing += first - before - 1;
        if (first > before + 1) gaps++;
        lasts.set(run, last);
      }
    }
    process.stdout.write(`${stored} lines stored once, ${missing} missing in ${gaps} gaps\n`);

    const page = await fleet.page();
    const states = { right: 0, notKnown: 0, unread: 0, wrong: [] as string[] };
    for (const source of fleet.sources) {
      const instants = Array.from({ length: Math.ceil(INSTANTS / SOURCES) }, () => chance.whole(began, ended));
      await compareStates(`${page}/sources/${source.name}/api`, source, instants, states);
    }
    process.stdout.write(`${JSON.stringify({ ...states, wrong: states.wrong.length })}\n`);
    expect(states.wrong.slice(0, 20)).toEqual([]);
    expect(states.right).toBeGreaterThan(20 * states.unread);
  },
  4 * HOURS,
);

async function runFaults(killed: KilledFleet, chance: Chance): Promise<void> {
  const running = new Set<Promise<void>>();
  const unfinished = new Set<Fault>();
  for (let n = 0; n < KILLS; ) {
    const fault = chance.oneOf(WEIGHTED_FAULTS);
    // A part that exists only once must be back before it is killed again.
    if (unfinished.has(fault) || (fault === 'cut-bus' && unfinished.has('kill-bus'))) {
      await Promise.race(running);
      continue;
    }
    n++;
    if (fault === 'kill-bus' || fault === 'crash-database') unfinished.add(fault);
    const happening = killed.happen(fault).finally(() => {
      running.delete(happening);
      unfinished.delete(fault);
    });
    running.add(happening);
    if (running.size >= AT_ONCE) await Promise.race(running);
    await new Promise((resolve) => setTimeout(resolve, chance.whole(0, 2 * PACE_MS)));
  }
  await Promise.all(running);
}

type States = { right: number; notKnown: number; unread: number; readonly wrong: string[] };

/** Compares the locks of a source at these instants with the account of its application. */
async function compareStates(
  api: string,
  { name, account }: Source,
  instants: readonly number[],
  states: States,
): Promise<void> {
  const answered = await fetch(`${api}/events?type=blind-spot.ended&limit=5000`);
  const ends = eventsBody.parse(await answered.json()).events;
  for (const at of instants) {
    const answer = await fetch(`${api}/locks?at=${at}`);
    expect(answer.status, `${name} at ${at}: ${answer.ok ? '' : await answer.clone().text()}`).toBe(200);
    const { locks } = locksBody.parse(await answer.json());
    for (const lock of account.locks) {
      const holder = account.holderAt(lock, at, NEAR_MICROS);
      if (holder === undefined) continue;
      const shown = locks.find((each) => each.name === lock);
      const isKnown = shown && shown.assumedSince === undefined && shown.unwatchedSince === undefined;
      if (!isKnown) states.notKnown++;
      else if ((shown.holders[0]?.id ?? null) === holder && shown.held === (holder !== null)) states.right++;
      else if (!shown.held && ends.some((end) => end.at <= at && at < end.at + READ_MICROS)) states.unread++;
      else states.wrong.push(`${name} at ${at}: ${JSON.stringify(shown)}; held: ${account.near(lock, at)}`);
    }
  }
}
