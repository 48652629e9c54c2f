import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import { hourAnswers } from '../../store/hour-answers.ts';
import { OpenedRanges } from '../../store/opened-ranges.ts';
import type { StoreFacts } from '../../store/parts.ts';
import { pastOf } from '../../store/past-link.ts';
import type { StoreLink } from '../../store/store-link.ts';
import { nameOfStore } from '../../store/store-name.ts';
import { StoredAnswers } from '../../store/stored-answers.ts';
import type { Observatory } from '../../watch/observatory.ts';
import { PastGone } from '../../watch/terms/past-gone.ts';

/** How often the store is asked how far it reaches. */
const REACH_EVERY_MS = 5000;

export type ViewerStore = {
  readonly link: StoreLink;
  readonly path: string;
  /** Whether another process writes the store. */
  readonly isReader: boolean;
};

type About = {
  readonly name: string;
  /** The memory limit of the source, which is divided like that of a whole process. */
  readonly memory: number;
  /** The instant from which the memory of the source is whole; undefined: it is not. */
  began(): RedisTime | undefined;
};

/** The observatory of a followed source, which reaches back as far as the store does. */
export async function withPast(live: Observatory, store: ViewerStore, about: About): Promise<Observatory> {
  const { name, memory, began } = about;
  const link = pastOf(store.link, store.path);
  const file = nameOfStore(store.path);
  let facts: StoreFacts = { bytes: 0, reach: [], sources: [] };
  let problem: Problem | undefined;
  const reach = () => facts.reach.find(({ source }) => source === name);
  const oldest = () => instantOf(reach()?.from);
  const newest = () => instantOf(reach()?.to);
  const ranges = new OpenedRanges(link, memory, name);
  const timeOfEvent = (seq: number) => link.ask({ ask: 'time-of-event', seq, source: name });
  // While memory is not whole, the store answers as far as it reaches.
  const endOfStored = () => {
    const to = reach()?.to;
    return to === undefined ? undefined : redisTime(to + 1);
  };
  const stored = { ranges, oldest, began: () => began() ?? endOfStored(), timeOfEvent };
  const past = new StoredAnswers({ answers: live, history: live.history }, stored);
  let timer: Timer | undefined;
  let isOver = false;
  async function refresh(): Promise<void> {
    try {
      facts = await link.ask({ ask: 'facts' });
      problem = undefined;
    } catch (error) {
      if (!(error instanceof PastGone)) throw error;
      problem = error.problem; // live pages go on
    }
    if (!isOver) timer = startTimer(() => void refresh(), REACH_EVERY_MS);
  }
  await refresh();
  return {
    ...live,
    ...past.answers(),
    history: past.history(),
    ...hourAnswers(link, name, past),
    store: () => ({
      ...{ file, from: oldest(), to: newest(), until: problem ? newest() : null, bytes: facts.bytes },
      ...(problem ? { problem } : {}),
    }),
    async stop() {
      isOver = true;
      stopTimer(timer);
      await live.stop();
    },
  };
}

function instantOf(micros: number | undefined): RedisTime | null {
  return micros === undefined ? null : redisTime(micros);
}
