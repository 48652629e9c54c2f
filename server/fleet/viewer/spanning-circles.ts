import { ROLLED_BACK_MS } from '../../../shared/insights/circle-facts.ts';
import { WaitCircles, type WantedLock } from '../../../shared/insights/wait-circles.ts';
import type { Pulse, PulsePerson, PulseRow } from '../../../shared/wire/fleet/pulse.ts';
import type { SpanningCircle } from '../../../shared/wire/fleet/spanning.ts';
import type { Sliced } from '../../watch/slices/in-slices.ts';
import type { Processes } from './processes.ts';

type Step = {
  readonly pulse: Pulse;
  readonly row: PulseRow;
  readonly waiter: PulseRow['sleepers'][number];
  readonly holder: PulseRow['holders'][number];
};

/**
 * Threads that wait for each other over several sources, as the newest pulses show them. `key` contains the beginnings
 * of all holds and waits.
 */
type FoundCircle = {
  readonly key: string;
  readonly names: ReadonlySet<string>;
  readonly circle: SpanningCircle;
};

/**
 * Finds threads that wait for each other over several sources, with the rules for one process (`WaitCircles`). A circle
 * within one source is left to its observer. `clocks`: sources whose clocks alone exclude a circle: by these clocks, a
 * thread acquired one of its locks after it began to wait.
 */
export function* spanningCircles(
  pulses: readonly Pulse[],
  processes: Processes,
): Sliced<{ found: FoundCircle[]; clocks: ReadonlySet<string> }> {
  const locks = new Map<string, { pulse: Pulse; row: PulseRow }>();
  const [circles, ignoringClocks] = [new WaitCircles(), new WaitCircles()];
  const threadOf = (person: PulsePerson) => processes.threadOf(person);
  const threads = yield* waitingHolders(pulses, threadOf);
  if (threads.size < 2) return { found: [], clocks: new Set() };
  const isWaitingHolder = (person: PulsePerson) => threads.has(threadOf(person));
  for (const pulse of pulses) {
    const since = new Map(pulse.sources.map(({ id, watchedSince }) => [id, watchedSince]));
    for (const row of pulse.rows) {
      if (!row.sleepers.some(isWaitingHolder) && !row.holders.some(isWaitingHolder)) continue;
      const key = `${pulse.name}/${row.id}`;
      locks.set(key, { pulse, row });
      const wanted = wantedLock(row, threadOf);
      const watchedSince = since.get(row.source) ?? Number.POSITIVE_INFINITY;
      circles.take(key, wanted, `${pulse.name}/${row.source}`, watchedSince);
      const withoutBeginnings = { ...wanted, holders: wanted.holders.map((holder) => ({ ...holder, since: null })) };
      ignoringClocks.take(key, withoutBeginnings, '', watchedSince);
    }
    yield;
  }
  function spanning(of: WaitCircles): FoundCircle[] {
    return of.all().flatMap((steps) => {
      const known = steps.flatMap(({ holder, wants, heldBy }): Step[] => {
        const lock = locks.get(wants);
        const waiter = lock?.row.sleepers.find((each) => threadOf(each) === holder);
        const held = lock?.row.holders.find((each) => threadOf(each) === heldBy);
        return lock && waiter && held ? [{ ...lock, waiter, holder: held }] : [];
      });
      const names = new Set(known.map(({ pulse }) => pulse.name));
      return names.size > 1 && known.length === steps.length ? [foundCircle(known, names)] : [];
    });
  }
  const found = spanning(circles);
  const keys = new Set(found.map(({ key }) => key));
  const clocks = spanning(ignoringClocks).filter(({ key }) => !keys.has(key));
  return {
    // Threads that acquire a multi lock over several servers give up by themselves, and no observer can distinguish
    // them.
    found: found.filter(({ circle }) => circle.forMs >= ROLLED_BACK_MS),
    clocks: new Set(clocks.flatMap(({ names }) => [...names])),
  };
}

/** Threads that hold a lock and wait for one: in most systems there are few, and only they can be in a circle. */
function* waitingHolders(
  pulses: readonly Pulse[],
  threadOf: (person: PulsePerson) => string,
): Sliced<ReadonlySet<string>> {
  const waiting = new Set<string>();
  for (const { rows } of pulses) {
    for (const { sleepers } of rows) for (const each of sleepers) waiting.add(threadOf(each));
    yield;
  }
  const found = new Set<string>();
  if (waiting.size === 0) return found;
  for (const { rows } of pulses) {
    for (const thread of rows.flatMap(({ holders }) => holders.map(threadOf)))
      if (waiting.has(thread)) found.add(thread);
    yield;
  }
  return found;
}

function wantedLock(
  { holders, moreHolders, sleepers }: PulseRow,
  threadOf: (person: PulsePerson) => string,
): WantedLock {
  return {
    holders: holders.map((holder) => ({ id: threadOf(holder), mode: holder.mode, since: holder.since })),
    holdersBeyond: moreHolders,
    waiters: sleepers.map((each) => {
      return { id: threadOf(each), mode: each.mode, since: each.since, isAsleep: true, presumedGoneAt: null };
    }),
  };
}

function foundCircle(steps: readonly Step[], names: ReadonlySet<string>): FoundCircle {
  const key = steps.map(({ pulse, row, waiter, holder }) => [
    ...[pulse.name, row.id, waiter.client, waiter.thread, waiter.since],
    ...[holder.client, holder.thread, holder.since],
  ]);
  const isSameId = steps.every(({ holder }, n) => {
    const next = steps[(n + 1) % steps.length]?.waiter;
    return holder.client === next?.client;
  });
  return {
    key: JSON.stringify(key),
    names,
    circle: {
      incident: 'abba-deadlock',
      title: 'Deadlock over several sources: threads wait for each other',
      severity: 'critical',
      confidence: 'likely',
      sameBy: isSameId ? 'id' : 'name',
      forMs: Math.min(...steps.map(({ pulse, waiter }) => Math.max(0, Math.round((pulse.at - waiter.since) / 1000)))),
      steps: steps.map(({ pulse, row, waiter, holder }) => ({
        ...{ name: pulse.name, source: row.source, db: row.db, lock: row.name },
        ...{ waiter: personOf(waiter), holder: personOf(holder) },
      })),
    },
  };
}

/** A thread as the API shows it. */
export function personOf({ client, thread, name }: PulsePerson): {
  client: string;
  thread: string | null;
  connection: string | null;
} {
  return { client, thread, connection: name };
}
