import { use } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { useFromShownNow, useIsShownClockStopped, useReadSureInstant } from '../cursor/shown-instant.ts';
import { useHidesWaiters } from '../parts/people.ts';
import { PictureMaker } from '../share/picture-maker.ts';
import { ShareMenu } from '../share/ShareMenu.tsx';
import type { LockRoute } from '../url/route.ts';
import { useWords } from '../words/language.ts';
import { lockSummary } from './lock-summary.ts';

/** The picture shows this long before the shared instant. */
const PICTURE_MICROS = 300_000_000;

/** Shares one lock as it is shown: as it is now, or as it was at the cursor. */
export function ShareLock({ lock, route }: { lock: Lock; route: LockRoute }) {
  const words = useWords();
  const isKnown = useFromShownNow(lock.source, (now) => now !== null);
  const readInstant = useReadSureInstant(lock.source);
  const isStopped = useIsShownClockStopped(lock.source);
  const hidden = useHidesWaiters(lock);
  const makePicture = use(PictureMaker);
  if (!isKnown) return null;
  const take = () => {
    // the newest event that is shown may be more recent
    const at = redisTime(Math.round(Math.max(readInstant() ?? 0, lock.changedAt)));
    const range = { from: redisTime(at - PICTURE_MICROS), to: at };
    return {
      route: { ...route, source: lock.source, db: lock.db, at },
      at,
      name: lock.name,
      sentences: lockSummary(lock, { at, hidden, isWatched: !isStopped && lock.unwatchedSince === undefined }, words),
      range: { from: at, to: at },
      sources: [lock.source],
      ...(makePicture && { picture: () => makePicture({ lockId: lock.id, ...range }) }),
    };
  };
  return <ShareMenu take={take} />;
}
