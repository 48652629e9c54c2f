import { availableParallelism } from 'node:os';

const MB = 1024 * 1024;

/** The memory limit of the process if `--memory` sets no other. */
export const DEFAULT_MEMORY = 512 * MB;
/** With less, Node and one observed server do not leave room for anything else. */
export const LEAST_MEMORY = 256 * MB;

/** What Node, one observer thread and one source take before anything is kept: measured with Node 20. */
const BASE = 170 * MB;
/** The memory of one further thread, and of one further source that is idle. */
const THREAD = 20 * MB;
const SOURCE = 5 * MB;
/** There is one thread for this much memory, and one for each core, whichever is less. */
const MEMORY_PER_THREAD = 256 * MB;
/** A source is only added if it gets at least this much room for what it keeps. */
const LEAST_ROOM_EACH = 3 * MB;
/** However many sources there are, at least this much is divided between them. */
const LEAST_ROOM = 32 * MB;
const LEAST_HEAP_MB = 192;

/** A page's snapshot and a large answer fit into this. */
const LEAST_ANSWERS = 24 * MB;

/** How the process's memory is divided. The rest is for garbage that is not collected yet. */
export type MemoryShares = {
  /** Main thread: events and checkpoints, most of them compressed. */
  readonly historyBytes: number;
  /** Main thread: the state of every known lock. */
  readonly locksBytes: number;
  /** Main thread: answers and messages that clients have not read yet, and requests that are still incomplete. */
  readonly answersBytes: number;
  /** Main thread: which locks changed since a slow page was last sent something. */
  readonly changesBytes: number;
  /** Each source, in its thread: the keys of every known lock. */
  readonly keysBytes: number;
  /** Each source, in its thread: Redis lines behind events. */
  readonly linesBytes: number;
  /** Each source, in its thread: how many events keep a reference to their lines. */
  readonly steps: number;
  /** Each source, in its thread: the recording in memory, compressed. */
  readonly recordingBytes: number;
  /** Each thread: the limit of its heap, with room for what its sources read and for garbage. */
  readonly heapMb: number;
};

/** The part of the divided memory that opened recordings may take, besides the watched sources. */
const OPENED_PART = 0.25;
const MOST_OPENED = 4;

/** How many recordings may be open at once, and the limit for each, in bytes, as `sharesOf` takes it. */
export function openRecordingsWithin(limit = DEFAULT_MEMORY): { most: number; memoryEach: number } {
  const room = Math.max(LEAST_ROOM, limit - BASE) * OPENED_PART;
  const most = Math.max(1, Math.min(MOST_OPENED, Math.floor(room / LEAST_ROOM)));
  return { most, memoryEach: BASE + Math.max(LEAST_ROOM, room / most) };
}

const MOST_FOLLOWED = 20;

/** How many sources a viewer may follow at once, and the limit for each, in bytes, as `sharesOf` takes it. */
export function sourcesFollowedWithin(limit = DEFAULT_MEMORY): { most: number; memoryEach: number } {
  const room = Math.max(LEAST_ROOM, limit - BASE);
  const most = Math.max(1, Math.min(MOST_FOLLOWED, Math.floor(room / LEAST_ROOM)));
  return { most, memoryEach: BASE + room / most };
}

/** Whatever the limit, a small cluster is watched whole. */
const LEAST_SOURCES = 4;

/** How many threads observe sources, at most, with this limit for the whole process, in bytes. */
export function threadsWithin(limit = DEFAULT_MEMORY, cores = availableParallelism()): number {
  return Math.max(1, Math.min(cores, Math.floor(limit / MEMORY_PER_THREAD)));
}

const LEAST_TAKEN = BASE - THREAD + LEAST_ROOM;
/** The part of the limit that is left beside threads, however many cores there are. */
const BESIDE_THREADS = 1 - THREAD / MEMORY_PER_THREAD;

/** How many sources fit into a limit for the whole process, in bytes. */
export function sourcesWithin(limit = DEFAULT_MEMORY): number {
  const left = limit * BESIDE_THREADS - LEAST_TAKEN;
  return Math.max(LEAST_SOURCES, 1 + Math.floor(left / (SOURCE + LEAST_ROOM_EACH)));
}

/** The limit, in MB, that this number of sources fits into. */
export function memoryForSources(sources: number): number {
  return Math.ceil((LEAST_TAKEN + (SOURCE + LEAST_ROOM_EACH) * (sources - 1)) / BESIDE_THREADS / MB);
}

/** The part of the memory for the past that is left if no page asks for it: the newest events may be corrected. */
const PAST_UNASKED = 1 / 16;

/**
 * Divides a limit for the whole process, in bytes, for this number of sources. `isPastAsked`: pages may ask for the
 * past.
 */
export function sharesOf(limit = DEFAULT_MEMORY, sources = 1, isPastAsked = true): MemoryShares {
  const past = isPastAsked ? 1 : PAST_UNASKED;
  const threads = Math.max(1, Math.min(sources, threadsWithin(limit)));
  const room = Math.max(LEAST_ROOM, limit - BASE - THREAD * (threads - 1) - SOURCE * (sources - 1));
  const each = room / Math.max(1, sources);
  return {
    historyBytes: Math.min(room * 0.2, 512 * MB) * past,
    locksBytes: room * 0.15,
    answersBytes: Math.min(Math.max(LEAST_ANSWERS, room * 0.1), 64 * MB),
    changesBytes: Math.min(room * 0.04, 64 * MB),
    keysBytes: each * 0.12,
    linesBytes: Math.min(each * 0.1, 48 * MB) * past,
    steps: Math.round(Math.min(50_000, each / (12 * 1024)) * past),
    heapMb: Math.max(LEAST_HEAP_MB, Math.round((room * 0.8) / threads / MB)),
    recordingBytes: Math.min(each * 0.06, 64 * MB) * past,
  };
}
