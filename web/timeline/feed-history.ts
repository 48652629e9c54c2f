import type { RedisTime } from '../../shared/base/time.ts';
import { eventsBody } from '../../shared/wire/http.ts';
import { getJson } from '../data/http.ts';
import type { LiveState } from '../data/live-state.ts';
import { HISTORY_CAP } from './history.ts';
import type { TimelineStore } from './timeline-store.ts';

/** Events asked for at a time. */
const PAGE = 5000;

export type FeedStatus = 'loading' | 'ready' | 'failed';

/**
 * Keeps the timeline's history in step: the newest page at first, then what comes live; a hole is read from the
 * server before anything behind it. Gives back what ends it, and what reads an older page.
 */
export function feedHistory(timeline: TimelineStore, onStatus: (status: FeedStatus) => void) {
  const { history, live } = timeline;
  const ending = new AbortController();
  let isReading = false;
  let current: Promise<void> = Promise.resolve();
  let isFirstRead = false;
  let oldestKnown = 1;
  let beginning = live.get().beginning;

  const read = async (query: string) => {
    const body = await getJson(`/api/events?dense=true&${query}`, eventsBody, ending.signal);
    oldestKnown = body.oldestSeq;
    return body;
  };
  const reading = (work: () => Promise<void>): Promise<void> => {
    if (!isReading && !ending.signal.aborted) current = readNow(work);
    return current;
  };
  const readNow = async (work: () => Promise<void>) => {
    isReading = true;
    try {
      await work();
      onStatus('ready');
    } catch {
      if (!ending.signal.aborted) onStatus(history.events.length > 0 ? 'ready' : 'failed');
    } finally {
      isReading = false;
    }
    if (!ending.signal.aborted) take();
  };
  const begin = () =>
    reading(async () => {
      const { events } = await read(`limit=${PAGE}`);
      isFirstRead = true;
      history.replace(events);
    });
  const fillHole = (after: number) =>
    reading(async () => {
      const { events } = await read(`after=${after}&limit=${PAGE}`);
      if (events[0] && events[0].seq > after + 1) history.replace(events);
      else history.append(events, after + 1);
    });

  function take(): void {
    if (!isFirstRead) return;
    const state = live.get();
    if (state.beginning !== beginning) {
      beginning = state.beginning;
      if (state.seq < history.lastSeq) {
        isFirstRead = false;
        void begin();
        return;
      }
    }
    const version = history.version;
    const hole = history.append(state.events, state.wholeFrom);
    if (hole) void fillHole(hole.after);
    noteGone(timeline, state);
    timeline.noteLocks();
    if (history.version !== version) timeline.touch();
  }

  const hasOlder = () => history.firstSeq > oldestKnown;
  const readOlder = () =>
    reading(async () => {
      const { events } = await read(`before=${history.firstSeq}&limit=${PAGE}`);
      history.prepend(events);
    });

  const stop = live.subscribe(take);
  void begin();
  return {
    end: () => {
      stop();
      ending.abort();
    },
    /** True while the server remembers events older than these. */
    hasOlder,
    readOlder,
    /** Reads older pages until an instant or an event is there, as far as server and page remember. */
    reach: async (at: number | null, seq: number | null) => {
      await current;
      const isMissing = () =>
        (at !== null && (history.events[0]?.at ?? 0) > at) || (seq !== null && history.firstSeq > seq);
      while (isMissing() && hasOlder() && history.events.length < HISTORY_CAP && !ending.signal.aborted) {
        const before = history.firstSeq;
        await readOlder();
        if (history.firstSeq === before) return;
      }
    },
  };
}

export type HistoryFeed = ReturnType<typeof feedHistory>;

function noteGone(timeline: TimelineStore, state: LiveState): void {
  const gone = new Map<string, RedisTime>();
  /** Of several servers, one that a client has left tells nothing while another may still have it. */
  const elsewhere = new Set<string>();
  for (const lock of state.locks.values()) {
    for (const { presence, client } of lock.holders) {
      if (presence !== 'gone') elsewhere.add(client);
      else if (!timeline.goneSince.has(client)) gone.set(client, timeline.now());
    }
  }
  for (const client of elsewhere) gone.delete(client);
  if (gone.size > 0) timeline.noteGone(gone);
}
