import { expect, test } from 'vitest';
import { USER_LINES } from '../../../shared/doctor/rights/acl-line.ts';
import { LOSSES, type Loss, READING_RIGHTS } from '../../../shared/doctor/rights/rights.ts';
import { textOf } from './documents.ts';

/* Compares the documents with `shared/doctor/rights`, which has the rights that Lockscope needs. */

const GUIDE = textOf('docs/operating.md');

test('docs/operating.md recommends the user that the doctor prints', () => {
  const lines = [...GUIDE.matchAll(/^ACL SETUSER lockscope ([^#\n]*?)\s*(?:# (.*))?$/gm)];
  const found = lines.map(([, rules, use]) => (use === undefined ? { rules } : { rules, use }));
  expect(found).toEqual(USER_LINES);
});

test('docs/operating.md lists every right that reading needs, one row for each loss, in the same order', () => {
  const rows = [...GUIDE.matchAll(/^\| ((?:`[a-z\\|]+` ?)+)\|/gm)].map(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, right = '']) => right.replace('\\|', '|')),
  );
  const rightsOf = (loss: Loss) =>
    Object.entries(READING_RIGHTS).flatMap(([right, each]) => (each === loss ? [right] : []));
  expect(rows.filter(([first]) => first !== undefined && Object.hasOwn(READING_RIGHTS, first))).toEqual(
    LOSSES.map(rightsOf),
  );
});

test('README.md and the documents about security, the command line, on-call and scripting list no rules of an ACL', () => {
  const others = ['README.md', 'docs/security.md', 'docs/command-line.md', 'docs/on-call.md', 'docs/scripting.md'];
  expect(others.filter((file) => /ACL SETUSER/.test(textOf(file)))).toEqual([]);
});
