import type { Session } from './session.ts';

/** Channels and patterns, with their subscribers. */
export class PubSub {
  readonly #channels = new Map<string, Set<Session>>();
  readonly #patterns = new Map<string, { readonly test: RegExp; readonly sessions: Set<Session> }>();
  /** The patterns that match a channel, for channels that were published to. */
  #matches = new Map<string, readonly string[]>();

  /** Sends a message: first to subscribers of the channel, then of patterns. Returns how many received it. */
  publish(channel: string, message: string): number {
    const direct = this.#channels.get(channel) ?? NO_SESSIONS;
    for (const { output } of direct) output.push(['message', channel, message]);
    let count = direct.size;
    for (const pattern of this.#patternsFor(channel)) {
      for (const { output } of this.#patterns.get(pattern)?.sessions ?? NO_SESSIONS) {
        output.push(['pmessage', pattern, channel, message]);
        count++;
      }
    }
    return count;
  }

  subscribe(session: Session, names: readonly string[]): void {
    for (const name of names) {
      const sessions = this.#channels.get(name) ?? new Set();
      this.#channels.set(name, sessions.add(session));
      session.channels.add(name);
      session.output.push(['subscribe', name, countOf(session)]);
    }
  }

  unsubscribe(session: Session, names: readonly string[]): void {
    for (const name of names) {
      this.#leave(session, name);
      session.output.push(['unsubscribe', name, countOf(session)]);
    }
  }

  subscribeToPatterns(session: Session, patterns: readonly string[]): void {
    this.#matches = new Map();
    for (const pattern of patterns) {
      const known = this.#patterns.get(pattern) ?? { test: regExpOf(pattern), sessions: new Set() };
      known.sessions.add(session);
      this.#patterns.set(pattern, known);
      session.patterns.add(pattern);
      session.output.push(['psubscribe', pattern, countOf(session)]);
    }
  }

  /** The connection has ended. */
  end(session: Session): void {
    for (const name of session.channels) this.#leave(session, name);
    for (const pattern of session.patterns) this.#patterns.get(pattern)?.sessions.delete(session);
  }

  /** Channels with a subscriber that match a pattern. */
  channelsLike(pattern: string): string[] {
    const test = regExpOf(pattern);
    return [...this.#channels.keys()].filter((name) => test.test(name));
  }

  get channels(): number {
    return this.#channels.size;
  }

  /** How many connections are subscribed to this channel by its name. */
  listeners(channel: string): number {
    return this.#channels.get(channel)?.size ?? 0;
  }

  #leave(session: Session, name: string): void {
    const sessions = this.#channels.get(name);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#channels.delete(name);
    session.channels.delete(name);
  }

  #patternsFor(channel: string): readonly string[] {
    const known = this.#matches.get(channel);
    if (known) return known;
    const found = [...this.#patterns].flatMap(([pattern, { test }]) => (test.test(channel) ? [pattern] : []));
    this.#matches.set(channel, found);
    return found;
  }
}

const NO_SESSIONS: ReadonlySet<Session> = new Set();

function countOf({ channels, patterns }: Session): number {
  return channels.size + patterns.size;
}

/** A pattern of Redis. Sets of characters are not supported, because the simulation does not use them. */
function regExpOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$.|()+{}[\]]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
