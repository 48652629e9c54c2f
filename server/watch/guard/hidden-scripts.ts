import { type Millis, plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { scriptCallFromHead } from '../../../shared/signals/step.ts';
import { fieldsFromInfo } from '../../redis/connection/info-fields.ts';

/** The script of a lock runs at least one command. A few calls of another script may run none. */
const ENOUGH_CALLS = 3;
/** The times of lines and those of our own questions may differ by this. */
const CLOCKS_DIFFER: Millis = 100;
const CALLS = ['eval', 'eval_ro', 'evalsha', 'evalsha_ro', 'fcall', 'fcall_ro'];

type Stats = { readonly calls: number; readonly failed: number };

/**
 * Notices a MONITOR without the commands of scripts (`[0 lua]`): some proxies and managed services leave these lines out. Without
 * them a lock that is held looks free, and nothing of it can be ruled out.
 *
 * A call that Redis refuses has no such lines either, for example because Redis does not have the script. MONITOR does not show the
 * refusal. So calls count only if INFO shows that no script failed meanwhile:
 *
 *   INFO: 40 calls, 2 failed  ·  EVALSHA  EVALSHA  EVALSHA  ·  INFO: 43 calls, 2 failed      hidden
 *                                                              INFO: 43 calls, 5 failed      not known
 */
export class HiddenScripts {
  #isKnown = false;
  /** The newest call, and whether INFO has shown that it did not fail. Its commands would follow before the next line of a client. */
  #newest: { readonly at: RedisTime; readonly hasRun: boolean } | undefined;
  /** Calls without a command after the newest reply to INFO: the first few of them. */
  #silent: RedisTime[] = [];
  /** How many calls ran without a command. */
  #hidden = 0;
  #stats: (Stats & { readonly at: RedisTime }) | undefined;

  /** Takes the next line. Returns of how many calls no command was shown, once these are enough; else 0. */
  hidden(line: LineSignal): number {
    if (this.#isKnown) return 0;
    if (line.client === null) this.#isKnown = true;
    if (line.client === null) return 0;
    this.#endNewest();
    const { keys = [], args = [] } = scriptCallFromHead(line) ?? {};
    // The script of a lock has the token of its caller as an argument.
    this.#newest = keys.length > 0 && args.length > 0 ? { at: line.at, hasRun: false } : undefined;
    this.#isKnown = this.#hidden >= ENOUGH_CALLS;
    return this.#isKnown ? this.#hidden : 0;
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
    if (!before || !stats || stats.failed !== before.failed) return;
    if (stats.calls - before.calls < calls + (newest ? 1 : 0)) return;
    this.#hidden += calls;
    if (newest) this.#newest = { ...newest, hasRun: true };
  }

  #endNewest(): void {
    const call = this.#newest;
    if (call?.hasRun) this.#hidden++;
    else if (call && this.#isAfterStats(call.at) && this.#silent.length < ENOUGH_CALLS) this.#silent.push(call.at);
  }

  #isAfterStats(at: RedisTime): boolean {
    return this.#stats !== undefined && at >= plusMillis(this.#stats.at, CLOCKS_DIFFER);
  }
}

/** All calls of scripts, and those that failed. Undefined: there were none, or Redis is older than 6.2 and does not count failed ones. */
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
