import { z } from 'zod';
import type { LockEvent } from '../events/event.ts';
import type { Lock } from './lock.ts';
import type { LockPatch } from './lock-patch.ts';
import type { PackedEvents } from './packed-events.ts';
import type { Source } from './source.ts';

/** The first message of a page: its wire version and the last `seq` it has. */
export const helloMessage = z.object({
  v: z.literal(1),
  after: z.number().int().min(0).optional(),
  /** The `run` of the snapshot it began with. In another run, the same `seq` belongs to another event. */
  run: z.string().max(64).optional(),
  /** The page can read `packed` messages; the server may send them instead of batches. */
  packed: z.boolean().optional(),
});

/** What a page wants to receive from now on. An absent field keeps its value. */
export const wantMessage = z.object({
  /** Only these lock ids (`source/db/name`) in batches; an empty list means all. */
  locks: z.array(z.string().max(2_000_000)).max(1000).optional(),
  events: z.boolean().optional(),
});

export type Hello = z.infer<typeof helloMessage>;
export type Want = z.infer<typeof wantMessage>;

/** The current state: every lock that is held or waited for, as of `seq`. */
export type SnapshotMessage = {
  v: 1;
  seq: number;
  /** Redis time in µs of the newest signal of the first source. */
  at: number;
  locks: Lock[];
  sources: Source[];
  /** More locks exist than were sent; the page fetches them with `GET /api/locks`. */
  truncated: boolean;
  /** Connection names of clients, by uuid: events have ids only. If there are too many, the newest are sent. */
  names?: Record<string, string>;
  /** The id of this run of the server. A page sends it back with `after`. */
  run?: string;
};

/**
 * The events `fromSeq`..`toSeq`, and each changed lock as it is after `toSeq`.
 * `skipped` > 0: the page is slow, so that many events were left out. No locks were.
 */
export type BatchMessage = {
  v: 1;
  fromSeq: number;
  toSeq: number;
  at: number;
  events: CompactEvents;
  locks: Lock[];
  /** Ids of locks that were forgotten. */
  gone: string[];
  sources?: Source[];
  skipped?: number;
};

/**
 * A batch in short form, for pages that asked for it and have every message before it. Pages compute locks from the events
 * (`LockPredictor`); `locks` has patches where that is not enough. Earlier messages are needed back to the last `fresh` one.
 */
export type PackedMessage = {
  v: 1;
  fresh?: true;
  fromSeq: number;
  toSeq: number;
  at: number;
  events: PackedEvents;
  locks: [id: string, patch: LockPatch][];
  gone: string[];
  sources?: Source[];
  skipped?: number;
};

/** Messages are missing: the page must start again from the next snapshot. */
export type ResyncMessage = { v: 1; reason: string };

export type ServerToClient = {
  snapshot: (message: SnapshotMessage) => void;
  batch: (message: BatchMessage) => void;
  packed: (message: PackedMessage) => void;
  resync: (message: ResyncMessage) => void;
  problem: (message: { code: string; message: string; hint: string }) => void;
};
export type ClientToServer = { hello: (message: Hello) => void; want: (message: Want) => void };

/**
 * The events of one batch. Each distinct word is written once.
 *
 *   words   ["orders:42", "lock", "lock.acquired", "uuid:62", …]
 *   events  [{ s: +1, t: +282 µs, w: [lock, kind, type, holder?], r: {the rest} }, …]
 */
export type CompactEvents = { words: string[]; at: number; seq: number; rows: CompactRow[] };
export type CompactRow = [
  seqStep: number,
  atStep: number,
  source: number,
  db: number,
  lock: number,
  kind: number,
  type: number,
  holder: number,
  rest: Record<string, unknown>,
];

/** Packs events for the socket. Order is kept; `unpackEvents` returns equal events. */
export function packEvents(events: readonly LockEvent[]): CompactEvents {
  const words: string[] = [];
  const index = new Map<string, number>();
  const word = (text: string | undefined): number => {
    if (text === undefined) return -1;
    const known = index.get(text);
    if (known !== undefined) return known;
    words.push(text);
    index.set(text, words.length - 1);
    return words.length - 1;
  };
  const first = events[0];
  let seq = first?.seq ?? 0;
  let at = first?.at ?? 0;
  const rows = events.map((event): CompactRow => {
    const { seq: eventSeq, at: eventAt, source, db, lock, kind, type, ...others } = event;
    const { holder, ...rest } = others as { holder?: string } & Record<string, unknown>;
    const row: CompactRow = [
      eventSeq - seq,
      eventAt - at,
      word(source),
      db,
      word(lock),
      word(kind),
      word(type),
      word(holder),
      rest.certainty === 'observed' ? withoutCertainty(rest) : rest,
    ];
    seq = eventSeq;
    at = eventAt;
    return row;
  });
  return { words, seq: first?.seq ?? 0, at: first?.at ?? 0, rows };
}

function withoutCertainty(rest: Record<string, unknown>): Record<string, unknown> {
  const { certainty: _observed, ...others } = rest;
  return others;
}

/** Returns the events that `packEvents` packed. */
export function unpackEvents(packed: CompactEvents): LockEvent[] {
  let seq = packed.seq;
  let at = packed.at;
  return packed.rows.map(([seqStep, atStep, source, db, lock, kind, type, holder, rest]) => {
    seq += seqStep;
    at += atStep;
    return {
      seq,
      at,
      source: packed.words[source],
      db,
      lock: packed.words[lock],
      kind: packed.words[kind],
      type: packed.words[type],
      ...(holder >= 0 ? { holder: packed.words[holder] } : {}),
      certainty: 'observed',
      ...rest,
    } as unknown as LockEvent; // the rows were made from events by packEvents
  });
}
