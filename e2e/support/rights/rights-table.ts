import { expect } from 'vitest';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import { lacksRights } from '../../../shared/wire/watched.ts';
import type { Lockscope } from '../lockscope/lockscope.ts';
import { waitFor } from '../wait-for.ts';
import { HELD, type Server } from './limited-users.ts';
import type { Row, Sight } from './rows.ts';

/** Long enough for about 40 sources in one process. */
export const PATIENCE_MS = 200_000;

/** The locks that each value of `Row.unfound` means. */
const UNFOUND = {
  all: HELD,
  hashes: HELD.filter((name) => name !== 'string:lock'),
  strings: ['string:lock'],
  others: ['a:held', 'other:db1', 'string:lock'],
  'database 1': ['other:db1'],
};
/** What a source sees; `other`: it is not observed, for another reason than missing rights. */
export function sightOf({ status, problem, ...source }: Source): Sight | 'other' {
  if (status === 'observing') return lacksRights(source) ? 'hidden' : 'seen';
  return problem?.code === 'not-permitted' ? 'blocked' : 'other';
}

/** What a row must see at a level. */
export function wantedSight({ sight, bySnapshots, instead }: Row, level: ObserveLevel): Sight {
  return (instead?.[level] ?? level) === 'snapshot' ? (bySnapshots ?? sight) : sight;
}

const REFUSED = ['monitor-refused', 'subscribe-refused', 'replication-refused', 'replication-unavailable'];

/** Whether MONITOR was ended because a busy machine made it slow. Tests of rights ignore that. */
function isEndedByGuard({ guard }: Source): boolean {
  return guard.problem !== undefined && !REFUSED.includes(guard.problem.code);
}

/** Every row with what its source shows now; `asked`: the requested level. */
export async function table(lockscope: Lockscope, rows: Server['rows'], asked: ObserveLevel) {
  const { sources } = await lockscope.health();
  const locks = await lockscope.locks();
  return rows.map(({ rules, grants = [] }, index) => {
    const source = sources[index];
    if (!source) throw new Error(`no source for ${rules.join(' ')}`);
    const sight = sightOf(source);
    const shown = [source.problem?.hint ?? '', ...source.cannotSee].join(' ');
    const held = locks
      .filter((lock) => lock.source === source.id && lock.held)
      .map(({ name }) => name)
      .sort();
    return {
      rules: rules.join(' ') || 'all rights',
      ...{ sight, level: isEndedByGuard(source) ? asked : source.level, held },
      lines: sight === 'seen' ? [] : grants.filter((rule) => shown.includes(` ${rule}`)),
    };
  });
}

type Table = Awaited<ReturnType<typeof table>>;

/** Waits until the table is this one; fails with the differences. */
export async function untilTable(
  lockscope: Lockscope,
  rows: Server['rows'],
  asked: ObserveLevel,
  wanted: Table,
): Promise<void> {
  const isSame = async () => JSON.stringify(await table(lockscope, rows, asked)) === JSON.stringify(wanted);
  await waitFor('the table', isSame, PATIENCE_MS).catch(() => undefined);
  expect(await table(lockscope, rows, asked)).toEqual(wanted);
}

/** What each row must show at the start. */
export function wantedTable(rows: Server['rows'], level: ObserveLevel): Table {
  return rows.map((row) => {
    const sight = wantedSight(row, level);
    const unfound: readonly string[] = row.unfound === undefined ? [] : UNFOUND[row.unfound];
    return {
      ...{ rules: row.rules.join(' ') || 'all rights', sight, level: row.instead?.[level] ?? level },
      held: sight === 'blocked' ? [] : HELD.filter((name) => !unfound.includes(name)).sort(),
      lines: sight === 'seen' ? [] : [...(row.grants ?? [])],
    };
  });
}

/** What each row must show with all rights. */
export function everything(rows: Server['rows'], level: ObserveLevel, held: readonly string[]): Table {
  return rows.map(({ rules, instead }) => ({
    ...{ rules: rules.join(' ') || 'all rights', sight: 'seen' },
    // Replication is not tried again by itself, but events are.
    level: instead?.replication !== undefined && level === 'replication' ? 'events' : level,
    held: [...held].sort(),
    lines: [],
  }));
}

/**
 * Whether Lockscope notices on an open connection that the right is revoked. Subscriptions and MONITOR just continue.
 */
export function isNoticed({ rules, instead, isRare }: Row, level: ObserveLevel): boolean {
  return instead?.[level] === undefined && !rules.includes('resetchannels') && !isRare;
}
