import { memo } from 'react';
import { UnreadMark } from '../../parts/UnreadMark.tsx';
import { useWords } from '../../words/language.ts';
import type { CellProps } from './lock-column.ts';
import { attributesOf, LOCK_COLUMNS } from './lock-columns.tsx';

/** The cells of one lock in the table of locks. A change of another lock does not render them again. */
export const LockCells = memo(function LockCells(props: CellProps) {
  const { overview } = useWords();
  const { lock } = props;
  return (
    <>
      {LOCK_COLUMNS.map((column) => (
        <td
          key={column.id}
          data-column={column.id}
          data-label={overview.columns[column.id].inCard}
          className={column.isNothing?.(lock) ? 'is-nothing' : undefined}
          {...attributesOf(column)}
        >
          <column.Cell {...props} />
        </td>
      ))}
      {lock.unread && (
        <td data-column="unread" colSpan={LOCK_COLUMNS.length}>
          <UnreadMark unread={lock.unread} />
        </td>
      )}
    </>
  );
});
