import { basename } from 'node:path';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { startTimer, stopTimer } from '../../redis/connection/surroundings.ts';
import { OpenedRanges } from '../../store/opened-ranges.ts';
import type { StoreFacts } from '../../store/parts.ts';
import type { StoreLink } from '../../store/store-link.ts';
import { StoredAnswers } from '../../store/stored-answers.ts';
import type { Observatory } from '../../watch/observatory.ts';

/** How often it is looked how far the store reaches. */
const REACH_EVERY_MS = 5000;

/** The store of a viewer. */
export type ViewerStore = { readonly link: StoreLink; readonly path: string };

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
  const { link, path } = store;
  let facts: StoreFacts = await link.ask({ ask: 'facts' });
  const oldest = () => {
    const reach = facts.reach.find(({ source }) => source === name);
    return reach ? redisTime(reach.from) : null;
  };
  const ranges = new OpenedRanges(link, memory, name);
  const timeOfEvent = (seq: number) => link.ask({ ask: 'time-of-event', seq, source: name });
  const past = new StoredAnswers({ answers: live, history: live.history }, { ranges, oldest, began, timeOfEvent });
  let timer = startTimer(refresh, REACH_EVERY_MS);
  function refresh(): void {
    link.ask({ ask: 'facts' }).then(
      (next) => {
        facts = next;
      },
      () => undefined, // `BusStore` reports it
    );
    timer = startTimer(refresh, REACH_EVERY_MS);
  }
  return {
    ...live,
    ...past.answers(),
    history: past.history(),
    store: () => ({ file: basename(path), from: oldest(), until: null, bytes: facts.bytes }),
    async stop() {
      stopTimer(timer);
      await live.stop();
    },
  };
}
