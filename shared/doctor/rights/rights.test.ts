import { expect, test } from 'vitest';
import { aclLine, rulesIn } from './acl-line.ts';
import { commandName, hidesLocks, LOSSES, lossesFrom, READING_RIGHTS, type Right, type WhyRefused } from './rights.ts';

const refused = (...rights: Right[]) => new Map(rights.map((right): [Right, WhyRefused] => [right, 'no-permission']));
const lossesOf = (...rights: Right[]) => Object.fromEntries(lossesFrom(refused(...rights)));

test.each([
  [['HLEN', 'orders:42'], 'hlen'],
  [['PUBSUB', 'NUMSUB', 'x'], 'pubsub|numsub'],
  [['memory', 'usage', 'k'], 'memory|usage'],
  [['INFO', 'replication'], 'info'],
  [['CONFIG'], 'config'],
  [[], ''],
])('the command %j is named "%s" in an ACL line', (words, name) => {
  expect(commandName(words)).toBe(name);
});

test('each right that is refused alone causes its loss, except where another command replaces it', () => {
  const replaced = new Set<Right>(['hrandfield', 'hscan', 'dbsize']);
  for (const [name, loss] of Object.entries(READING_RIGHTS)) {
    const right = name as Right; // the key is in the table
    expect(lossesOf(right), right).toEqual(replaced.has(right) ? {} : { [loss]: [right] });
  }
});

test('a refused HRANDFIELD is a loss only if HSCAN is refused, and a refused DBSIZE only if INFO is refused', () => {
  expect(lossesOf('hrandfield', 'hscan')).toEqual({ search: ['hrandfield'] });
  expect(lossesOf('dbsize', 'info')).toEqual({ databases: ['info'], progress: ['dbsize'] });
});

test('a server without HRANDFIELD needs HSCAN', () => {
  const old = new Map<Right, WhyRefused>([['hrandfield', 'no-command']]);
  expect(lossesFrom(old).size).toBe(0);
  const both = lossesFrom(old.set('hscan', 'no-permission'));
  expect(both.get('search')).toEqual(['hrandfield', 'hscan']);
});

test('each loss is caused by at least one missing right, and five of the losses hide locks', () => {
  expect(new Set(Object.values(READING_RIGHTS))).toEqual(new Set(LOSSES));
  expect(LOSSES.filter(hidesLocks)).toEqual(['reading', 'search', 'databases', 'strings', 'companions']);
});

test('an ACL line has each rule once, and without a rule there is no line', () => {
  expect(aclLine('app', ['+scan', '~*', '+scan'])).toBe('ACL SETUSER app +scan ~*');
  expect(rulesIn('ACL SETUSER app +scan ~*')).toEqual(['+scan', '~*']);
  expect(aclLine('app', [])).toBe('');
  expect(rulesIn('')).toEqual([]);
});
