import type { RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { ServerFacts } from '../events/types/server-event.ts';

const MOST_CHANGES_EACH = 50;
const MOST_SOURCES = 1000;

/** How many earlier ranges without an answer are kept. */
const MOST_UNANSWERED = 100;

/** What is known about a server: its newest report, and what those before it showed. */
export type KnownFacts = ServerFacts & {
  /** The ranges in which the server did not answer, oldest first, without the one that the newest report contains. */
  readonly unansweredBefore?: readonly Unanswered[];
  /**
   * When a report first showed no memory limit, after one with a limit. Absent: there is a limit, or no report has
   * shown one.
   */
  readonly unlimitedAt?: RedisTime;
};

type Unanswered = { readonly since: RedisTime; readonly until: RedisTime };

/** What the server of a source reported, and when. */
export type SourceFacts = { readonly source: string; readonly at: RedisTime; readonly facts: KnownFacts };

type Change = { readonly at: RedisTime; readonly facts: KnownFacts | undefined };

/**
 * What the server of each source reported about itself, now and at past instants: the newest 50 changes of each of the
 * first 1000 sources. After a failover nothing is known until the new server reports.
 */
export class ServerStates {
  readonly #changes = new Map<string, Change[]>();

  /** Takes the next event. */
  take(event: LockEvent): void {
    if (event.type === 'failover') this.#put(event.source, { at: event.at, facts: undefined });
    if (event.type !== 'server.reported') return;
    this.#put(event.source, { at: event.at, facts: withEarlier(factsOf(event), this.find(event.source), event.at) });
  }

  /** The newest facts of each source. */
  all(): SourceFacts[] {
    return [...this.#changes].flatMap(([source, changes]) => {
      const newest = changes.at(-1);
      return newest?.facts ? [{ source, at: newest.at, facts: newest.facts }] : [];
    });
  }

  /** Takes facts that an earlier part of the stream left. */
  restore({ source, at, facts }: SourceFacts): void {
    this.#put(source, { at, facts });
  }

  /** The newest facts, or those as of `at`; undefined: not known. */
  find(source: string, at?: RedisTime): KnownFacts | undefined {
    const changes = this.#changes.get(source);
    return (at === undefined ? changes?.at(-1) : changes?.findLast((change) => change.at <= at))?.facts;
  }

  #put(source: string, change: Change): void {
    const changes = this.#changes.get(source) ?? [];
    if (changes.length === 0 && this.#changes.size >= MOST_SOURCES) return;
    changes.push(change);
    if (changes.length > MOST_CHANGES_EACH) changes.shift();
    this.#changes.set(source, changes);
  }
}

function factsOf({
  role,
  replicas,
  replicaLagSeconds,
  maxMemoryBytes,
  evictionPolicy,
  canSave,
  keyEvents,
  pausedSince,
  pausedUntil,
  arePausesUnseen,
  unansweredSince,
  unansweredUntil,
}: ServerFacts): ServerFacts {
  return {
    ...{ role, replicas, replicaLagSeconds, maxMemoryBytes, evictionPolicy, canSave, keyEvents },
    ...(pausedSince === undefined ? undefined : { pausedSince }),
    ...(pausedUntil === undefined ? undefined : { pausedUntil }),
    ...(arePausesUnseen && { arePausesUnseen }),
    ...(unansweredSince === undefined ? undefined : { unansweredSince }),
    ...(unansweredUntil === undefined ? undefined : { unansweredUntil }),
  };
}

/**
 * Adds the earlier ranges without an answer, and when the memory limit was removed. A report after a new connection
 * contains neither.
 */
function withEarlier(facts: ServerFacts, before: KnownFacts | undefined, at: RedisTime): KnownFacts {
  const { unansweredSince: since, unansweredUntil: until, unansweredBefore: earlier = [] } = before ?? {};
  const isOther = since !== undefined && until !== undefined && since !== facts.unansweredSince;
  const all = isOther ? [...earlier, { since, until }].slice(-MOST_UNANSWERED) : earlier;
  const unlimitedAt = before && before.maxMemoryBytes !== null ? at : before?.unlimitedAt;
  return {
    ...facts,
    ...(all.length === 0 ? undefined : { unansweredBefore: all }),
    ...(facts.maxMemoryBytes === null && unlimitedAt !== undefined ? { unlimitedAt } : undefined),
  };
}
