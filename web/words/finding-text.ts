import { textOf } from '../../shared/doctor/english.ts';
import type { Finding } from '../../shared/doctor/finding.ts';
import type { FindingCode, FindingText, FindingTexts } from '../../shared/doctor/finding-values.ts';
import type { FindingView } from '../../shared/wire/doctor.ts';

/** The text of a finding in the language of `words`. In the server's English if its code is unknown. */
export function findingText(sent: FindingView, words: FindingTexts): FindingText {
  const { id, code, values } = sent;
  const isKnown = code === 'unread' || Object.hasOwn(words.texts, code);
  // the cast is safe: `values` belong to `code`
  return isKnown ? textOf({ id, code: code as FindingCode, values } as Finding, words) : sent;
}
