import { memo, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { type ShownName, shownName, type TextPart } from './visible-text.ts';

type NameTextProps = {
  text: string;
  most?: number;
  className?: string;
  /** Shows the name on one line and hides its middle if there is too little room. */
  isOneLine?: boolean;
};

/**
 * Shows an untrusted name as plain text. Long names are cut in the middle, invisible characters are written out, and
 * right-to-left names cannot reorder the text beside them.
 */
export const NameText = memo(function NameText({ text, most = 64, className = '', isOneLine = false }: NameTextProps) {
  return <NameParts name={shownName(text, most, { isOneLine })} className={className} />;
});

type NamePartsProps = {
  name: ShownName;
  className?: string;
  /** Marks the elements whose texts are written in place (`writeSlots`). */
  slot?: string;
};

/** As `NameText`, for a name that is already cut and split. */
export function NameParts({ name: { head, tail, title }, className = '', slot }: NamePartsProps) {
  const { common } = useWords();
  if (head.length === 0) return <span className={`name is-empty ${className}`}>{common.emptyName}</span>;
  const isSplit = tail.length > 0;
  return (
    <bdi dir="auto" className={`name ${isSplit ? 'is-split' : ''} ${className}`} title={title} data-slot={slot}>
      {isSplit ? (
        <>
          <span className="name-head" data-slot={slot && `${slot}-head`}>
            {signed(head)}
          </span>
          <span className="name-tail" data-slot={slot && `${slot}-tail`}>
            {signed(tail)}
          </span>
        </>
      ) : (
        signed(head)
      )}
    </bdi>
  );
}

function signed(parts: readonly TextPart[]): ReactNode[] {
  let at = 0;
  return parts.map((part) => {
    const key = at;
    at += part.text.length;
    if (!part.isSign) return part.text;
    return (
      <span key={key} className="name-sign" dir="ltr">
        {part.text}
      </span>
    );
  });
}
