import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOCK_KINDS } from '../../shared/events/types/lock-kind.ts';
import { sourceFiles } from './imports-of.ts';

/**
 * Files that may ask for a kind of lock by its name, and why. All others ask for a trait (`events/kinds/kinds.ts`), so
 * that a new kind does not have to be added to them. `lock` is not checked: it is also the kind that is assumed at
 * first.
 */
const OWN_FILES: readonly (readonly [file: RegExp, reason: string])[] = [
  [/^shared\/events\/recognise\//, 'a recogniser belongs to one kind'],
  [/^shared\/events\/apply\/(tokens\/|reads\/token-)/, 'token locks'],
  [/^shared\/events\/apply\/(counters|kinds)\//, 'one kind each'],
  [/^shared\/events\/apply\/reads\/(found|lose)-counter\.ts$/, 'semaphores and latches'],
  [/^server\/demo\//, 'the demo has a client and scenarios for each kind'],
  [/^web\/(stage|demo|words)\//, 'the stage and its captions show each kind in its own way'],
];

const NAMES = LOCK_KINDS.filter((kind) => kind !== 'lock').join('|');
const ASKS = new RegExp(`\\b\\w*kind (?:===|!==) '(?:${NAMES})'|case '(?:${NAMES})'`, 'gi');

const FILES = ['shared', 'server', 'web']
  .flatMap((folder) => sourceFiles('.', folder))
  .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));

test('only the listed files compare a kind of lock with the name of a kind', () => {
  const asking = FILES.filter((file) => !OWN_FILES.some(([own]) => own.test(file))).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ASKS)].map(([asked]) => `${file}: ${asked}`),
  );
  expect(asking).toEqual([]);
});

test.each(OWN_FILES)('%s has files that refer to a kind by name', (own) => {
  const files = FILES.filter((file) => own.test(file));
  expect(files.filter((file) => new RegExp(`'(?:${NAMES})'`).test(readFileSync(file, 'utf8')))).not.toEqual([]);
});
