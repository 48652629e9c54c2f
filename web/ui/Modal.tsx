import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../words/language.ts';
import { Icon } from './Icon.tsx';

type ModalProps = { title: string; onClose: () => void; children: ReactNode };

/** A modal dialog: traps the focus, closes on Escape and restores the focus. Mount it to open it. */
export function Modal({ title, onClose, children }: ModalProps) {
  const { common } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element?.open) element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className="modal" aria-label={title} onClose={onClose}>
      <header className="modal-head">
        <h2>{title}</h2>
        <button
          type="button"
          className="button is-quiet"
          aria-label={common.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon of={X} />
        </button>
      </header>
      {children}
    </dialog>
  );
}
