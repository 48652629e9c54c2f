import type { ReactNode } from 'react';
import { dbInId, idOf, nameInId, sourceInId } from '../../shared/state/lock-state.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { lockIdsIn } from '../../shared/wire/insights/insights-about.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { dismissedProblems, useDismissed } from '../choices/dismissed.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { useFromShownNow, useReadShownNow } from '../cursor/shown-instant.ts';
import { useLive } from '../data/live/use-live.ts';
import { NameText } from '../ui/NameText.tsx';
import { ageText, secondsText } from '../ui/time-text.ts';
import { WholeWords } from '../ui/WholeWords.tsx';
import { TIMELINE } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { evidenceLink } from './evidence-link.ts';
import { insightTexts } from './insight-texts.ts';
import { ShareVerdict } from './ShareVerdict.tsx';
import { WriteNote } from './VerdictNotes.tsx';

/** How many locks of a problem, or of equal problems, are named. */
const MOST_LOCKS = 2;

/** The locks that a problem is about, or its server. */
export function Place({ insight }: { insight: WireInsight }) {
  const { verdictDetails } = useWords();
  const locks = [...new Set(lockIdsIn(insight))];
  if (locks.length === 0) return <span className="quiet">{verdictDetails.ofSource(insight.source)}</span>;
  return (
    <span className="verdict-locks">
      <Locks locks={locks.map((id) => ({ name: nameInId(id), source: sourceInId(id), db: dbInId(id) }))} />
    </span>
  );
}

/** Links to the first of some locks, and how many others there are. */
export function Locks({ locks }: { locks: readonly Pick<Lock, 'name' | 'source' | 'db'>[] }) {
  const { verdicts: texts } = useWords();
  return (
    <>
      {locks.slice(0, MOST_LOCKS).map((lock) => (
        <Link key={idOf(lock)} to={lockNow(lock)} className="verdict-lock">
          <NameText text={lock.name} most={80} isOneLine />
        </Link>
      ))}
      {locks.length > MOST_LOCKS && texts.andMore(locks.length - MOST_LOCKS)}
    </>
  );
}

/** If the expected end of a problem has passed by more than this, the problem is not shown as about to end. */
const LATE_MS = 3000;

export function isLate(leftMs: number): boolean {
  return leftMs < -LATE_MS;
}

/** Since when a problem is open and when it ends by itself, or from when to when it lasted. */
export function When({ insight }: { insight: WireInsight }): ReactNode {
  const { verdicts: texts, verdictDetails } = useWords();
  const { incident, source, from, to, isAtLeast, selfHealsAt } = insight;
  // here `from` is when the wait became too long, not its beginning
  const begins = incident === 'threads-waited-long' ? verdictDetails.tooLong : texts;
  return useFromShownNow(source, (now) => {
    const [began, ended] = [secondsText(from), to === null ? null : secondsText(to)];
    if (ended !== null) return began === ended ? texts.happened(began) : verdictDetails.fromTo(began, ended);
    const since = (isAtLeast ? begins.sinceBefore : begins.since)(began);
    const leftMs = selfHealsAt === null || now === null ? null : (selfHealsAt - now) / 1000;
    if (leftMs === null || isLate(leftMs)) return since;
    return verdictDetails.sinceAndEnd(
      since,
      leftMs < 1000 ? verdictDetails.ending : verdictDetails.endsIn(ageText(leftMs)),
    );
  });
}

/** A link to the locks and the events of the problem, on the timeline. Renders nothing if the problem has no events. */
export function Evidence({ insight, className }: { insight: WireInsight; className: string }) {
  const { verdicts: texts, verdictDetails } = useWords();
  const readNow = useReadShownNow(insight.source);
  const link = evidenceLink(insight, readNow());
  if (link === null) return null;
  return (
    <Link to={{ ...TIMELINE, link }} className={className} title={verdictDetails.evidenceHint}>
      {texts.evidence}
    </Link>
  );
}

/** What a problem is, what to do now, and what prevents it later. */
export function Explained({ insight }: { insight: WireInsight }) {
  const words = useWords();
  const { verdicts: texts, verdictDetails } = words;
  const names = useLive((state) => state.names);
  const { explanation, advice, later } = insightTexts(insight, words, names);
  return (
    <>
      <p>
        <WholeWords text={explanation} />{' '}
        <span className="quiet" title={verdictDetails.confidenceMeaning[insight.confidence]}>
          ({texts.confidence[insight.confidence]})
        </span>
      </p>
      <p>
        <b>{texts.now}</b> <WholeWords text={advice} />
      </p>
      {later !== undefined && (
        <p>
          <b>{texts.later}</b> <WholeWords text={later} />
        </p>
      )}
      <WriteNote insight={insight.id} />
    </>
  );
}

/** A link to the page about this kind of problem. */
export function Why({ incident }: Pick<WireInsight, 'incident'>) {
  const { verdictDetails } = useWords();
  return (
    <Link to={{ page: 'incident-help', incident }} className="button is-small" title={verdictDetails.whyHint}>
      {verdictDetails.whyProblem}
    </Link>
  );
}

/** Where to read more about a problem, and what else can be done with it. */
export function VerdictLinks({ insight, children }: { insight: WireInsight; children: ReactNode }) {
  const { verdicts: texts } = useWords();
  const dismissed = useDismissed(dismissedProblems);
  return (
    <p className="verdict-ways">
      {children}
      <Why incident={insight.incident} />
      <ShareVerdict insight={insight} />
      {isOver(insight) && !dismissed.has(insight.id) && (
        <button type="button" className="button is-small" onClick={() => dismissedProblems.dismiss(insight.id)}>
          {texts.dismiss}
        </button>
      )}
    </p>
  );
}

/** Whether the loss of a lock has ended. The data that the lock protects may still be wrong. */
export function isOver({ effect, to }: Pick<WireInsight, 'effect' | 'to'>): boolean {
  return effect === 'lost' && to !== null;
}
