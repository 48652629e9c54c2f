import { KINDS } from '../../shared/events/kinds/kinds.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import type { ReleaseBody } from '../../shared/wire/release.ts';
import { useLive } from '../data/live/use-live.ts';
import { useCanRelease } from '../data/queries/queries.ts';
import { releaseLock } from '../data/queries/release.ts';
import { visibleText } from '../ui/visible-text.ts';
import { isNameLinkable } from '../url/lock-link.ts';
import { useWords } from '../words/language.ts';
import { ConfirmedCommand, GuardedDialog } from './GuardedDialog.tsx';

/** A button to release a lock by force, if this Lockscope may do that and a URL can contain the name of the lock. */
export function ReleaseButton({ lock, onRelease }: { lock: Lock; onRelease: (lock: Lock) => void }) {
  const { release } = useWords();
  const canRelease = useCanRelease();
  if (!canRelease || !isNameLinkable(lock.name)) return null;
  return (
    <button type="button" className="button is-small" onClick={() => onRelease(lock)}>
      {release.open}
    </button>
  );
}

/**
 * Shows what a release would send and which holders lose the lock, asks for the name of the lock, and releases it.
 * `asked` is the lock as it was when the dialog was opened: the user decides about that state.
 */
export function ReleaseDialog({ asked, onClose }: { asked: Lock; onClose: () => void }) {
  const { release: texts } = useWords();
  return (
    <GuardedDialog
      asked={asked}
      texts={texts}
      onClose={onClose}
      read={readRelease}
      send={(plan) => releaseLock(asked, plan)}
    >
      {(plan, onSend) => <Planned plan={plan} hasQueue={KINDS[asked.kind].hasQueue === true} onSend={onSend} />}
    </GuardedDialog>
  );
}

function readRelease(lock: Lock): Promise<ReleaseBody> {
  return releaseLock(lock, null);
}

function Planned({ plan, hasQueue, onSend }: { plan: ReleaseBody; hasQueue: boolean; onSend: () => void }) {
  const { release: texts } = useWords();
  const names = useLive((state) => state.names);
  const who = plan.holders.map((id) => {
    const { client, thread } = splitHolder(id);
    return visibleText(personText(client, thread, names.get(client) ?? null));
  });
  const reported =
    plan.channel === null ? texts.polled : hasQueue ? texts.reportedFirst : texts.reported(visibleText(plan.channel));
  return (
    <ConfirmedCommand plan={plan} label={texts.send} onSend={onSend}>
      <p>
        <b>{texts.who(who.join(', '))}</b> {texts.risk}
      </p>
      <p>
        {texts.waiting(plan.waiting)} {reported} {texts.guard}
      </p>
    </ConfirmedCommand>
  );
}
