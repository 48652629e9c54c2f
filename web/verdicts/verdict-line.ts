import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Words } from '../words/words.ts';

/** How many threads of a problem a line names. */
const MOST_NAMED = 2;

/**
 * What a closed line shows beside lock, title and times: `orders:81, stock:7`, `12 wait`. Each is null if nothing is
 * known.
 */
type VerdictLine = { readonly who: string | null; readonly victims: string | null };

/** Returns the threads that a problem is about, and the threads that suffer from it. `who` writes a thread's id. */
export function verdictLine(
  { holders, values, effect }: Pick<WireInsight, 'holders' | 'values' | 'effect'>,
  who: (id: string) => string,
  texts: Words['verdicts'],
): VerdictLine {
  const named = holders.slice(0, MOST_NAMED).map((id) => who(id));
  const more = holders.length - named.length;
  return {
    who: named.length === 0 ? null : `${named.join(', ')}${more > 0 ? texts.andMore(more) : ''}`,
    victims: victimsOf(values, effect, who, texts),
  };
}

/** How many threads suffer from a problem; null: that is not known. */
export function waitingIn({ path, waiting, asleep }: WireInsight['values']): number | null {
  const counts = [waiting, asleep, Array.isArray(path) ? path.length : null].filter((n) => typeof n === 'number');
  return counts.find((n) => n > 0) ?? counts[0] ?? null;
}

function victimsOf(
  values: WireInsight['values'],
  effect: WireInsight['effect'],
  who: (id: string) => string,
  texts: Words['verdicts'],
): string | null {
  const { takenBy, areListeners } = values;
  if (effect === 'lost' && typeof takenBy === 'string') return texts.gotIt(who(takenBy));
  const waits = waitingIn(values);
  if (waits === null || waits === 0) return null;
  return areListeners === true ? texts.waitAtLeast(waits) : texts.wait(waits);
}

/**
 * The first sentence of a text: what to do, in a line. A full stop or colon within brackets does not end the sentence.
 */
export function firstSentence(text: string): string {
  const first = /^(?:\([^()]*\)|（[^（）]*）|.)*?(?:[.:](?= |$)|[。：]|$)/u.exec(text)?.[0] ?? text;
  return first.replace(/:$/, '.').replace(/：$/, '。');
}
