import { expect, test } from 'vitest';
import { textOf } from '../../shared/doctor/english.ts';
import type { Finding } from '../../shared/doctor/finding.ts';
import { FINDING_VALUES, type FindingCode } from '../../shared/doctor/finding-values.ts';
import { samplesOfShape } from '../../shared/testing/problem-samples.ts';
import { DOCTOR as EN } from './en/doctor.ts';
import { findingText } from './finding-text.ts';
import { DOCTOR as ZH_CN } from './zh-CN/doctor.ts';

const CASES = (Object.keys(FINDING_VALUES) as FindingCode[]).flatMap((code) =>
  samplesOfShape(FINDING_VALUES[code].shape).map((values) => [code, values] as const),
);

test.each(CASES)('%s with %j is translated, with the same values', (code, values) => {
  const finding = { id: 'clock', code, values } as Finding; // samples of its own schema
  const [english, chinese] = [textOf(finding, EN.findings), textOf(finding, ZH_CN.findings)];
  for (const part of ['title', 'why', 'advice'] as const) {
    expect(chinese[part]).not.toMatch(/undefined|NaN|null|\[object/);
    expect(chinese[part] === '').toBe(english[part] === '');
    if (english[part] !== '') expect(chinese[part]).toMatch(/\p{Script=Han}/u);
    for (const word of english[part].match(/\w+-x\b|\w+-[12]\b/g) ?? []) expect(chinese[part]).toContain(word);
  }
});

test('a finding that this page does not know is shown in the English of the server', () => {
  const about = { id: 'clock', state: 'info', read: [], fix: [], reference: '' } as const;
  const sent = { ...about, code: 'new-one', values: {}, title: 'New', why: 'New.', advice: '' };
  expect(findingText({ ...sent, read: [], fix: [] }, ZH_CN.findings).title).toBe('New');
  const wrong = { ...sent, read: [], fix: [], code: 'idle-closed', values: { seconds: 'x' } };
  expect(findingText(wrong, ZH_CN.findings).title).toBe('New');
});
