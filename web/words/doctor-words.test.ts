import { expect, test } from 'vitest';
import { textOf } from '../../shared/doctor/english.ts';
import type { Finding } from '../../shared/doctor/finding.ts';
import { FINDING_VALUES, type FindingCode } from '../../shared/doctor/finding-values.ts';
import { samplesOfShape } from '../../testing/stories/problem-samples.ts';
import { type DoctorWords, DOCTOR as EN } from './en/pages/doctor.ts';
import { findingText } from './finding-text.ts';
import { withEnglish } from './translated.ts';
import { DOCTOR as TRANSLATED } from './zh-CN/pages/doctor.ts';

const ZH_CN = withEnglish<DoctorWords>(EN, TRANSLATED);
const IN_CHINESE = [...Object.keys(TRANSLATED.findings?.texts ?? {}), 'unread'];
const CODES = Object.keys(FINDING_VALUES) as FindingCode[];
const CASES = CODES.filter((code) => IN_CHINESE.includes(code)).flatMap((code) =>
  samplesOfShape(FINDING_VALUES[code].shape).map((values) => [code, values] as const),
);

test('every finding except `unread` has an English text', () => {
  expect(Object.keys(EN.findings.texts).sort()).toEqual(CODES.filter((code) => code !== 'unread').sort());
});

test.each(CASES)('%s with %j has a Chinese text with the same values', (code, values) => {
  const finding = { id: 'clock', code, values } as Finding; // the values are samples from the schema of this code
  const [english, chinese] = [textOf(finding, EN.findings), textOf(finding, ZH_CN.findings)];
  for (const part of ['title', 'why', 'advice'] as const) {
    expect(chinese[part]).not.toMatch(/undefined|NaN|null|\[object/);
    expect(chinese[part] === '').toBe(english[part] === '');
    if (english[part] !== '') expect(chinese[part]).toMatch(/\p{Script=Han}/u);
    for (const word of english[part].match(/\w+-x\b|\w+-[12]\b/g) ?? []) expect(chinese[part]).toContain(word);
  }
});

test('a finding that this page does not know is shown with the English text of the server', () => {
  const about = { id: 'clock', state: 'info', read: [], fix: [], reference: '' } as const;
  const sent = { ...about, code: 'new-one', values: {}, title: 'New', why: 'New.', advice: '' };
  expect(findingText({ ...sent, read: [], fix: [] }, ZH_CN.findings).title).toBe('New');
  expect(findingText({ ...sent, read: [], fix: [], code: 'toString' }, ZH_CN.findings).title).toBe('New');
});
