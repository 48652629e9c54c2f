import { wantedBy } from '../../shared/insights/attention.ts';
import type { Pulse, PulsePerson, PulseRow } from '../../shared/wire/fleet/pulse.ts';
import { reportBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import type { Lock, Waiter } from '../../shared/wire/locks/lock.ts';
import type { Observatory } from '../watch/observatory.ts';

const MOST_ROWS = 200;
const MOST_VERDICTS = 50;
const MOST_HOLDERS = 3;
/** Sleeping threads in all rows together. */
const MOST_SLEEPERS = 200;

/** Facts that the observer knows about itself. */
type PulseFacts = Pick<Pulse, 'name' | 'run' | 'number' | 'after' | 'lastLine' | 'observer'>;

type Watched = Pick<Observatory, 'now' | 'sources' | 'locks' | 'tallies' | 'countOf' | 'insights' | 'clientPage'>;

/** The pulse of the present state. */
export async function pulseOf(observatory: Watched, facts: PulseFacts): Promise<Pulse> {
  const report = await observatory.insights({ open: true });
  const hosts = await hostsOf(observatory);
  // All that is read from here on is of one instant, as nothing is awaited. Verdicts and hosts are a moment older.
  const { insights } = reportBodyFrom(report);
  const { locks: tallies, oldestWaits } = observatory.tallies();
  const sum = (field: 'locks' | 'held' | 'waiters') => tallies.reduce((total, tally) => total + tally[field], 0);
  const oldest = [...oldestWaits.values()].map(({ at }) => at);
  const locks = observatory.locks(0, MOST_ROWS);
  const sleeping = locks.flatMap(({ waiters }) => waiters.filter(isAsleep)).sort((a, b) => a.since - b.since);
  const listed = new Set(sleeping.slice(0, MOST_SLEEPERS));
  const beyond = locks.reduce((total, { moreWaiters = 0 }) => total + moreWaiters, sleeping.length - listed.size);
  const inRows = locks.reduce((total, { id }) => total + (observatory.countOf(id)?.waiters ?? 0), 0);
  return {
    v: 1,
    ...facts,
    at: observatory.now(),
    sources: observatory.sources(),
    counts: {
      locks: sum('locks'),
      held: sum('held'),
      waiting: sum('waiters'),
      oldestWait: oldest.length === 0 ? null : Math.min(...oldest),
    },
    verdicts: insights.slice(0, MOST_VERDICTS),
    more: Math.max(0, insights.length - MOST_VERDICTS) + report.more,
    rows: locks.map((lock) => rowOf(lock, listed, hosts)),
    moreWaits: beyond + (locks.length < MOST_ROWS ? 0 : Math.max(0, sum('waiters') - inRows)),
    unseenWaits: [
      ...new Set(report.cannotTell.filter(({ incident }) => incident === 'abba-deadlock').map(({ reason }) => reason)),
    ],
  };
}

/** Whether a thread was refused, went to sleep, and may still wait. */
function isAsleep({ asleep, presumedGone, goneSince }: Waiter): boolean {
  return asleep && !presumedGone && goneSince === undefined;
}

function rowOf(lock: Lock, listed: ReadonlySet<Waiter>, hosts: Hosts): PulseRow {
  const { id, source, db, name, kind, library, held, holders, moreHolders = 0 } = lock;
  const person = ({ client, thread, name: connection }: Waiter | Lock['holders'][number]): PulsePerson => {
    return { client, thread, name: connection, ...(hosts.get(`${source} ${client}`) ?? UNKNOWN) };
  };
  return {
    ...{ id, source, db, name, kind, library, leaseMs: lock.lease.ms, held },
    since: holders[0]?.since ?? null,
    holders: holders.slice(0, MOST_HOLDERS).map((holder) => {
      const { mode, since, presence } = holder;
      return { ...person(holder), isGone: presence === 'gone', mode, since };
    }),
    moreHolders: moreHolders + Math.max(0, holders.length - MOST_HOLDERS),
    waiters: wantedBy(lock),
    sleepers: lock.waiters
      .filter((waiter) => listed.has(waiter))
      .map((waiter) => {
        return { ...person(waiter), mode: waiter.mode, since: waiter.since };
      }),
  };
}

/** By source and client. */
type Hosts = ReadonlyMap<string, Pick<PulsePerson, 'host' | 'hasTwin'>>;
const UNKNOWN = { host: null, hasTwin: false };

/**
 * The host of each client's connections, if they have only one, and whether another client cannot be distinguished from
 * it.
 */
async function hostsOf(observatory: Watched): Promise<Hosts> {
  const { clients } = await observatory.clientPage({ from: 0, limit: Number.POSITIVE_INFINITY });
  const present = clients.flatMap(({ client, source, name, presence, addresses }) => {
    const hosts = new Set(addresses.map((address) => address.replace(/:\d+$/, '')));
    const [host = null] = hosts.size === 1 ? hosts : [];
    return presence === 'gone'
      ? []
      : [{ key: `${source} ${client}`, host, appearance: JSON.stringify([source, name, host]) }];
  });
  const times = new Map<string, number>();
  for (const { appearance } of present) times.set(appearance, (times.get(appearance) ?? 0) + 1);
  return new Map(
    present.map(({ key, host, appearance }) => [key, { host, hasTwin: (times.get(appearance) ?? 0) > 1 }]),
  );
}
