import { startTransition, useEffect, useState } from 'react';
import { eventsBody } from '../../shared/wire/http.ts';
import { getJson } from './http.ts';
import type { LiveStore } from './live-store.ts';
import { isOpenRecording } from './open-recording.ts';
import { TREND_BIN_MICROS, TREND_MICROS, type TrendBin, TrendRecorder } from './trend-recorder.ts';
import { useLive, useLiveStore } from './use-live.ts';

/** Events of the past asked for once; what came before them is not known. */
const PAST_ASKED = 5000;
const LOOK_EVERY_MS = 1000;

export type Trends = {
  readonly bins: readonly TrendBin[];
  /** From when on they are known; null where all of the time shown is. */
  readonly since: number | null;
  readonly seesWaits: boolean;
  readonly seesRenewals: boolean;
};

/** The trends of the last minutes: new ones each time a bin is over. Null until the first. */
export function useTrends(): Trends | null {
  const store = useLiveStore();
  const seesWaits = useLive((state) => state.sources.every((source) => source.level === 'monitor'));
  const seesRenewals = useLive((state) => state.sources.every((source) => source.level !== 'snapshot'));
  const [trends, setTrends] = useState<Trends | null>(null);
  useEffect(() => {
    const counter = counterOf(store);
    let shown = -1;
    const look = () => {
      const now = instantOf(store);
      const bin = now === null ? -1 : Math.floor(now / TREND_BIN_MICROS);
      if (now === null || bin === shown || counter.recorder.since === null) return;
      shown = bin;
      const bins = counter.recorder.bins(now, { waits: seesWaits, renewals: seesRenewals });
      const isWhole = counter.recorder.since <= now - TREND_MICROS;
      // a click comes before charts
      startTransition(() =>
        setTrends({ bins, since: isWhole ? null : counter.recorder.since, seesWaits, seesRenewals }),
      );
    };
    look();
    const stop = counter.onRead(() => {
      shown = -1;
      look();
    });
    const timer = window.setInterval(look, LOOK_EVERY_MS);
    return () => {
      stop();
      window.clearInterval(timer);
    };
  }, [store, seesWaits, seesRenewals]);
  return trends;
}

/** Now; in an opened recording the end of the bin it ends in, which nothing is added to any more. */
function instantOf(store: LiveStore): number | null {
  const now = store.clock.at(Date.now());
  if (now === null || !isOpenRecording(store.get().sources)) return now;
  return Math.ceil(now / TREND_BIN_MICROS) * TREND_BIN_MICROS;
}

type Counter = { readonly recorder: TrendRecorder; readonly onRead: (listener: () => void) => () => void };

const counters = new WeakMap<LiveStore, Counter>();

/** The recorder of a live store. It goes on counting while other pages are open. */
function counterOf(store: LiveStore): Counter {
  const known = counters.get(store);
  if (known) return known;
  const recorder = new TrendRecorder();
  const listeners = new Set<() => void>();
  let isReading = false;
  let isRead = false;
  let beginning = 0;
  const read = async () => {
    isReading = true;
    const body = await getJson(`/api/events?limit=${PAST_ASKED}`, eventsBody).catch(() => null);
    isReading = false;
    const now = store.clock.at(Date.now());
    if (body === null || now === null) return; // the next change tries again
    isRead = true;
    const since = Math.min(now, body.events[0]?.at ?? now);
    recorder.begin(since, waitingSince(store, since));
    recorder.take(body.events, body.events[0]?.seq ?? 0);
    take();
    for (const listener of listeners) listener();
  };
  const take = () => {
    const state = store.get();
    if (state.beginning === 0) return;
    const isNewRun = state.beginning !== beginning && state.seq < recorder.lastSeq;
    beginning = state.beginning;
    if (isNewRun) isRead = false;
    if (isRead) recorder.take(state.events, state.wholeFrom);
    else if (!isReading) void read();
  };
  store.subscribe(take);
  take();
  const counter: Counter = {
    recorder,
    onRead: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  counters.set(store, counter);
  return counter;
}

/** Whoever waits now and did already at an instant before which nothing is known. */
function waitingSince(store: LiveStore, at: number): { lockId: string; holder: string }[] {
  const waiting: { lockId: string; holder: string }[] = [];
  for (const lock of store.get().locks.values()) {
    for (const waiter of lock.waiters) {
      if (waiter.since < at && !waiter.presumedGone) waiting.push({ lockId: lock.id, holder: waiter.id });
    }
  }
  return waiting;
}
