import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGLISH } from '../../shared/wire/problems/english/all.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { PROBLEM_VALUES, type ProblemCode, type ProblemText } from '../../shared/wire/problems/values.ts';
import { samplesOf } from '../../testing/stories/problem-samples.ts';
import { EN } from './en.ts';
import { insteadText, problemText } from './problem-text.ts';
import { translatedProblem } from './translated-problem.ts';
import { BY_CODE } from './zh-CN/problems.ts';
import { ZH_CN } from './zh-CN.ts';

const CODES = Object.keys(PROBLEM_VALUES) as ProblemCode[];
const TRANSLATED = CODES.filter((code) => code in BY_CODE);
const ALL = TRANSLATED.flatMap((code) => samplesOf(code).map((values) => [code, values] as const));
/** Values for which Chinese has a word, and which English shows unchanged. */
const WORDS_OF_ZH = new Set(['query', 'body', 'path']);

/** The texts of the server, which the English page shows, and the texts of the Chinese page. */
const BOTH = [ENGLISH, BY_CODE] as const;

test('English has a text for every code, and Chinese has no text for other codes', () => {
  expect(Object.keys(ENGLISH).sort()).toEqual([...CODES].sort());
  expect(Object.keys(BY_CODE).filter((code) => !CODES.includes(code as ProblemCode))).toEqual([]);
});

test('a problem without a Chinese text has no translation', () => {
  const refused = problem('monitor-refused', { user: 'app' });
  expect(translatedProblem(BY_CODE, refused)?.message).toContain('app');
  const { 'monitor-refused': _, ...others } = BY_CODE;
  expect(translatedProblem(others, refused)).toBeUndefined();
});

test.each(ALL)('%s with %j has a Chinese text with the same values', (code, values) => {
  const [english, chinese] = BOTH.map((texts) => {
    const text = texts[code] as (given: unknown) => ProblemText; // the values are samples for this code
    const { message, hint } = text(values);
    return { message, hint, whole: `${message} ${hint}` };
  }) as [ProblemText & { whole: string }, ProblemText & { whole: string }];
  expect(chinese.whole).not.toMatch(/undefined|NaN|\[object/);
  expect(chinese.message).toMatch(/\p{Script=Han}|：/u);
  expect(chinese.hint === '').toBe(english.hint === '');
  for (const value of shownIn(values)) {
    if (!WORDS_OF_ZH.has(value)) expect(chinese.whole.includes(value), value).toBe(english.whole.includes(value));
  }
});

/** The texts and numbers among the values, as a sentence may show them. */
function shownIn(values: Record<string, unknown>): string[] {
  return Object.values(values)
    .flat()
    .filter((value) => (typeof value === 'string' && value.includes('-')) || typeof value === 'number')
    .map(String);
}

test('problems of the server are shown in the language of the page, with their values', () => {
  const refused = problem('monitor-refused', { user: 'app' });
  expect(problemText(EN, refused)).toMatchObject({ message: refused.message, hint: refused.hint });
  expect(problemText(ZH_CN, refused).message).toBe('用户 app 无权执行 MONITOR。');
  expect(problemText(ZH_CN, refused).hint).toContain('ACL SETUSER app +monitor');
  const late = problem('behind-redis', { behindMs: 2100 });
  expect(insteadText(EN, late, { level: 'events' })).toBe(
    'Lockscope was 2.1 s behind Redis. Watching at level events instead.',
  );
  expect(insteadText(ZH_CN, late, { level: 'monitor', nextLevel: 'events' })).toContain('events');
});

test('a problem that this page does not know is shown with the English text of the server', () => {
  const unknown = { code: 'new-one', values: { n: 1 }, message: 'Something new.', hint: 'Look.' };
  expect(problemText(ZH_CN, unknown)).toEqual(unknown);
  expect(problemText(ZH_CN, { ...unknown, code: 'toString' })).toMatchObject({ message: 'Something new.' });
});

test('the page never searches a message, hint or reason for words', () => {
  const found = filesIn('web').flatMap(([name, text]) =>
    [
      ...text.matchAll(
        /.*(?:message|hint|reason)\b[^\n;]{0,30}\.(?:match|replace|includes|startsWith|search|indexOf|split)\(.*|.*\.(?:exec|test)\([^)]*\.?(?:message|hint|reason)\b.*/g,
      ),
    ].map(([line]) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

function filesIn(folder: string): [name: string, text: string][] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]);
}
