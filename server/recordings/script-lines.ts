import type { RedisTime } from '../../shared/base/time.ts';
import type { RecordedSignal } from '../../shared/recording/format.ts';
import type { LostLine } from '../../shared/signals/signal.ts';
import { isScriptHead } from '../../shared/signals/step.ts';

type TextSignal = RecordedSignal | LostLine;

/** If this many calls have no lines of their scripts, such lines are missing. A single call may have had an unknown SHA. */
const ENOUGH_CALLS = 3;
/** Signals, and characters in them, that are kept until it is known. */
const MOST_SIGNALS = 1000;
const MOST_CHARACTERS = 1_000_000;

const SUBSCRIPTIONS = new Set(['SUBSCRIBE', 'UNSUBSCRIBE', 'PSUBSCRIBE', 'PUNSUBSCRIBE', 'SSUBSCRIBE', 'SUNSUBSCRIBE']);

/**
 * Notices a text of MONITOR without the lines of `[0 lua]`, as `grep -v lua` leaves it. What a script did is not known without
 * them, so everything from the first script on is in a blind spot. It ends if such a line follows.
 *
 * Subscriptions in it are left out: with them alone, a lock that is held would be shown as free.
 */
export class ScriptLines {
  #state: 'not-known' | 'there' | 'missing' = 'not-known';
  /** The signals from the first call on. */
  #kept: TextSignal[] = [];
  #calls = 0;
  #characters = 0;

  /** Takes the next signal; returns those that can be passed on. */
  add(signal: TextSignal): readonly TextSignal[] {
    if (this.#state === 'there') return [signal];
    if (signal.kind === 'line' && signal.client === null) return this.#found(signal);
    if (this.#state === 'missing') return isSubscription(signal) ? [] : [signal];
    const isCall = signal.kind === 'line' && isScriptHead(signal) && signal.words[2] !== '0';
    if (!isCall && this.#kept.length === 0) return [signal];
    const isEnough = isCall && ++this.#calls > ENOUGH_CALLS;
    this.#kept.push(signal);
    if (signal.kind === 'line') for (const word of signal.words) this.#characters += word.length;
    const isFull = this.#kept.length >= MOST_SIGNALS || this.#characters > MOST_CHARACTERS;
    return isEnough || isFull ? this.finish() : [];
  }

  /** Such lines are there, but they were left out: returns the signals that can be passed on. */
  noteLines(): readonly TextSignal[] {
    if (this.#state !== 'not-known') return [];
    this.#state = 'there';
    return this.#take();
  }

  /** No line of a script follows those that are kept: returns them, in a blind spot. */
  finish(): readonly TextSignal[] {
    const [first] = this.#kept;
    if (!first) return [];
    this.#state = 'missing';
    return [blindSpot('began', first.at), ...this.#take().filter((signal) => !isSubscription(signal))];
  }

  #found(signal: TextSignal): readonly TextSignal[] {
    const isEnd = this.#state === 'missing';
    this.#state = 'there';
    return isEnd ? [blindSpot('ended', signal.at), signal] : [...this.#take(), signal];
  }

  #take(): TextSignal[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }
}

function isSubscription(signal: TextSignal): boolean {
  return signal.kind === 'line' && SUBSCRIPTIONS.has((signal.words[0] ?? '').toUpperCase());
}

function blindSpot(phase: 'began' | 'ended', at: RedisTime): RecordedSignal {
  return { kind: 'blind-spot', at, phase, reason: 'no-script-lines' };
}
