import type { RedisTime } from '../../base/time.ts';
import type { CommandStep } from '../../signals/step.ts';
import type { Action, ActionOf } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import type { PendingUnlock } from '../mirror/unlock-tracker.ts';
import { clientOf, LATCH, latchFromKey } from '../names/names.ts';
import type { Appliers } from './appliers.ts';
import { reportAwaited, reportEnded } from './kinds/replicas.ts';

/** What the latches of unlocks show: whether the client got its answer. */
export const UNLOCKS: Appliers<'begin-unlock' | 'repeat-unlock' | 'answer-unlock'> = {
  'begin-unlock': begin,
  'repeat-unlock': (to, { latch, at }) => {
    const client = to.unlocks.clientOf(latch);
    if (client !== undefined) reportEnded(to, client, at);
    to.unlocks.repeat(latch);
  },
  'answer-unlock': answer,
};

function begin(to: Context, action: ActionOf<'begin-unlock'>, { db, unlocked }: Origin): void {
  const { at, lock, holder, latch, outcome, answerMs, keptMs } = action;
  const key = to.keys.find(db, lock);
  // an error cut the script off after it had changed the hold
  const isCutOff = outcome !== 'refused' && keptMs === null;
  if (!key || unlocked === undefined || isCutOff) return;
  const { name, kind } = key;
  const client = clientOf(holder);
  to.unlocks.begin(latch, { db, lock: name, kind, holder, client, at, outcome, answerMs, keptMs, seq: unlocked });
}

function answer(to: Context, { at, latch, client }: ActionOf<'answer-unlock'>, { db }: Origin): void {
  const lock = latchFromKey(latch)?.lock;
  if (client === undefined) {
    to.unlocks.answer(latch);
    reportAwaited(to, to.replicaWaits.takeUnlock(latch), at);
  } else if (lock !== undefined) {
    const name = to.keys.nameFrom(db, lock);
    to.unlocks.answerAndLeave(db, name, client, at);
    reportAwaited(to, to.replicaWaits.takeUnlockOf(client, db, name), at);
  }
}

/** Whether a command deletes an unlock latch, as a client does when it has the answer. */
export function isAnswer({ head: { words }, inner }: CommandStep): boolean {
  return inner.length === 0 && words[1]?.startsWith(LATCH) === true && words[0]?.toLowerCase() === 'del';
}

/**
 * Applies an action of a script without a latch: notes an attempt or a release, or reports that a refused unlock
 * repeats a release.
 */
export function noteWithoutLatch(to: Context, action: Action, db: number, seqOf: () => number | undefined): void {
  if (!('holder' in action) || !('lock' in action) || action.holder === undefined) return;
  const { lock, holder, at } = action;
  switch (action.do) {
    case 'refuse':
    case 'fair-refuse': {
      const mode = action.do === 'refuse' ? action.mode : 'exclusive';
      return to.unlocks.noteAttempt(db, lock, holder, action.reason === 'held' ? { mode, lastAt: at } : undefined);
    }
    case 'acquire':
    case 'read-acquire':
    case 'fair-acquire':
      return to.unlocks.noteAttempt(db, lock, holder, undefined);
    case 'read-release':
    case 'write-release':
      if (action.count !== 0) return;
      break;
    case 'release':
      break;
    case 'refuse-unlock': {
      const first = to.unlocks.takeRepeated(db, lock, holder, at);
      const kind = to.keys.find(db, lock)?.kind ?? action.kind;
      if (!first) return;
      to.emit(
        { db, lock, kind, at, certainty: 'inferred', because: [first.seq] },
        { type: 'unlock.unanswered', holder, outcome: 'released', unlockedAt: first.at, repeat: 'refused' },
      );
      return;
    }
    default:
      return;
  }
  const seq = seqOf();
  if (seq !== undefined) to.unlocks.noteRelease(db, lock, holder, { seq, at });
}

/** An event names at most this many unlocks in `because`, the newest ones. Its `times` counts all of them. */
const MOST_NAMED = 100;

/**
 * Reports unlocks without an answer, in one event for each thread at each lock, and clients that leave their unlock
 * latches behind.
 */
export function reportUnanswered(to: Context, at: RedisTime): void {
  const byThread = new Map<string, PendingUnlock[]>();
  for (const unlock of to.unlocks.takeUnanswered(at)) {
    const id = `${unlock.db}/${unlock.holder}/${unlock.lock}`;
    const known = byThread.get(id);
    if (known) known.push(unlock);
    else byThread.set(id, [unlock]);
  }
  for (const unlocks of byThread.values()) {
    const last = unlocks.at(-1);
    if (!last) continue;
    const { db, lock, kind, holder, outcome, isRepeated, at: unlockedAt } = last;
    const more = {
      ...(unlocks.length > 1 ? { times: unlocks.length } : undefined),
      ...(isRepeated ? { repeat: 'answered' as const } : undefined),
    };
    to.emit(
      { db, lock, kind, at, certainty: 'inferred', because: unlocks.slice(-MOST_NAMED).map(({ seq }) => seq) },
      { type: 'unlock.unanswered', holder, outcome, unlockedAt, ...more },
    );
  }
  for (const report of to.unlocks.left.takeNews(at)) {
    to.emit({ db: 0, lock: '', kind: 'lock', at }, { type: 'unlock.latch-left', ...report });
  }
}
