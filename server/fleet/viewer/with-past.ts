import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { type Problem, problem as problemOf } from '../../../shared/wire/problems/problem.ts';
import { startTimer, stopTimer } from '../../redis/connection/surroundings.ts';
import { OpenedRanges } from '../../store/opened-ranges.ts';
import type { StoreFacts } from '../../store/parts.ts';
import type { StoreLink } from '../../store/store-link.ts';
import { nameOfStore } from '../../store/store-name.ts';
import { StoredAnswers } from '../../store/stored-answers.ts';
import type { Observatory } from '../../watch/observatory.ts';

/** How often it is looked how far the store reaches. */
const REACH_EVERY_MS = 5000;

/** The store of a viewer. */
export type ViewerStore = {
  readonly link: StoreLink;
  readonly path: string;
  /** Another process writes it. */
  readonly isReader: boolean;
};

type About = {
  readonly name: string;
  /** The memory limit of the source, as for a whole process. */
  readonly memory: number;
  /** From when on the memory of the source is whole. */
  began(): RedisTime | undefined;
};

/** Lets a followed source reach back as far as the store has it. */
export async function withPast(live: Observatory, store: ViewerStore, about: About): Promise<Observatory> {
  const { name, memory, began } = about;
  const { link } = store;
  const file = nameOfStore(store.path);
  let problem: Problem | undefined;
  let facts: StoreFacts = await link.ask({ ask: 'facts' });
  const reach = () => facts.reach.find(({ source }) => source === name);
  const oldest = () => instantOf(reach()?.from);
  const newest = () => instantOf(reach()?.to);
  const ranges = new OpenedRanges(link, memory, name);
  const timeOfEvent = (seq: number) => link.ask({ ask: 'time-of-event', seq, source: name });
  const past = new StoredAnswers({ answers: live, history: live.history }, { ranges, oldest, began, timeOfEvent });
  let timer = startTimer(refresh, REACH_EVERY_MS);
  function refresh(): void {
    link.ask({ ask: 'facts' }).then(
      (next) => {
        facts = next;
        problem = undefined;
      },
      (error: unknown) => {
        const quote = error instanceof Error ? error.message : String(error);
        problem = problemOf('store-failed', { file, why: 'gone', quote });
      },
    );
    timer = startTimer(refresh, REACH_EVERY_MS);
  }
  return {
    ...live,
    ...past.answers(),
    history: past.history(),
    store: () => ({
      ...{ file, from: oldest(), to: newest(), until: problem ? newest() : null, bytes: facts.bytes },
      ...(problem ? { problem } : {}),
    }),
    async stop() {
      stopTimer(timer);
      await live.stop();
    },
  };
}

function instantOf(micros: number | undefined): RedisTime | null {
  return micros === undefined ? null : redisTime(micros);
}
