import { useEffect, useState } from 'react';
import { KINDS } from '../../shared/events/kinds/kinds.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import type { ReleaseBody } from '../../shared/wire/release.ts';
import { problemFromError } from '../data/http.ts';
import { useHealth } from '../data/queries.ts';
import { releaseLock } from '../data/release.ts';
import { useLive } from '../data/use-live.ts';
import { Modal } from '../ui/Modal.tsx';
import { Notice } from '../ui/Notice.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { isNameLinkable } from '../url/lock-link.ts';
import { useWords } from '../words/language.ts';
import { personText, splitHolder } from './lock-words.ts';

/** A button to release a lock by force, if this Lockscope may do that. */
export function ReleaseButton({ lock, onRelease }: { lock: Lock; onRelease: (lock: Lock) => void }) {
  const { release } = useWords();
  const canRelease = useHealth().data?.canRelease === true;
  if (!canRelease || !isNameLinkable(lock.name)) return null;
  return (
    <button type="button" className="button is-small" onClick={() => onRelease(lock)}>
      {release.open}
    </button>
  );
}

type State =
  | { readonly is: 'reading' | 'sending' | 'done' }
  | { readonly is: 'planned'; readonly plan: ReleaseBody }
  | { readonly is: 'failed'; readonly error: unknown };

/**
 * Shows what a release would send and whom it hits, asks for the name of the lock, and releases it. `asked` is the lock
 * as it was when the dialog was opened: the reader decides about that one.
 */
export function ReleaseDialog({ asked, onClose }: { asked: Lock; onClose: () => void }) {
  const words = useWords();
  const said = words.release;
  const [state, setState] = useState<State>({ is: 'reading' });
  useEffect(() => {
    let isClosed = false;
    releaseLock(asked, null).then(
      (plan) => isClosed || setState({ is: 'planned', plan }),
      (error: unknown) => isClosed || setState({ is: 'failed', error }),
    );
    return () => {
      isClosed = true;
    };
  }, [asked]);
  const send = (plan: ReleaseBody) => {
    setState({ is: 'sending' });
    releaseLock(asked, plan.holders).then(
      () => setState({ is: 'done' }),
      (error: unknown) => setState({ is: 'failed', error }),
    );
  };
  const problem = state.is === 'failed' ? problemFromError(state.error, words) : null;
  return (
    <Modal title={said.title} onClose={onClose}>
      {(state.is === 'reading' || state.is === 'sending' || state.is === 'done') && (
        <p className="modal-body" role="status">
          {said[state.is]}
        </p>
      )}
      {problem && (
        <Notice tone="problem" title={problem.message}>
          {problem.hint}
        </Notice>
      )}
      {state.is === 'planned' && (
        <Planned plan={state.plan} hasQueue={KINDS[asked.kind].hasQueue === true} onSend={() => send(state.plan)} />
      )}
    </Modal>
  );
}

function Planned({ plan, hasQueue, onSend }: { plan: ReleaseBody; hasQueue: boolean; onSend: () => void }) {
  const { release: said } = useWords();
  const names = useLive((state) => state.names);
  const [typed, setTyped] = useState('');
  const who = plan.holders.map((id) => {
    const { client, thread } = splitHolder(id);
    return visibleText(personText(client, thread, names.get(client) ?? null));
  });
  // what is shown can be typed, also if the name has invisible characters
  const shownName = visibleText(plan.lock);
  const isConfirmed = typed === plan.lock || typed === shownName;
  const told = plan.channel === null ? said.polled : hasQueue ? said.toldFirst : said.told(visibleText(plan.channel));
  return (
    <form
      className="modal-body release"
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) onSend();
      }}
    >
      <p>
        <b>{said.who(who.join(', '))}</b> {said.risk}
      </p>
      <p>
        {said.waiting(plan.waiting)} {told} {said.guard}
      </p>
      <WideBox label={said.command} className="release-command">
        <pre>{plan.command.map(visibleText).join(' ')}</pre>
      </WideBox>
      <label>
        {said.confirm} <code>{shownName}</code>
        <input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" spellCheck={false} />
      </label>
      <p>
        <button type="submit" className="button is-primary" disabled={!isConfirmed}>
          {said.send}
        </button>
      </p>
    </form>
  );
}
