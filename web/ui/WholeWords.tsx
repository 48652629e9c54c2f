import type { ReactNode } from 'react';

/**
 * Words with a hyphen inside: mostly names such as `billing-1:7`. Of ASCII only: Chinese has no spaces around a name.
 */
const HYPHENATED = /[\w.:@/]+(?:-[\w.:@/]+)+/g;

/** Shows a sentence in which words with a hyphen, such as names, move to the next line as a whole. */
export function WholeWords({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { 0: word, index } of text.matchAll(HYPHENATED)) {
    parts.push(
      text.slice(at, index),
      <span key={index} className="whole-word">
        {word}
      </span>,
    );
    at = index + word.length;
  }
  return [...parts, text.slice(at)];
}
