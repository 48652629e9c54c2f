import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';

const MARGIN_PX = 8;

type PopoverProps = {
  /** Content of the button. */
  label: ReactNode;
  /** The accessible name of the panel. */
  title: string;
  className?: string;
  panelClassName?: string;
  /** Rendered only while open. */
  children: (close: () => void) => ReactNode;
};

/** A button with a panel below it. Escape closes the panel and focuses the button; a click outside only closes it. */
export function Popover({ label, title, className = '', panelClassName = '', children }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  const place = useCallback(() => {
    if (!button.current || !panel.current) return;
    const anchor = button.current.getBoundingClientRect();
    const width = panel.current.offsetWidth;
    const left = Math.max(MARGIN_PX, Math.min(anchor.left, document.documentElement.clientWidth - width - MARGIN_PX));
    panel.current.style.left = `${left}px`;
    panel.current.style.top = `${anchor.bottom + 4}px`;
    panel.current.style.maxHeight = `${Math.max(160, window.innerHeight - anchor.bottom - 4 - MARGIN_PX)}px`;
  }, []);

  // otherwise a narrower window, a larger zoom, or wider content would leave the panel outside of the window
  useEffect(() => {
    if (!isOpen || !panel.current) return;
    const size = new ResizeObserver(place);
    size.observe(panel.current);
    window.addEventListener('resize', place);
    return () => {
      size.disconnect();
      window.removeEventListener('resize', place);
    };
  }, [isOpen, place]);

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      >
        {label}
      </button>
      <dialog
        ref={panel}
        id={id}
        popover="auto"
        aria-label={title}
        className={`popover ${panelClassName}`}
        onBeforeToggle={(event) => setIsOpen(event.newState === 'open')}
        onToggle={(event) => event.newState === 'open' && place()}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </dialog>
    </>
  );
}
