import type { RedisTime } from '../../shared/base/time.ts';
import type { RecordedSignal } from '../../shared/recording/format.ts';
import type { LostLine } from '../../shared/signals/signal.ts';
import { isScriptHead } from '../../shared/signals/step.ts';

type TextSignal = RecordedSignal | LostLine;

/**
 * If this many calls in a row have no lines of their scripts, and another call follows, such lines are missing. A
 * single call may have had an unknown SHA.
 */
const ENOUGH_CALLS = 3;
/** Signals, and characters in them, that are kept until it is known whether lines of scripts are missing. */
const MOST_SIGNALS = 1000;
const MOST_CHARACTERS = 1_000_000;

const SUBSCRIPTIONS = new Set(['SUBSCRIBE', 'UNSUBSCRIBE', 'PSUBSCRIBE', 'PUNSUBSCRIBE', 'SSUBSCRIBE', 'SUNSUBSCRIBE']);

/**
 * Notices a text of MONITOR without the lines of `[0 lua]`, as `grep -v lua` leaves it. What a script did is not known
 * without them, so everything from the first script on is in a blind spot. The blind spot ends if a line of a script
 * follows.
 *
 * Subscriptions in the blind spot are left out: with them alone, a lock that is held would be shown as free.
 */
export class ScriptLines {
  #state: 'not-known' | 'there' | 'missing' = 'not-known';
  /** The signals from the first call on. */
  #kept: TextSignal[] = [];
  #calls = 0;
  #isUnfit = false;
  #characters = 0;

  /** Takes the next signal; returns those that can be passed on. */
  add(signal: TextSignal): readonly TextSignal[] {
    if (this.#state === 'there') return [signal];
    if (signal.kind === 'line' && signal.client === null) return this.#found(signal);
    if (this.#state === 'missing') return showsNothing(signal) ? [] : [signal];
    const isCall = signal.kind === 'line' && isScriptHead(signal) && signal.words[2] !== '0';
    if (!isCall && this.#kept.length === 0 && !this.#isUnfit) return [signal];
    const isEnough = isCall && ++this.#calls > ENOUGH_CALLS;
    this.#kept.push(signal);
    if (signal.kind === 'line') for (const word of signal.words) this.#characters += word.length;
    const isFull = this.#kept.length >= MOST_SIGNALS || this.#characters > MOST_CHARACTERS;
    return isEnough || isFull ? this.finish() : [];
  }

  /** Notes that lines of scripts were left out because they do not fit their calls. */
  noteUnfit(): void {
    this.#isUnfit = true;
  }

  /** No line of a script follows those that are kept: returns them, in a blind spot. */
  finish(): readonly TextSignal[] {
    const [first] = this.#kept;
    if (!first) return [];
    this.#state = 'missing';
    return [this.#spot('began', first.at), ...this.#take().filter((signal) => !showsNothing(signal))];
  }

  #found(signal: TextSignal): readonly TextSignal[] {
    const isEnd = this.#state === 'missing';
    this.#state = 'there';
    return isEnd ? [this.#spot('ended', signal.at), signal] : [...this.#take(), signal];
  }

  #spot(phase: 'began' | 'ended', at: RedisTime): RecordedSignal {
    return { kind: 'blind-spot', at, phase, reason: this.#isUnfit ? 'line-lost' : 'no-script-lines' };
  }

  #take(): TextSignal[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }
}

/** Whether the signal is left out in a blind spot. A lost line shows no more than the blind spot around it. */
function showsNothing(signal: TextSignal): boolean {
  if (signal.kind === 'lost-line') return true;
  return signal.kind === 'line' && SUBSCRIPTIONS.has((signal.words[0] ?? '').toUpperCase());
}
