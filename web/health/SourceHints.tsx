import type { Source } from '../../shared/wire/source.ts';
import { dismissedHints, useDismissed } from '../choices/dismissed.ts';
import { isCutOff } from '../data/live/live-state.ts';
import { useIsOpenRecording, useLive } from '../data/live/use-live.ts';
import { MonitorOffer } from '../monitor/MonitorOffer.tsx';
import { mayStartMonitor } from '../monitor/may-start.ts';
import { Notice } from '../ui/Notice.tsx';
import { durationText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { OwnLocksHint } from './OwnLocksHint.tsx';

/**
 * Hints that the user can dismiss: that events were left out because the page was slow, and for each observed source
 * that MONITOR is off, that Redis's clock is behind, or that keys look like own locks. `hasVerdicts`: the page already
 * offers MONITOR beside its verdicts, so the hint about MONITOR is left out.
 */
export function SourceHints({ hasVerdicts }: { hasVerdicts: boolean }) {
  const words = useWords().states;
  const sources = useLive((state) => state.sources);
  const skipped = useLive((state) => state.skipped);
  const isQuiet = useIsOpenRecording();
  const isLost = useLive(isCutOff);
  const dismissed = useDismissed(dismissedHints);
  const hints = isQuiet || isLost ? [] : sources.filter((source) => source.status === 'observing').flatMap(hintsOf);
  const open = hints.filter(({ id, kind }) => !dismissed.has(id) && !(hasVerdicts && kind === 'monitor'));
  const slowId = `slow ${skipped}`;
  const isSlow = skipped > 0 && !dismissed.has(slowId);
  if (open.length === 0 && !isSlow) return null;
  return (
    <section className="problems" aria-label={words.hints}>
      {isSlow && (
        <Notice tone="hint" title={words.slowPage(skipped)} actions={<Dismiss id={slowId} />}>
          {words.slowPageHint}
        </Notice>
      )}
      {open.map(({ id, kind, source }) => {
        const Shown = HINTS[kind];
        return <Shown key={id} id={id} source={source} />;
      })}
    </section>
  );
}

type Hint = { readonly id: string; readonly kind: keyof typeof HINTS; readonly source: Source };

function hintsOf(source: Source): Hint[] {
  const hints: Hint[] = [];
  if (mayStartMonitor(source)) hints.push({ id: `monitor ${source.id}`, kind: 'monitor', source });
  if (source.clockBehindMs !== undefined) {
    hints.push({ id: `clock ${source.clockBehindMs} ${source.id}`, kind: 'clock', source });
  }
  if (source.ownLocks) {
    const { isShown } = source.ownLocks;
    hints.push({ id: `own locks ${isShown ? 'shown' : 'offered'} ${source.id}`, kind: 'ownLocks', source });
  }
  return hints;
}

function MonitorHint({ id, source }: { id: string; source: Source }) {
  const { states } = useWords();
  const hasManySources = useLive((state) => state.sources.length > 1);
  return (
    <Notice
      tone="hint"
      title={states.monitorOff}
      actions={
        <button type="button" className="button is-small" onClick={() => dismissedHints.dismiss(id)}>
          {states.goOnWithout[source.level === 'monitor' ? 'events' : source.level]}
        </button>
      }
    >
      <MonitorOffer source={source} hasManySources={hasManySources} />
    </Notice>
  );
}

/** A hint that Redis's clock is behind the times that are shown. */
function ClockHint({ id, source }: { id: string; source: Source }) {
  const { states } = useWords();
  const hasManySources = useLive((state) => state.sources.length > 1);
  const title = states.clockBehind(durationText(source.clockBehindMs ?? 0), hasManySources ? source.id : undefined);
  return (
    <Notice tone="hint" title={title} actions={<Dismiss id={id} />}>
      {states.clockBehindHint}
    </Notice>
  );
}

const HINTS = { monitor: MonitorHint, clock: ClockHint, ownLocks: OwnLocksHint };

function Dismiss({ id }: { id: string }) {
  const { states } = useWords();
  return (
    <button type="button" className="button is-small" onClick={() => dismissedHints.dismiss(id)}>
      {states.goOn}
    </button>
  );
}
