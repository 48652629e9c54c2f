import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { ServerFacts, ServerSignal } from '../../../shared/signals/server-signal.ts';
import type { OrderedFeed } from './ordered-feed.ts';

/** A Redis that has not answered a heartbeat for longer may not run the commands of clients either. */
const UNANSWERED_MS = 1000;

/**
 * Adds to the facts of a server the last time in which it did not answer our heartbeat. A beat that was sent after that
 * one, and is complete, shows that it answers again:
 *
 *   beat ─┬──────── no answer ────────┬ answered   beat ─── complete
 *         └ unansweredSince                        └ unansweredUntil
 *
 * While its facts are not known, for example because INFO is not permitted, nothing is reported.
 */
export class Unanswered {
  #facts: ServerFacts | undefined;
  /** When the beat was sent, by `steadyMs`, and the times that are reported. */
  #last: { readonly sentAt: number; readonly since: RedisTime; readonly until?: RedisTime } | undefined;

  /** Adds the last time without an answer to a report of the server. */
  with(signal: ServerSignal): ServerSignal {
    if (!signal.facts) return signal;
    this.#facts = signal.facts;
    return { ...signal, facts: { ...signal.facts, ...this.#times } };
  }

  /** Looks at the heartbeat; returns a report if the times have changed. Call it several times a second. */
  look(feed: OrderedFeed): ServerSignal | undefined {
    const timeOf = (steady: number) => redisTime(Math.max(feed.at, Math.round(feed.timeOf(steady))));
    const last = this.#last;
    let at: RedisTime;
    if (last && last.until === undefined) {
      if (feed.heardAt <= last.sentAt) return undefined;
      at = timeOf(feed.heardAt);
      this.#last = { ...last, until: at };
    } else {
      const sentAt = feed.unansweredSince(UNANSWERED_MS);
      if (sentAt === undefined) return undefined;
      at = timeOf(sentAt);
      this.#last = { sentAt, since: at };
    }
    return this.#facts && { kind: 'server', at, since: at, facts: { ...this.#facts, ...this.#times } };
  }

  get #times(): Pick<ServerFacts, 'unansweredSince' | 'unansweredUntil'> | undefined {
    if (!this.#last) return undefined;
    const { since, until } = this.#last;
    return { unansweredSince: since, ...(until === undefined ? undefined : { unansweredUntil: until }) };
  }
}
