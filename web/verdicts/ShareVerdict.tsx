import { use } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { useFromShownNow, useReadSureInstant } from '../cursor/shown-instant.ts';
import { useLive } from '../data/live/use-live.ts';
import { utcText } from '../share/markdown.ts';
import { PictureMaker } from '../share/picture-maker.ts';
import { ShareMenu } from '../share/ShareMenu.tsx';
import { verdictSentences } from '../share/verdict-text.ts';
import { OVERVIEW } from '../url/route.ts';
import { useWords } from '../words/language.ts';
import { insightTexts } from './insight-texts.ts';

/**
 * The picture begins this long before the problem. If it would be longer than 15 minutes, it shows the last 15 minutes.
 */
const PICTURE_MICROS = 60_000_000;
const LONGEST_PICTURE_MICROS = 900_000_000;

/** Shares a verdict as it is shown now, or was at the cursor. */
export function ShareVerdict({ insight }: { insight: WireInsight }) {
  const words = useWords();
  const { source, db, lock, from, to } = insight;
  const isKnown = useFromShownNow(source, (now) => now !== null);
  const readInstant = useReadSureInstant(source);
  const names = useLive((state) => state.names);
  const makePicture = use(PictureMaker);
  if (!isKnown) return null;
  const take = () => {
    const at = redisTime(Math.round(Math.max(readInstant() ?? 0, to ?? from)));
    const texts = insightTexts(insight, words, names, utcText);
    const name = lock ?? source;
    const lockId = lock === undefined || db === undefined ? null : lockIdOf({ source, db, lock });
    const begin = Math.max(Math.min(from, at) - PICTURE_MICROS, at - LONGEST_PICTURE_MICROS);
    return {
      route:
        lock === undefined || db === undefined ? { ...OVERVIEW, at } : { ...lockNow({ name: lock, source, db }), at },
      at,
      name: `${texts.title}, ${name}`,
      sentences: verdictSentences(insight, texts, at, words),
      range: { from: redisTime(Math.min(from, at)), to: at },
      sources: [source],
      ...(makePicture && lockId && { picture: () => makePicture({ lockId, from: redisTime(begin), to: at }) }),
    };
  };
  return <ShareMenu take={take} />;
}
