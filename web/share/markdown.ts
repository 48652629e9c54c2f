import { instantText } from '../ui/time-text.ts';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';

const LONGEST_NAME = 120;
/** The longest text of a link, in characters: it contains a name. */
const LONGEST_LABEL = 200;

/**
 * A name as Markdown code, cut to 120 UTF-16 units. No name can end the code: the fence has more backticks in a row.
 */
export function asCode(name: string): string {
  const text = cutInMiddle(visibleText(name), LONGEST_NAME);
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Plain text in which Markdown finds no markup. */
export function asPlain(text: string): string {
  return visibleText(text).replace(/[\\`*_{}[\]<>|#~]/g, '\\$&');
}

/** An instant that is the same for every user: `2025-11-21 12:04:31.000 UTC`. */
export function utcText(micros: number): string {
  const text = instantText(micros);
  return `${text.slice(0, 10)} ${text.slice(11, 23)} UTC`;
}

/** Sentences and a link below them. Parentheses in the URL are escaped: they would end the link. */
export function markdownOf(sentences: readonly string[], label: string, url: string): string {
  const address = url.replaceAll('(', '%28').replaceAll(')', '%29');
  return `${sentences.join(' ')}\n\n[${asPlain(cutInMiddle(label, LONGEST_LABEL))}](${address})`;
}
