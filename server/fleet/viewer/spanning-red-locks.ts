import { groupedBy } from '../../../shared/base/grouped-by.ts';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { GroupFinder } from '../../../shared/events/groups/group-finder.ts';
import { regroupIn } from '../../../shared/events/groups/regrouped.ts';
import { byText } from '../../../shared/insights/attention.ts';
import { groupFromEvents } from '../../../shared/spans/group-from-events.ts';
import type { Pulse, PulsePerson, PulseRow } from '../../../shared/wire/fleet/pulse.ts';
import type { SpanningRedLock } from '../../../shared/wire/fleet/spanning.ts';
import { inParts, type Sliced } from '../../watch/slices/in-slices.ts';
import { sortedInSteps } from '../../watch/slices/sorted.ts';
import { personOf } from './spanning-circles.ts';

/** A lock of one source that has the same name as a lock of another one. */
type Named = { readonly pulse: Pulse; readonly row: PulseRow };
/** A hold, as the event that began it. */
type Hold = Named & { readonly event: LockEvent; readonly holder: PulseRow['holders'][number] };

/** A RedLock as the newest pulses show it. `key` contains the beginnings of all its holds. */
type FoundRedLock = {
  readonly key: string;
  readonly names: ReadonlySet<string>;
  readonly redLock: SpanningRedLock;
};

/**
 * Finds RedLocks over several sources of the bus, with the rules for one process: a `GroupFinder` takes the holds in
 * the pulses as the acquisitions that began them. `sources`: how many sources the bus has. What was refused or has
 * ended is in no pulse, so servers that the client asked may be missing.
 */
export function* spanningRedLocks(pulses: readonly Pulse[], sources: number): Sliced<FoundRedLock[]> {
  const holds = yield* holdsOn(pulses);
  const finder = new GroupFinder();
  const events: LockEvent[] = [];
  for (const part of inParts(holds)) {
    for (const { event } of part) {
      const after = finder.take(event);
      events.push(after);
      regroupIn(events, after);
    }
    yield;
  }
  const byLock = groupedBy(holds, ({ row }) => row.name);
  const byGroup = groupedBy(holds, ({ event }) => events[event.seq - 1]?.group);
  const found: FoundRedLock[] = [];
  for (const [id, on] of byGroup) {
    const own = on.flatMap(({ event }) => events[event.seq - 1] ?? []);
    const names = new Set(on.map(({ pulse }) => pulse.name));
    if (id === undefined || names.size < 2 || !groupFromEvents(own, id)?.isRedLock) continue;
    found.push(foundRedLock(on, byLock.get(on[0]?.row.name ?? '') ?? [], names, sources));
    yield;
  }
  return found;
}

/** All holds of locks whose name several sources have, in the order of their beginnings. */
function* holdsOn(pulses: readonly Pulse[]): Sliced<Hold[]> {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, rows } of pulses) {
    for (const row of rows) {
      if (!row.held) continue;
      if ((first.get(row.name) ?? name) !== name) shared.add(row.name);
      first.set(row.name, name);
    }
    yield;
  }
  const holds: (Named & { holder: Hold['holder']; since: number })[] = [];
  for (const pulse of pulses) {
    for (const row of pulse.rows) {
      if (!shared.has(row.name)) continue;
      for (const holder of row.holders)
        if (holder.since !== null) holds.push({ pulse, row, holder, since: holder.since });
    }
  }
  const sorted = yield* sortedInSteps(holds, (a, b) => a.since - b.since || byText(a.pulse.name, b.pulse.name));
  return sorted.map((hold, n) => ({ ...hold, event: acquisition(hold, n + 1) }));
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
  // The same thread may hold the lock on a further server that answered too late to be known as a member.
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
