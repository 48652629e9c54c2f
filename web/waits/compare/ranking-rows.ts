import type { ShownWaits } from '../../data/queries/waits.ts';
import { type Change, changeOfSum } from './comparison.ts';
import { absenceIn } from './figure-rows.ts';

export const RANKINGS = ['locks', 'clients', 'threads'] as const;
export type RankingName = (typeof RANKINGS)[number];

type Lock = ShownWaits['locks'][number];
/** The time that was lost at one lock, or by one client or thread. `rank` begins at 1. */
export type Lost = {
  readonly rank: number;
  readonly waits: number;
  readonly waitedMs: number;
  readonly causedMs: number;
  /** A wait began before it was seen: the times are at least these. */
  readonly isAtLeast?: true | undefined;
};
/** Why there is no entry: no wait at all, none seen, nothing seen, below the entries of the answer, or not loaded. */
export type NoEntry = 'nothing' | 'none' | 'unseen' | 'further-down' | 'not-loaded';
export type RankingRow = {
  readonly key: string;
  /** The id of a client, or of a thread. */
  readonly person: string | null;
  readonly lock: Pick<Lock, 'source' | 'db' | 'lock'> | null;
  readonly one: Lost | NoEntry;
  readonly other: Lost | NoEntry;
  readonly change: Change;
};

type Entry = Lost & Pick<RankingRow, 'key' | 'person' | 'lock'>;

/** The locks, clients or threads of both ranges by the greatest time lost in either range. */
export function rankingRows(
  by: RankingName,
  one: ShownWaits | undefined,
  other: ShownWaits | undefined,
): readonly RankingRow[] {
  const [ones, others] = [entriesOf(by, one), entriesOf(by, other)];
  const keys = [...new Set([...ones.keys(), ...others.keys()])];
  const rows = keys.flatMap((key) => {
    const [a, b] = [ones.get(key), others.get(key)];
    const about = a ?? b;
    if (!about) return [];
    const entries = { one: a ?? whyNone(by, one), other: b ?? whyNone(by, other) };
    const isMissing = entries.one === 'further-down' || entries.other === 'further-down';
    const row: RankingRow = {
      ...{ key, person: about.person, lock: about.lock },
      ...entries,
      change: isMissing ? { no: 'not-loaded' } : changeOfSum({ one, other }, { one: measured(a), other: measured(b) }),
    };
    return [{ row, most: Math.max(lostIn(a), lostIn(b)) }];
  });
  return rows.sort((a, b) => b.most - a.most).map(({ row }) => row);
}

function lostIn(entry: Entry | undefined): number {
  return entry ? Math.max(entry.waitedMs, entry.causedMs) : 0;
}

function measured(entry: Entry | undefined) {
  return { value: entry?.waitedMs ?? 0, samples: entry?.waits ?? 0, isAtLeast: entry?.isAtLeast };
}

function whyNone(by: RankingName, waits: ShownWaits | undefined): NoEntry {
  if (!waits) return 'not-loaded';
  return waits.more[by] > 0 ? 'further-down' : (absenceIn(waits) ?? 'nothing');
}

function entriesOf(by: RankingName, waits: ShownWaits | undefined): ReadonlyMap<string, Entry> {
  const entries = waits ? listOf(by, waits) : [];
  return new Map(entries.map((entry) => [entry.key, entry]));
}

function listOf(by: RankingName, { locks, clients, threads }: ShownWaits): Entry[] {
  const lost = ({ waits, waitedMs, causedMs, isAtLeast }: Lock | (typeof clients)[number], n: number): Lost => ({
    ...{ rank: n + 1, waits, waitedMs, causedMs, isAtLeast },
  });
  if (by === 'clients')
    return clients.map((each, n) => ({ ...lost(each, n), key: each.client, person: each.client, lock: null }));
  if (by === 'threads')
    return threads.map((each, n) => ({
      ...lost({ ...each, client: each.holder }, n),
      ...{ key: each.holder, person: each.holder, lock: null },
    }));
  return locks.map((each, n) => {
    const { source, db, lock } = each;
    return { ...lost(each, n), key: `${source} ${db} ${lock}`, person: null, lock: { source, db, lock } };
  });
}
