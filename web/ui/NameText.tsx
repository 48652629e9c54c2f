import { memo, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { cutInMiddle, splitParts, type TextPart, visibleParts, visibleText } from './visible-text.ts';

/** Longer titles are cut. */
const LONGEST_TITLE = 2000;
/** If there is too little room, names longer than this keep their last characters visible. */
const SPLIT_FROM = 16;
const TAIL = 6;

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
  const { common } = useWords();
  if (text === '') return <span className={`name is-empty ${className}`}>{common.emptyName}</span>;
  const shown = cutInMiddle(text, most);
  const parts = visibleParts(shown);
  const isSplit = isOneLine && shown.length > SPLIT_FROM;
  const [head, tail] = isSplit ? splitParts(parts, TAIL) : [parts, []];
  return (
    <bdi dir="auto" className={`name ${isSplit ? 'is-split' : ''} ${className}`} title={titleOf(text, shown, isSplit)}>
      {isSplit ? <span className="name-head">{signed(head)}</span> : signed(head)}
      {isSplit && <span className="name-tail">{signed(tail)}</span>}
    </bdi>
  );
});

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

function titleOf(text: string, shown: string, isSplit: boolean): string | undefined {
  const whole = cutInMiddle(visibleText(text.slice(0, LONGEST_TITLE * 4)), LONGEST_TITLE);
  return isSplit || shown !== text || whole !== text ? whole : undefined;
}
