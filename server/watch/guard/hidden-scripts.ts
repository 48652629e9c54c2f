import { type Millis, plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { isScriptHead } from '../../../shared/signals/step.ts';

/** Scripts that Redis does not know yet have no commands: their text follows within this time. */
const KNOWN_AFTER: Millis = 2000;
/** The script of a lock runs at least one command. The scripts of a few calls may run none. */
const ENOUGH_CALLS = 3;

/**
 * Notices a MONITOR without the commands of scripts (`[0 lua]`): some proxies and managed services leave these lines out. Without
 * them a lock that is held looks free, and nothing of it can be ruled out.
 */
export class HiddenScripts {
  #isKnown = false;
  #calls = 0;
  #firstAt: RedisTime | undefined;

  /** Takes the next line. Returns of how many calls no command was shown, once these are enough; else 0. */
  hidden(line: LineSignal): number {
    if (this.#isKnown) return 0;
    if (line.client === null) this.#isKnown = true;
    if (line.client === null || !isScriptHead(line) || line.words[2] === '0') return 0;
    this.#firstAt ??= line.at;
    const isEnough = ++this.#calls >= ENOUGH_CALLS && line.at >= plusMillis(this.#firstAt, KNOWN_AFTER);
    this.#isKnown = isEnough;
    return isEnough ? this.#calls : 0;
  }
}
