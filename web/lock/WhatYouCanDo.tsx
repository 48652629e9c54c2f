import { type ReactNode, useContext, useState } from 'react';
import { isCounterKind, KINDS } from '../../shared/events/kinds/kinds.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import { releaseText } from '../../shared/insights/release-command.ts';
import type { Holder, Lock } from '../../shared/wire/locks/lock.ts';
import { endOfHolder } from '../../shared/wire/locks/lock-facts.ts';
import { personText } from '../../shared/wire/person-text.ts';
import { ShownInstant, useIsShownClockStopped, useShownNow } from '../cursor/shown-instant.ts';
import { useShownThread } from '../parts/shown-threads.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { secondsText } from '../ui/time-text.ts';
import { useLockVerdict } from '../verdicts/found-insights.tsx';
import { useWords } from '../words/language.ts';
import { ReleaseButton, ReleaseDialog } from './ReleaseDialog.tsx';
import { renewalOfHolder } from './RenewalText.tsx';

/**
 * What the user can do about a held lock now, with risks and texts to copy. Nothing at a past instant, while the clock
 * of the source is stopped, and for semaphores and latches.
 */
export function WhatYouCanDo({ lock }: { lock: Lock }) {
  const [asked, setAsked] = useState<Lock | null>(null);
  return (
    <>
      <Remedies lock={lock} onRelease={setAsked} />
      {/* the dialog stays open when the lock is free, to report that the release succeeded */}
      {asked && <ReleaseDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

type RemediesProps = { lock: Lock; onRelease: (lock: Lock) => void };

function Remedies({ lock, onRelease }: RemediesProps) {
  const { remedies: words } = useWords();
  const isPast = useContext(ShownInstant) !== null;
  const isStopped = useIsShownClockStopped(lock.source);
  const [holder] = lock.holders;
  const isConvoy = useLockVerdict(lock)?.word === 'convoy';
  if (isPast || isStopped || !lock.held || !holder || isCounterKind(lock.kind)) return null;
  return (
    <section aria-label={words.title} className="card remedies">
      <h2>{words.title}</h2>
      {isConvoy ? (
        <p>{words.convoy}</p>
      ) : (
        <ul>
          <Wait lock={lock} holder={holder} />
          <ThreadDump lock={lock} holder={holder} />
          <Release lock={lock} holder={holder} onRelease={onRelease} />
        </ul>
      )}
    </section>
  );
}

type RemedyProps = { lock: Lock; holder: Holder };

function Wait({ lock, holder }: RemedyProps) {
  const { remedies: words } = useWords();
  const now = useShownNow(lock.source);
  const expiresAt = endOfHolder(lock, holder);
  if (now === null) return null;
  if (renewalOfHolder(lock, holder, now)?.reason === 'renewed') return <Remedy text={words.renewed} />;
  if (expiresAt === null || expiresAt <= now) return null;
  // with several holders, and for readers, others may keep the lock beyond this end
  return holder.presence === 'gone' && hasOneHolder(lock) && holder.mode !== 'read' ? (
    <Remedy text={words.wait(secondsText(expiresAt))} risk={words.waitRisk} />
  ) : (
    <Remedy text={words.ends(secondsText(expiresAt))} risk={words.endsRisk} />
  );
}

function ThreadDump({ lock, holder }: RemedyProps) {
  const { remedies: words } = useWords();
  const { client, thread, name, presence, address } = holder;
  const shown = useShownThread(holder.id)?.dump;
  const isJava = lock.library === 'redisson' && thread !== null && /^\d{1,19}$/.test(thread);
  if (!isJava || presence === 'gone') return null;
  const known = personText(client, null, name);
  const who = address === undefined ? known : `${known} (${address})`;
  const taken = shown?.takenAt == null || shown.takenAtBy === 'assumed' ? null : secondsText(shown.takenAt);
  return (
    <Remedy
      text={shown ? words.dumpAgain(taken, thread, who) : words.dump(thread, who)}
      risk={words.dumpRisk}
      copy={`jstack PID | grep -A 30 '" #${thread} '`}
    />
  );
}

function Release({ lock, holder, onRelease }: RemedyProps & RemediesProps) {
  const { remedies: words } = useWords();
  const release = releaseText({ ...lock, holder: holder.id, mode: holder.mode });
  if (release === null) return null;
  const { presence, goneSince } = holder;
  const isPolled = KINDS[lock.kind].wakeUp === 'polling';
  const checks = isPolled ? words.releaseChecksPolling : words.releaseChecks;
  return (
    <Remedy
      text={`${words.release} ${release.of === 'redisson' ? words.releaseForces : checks}`}
      risk={
        presence === 'gone' && hasOneHolder(lock)
          ? words.releaseGone(goneSince === null ? null : secondsText(goneSince))
          : words.releaseAlive
      }
      copy={release.text}
    >
      {!isPolled && wantedBy(lock) > 0 && words.noDelete} <ReleaseButton lock={lock} onRelease={onRelease} />
    </Remedy>
  );
}

function hasOneHolder({ holders, moreHolders }: Lock): boolean {
  return holders.length === 1 && moreHolders === undefined;
}

function Remedy({ text, risk, copy, children }: { text: string; risk?: string; copy?: string; children?: ReactNode }) {
  const { remedies: words } = useWords();
  return (
    <li>
      <p>{text}</p>
      {copy !== undefined && (
        <p className="remedy-text">
          <code>{copy}</code> <CopyButton text={copy} />
        </p>
      )}
      {risk !== undefined && (
        <p className="quiet">
          {words.risk(risk)} {children}
        </p>
      )}
    </li>
  );
}
