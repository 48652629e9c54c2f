import { createHash } from 'node:crypto';
import type { Hello, Want } from '../../shared/wire/socket.ts';
import type { Step } from './messages.ts';

/** Which part of the stream a page asked for. Pages that want the same share their messages. */
export type Wish = {
  /** Lock ids; undefined: all. */
  readonly locks: ReadonlySet<string> | undefined;
  readonly events: boolean;
  /** Letters of all ids. */
  readonly size: number;
  /** The same for the same wish. */
  readonly key: string;
};

/** Where a page stands: what it has been sent, and what it is owed next. */
export type Viewer = {
  wish: Wish;
  owed: 'nothing' | 'snapshot' | 'missed' | 'live';
  /** Why a snapshot that is owed starts the page anew. */
  resync: string | undefined;
  problem: { code: string; message: string; hint: string } | undefined;
  /** The last event sent. */
  seq: number;
  /** The last event a page had when it came back; its locks are told from there. */
  cameBackAt: number;
  /** The last tick of the change log sent. */
  tick: number;
  /** Locks newly asked for, to be sent as they are. */
  extra: Set<string>;
  /** It can read packed messages. */
  packs: boolean;
  /** It is a member of the packed stream: it stands where the stream stands. */
  isInStream: boolean;
  /** When it was found not to take messages, in milliseconds that never fall. */
  stuckSince: number | undefined;
};

const EVERYTHING: Wish = { locks: undefined, events: true, size: 0, key: '' };

/** Letters of the ids of one wish, and of all wishes together. A lock's name may have a megabyte. */
const MOST_WISHED = 1_500_000;
const MOST_WISHED_IN_ALL = 32_000_000;
/** Locks newly asked for and not sent yet. Beyond, a snapshot says the same in less. */
const MOST_EXTRA = 1000;

/** A page that has just connected and said nothing yet. */
export function newViewer(): Viewer {
  return {
    wish: EVERYTHING,
    owed: 'nothing',
    resync: undefined,
    problem: undefined,
    seq: 0,
    cameBackAt: 0,
    tick: 0,
    extra: new Set(),
    packs: false,
    isInStream: false,
    stuckSince: undefined,
  };
}

/** What the server has, for a page that comes back. */
export type Present = { readonly run: string; readonly nextSeq: number; readonly has: (after: number) => boolean };

/**
 * Takes a hello: a new page is owed a snapshot, one that comes back all it missed.
 * Where that cannot be had without a gap, it is owed a resync, and says why.
 */
export function greet(viewer: Viewer, { after, run, packed }: Hello, present: Present): void {
  viewer.packs = packed === true;
  viewer.isInStream = false;
  viewer.owed = 'snapshot';
  viewer.resync = undefined;
  if (after === undefined) return;
  if (run !== undefined && run !== present.run) viewer.resync = 'Lockscope was started again.';
  else if (after >= present.nextSeq) viewer.resync = 'Lockscope has not come that far: it was started again.';
  else if (!present.has(after)) viewer.resync = 'What you missed is no longer in memory.';
  else {
    viewer.owed = 'missed';
    viewer.seq = after;
    viewer.cameBackAt = after;
  }
}

/** What a wish is measured by: the other pages, and the locks there are. */
export type WishContext = {
  readonly others: readonly Viewer[];
  readonly lockOf: (id: string) => { readonly id: string } | undefined;
};

/** Takes a want: fields left out stay as they are. Returns a problem where the wish is too large, and changes nothing. */
export function changeWish(viewer: Viewer, want: Want, { others, lockOf }: WishContext): Viewer['problem'] {
  const before = viewer.wish;
  const locks = want.locks === undefined ? before.locks : want.locks.length === 0 ? undefined : new Set(want.locks);
  const size = [...(locks ?? [])].reduce((sum, id) => sum + id.length, 0);
  const inAll = others.reduce((sum, { wish }) => sum + wish.size, size);
  if (size > MOST_WISHED || inAll > MOST_WISHED_IN_ALL) return TOO_LARGE;
  const events = want.events ?? before.events;
  viewer.wish = { locks, events, size, key: locks === undefined && events ? EVERYTHING.key : keyOf(events, locks) };
  if (before.locks === undefined || viewer.owed === 'nothing') return undefined;
  // The page knows nothing of the locks it did not want before.
  if (locks === undefined) return oweSnapshot(viewer);
  for (const id of locks) {
    const lock = before.locks.has(id) ? undefined : lockOf(id);
    if (lock) viewer.extra.add(lock.id);
  }
  if (viewer.extra.size > MOST_EXTRA) oweSnapshot(viewer);
  return undefined;
}

const TOO_LARGE = {
  code: 'bad-message',
  message: '"want" does not fit: locks: the names are too long together.',
  hint: 'Ask for fewer locks, or for all of them with an empty list.',
};

function oweSnapshot(viewer: Viewer): undefined {
  viewer.owed = 'snapshot';
  viewer.extra.clear();
}

/** Short, however long the names are. */
function keyOf(events: boolean, locks: ReadonlySet<string> | undefined): string {
  const text = JSON.stringify([events, locks && [...locks].sort()]);
  return createHash('sha256').update(text).digest('base64');
}

/** Whether a page is to be sent something, given the newest event and the change log's tick. */
export function isOwed(viewer: Viewer, newestSeq: number, tick: number): boolean {
  if (viewer.problem) return true;
  if (viewer.owed !== 'live') return viewer.owed !== 'nothing';
  return viewer.seq < newestSeq || viewer.tick < tick || viewer.extra.size > 0;
}

/** Whether a page can be a member of the packed stream: it wants everything, and is owed nothing but what comes. */
export function keepsStep({ packs, owed, wish, extra, resync, problem }: Viewer): boolean {
  const isOwedMore = owed !== 'live' || extra.size > 0 || resync !== undefined || problem !== undefined;
  return packs && !isOwedMore && wish.key === EVERYTHING.key;
}

/** The same for pages that stand at the same point and want the same, so that one step does for all of them. */
export function sameStepKey({ owed, seq, cameBackAt, tick, wish, extra }: Viewer): string | undefined {
  if (owed === 'snapshot') return `snapshot ${wish.key}`;
  return extra.size > 0 ? undefined : `${owed} ${seq} ${cameBackAt} ${tick} ${wish.key}`;
}

/** Moves a page on to where it stands once that step is sent. */
export function advance(viewer: Viewer, step: Step): void {
  if (step.type === 'resync') {
    viewer.owed = 'snapshot';
    viewer.resync = step.reason;
    return;
  }
  viewer.seq = step.seq;
  viewer.tick = step.tick;
  if (step.type === 'batch' && !step.done) return;
  viewer.owed = 'live';
  viewer.cameBackAt = 0;
  viewer.extra.clear();
}
