import { textOf } from '../../shared/doctor/english.ts';
import type { Finding } from '../../shared/doctor/finding.ts';
import {
  FINDING_VALUES,
  type FindingCode,
  type FindingText,
  type FindingTexts,
} from '../../shared/doctor/finding-values.ts';
import type { FindingView } from '../../shared/wire/doctor.ts';

/** The text of a finding in the language of `words`. In the server's English if its code is unknown. */
export function findingText(sent: FindingView, words: FindingTexts): FindingText {
  const { id, code, values } = sent;
  if (!isFindingCode(code)) return sent;
  const checked = FINDING_VALUES[code].safeParse(values);
  return checked.success ? textOf({ id, code, values: checked.data } as Finding, words) : sent; // checked for this code
}

function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(FINDING_VALUES, code);
}
