import type { ReactNode } from 'react';

type RowButtonProps = {
  isTabStop: boolean;
  /** Present if the button expands its row. */
  isOpen?: boolean;
  /** Present if the button selects its row. */
  isSelected?: boolean;
  /** Absent: the table handles clicks (`onRowClick`). */
  onClick?: () => void;
  children: ReactNode;
};

/** The focusable element by which the keys reach a row. Its text names the row. */
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
