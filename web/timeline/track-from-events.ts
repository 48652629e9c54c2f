import type { RedisTime } from '../../shared/base/time.ts';
import type { HoldMode, LockEvent } from '../../shared/events/event.ts';
import { type Hold, holdsFromEvents } from '../../shared/spans/holds-from-events.ts';
import { type Wait, waitsFromEvents } from '../../shared/spans/waits-from-events.ts';
import { arrowsFromEvents } from './arrows-from-events.ts';
import { leasePiecesFrom } from './lease-pieces.ts';
import type { HoldLevel, HoldMark, Lane, PointMark, SpanMark, Track, WaitMark } from './marks.ts';
import { pointsFromEvent } from './points-from-event.ts';
import { itemsWithin } from './search.ts';

type LaneDraft = { holder: string; spans: SpanMark[]; points: PointMark[] };

/** What one holder's own events add to its spans. */
type HolderNotes = { levels: HoldLevel[]; leases: { at: RedisTime; ms: number | null }[]; sleeps: RedisTime[] };

/**
 * One lock's events as lanes of marks: a lane per thread, in order of first appearance.
 *
 *   A   ┃███▲███▲██◆            spans: hold          points: renewed, renewed, released
 *   B       ⊗▨▨▨▨▨▨┃████        spans: wait, hold    points: refused
 *
 * Holds and waits are those of `shared/spans`; nothing is decided here but how they are drawn.
 */
export function trackFromEvents(id: string, events: readonly LockEvent[]): Track {
  const lanes = new Map<string, LaneDraft>();
  const notes = new Map<string, HolderNotes>();
  const laneOf = (holder: string): LaneDraft => {
    const lane = lanes.get(holder) ?? { holder, spans: [], points: [] };
    lanes.set(holder, lane);
    return lane;
  };
  const noteOf = (holder: string, mode: HoldMode): HolderNotes => {
    const key = `${holder} ${mode}`;
    const note = notes.get(key) ?? { levels: [], leases: [], sleeps: [] };
    notes.set(key, note);
    return note;
  };

  let named: LockEvent | undefined;
  for (const event of events) {
    if (event.lock !== '') named = event;
    for (const point of pointsFromEvent(event)) laneOf(point.holder).points.push(point);
    takeNotes(event, noteOf);
    if (event.type === 'lock.acquired') laneOf(event.holder);
    if (event.type === 'lock.found') for (const { holder } of event.holders) laneOf(holder);
  }
  for (const hold of holdsFromEvents(events)) {
    laneOf(hold.holder).spans.push(holdMark(hold, noteOf(hold.holder, hold.mode)));
  }
  for (const wait of waitsFromEvents(events)) {
    laneOf(wait.holder).spans.push(waitMark(wait, noteOf(wait.holder, wait.mode)));
  }
  for (const lane of lanes.values()) lane.spans.sort((a, b) => a.from - b.from || a.seq - b.seq);

  const { pieces, leaseMs } = leasePiecesFrom(events);
  return {
    id,
    source: named?.source ?? '',
    db: named?.db ?? 0,
    name: named?.lock ?? '',
    kind: named?.kind ?? 'lock',
    lanes: [...lanes.values()] satisfies Lane[],
    lease: pieces,
    leaseMs,
    arrows: arrowsFromEvents(events),
    events,
  };
}

function takeNotes(event: LockEvent, noteOf: (holder: string, mode: HoldMode) => HolderNotes): void {
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
    case 'lock.partially-released': {
      const note = noteOf(event.holder, event.mode);
      note.levels.push({ at: event.at, count: event.holdCount ?? 1 });
      if (event.leaseMs !== undefined) note.leases.push({ at: event.at, ms: event.leaseMs });
      break;
    }
    case 'lease.renewed':
      if (event.holder !== undefined) {
        noteOf(event.holder, event.mode ?? 'exclusive').leases.push({ at: event.at, ms: event.leaseMs ?? null });
      }
      break;
    case 'lock.found':
      for (const { holder, mode, holdCount } of event.holders) {
        noteOf(holder, mode).levels.push({ at: event.at, count: holdCount });
      }
      break;
    case 'lock.refused':
      if (event.asleep) noteOf(event.holder, event.mode).sleeps.push(event.at);
      break;
    default: // the others change neither count, lease nor sleep
  }
}

function holdMark(hold: Hold, note: HolderNotes): HoldMark {
  const to = hold.to ?? Number.POSITIVE_INFINITY;
  const lease = itemsWithin(note.leases, hold.from, to, timeOf).at(-1);
  return {
    kind: 'hold',
    id: `h${hold.fromSeq}`,
    seq: hold.fromSeq,
    endSeq: hold.toSeq,
    holder: hold.holder,
    mode: hold.mode,
    from: hold.from,
    to: hold.to,
    ended: hold.ended,
    isOpenStart: hold.isOpenStart,
    deepest: hold.deepest,
    levels: itemsWithin(note.levels, hold.from, to, timeOf),
    renewals: hold.renewals.length,
    leaseSetAt: lease?.at ?? null,
    leaseMs: lease?.ms ?? null,
  };
}

function waitMark(wait: Wait, note: HolderNotes): WaitMark {
  return {
    kind: 'wait',
    id: `w${wait.fromSeq}`,
    seq: wait.fromSeq,
    endSeq: wait.toSeq,
    holder: wait.holder,
    from: wait.from,
    to: wait.to,
    ended: wait.ended,
    attempts: wait.attempts,
    asleepFrom: itemsWithin(note.sleeps, wait.from, wait.to ?? Number.POSITIVE_INFINITY, (at) => at)[0] ?? null,
  };
}

function timeOf(note: { at: RedisTime }): number {
  return note.at;
}
