import { describe, expect, test } from 'vitest';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import type { Source } from '../../shared/wire/source.ts';
import { makeSource } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { ZH_CN } from '../words/zh-CN.ts';
import { troublesOf } from './troubles-of.ts';

const LINE = 'ACL SETUSER app +time +info';
const REFUSED = { user: 'app', commands: ['TIME'], absent: [], keys: [], isDatabase: false, grant: LINE };

function lacking(...unseen: Problem[]): Source {
  return makeSource({ unseen, missing: { lacksRights: true } });
}

function cutBack(reason: Problem): Source {
  return makeSource({ level: 'events', guard: { state: 'tripped', reason: reason.message, problem: reason } });
}

describe('a user who may not read locks', () => {
  const source = makeSource({ status: 'failed', problem: problem('not-permitted', REFUSED) });

  test('sees which right is missing, and on a separate line the command that grants it', () => {
    expect(troublesOf(source, EN)).toEqual([
      { message: 'User app may not read locks: it may not run TIME.', hint: 'To allow it:', command: LINE },
    ]);
    expect(troublesOf(source, ZH_CN)).toEqual([
      { message: '用户 app 无权读取锁：无权执行 TIME。', hint: '如需允许：', command: LINE },
    ]);
  });

  test('sees no command if no right can help', () => {
    const values = { ...REFUSED, commands: [], absent: ['MULTI'], grant: '' };
    const [shown] = troublesOf(makeSource({ status: 'failed', problem: problem('not-permitted', values) }), EN);
    expect(shown).toEqual({ message: 'User app may not read locks: this server has no MULTI.', hint: '' });
  });
});

test('a user who may see a part of the locks sees what is missing, and one command that grants all of it', () => {
  const source = lacking(
    problem('unseen-without-right', {
      ...{ loss: 'search', user: 'app', commands: ['SCAN'], absent: [], grant: 'ACL SETUSER app +scan' },
    }),
    problem('unseen-without-right', {
      ...{ loss: 'clients', user: 'app', commands: ['CLIENT LIST'], absent: [], grant: 'ACL SETUSER app +client|list' },
    }),
    problem('unseen-keys', { user: 'app', names: ['payments:*'], grant: 'ACL SETUSER app ~*' }),
    problem('unseen-attempts'),
  );
  const [shown, ...more] = troublesOf(source, EN);
  expect(more).toEqual([]);
  expect(shown).toEqual({
    message: 'User app may not see all locks.',
    hint:
      'Locks that no event announced, such as those that were held before: user app may not run SCAN. ' +
      'Locks whose keys user app may not read, such as payments:*. To leave them out, use --match. To allow it:',
    command: 'ACL SETUSER app +scan ~*',
  });
  expect(troublesOf(source, ZH_CN)[0]?.hint).toMatch(/^没有事件提示的锁.*如需允许：$/);
});

describe('why a level is reduced', () => {
  test.each([
    ['subscribe-refused', problem('subscribe-refused', { user: 'app', grant: 'ACL SETUSER app +psubscribe' })],
    ['monitor-refused', problem('monitor-refused', { user: 'app' })],
    ['replication-refused', problem('replication-refused', { user: 'app' })],
    ['replication-unavailable', problem('replication-unavailable', { why: 'no-info' })],
    ['replica-monitor', problem('replica-monitor')],
  ])('%s: the text does not mention the protection of Redis or a proxy', (_, reason) => {
    const text = JSON.stringify(troublesOf(cutBack(reason), EN));
    expect(text).not.toMatch(/protect|proxy/i);
    expect(text).toContain(reason.message.slice(0, 20));
  });

  test('for a refused subscription, the text has the command that allows it', () => {
    const reason = problem('subscribe-refused', { user: 'app', grant: 'ACL SETUSER app +psubscribe' });
    expect(troublesOf(cutBack(reason), EN)[0]).toMatchObject({ command: 'ACL SETUSER app +psubscribe' });
  });

  test('if MONITOR was cut off twice, the text says that the level was reduced to protect Redis', () => {
    const [shown] = troublesOf(cutBack(problem('cut-twice')), EN);
    expect(shown?.message).toContain('was reduced to protect Redis');
  });
});

test('a source shows nothing if it has no problem or was ended on purpose', () => {
  expect(troublesOf(makeSource({}), EN)).toEqual([]);
  expect(troublesOf({ ...cutBack(problem('cut-twice')), ended: true }, EN)).toEqual([]);
});
