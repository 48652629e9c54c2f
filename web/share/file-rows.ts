import { isoText } from '../../shared/base/time.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import type { WrittenInsight } from '../../shared/insights/words.ts';
import type { ClientView } from '../../shared/wire/clients.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { insightsAbout } from '../../shared/wire/insights/insights-about.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { oldestHold, oldestWait } from '../../shared/wire/locks/lock-facts.ts';
import type { ShownWaits } from '../data/queries/waits.ts';
import type { TableRow } from './table-text.ts';

/**
 * An instant in UTC, in ISO 8601. Files have UTC times and English columns, whatever the settings of the page, so that
 * scripts and colleagues read the same.
 */
const time = (at: number | null | undefined) => (at == null ? null : isoText(at));

/** Locks as rows of a file, with the open problems of each lock. */
export function lockRows(locks: readonly Lock[], insights: readonly WireInsight[]): TableRow[] {
  return locks.map((lock) => {
    const [held, waited] = [oldestHold(lock), oldestWait(lock)];
    const open = insightsAbout(insights, lock).filter(({ to }) => to === null);
    return {
      ...{ lock: lock.name, source: lock.source, db: lock.db, kind: lock.kind, held: lock.held },
      problems: open.map(({ incident }) => incident).join(' '),
      holders: lock.holders.map(({ id, name }) => (name ? `${name} ${id}` : id)).join('; '),
      ...{ heldSince: time(held?.at), heldSinceIsAtLeast: held?.isAtLeast ?? null },
      ...{ leaseEndsAt: time(lock.lease.expiresAt), waiting: wantedBy(lock) },
      ...{ oldestWaitSince: time(waited?.at), oldestWaitIsAtLeast: waited?.isAtLeast ?? null },
    };
  });
}

/** Problems as rows of a file. `textsOf` writes their sentences. */
export function problemRows(
  insights: readonly WireInsight[],
  textsOf: (insight: WireInsight) => WrittenInsight,
): TableRow[] {
  return insights.map((insight) => {
    const { severity, confidence, incident, effect, source, db, lock, holders, from, isAtLeast, to, selfHealsAt } =
      insight;
    const { title, explanation, advice, later } = textsOf(insight);
    return {
      ...{ severity, confidence, incident, effect, title, lock: lock ?? null, source, db: db ?? null },
      ...{ holders: holders.join('; '), since: time(from), sinceIsAtLeast: isAtLeast ?? false },
      ...{ until: time(to), endsAt: time(selfHealsAt), explanation, now: advice, later: later ?? null },
    };
  });
}

/** Clients as rows of a file; `blocks`: how many threads wait for each, null if that is not known. */
export function clientRows(clients: readonly ClientView[], blocks: (client: ClientView) => number | null): TableRow[] {
  return clients.map((each) => ({
    ...{ client: each.client, name: each.name, source: each.source, blocks: blocks(each) },
    ...{ presence: each.presence, since: time(each.since), goneSince: time(each.goneSince) },
    ...{ addresses: each.addresses.join('; '), library: each.library, version: each.version },
    ...{ holds: each.holds.length + (each.moreHolds ?? 0), waits: each.waits.length + (each.moreWaits ?? 0) },
  }));
}

export function waitRows({ longest }: Pick<ShownWaits, 'longest'>): TableRow[] {
  return longest.map(({ lock, source, holder, from, isOpenStart, to, ms }) => ({
    ...{ lock, source, thread: holder, from: time(from), fromIsAtLeast: isOpenStart, to: time(to), ms },
  }));
}
