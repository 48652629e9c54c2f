import { expect, test } from 'vitest';
import { REPLACED_TEXTS } from './replaced-words.mjs';
import { namesOf, textsOf } from './texts-of.mjs';

const SOURCE = `/** Returns the lock. */
const told = 'told'; // a note
  test('a released lock is free', () => {});
test.each(['a'])('each %s', () => {});
test.each([
  ['a'],
])('each of a list: %s', () => {});
test.each([
  ['a'],
] as const)('each of a constant list: %s', () => {});
test.each([
  ['a'],
])(
  'a name on a line of its own',
  () => {},
);
`;

test('comments and test names are read as texts, code and strings are not', () => {
  expect(textsOf('a.ts', SOURCE)).toEqual([
    { line: 1, text: 'Returns the lock. */' },
    { line: 2, text: 'a note' },
    { line: 3, text: 'a released lock is free' },
    { line: 7, text: 'each of a list: %s' },
    { line: 10, text: 'each of a constant list: %s' },
    { line: 14, text: 'a name on a line of its own' },
  ]);
});

test('a document is read as text, except for its code blocks', () => {
  expect(textsOf('a.md', 'One\n```\ntold\n```\nTwo').map(({ text }) => text)).toEqual(['One', '```', 'Two']);
});

test.each([
  ['Tells who holds it', true],
  ['tells two clients apart', true],
  ['told apart', false],
  ['at most 3, no more than 4', false],
  ['no more permits', true],
  ['a view of old', true],
  ['of older events', false],
  ['an attempt is no wait', true],
  ['there is no wait, and it is no longer known', false],
])('in %s, a word that docs/language.md replaces is found: %s', (text, isFound) => {
  expect(REPLACED_TEXTS.some(({ found }) => found.test(text))).toBe(isFound);
});

test('identifiers are read word by word, without comments and texts', () => {
  const code = `const toldMs = \`told \${tellOf('told')} told\`; // told\nexport const MOST_TOLD = 3;`;
  const found = namesOf(code).filter(({ words }) => words.includes('told') || words.includes('tell'));
  expect(found.map(({ line, text }) => [line, text])).toEqual([
    [1, 'toldMs'],
    [1, 'tellOf'],
    [2, 'MOST_TOLD'],
  ]);
});
