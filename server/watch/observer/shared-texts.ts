import type { LockEvent } from '../../../shared/events/event.ts';

/** Fields whose texts recur from event to event and stay in the state of a lock. */
const FIELDS = ['source', 'kind', 'certainty', 'library', 'mode', 'holder', 'clientVersion'];
/** How many texts are kept. When there are more, the collection begins again. */
const MOST = 20_000;

/**
 * Makes the events of another thread share equal texts. Each event arrives with copies of its own, which would take
 * about 200 bytes in the state of each lock.
 */
export class SharedTexts {
  readonly #texts = new Map<string, string>();

  share(events: readonly LockEvent[]): void {
    for (const event of events) {
      this.#shareIn(event);
      if (event.type === 'lock.found') for (const each of event.holders) this.#shareIn(each);
    }
  }

  #shareIn(copy: object): void {
    const fields = copy as Record<string, unknown>; // a copy that only this thread has: it may be changed
    for (const name of FIELDS) {
      const text = fields[name];
      if (typeof text === 'string') fields[name] = this.#shared(text);
    }
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= MOST) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
