import { fileTimeText } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { InsightDetail } from '../../shared/events/types/insight-event.ts';
import type { RecordingEntry } from '../../shared/wire/recordings.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { RecordingCut } from '../watch/recording/recording-sink.ts';

const MINUTE_MS = 60_000;
/** A problem that is reported this long after the first problem of a recording begins another recording. */
const LONGEST_CHAIN_MS = 10 * MINUTE_MS;
/** How many automatic recordings are kept, and how many bytes of them: the newest. */
const MOST_KEPT = 10;
const MOST_BYTES = 128 * 1024 * 1024;
const LONGEST_NAME = 60;

/** Where recordings are kept until Lockscope ends. */
export type KeptRecordings = {
  list(): Pick<RecordingEntry, 'id' | 'origin' | 'bytes'>[];
  add(name: string, origin: 'automatic', length: number, bytes: [RecordingCut['bytes']]): Promise<unknown>;
  delete(id: string): Promise<void>;
};

type ProblemOptions = {
  readonly observatory: Pick<Observatory, 'onBatch' | 'recording'>;
  readonly recordings: KeptRecordings;
  readonly warn: (message: string) => void;
  /** Time that is recorded before a problem begins and after it was reported; for tests. */
  readonly aroundMs?: number;
};

type Opened = LockEvent & InsightDetail;
/** A recording that will be saved. */
type DueRecording = {
  readonly first: Opened;
  readonly last: Opened;
  /** When the earliest of its problems began. */
  readonly from: number;
  /** When its first problem was reported, by `performance.now()`. */
  readonly dueSince: number;
  readonly timer: NodeJS.Timeout;
};

/**
 * Saves a recording around each new critical problem, from two minutes before it began to two minutes after it was
 * reported. Further problems of the same source within these minutes are in the same recording, which is prolonged.
 *
 *   -2 min ──── problem ──── another ──── +2 min of the last: saved, and named after the first
 *
 * The oldest of these recordings are deleted to make room for new recordings. Recordings that a person saved or added
 * are not.
 */
export function recordProblems({ observatory, recordings, warn, aroundMs = 2 * MINUTE_MS }: ProblemOptions): {
  stop(): void;
} {
  const due = new Map<string, DueRecording>();
  const seen = new Set<string>();

  const stopListening = observatory.onBatch(({ events }) => {
    for (const event of events) {
      if (event.type === 'insight.closed') seen.delete(event.insight);
      if (event.type !== 'insight.opened' || event.severity !== 'critical') continue;
      if (seen.has(event.insight)) continue;
      if (event.to === undefined) seen.add(event.insight);
      add(event);
    }
  });

  /** Adds a problem to the recording that is due, or begins another recording. */
  function add(last: Opened): void {
    const { source, from: began = last.at } = last;
    let before = due.get(source);
    clearTimeout(before?.timer);
    if (before && performance.now() - before.dueSince >= LONGEST_CHAIN_MS) {
      void save(before);
      before = undefined;
    }
    due.set(source, {
      ...{ first: before?.first ?? last, last, from: Math.min(before?.from ?? began, began) },
      dueSince: before?.dueSince ?? performance.now(),
      timer: setTimeout(() => end(source), aroundMs).unref(),
    });
  }

  function end(source: string): void {
    const ended = due.get(source);
    due.delete(source);
    if (ended) void save(ended);
  }

  async function save({ first, last, from }: DueRecording): Promise<void> {
    const { source } = first;
    try {
      const cut = await observatory.recording({ source, from: from - aroundMs * 1000, to: last.at + aroundMs * 1000 });
      if (!cut) return;
      await makeRoom(cut.bytes.length);
      await recordings.add(nameOf(first), 'automatic', cut.bytes.length, [cut.bytes]);
    } catch (error) {
      warn(`The recording of a problem was not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Deletes the oldest automatic recordings until there is room for one more. */
  async function makeRoom(bytes: number): Promise<void> {
    const newestFirst = recordings.list().filter(({ origin }) => origin === 'automatic');
    let sum = bytes;
    for (const [n, { id, bytes: own }] of newestFirst.entries()) {
      sum += own;
      if (n + 1 >= MOST_KEPT || sum > MOST_BYTES) await recordings.delete(id);
    }
  }

  return {
    stop() {
      stopListening();
      for (const { timer } of due.values()) clearTimeout(timer);
      due.clear();
    },
  };
}

/** For example `abba-deadlock-orders_42-2026-11-23T14-02-11Z.lockscope`. */
function nameOf({ incident, lock, at }: Opened): string {
  const about = lock.replace(/[^\w.-]+/g, '_').slice(0, LONGEST_NAME);
  return [incident, ...(about === '' ? [] : [about]), fileTimeText(at)].join('-').concat('.lockscope');
}
