import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { GroupFinder } from '../../../shared/events/groups/group-finder.ts';
import { regroupIn } from '../../../shared/events/groups/regrouped.ts';
import { byText } from '../../../shared/insights/attention.ts';
import { groupFromEvents } from '../../../shared/spans/group-from-events.ts';
import type { Pulse, PulsePerson, PulseRow } from '../../../shared/wire/fleet/pulse.ts';
import type { SpanningRedLock } from '../../../shared/wire/fleet/spanning.ts';
import { personOf } from './spanning-circles.ts';

/** A lock of one source that has the same name as a lock of another one. */
type Named = { readonly pulse: Pulse; readonly row: PulseRow };
/** A hold, as the event that began it. */
type Hold = Named & { readonly event: LockEvent; readonly holder: PulseRow['holders'][number] };

/** A RedLock as the newest pulses show it. `key`: with all beginnings. */
export type FoundRedLock = {
  readonly key: string;
  readonly names: ReadonlySet<string>;
  readonly redLock: SpanningRedLock;
};

/**
 * Finds RedLocks over several sources of all `sources` of the bus, with the rules for one process: what the pulses show of locks with one name is given to a
 * `GroupFinder` as the acquisitions that began it. What was refused or has ended is in no pulse, so servers that the client asked may be
 * missing.
 */
export function spanningRedLocks(pulses: readonly Pulse[], sources: number): FoundRedLock[] {
  const holds = holdsOn(pulses);
  const finder = new GroupFinder();
  const events: LockEvent[] = [];
  for (const { event } of holds) {
    const after = finder.take(event);
    events.push(after);
    regroupIn(events, after);
  }
  const ids = new Set(events.flatMap(({ group }) => group ?? []));
  return [...ids].flatMap((id) => {
    if (!groupFromEvents(events, id)?.isRedLock) return [];
    const on = holds.filter((_, n) => events[n]?.group === id);
    const names = new Set(on.map(({ pulse }) => pulse.name));
    return names.size > 1 ? [foundRedLock(on, holds, names, sources)] : [];
  });
}

/** All holds of locks whose name several sources have, in the order of their beginnings. */
function holdsOn(pulses: readonly Pulse[]): Hold[] {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, rows } of pulses) {
    for (const row of rows) {
      if (row.held && (first.get(row.name) ?? name) !== name) shared.add(row.name);
      if (row.held) first.set(row.name, name);
    }
  }
  const holds = pulses.flatMap((pulse) =>
    pulse.rows
      .filter(({ name }) => shared.has(name))
      .flatMap((row) =>
        row.holders.flatMap((holder) => (holder.since === null ? [] : [{ pulse, row, holder, since: holder.since }])),
      ),
  );
  holds.sort((a, b) => a.since - b.since || byText(a.pulse.name, b.pulse.name));
  return holds.map((hold, n) => ({ ...hold, event: acquisition(hold, n + 1) }));
}

function acquisition({ pulse, row, holder }: Named & Pick<Hold, 'holder'>, seq: number): LockEvent {
  const { library, leaseMs } = row;
  return {
    ...{ seq, at: redisTime(holder.since ?? 0), type: 'lock.acquired', certainty: 'inferred' },
    ...{ source: `${pulse.name}/${row.source}`, db: row.db, lock: row.name, kind: row.kind },
    ...{ holder: idOf(holder), mode: holder.mode },
    ...(library === 'redisson' || library === 'unknown' ? {} : { library }),
    ...(leaseMs === null ? {} : { leaseMs }),
  } as LockEvent; // the fields of an acquisition that a pulse has
}

function idOf({ client, thread }: PulsePerson): string {
  return thread === null ? client : `${client}:${thread}`;
}

function foundRedLock(
  on: readonly Hold[],
  holds: readonly Hold[],
  names: ReadonlySet<string>,
  sources: number,
): FoundRedLock {
  const place = ({ pulse, row }: Named) => ({ name: pulse.name, source: row.source, db: row.db, lock: row.name });
  const [lock, threads] = [on[0]?.row.name ?? '', new Set(on.map(({ holder }) => holder.thread ?? holder.client))];
  const own = new Set(on.map(({ row }) => row));
  // The same thread may have it on one more server that answered too late to be known as a member.
  const isOthers = ({ holder }: Hold) => !threads.has(holder.thread ?? holder.client);
  const others = holds.filter((hold) => hold.row.name === lock && !own.has(hold.row) && isOthers(hold));
  const notOn = [...new Map(others.map((hold) => [hold.row, place(hold)])).values()];
  const key = on.map(({ pulse, row, holder }) => [pulse.name, row.id, idOf(holder), holder.since]);
  return {
    key: JSON.stringify(key),
    names,
    redLock: {
      lock,
      on: on.map((hold) => ({ ...place(hold), holder: personOf(hold.holder) })),
      notOn,
      isMajority: names.size * 2 > sources ? true : on.length <= notOn.length ? false : null,
    },
  };
}
