import { useContext } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { useFromRedisNow } from '../data/live/use-live.ts';
import { instantText, secondsText } from '../ui/time-text.ts';
import { zoneText } from '../ui/zone.ts';
import type { LockRoute } from '../url/route.ts';
import { hrefOf } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** On paper only: the printed instant, and the address of the page at that instant. */
export function PrintedPlace({ route, source }: { route: LockRoute; source: string }) {
  const { lockPage } = useWords();
  const shown = useContext(ShownInstant);
  const second = useFromRedisNow(source, (now) => (now === null ? null : Math.floor(now / 1_000_000) * 1_000_000));
  const at = shown ?? (second === null ? null : redisTime(second));
  if (at === null) return null;
  return (
    <p className="only-printed">
      {lockPage.printed(`${secondsText(at)} ${zoneText(at)} (${instantText(at)})`)} {lockPage.printedEvents}
      <br />
      {window.location.origin + hrefOf({ ...route, at })}
    </p>
  );
}
