import type { CommandStep, Step } from '../../shared/signals/step.ts';
import { scriptCallFromHead } from '../../shared/signals/step.ts';
import { nameOf } from './names.ts';

const LATCH = 'redisson_unlock_latch:';

/** One run of an unlock script: its latch, when it was called, and the words of the call. */
type Unlock = { readonly latch: string; readonly at: number; readonly words: readonly string[] };
type Deletion = { readonly key: string; readonly at: number };

/** Which unlocks were answered, by the latches that clients deleted. */
export class Answers {
  readonly #unlocks: Unlock[] = [];
  readonly #deletions: Deletion[] = [];

  constructor(steps: readonly Step[]) {
    for (const step of steps) if (step.kind === 'command') this.#take(step);
  }

  #take({ head, inner }: CommandStep): void {
    const latch = scriptCallFromHead(head)?.keys.at(-1) ?? '';
    if (inner.length > 0 && latch.startsWith(LATCH)) this.#unlocks.push({ latch, at: head.at, words: head.words });
    const [, ...keys] = inner.length === 0 && nameOf(head.words) === 'del' ? head.words : [];
    for (const key of keys) if (key.startsWith(LATCH)) this.#deletions.push({ key, at: head.at });
  }

  /** What is wrong with a report that an unlock got no answer. */
  problemsOfUnanswered({ at, unlockedAt, holder, repeat }: Readonly<Record<string, unknown>>): string[] {
    if (repeat === 'refused') return [];
    const end = Number(at);
    const runs = this.#unlocks.filter(({ words }) => words.some((word) => word.replace(':write', '') === holder));
    const run = runs.findLast((each) => each.at <= Number(unlockedAt) && Number(unlockedAt) - each.at < 100_000);
    if (!run) return ['there is no such unlock'];
    if (repeat === 'answered') {
      const isAgain = this.#unlocks.some((each) => each.latch === run.latch && each.at > run.at && each.at <= end);
      return isAgain ? [] : ['it was not sent again'];
    }
    const isDeleted = this.#deletions.some((each) => each.key === run.latch && each.at <= end);
    return isDeleted ? ['its client deleted the latch'] : [];
  }

  /** What is wrong with a report that a client left latches behind. */
  problemsOfLitter({ at, client, unlocks, library }: Readonly<Record<string, unknown>>): string[] {
    const wrong = this.#deletions.filter((each) => each.key.endsWith(`:${client}`) && each.at <= Number(at));
    if (library !== undefined) return ['only Redisson has latches'];
    return wrong.length >= Number(unlocks) && wrong.length > 0 ? [] : [`it left ${wrong.length} latches`];
  }
}
