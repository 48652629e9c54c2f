import { useContext, useState } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import type { DeadHeadBody } from '../../shared/wire/release.ts';
import { ShownInstant, useIsShownClockStopped } from '../cursor/shown-instant.ts';
import { useLive } from '../data/live/use-live.ts';
import { useCanRelease } from '../data/queries/queries.ts';
import { removeHead } from '../data/queries/release.ts';
import { secondsText } from '../ui/time-text.ts';
import { visibleText } from '../ui/visible-text.ts';
import { isNameLinkable } from '../url/lock-link.ts';
import { useWords } from '../words/language.ts';
import { ConfirmedCommand, GuardedDialog } from './GuardedDialog.tsx';

/**
 * A button to remove the dead head of a queue, with its dialog. The button is shown only in the present, while
 * an open verdict names a dead head and this Lockscope may release locks.
 */
export function DeadHead({ lock, insights }: { lock: Lock; insights: readonly WireInsight[] }) {
  const { release: texts } = useWords();
  const [asked, setAsked] = useState<Lock | null>(null);
  const canRelease = useCanRelease();
  const isPast = useContext(ShownInstant) !== null;
  const isStopped = useIsShownClockStopped(lock.source);
  const isOffered = canRelease && !isPast && !isStopped && isNameLinkable(lock.name) && insights.some(isDeadHead);
  return (
    <>
      {isOffered && (
        <p>
          <button type="button" className="button is-small" onClick={() => setAsked(lock)}>
            {texts.headOpen}
          </button>
        </p>
      )}
      {/* the dialog stays open when the verdict has ended, to report that the removal succeeded */}
      {asked && (
        <GuardedDialog
          asked={asked}
          texts={{ ...texts, title: texts.headTitle, sending: texts.headSending, done: texts.headDone }}
          onClose={() => setAsked(null)}
          read={readHead}
          send={(plan) => removeHead(asked, plan)}
        >
          {(plan, onSend) => <Planned plan={plan} onSend={onSend} />}
        </GuardedDialog>
      )}
    </>
  );
}

/**
 * Whether an open problem is that the first entry of the queue is dead. An entry with `lateAt` is only late. An
 * orphaned entry counts only at position 1.
 */
function isDeadHead({ incident, to, values }: WireInsight): boolean {
  if (to !== null) return false;
  return (
    (incident === 'fair-head-dead' && values.lateAt === null) ||
    (incident === 'fair-orphan-entry' && values.position === 1)
  );
}

function readHead(lock: Lock): Promise<DeadHeadBody> {
  return removeHead(lock, null);
}

function Planned({ plan, onSend }: { plan: DeadHeadBody; onSend: () => void }) {
  const { release: texts } = useWords();
  const names = useLive((state) => state.names);
  const nameOf = (id: string) => {
    const { client, thread } = splitHolder(id);
    return visibleText(personText(client, thread, names.get(client) ?? null));
  };
  const { head, deadline, next, channel } = plan;
  const until = deadline === '' ? null : secondsText(redisTime(Number(deadline) * 1000));
  return (
    <ConfirmedCommand plan={plan} label={texts.headSend} onSend={onSend}>
      <p>
        <b>{texts.headWho(nameOf(head), until)}</b> {texts.headRisk}
      </p>
      <p>
        {next === null ? (
          texts.headLast
        ) : (
          <>
            {(next.gone ? texts.headNextGone : texts.headNext)(nameOf(next.id))}{' '}
            {channel === null ? texts.headUnreported : texts.headReported(visibleText(channel))}
          </>
        )}{' '}
        {texts.headGuard}
      </p>
    </ConfirmedCommand>
  );
}
