import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import type { Capabilities } from '../../redis/connection/capabilities.ts';
import { monitorProblem } from '../../redis/connection/problem.ts';
import { steadyMs } from '../../redis/connection/surroundings.ts';
import { mayBegin } from '../../redis/levels/may-begin.ts';
import { askForReplication } from '../../redis/levels/replication-permission.ts';
import type { Pulse } from '../../redis/stream/heartbeat.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { MonitorGuard, priceProblem } from '../guard/monitor-guard.ts';
import { type LevelChange, LevelSwitch, type LevelWish } from './level-switch.ts';
import { MOST_UNBOUNDED_MS, MonitorPermission, monitorRefusal } from './refusal.ts';
import type { Place } from './worker-messages.ts';

/**
 * The level of a source with its guard: MONITOR begins only if it is affordable, or if its price was accepted, and ends
 * if it does harm.
 */
export class GuardedLevel {
  readonly levels: LevelSwitch;
  readonly guard = new MonitorGuard();
  readonly #hasBudgetAtAll: boolean;
  readonly #permission = new MonitorPermission();
  /** Capabilities of the server that was reached last; kept while another level begins. */
  #capabilities: Capabilities | undefined;
  #wishes = 0;

  /** `onChange` ends the current connection, so that the next one begins at the new level. */
  constructor(level: ObserveLevel, hasBudget: boolean, onChange: (change: LevelChange) => void) {
    this.levels = new LevelSwitch(level, onChange);
    this.#hasBudgetAtAll = hasBudget;
  }

  /** Checks a server that was reached. Rejects with a change of level if MONITOR did harm before or costs too much. */
  async judge(feed: OrderedFeed, level: ObserveLevel): Promise<void> {
    this.#capabilities = feed.capabilities;
    const harm = await this.guard.meetServer(feed, level === 'monitor');
    if (level !== 'monitor') return;
    if (harm !== undefined) throw this.levels.retreatQuietly(harm);
    const costly = this.#hasBudget ? this.guard.overBudget() : undefined;
    if (costly) throw this.levels.postpone(priceProblem(costly));
    if (feed.capabilities.outputLimitBytes || this.levels.until !== null) return;
    this.levels.endAfter(MOST_UNBOUNDED_MS, 'events', problem('monitor-time-over'));
  }

  /** Notes that the connection was lost without a change of level. `feed`: present if it was observing. */
  lost(feed: OrderedFeed | undefined): void {
    this.#capabilities = undefined;
    if (feed && this.levels.level === 'monitor') this.guard.noteCut(steadyMs(), feed.pulse().behindMs);
  }

  /**
   * Takes a request for a level, or returns why it is refused. A newer request replaces one that is still being
   * checked.
   */
  async wish(wish: LevelWish, place: Place | null, toProblem: (error: unknown) => Problem): Promise<Problem | null> {
    const number = ++this.#wishes;
    const capabilities = this.#capabilities;
    if (!capabilities || !place) return problem('not-connected');
    if (wish.level === 'monitor') {
      const isPermitted = await this.#permission.ask(place, toProblem);
      if (!isPermitted) return monitorProblem(capabilities);
      const isFree = this.levels.level === 'monitor' || !this.#hasBudgetAtAll;
      const overBudget = isFree ? undefined : this.guard.overBudget();
      const refusal = monitorRefusal(wish, capabilities.outputLimitBytes, overBudget);
      if (refusal) return refusal;
    }
    if (wish.level === 'replication') {
      const refusal = await askForReplication(place.server).catch(toProblem);
      if (refusal) return refusal;
    }
    if (number === this.#wishes) this.levels.goTo(wish);
    return null;
  }

  /** Asks whether a refused level is permitted now, on a connection that ends at once. If so, the level begins. */
  async retryRefused({ server }: Place): Promise<void> {
    for (const level of this.levels.refused) {
      if (level !== 'events' && level !== 'monitor') continue;
      const isPermitted = await mayBegin(server, level).catch(() => false);
      if (isPermitted && this.levels.refused.includes(level)) return this.levels.permitted(level);
    }
  }

  /** Measures the harm of MONITOR; called once a second. Returns false if it does harm: its connection ends. */
  async measure(feed: OrderedFeed): Promise<boolean> {
    const harm = await this.guard.measure(feed, !this.#hasBudget);
    if (this.levels.isPostponed && !this.guard.overBudget()) this.levels.affordable();
    return this.#survives(harm);
  }

  /** Checks our delay; called several times a second. Needs no reply from Redis. Returns false as `measure` does. */
  hear(pulse: Pulse): boolean {
    return this.#survives(this.guard.harmOfDelay(pulse));
  }

  /** Checks how many bytes Redis holds for our connection, by CLIENT LIST. Returns false as `measure` does. */
  hearBuffer(bufferedBytes: number): boolean {
    return this.#survives(this.guard.harmOfBuffer(bufferedBytes));
  }

  #survives(harm: Problem | undefined): boolean {
    if (harm !== undefined) this.levels.retreat(harm);
    return harm === undefined;
  }

  get #hasBudget(): boolean {
    return this.#hasBudgetAtAll && !this.levels.isForced;
  }
}
