import type { ReactNode } from 'react';

type RowButtonProps = {
  isTabStop: boolean;
  /** Present where it opens its row. */
  isOpen?: boolean;
  /** Present where it selects its row. */
  isSelected?: boolean;
  onClick: () => void;
  children: ReactNode;
};

/** The one thing in a row that takes the focus, and says what the row is. */
export function RowButton({ isTabStop, isOpen, isSelected, onClick, children }: RowButtonProps) {
  return (
    <button
      type="button"
      className="event-word"
      data-row-focus
      tabIndex={isTabStop ? 0 : -1}
      aria-expanded={isOpen}
      aria-pressed={isSelected}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
