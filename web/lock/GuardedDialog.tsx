import { type ReactNode, useEffect, useState } from 'react';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { problemFromError } from '../data/http/http.ts';
import { Modal } from '../ui/Modal.tsx';
import { Notice } from '../ui/Notice.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { useWords } from '../words/language.ts';

type State<P> =
  | { readonly is: 'reading' | 'sending' | 'done' }
  | { readonly is: 'planned'; readonly plan: P }
  | { readonly is: 'failed'; readonly error: unknown };

type GuardedDialogProps<P> = {
  asked: Lock;
  texts: { readonly title: string; readonly reading: string; readonly sending: string; readonly done: string };
  onClose: () => void;
  /** Reads what would be sent. Must be the same function at each render. */
  read: (lock: Lock) => Promise<P>;
  send: (plan: P) => Promise<unknown>;
  children: (plan: P, onSend: () => void) => ReactNode;
};

/**
 * A dialog that reads what would be sent to Redis, shows it, sends it once the user confirms it, and reports the
 * result.
 */
export function GuardedDialog<P>({ asked, texts, onClose, read, send, children }: GuardedDialogProps<P>) {
  const words = useWords();
  const [state, setState] = useState<State<P>>({ is: 'reading' });
  useEffect(() => {
    let isClosed = false;
    read(asked).then(
      (plan) => isClosed || setState({ is: 'planned', plan }),
      (error: unknown) => isClosed || setState({ is: 'failed', error }),
    );
    return () => {
      isClosed = true;
    };
  }, [asked, read]);
  const onSend = (plan: P) => {
    setState({ is: 'sending' });
    send(plan).then(
      () => setState({ is: 'done' }),
      (error: unknown) => setState({ is: 'failed', error }),
    );
  };
  const problem = state.is === 'failed' ? problemFromError(state.error, words) : null;
  return (
    <Modal title={texts.title} onClose={onClose}>
      {(state.is === 'reading' || state.is === 'sending' || state.is === 'done') && (
        <p className="modal-body" role="status">
          {texts[state.is]}
        </p>
      )}
      {problem && (
        <Notice tone="problem" title={problem.message}>
          {problem.hint}
        </Notice>
      )}
      {state.is === 'planned' && children(state.plan, () => onSend(state.plan))}
    </Modal>
  );
}

type ConfirmedCommandProps = {
  plan: { readonly lock: string; readonly command: readonly string[] };
  label: string;
  onSend: () => void;
  children: ReactNode;
};

/**
 * What a command does, the command itself, and a field for the name of the lock. The command is sent only with that
 * name.
 */
export function ConfirmedCommand({ plan, label, onSend, children }: ConfirmedCommandProps) {
  const { release: texts } = useWords();
  const [typed, setTyped] = useState('');
  // what is shown can be typed, even if the name has invisible characters
  const shownName = visibleText(plan.lock);
  const isConfirmed = typed === plan.lock || typed === shownName;
  return (
    <form
      className="modal-body release"
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) onSend();
      }}
    >
      {children}
      <WideBox label={texts.command} className="release-command">
        <pre>{plan.command.map(visibleText).join(' ')}</pre>
      </WideBox>
      <label>
        {texts.confirm} <code>{shownName}</code>
        <input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" spellCheck={false} />
      </label>
      <p>
        <button type="submit" className="button is-primary is-danger" disabled={!isConfirmed}>
          {label}
        </button>
      </p>
    </form>
  );
}
