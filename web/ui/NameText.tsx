import { memo } from 'react';
import { cutInMiddle, visibleParts, visibleText } from './visible-text.ts';

/** Titles longer than this help nobody. */
const LONGEST_TITLE = 2000;

type NameTextProps = { text: string; most?: number; className?: string };

/**
 * A name somebody else chose, as text and nothing else: long ones cut in the middle, unseen characters written out,
 * right-to-left ones kept from reordering what stands beside them.
 */
export const NameText = memo(function NameText({ text, most = 64, className = '' }: NameTextProps) {
  if (text === '') return <span className={`name is-empty ${className}`}>(empty name)</span>;
  const shown = cutInMiddle(text, most);
  const parts = visibleParts(shown);
  const isAltered = shown !== text || parts.some((part) => part.isSign);
  let at = 0;
  return (
    <bdi
      dir="auto"
      className={`name ${className}`}
      title={isAltered ? cutInMiddle(visibleText(text.slice(0, LONGEST_TITLE * 4)), LONGEST_TITLE) : undefined}
    >
      {parts.map((part) => {
        const key = at;
        at += part.text.length;
        return part.isSign ? (
          <span key={key} className="name-sign" dir="ltr">
            {part.text}
          </span>
        ) : (
          part.text
        );
      })}
    </bdi>
  );
});
