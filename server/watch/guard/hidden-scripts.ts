import { type Millis, plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { scriptCallFromHead } from '../../../shared/signals/step.ts';
import { fieldsFromInfo } from '../../redis/connection/info-fields.ts';

/** The script of a lock runs at least one command. A few calls of another script may run none. */
const ENOUGH_CALLS = 3;
/** Calls whose times are kept until the next reply to INFO. */
const MOST_CALLS = 100;
/** If INFO has not shown within this time which calls failed, it never will. It is asked every 2 s. */
const INFO_WITHIN: Millis = 10_000;
/** The times of lines and those of our own requests may differ by this much. */
const CLOCKS_DIFFER: Millis = 100;
const CALLS = ['eval', 'eval_ro', 'evalsha', 'evalsha_ro', 'fcall', 'fcall_ro'];

type Stats = { readonly calls: number; readonly failed: number };

/**
 * Notices a MONITOR without the commands of scripts (`[0 lua]`): some proxies and managed services leave these lines
 * out. Without them, a held lock looks free.
 *
 * A call that Redis refuses has no such lines either, for example because Redis does not have the script. MONITOR does
 * not show the refusal. So a call counts only if INFO shows that it did not fail:
 *
 *   INFO: 40 calls, 2 failed  ·  EVALSHA  EVALSHA  EVALSHA  ·  INFO: 43 calls, 2 failed      3 hidden
 *                                                              INFO: 43 calls, 5 failed      not known
 *
 * Without INFO, or on a Redis before 6.2, which does not count failed calls, all calls count. At worst the source uses
 * level `events` without need: it shows less, but nothing false.
 */
export class HiddenScripts {
  #isKnown = false;
  /**
   * The newest call, and whether INFO has shown that it did not fail. Its commands would follow before the next line of
   * a client.
   */
  #newest: { readonly at: RedisTime; readonly hasRun: boolean } | undefined;
  /** The first calls without a command since the newest reply to INFO. */
  #silent: RedisTime[] = [];
  /** Calls without a command, and when the first of them ran, as long as INFO has not shown which calls failed. */
  #unjudged: { readonly from: RedisTime; readonly calls: number } | undefined;
  /** How many calls ran without a command. */
  #hidden = 0;
  #stats: (Stats & { readonly at: RedisTime }) | undefined;

  /** Takes the next line. Returns how many calls showed no command, at the moment they are enough; at any other, 0. */
  hidden(line: LineSignal): number {
    if (this.#isKnown) return 0;
    if (line.client === null) this.#isKnown = true;
    if (line.client === null) return 0;
    this.#endNewest();
    const { keys = [], args = [] } = scriptCallFromHead(line) ?? {};
    // The script of a lock has the token of its caller as an argument.
    this.#newest = keys.length > 0 && args.length > 0 ? { at: line.at, hasRun: false } : undefined;
    const hidden = this.#hidden + this.#unjudgedAt(line.at);
    this.#isKnown = hidden >= ENOUGH_CALLS;
    return this.#isKnown ? hidden : 0;
  }

  /** Takes the text of INFO commandstats, which was asked for and answered at these times. */
  heardStats(text: string, askedAt: RedisTime, answeredAt: RedisTime): void {
    if (this.#isKnown) return;
    const before = this.#stats;
    const stats = statsFrom(text);
    const isBefore = (at: RedisTime) => at <= plusMillis(askedAt, -CLOCKS_DIFFER);
    const calls = this.#silent.filter(isBefore).length;
    const newest =
      this.#newest && isBefore(this.#newest.at) && this.#isAfterStats(this.#newest.at) ? this.#newest : undefined;
    this.#silent = [];
    this.#stats = stats && { ...stats, at: answeredAt };
    if (stats) this.#unjudged = undefined;
    if (!before || !stats || stats.failed < before.failed) return;
    if (stats.calls - before.calls < calls + (newest ? 1 : 0)) return;
    const failed = stats.failed - before.failed;
    this.#hidden += Math.max(0, calls - failed);
    if (newest && failed === 0) this.#newest = { ...newest, hasRun: true };
  }

  #unjudgedAt(now: RedisTime): number {
    const { from, calls } = this.#unjudged ?? { from: now, calls: 0 };
    return now > plusMillis(from, INFO_WITHIN) ? calls : 0;
  }

  #endNewest(): void {
    const call = this.#newest;
    this.#newest = undefined;
    if (!call) return;
    if (call.hasRun) this.#hidden++;
    else if (!this.#stats)
      this.#unjudged = { from: this.#unjudged?.from ?? call.at, calls: (this.#unjudged?.calls ?? 0) + 1 };
    else if (this.#isAfterStats(call.at) && this.#silent.length < MOST_CALLS) this.#silent.push(call.at);
  }

  #isAfterStats(at: RedisTime): boolean {
    return this.#stats !== undefined && at >= plusMillis(this.#stats.at, CLOCKS_DIFFER);
  }
}

/**
 * All calls of scripts, and those that failed. Undefined: there were none, or Redis is older than 6.2 and does not
 * count failed ones.
 */
function statsFrom(text: string): Stats | undefined {
  const fields = fieldsFromInfo(text);
  let sum: Stats | undefined;
  for (const name of CALLS) {
    const field = fields.get(`cmdstat_${name}`);
    if (field === undefined) continue;
    const [, calls, failed] = /^calls=(\d+),.*\bfailed_calls=(\d+)/.exec(field) ?? [];
    if (calls === undefined || failed === undefined) return undefined;
    sum = { calls: (sum?.calls ?? 0) + Number(calls), failed: (sum?.failed ?? 0) + Number(failed) };
  }
  return sum;
}
