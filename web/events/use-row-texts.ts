import { useContext, useMemo } from 'react';
import { millisBetween, redisTime } from '../../shared/base/time.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { listTimes } from '../choices/list-times.ts';
import { useChoice } from '../choices/use-choice.ts';
import { useCursor } from '../cursor/cursor.ts';
import { freeLetter, letterOf } from '../data/live/letters.ts';
import { seconds } from '../data/live/ticker.ts';
import { useFromRedisNow, useLive, useLiveStore } from '../data/live/use-live.ts';
import { GivenLetters } from '../parts/people.ts';
import { agoText, stepText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { EventRow } from './event-rows.ts';
import { type RowContext, type RowTexts, textsFromRow } from './row-texts.ts';

/** The texts of at most this many rows are remembered. */
const MOST_KNOWN = 1000;

/**
 * Returns a function that returns the texts of a row: the same object while the texts are the same. In a list about one
 * lock, holders have the letters of that lock.
 */
export function useRowTexts(
  first: EventRow | undefined,
  isOneLock: boolean,
  selected: number | null,
): (row: EventRow) => RowTexts {
  const context = useRowContext(isOneLock && first ? lockIdOf(first.event) : null, isOneLock);
  return useMemo(() => {
    const known = new Map<EventRow['key'], { readonly row: EventRow; readonly texts: RowTexts }>();
    return (row) => {
      const before = known.get(row.key);
      if (before && showsTheSame(before.row, row)) return before.texts;
      if (known.size >= MOST_KNOWN) known.clear();
      const texts = textsFromRow(row, selected, context);
      known.set(row.key, { row, texts });
      return texts;
    };
  }, [context, selected]);
}

/** True if two rows with the same key show the same. */
function showsTheSame(a: EventRow, b: EventRow): boolean {
  if (a.event !== b.event || a.before !== b.before) return false;
  if (a.kind === 'run') return b.kind === 'run' && a.run.attempts === b.run.attempts && a.isOpen === b.isOpen;
  if (a.kind === 'fold') return b.kind === 'fold' && a.count === b.count && a.isOpen === b.isOpen;
  return b.kind === 'event';
}

function useRowContext(lockId: string | null, isOneLock: boolean): RowContext {
  const words = useWords();
  const hasManySources = useLive((state) => state.sources.length > 1);
  const names = useLive((state) => state.names);
  const given = useContext(GivenLetters);
  const letters = useLive((state) => (lockId === null ? undefined : state.letters.get(lockId)));
  const ageOf = useAges();
  return useMemo(
    () => ({
      words,
      isOneLock,
      hasManySources,
      ageOf,
      nameOf: (client) => names.get(client),
      letterOf: (event, holder) => {
        const own = !isOneLock || given.has(holder) ? null : freeLetter(given, event.letter);
        return own ?? letterOf(given, letters, holder);
      },
    }),
    [words, isOneLock, hasManySources, names, given, letters, ageOf],
  );
}

/**
 * Returns a function for the age of an event's instant; null if lists show the time of day. While live, the function is
 * a new one each second. While paused, ages are relative to the cursor.
 */
function useAges(): RowContext['ageOf'] {
  const isAge = useChoice(listTimes) === 'age';
  const cursor = useCursor();
  const { clock } = useLiveStore();
  const pausedAt = cursor.mode === 'paused' ? cursor.at : null;
  const tick = useFromRedisNow(undefined, () => (isAge && pausedAt === null ? seconds.last() : null));
  return useMemo(() => {
    if (!isAge) return null;
    return (event, at) => {
      if (pausedAt !== null) return stepText(millisBetween(redisTime(pausedAt), at));
      const now = clock.at(tick ?? seconds.last(), event.source);
      return now === null ? '' : agoText(Math.max(0, (now - at) / 1000));
    };
  }, [isAge, pausedAt, clock, tick]);
}
