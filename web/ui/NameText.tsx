import { memo, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { cutInMiddle, splitParts, type TextPart, visibleParts, visibleText } from './visible-text.ts';

/** Titles longer than this help nobody. */
const LONGEST_TITLE = 2000;
/** Names longer than this keep their last characters in sight where there is no room for all of them. */
const SPLIT_FROM = 16;
const TAIL = 6;

type NameTextProps = {
  text: string;
  most?: number;
  className?: string;
  /** On one line, losing its middle where there is no room. */
  isOneLine?: boolean;
};

/**
 * A name somebody else chose, as text and nothing else: long ones cut in the middle, unseen characters written out,
 * right-to-left ones kept from reordering what stands beside them.
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
