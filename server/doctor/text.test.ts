import { expect, test } from 'vitest';
import type { Costs, FindingView } from '../../shared/wire/doctor.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { textFromDiagnosis } from './text.ts';

test('the text shows which levels work, what would enable the others, and the best level', () => {
  const text = textFromDiagnosis('redis://h:6379', {
    canObserve: true,
    problem: null,
    bestLevel: 'events',
    capabilities: {
      server: 'redis',
      version: '7.0.15',
      role: 'master',
      isCluster: false,
      notifications: 'KEA',
      canMonitor: false,
      canTrack: true,
      canListClients: true,
      canCountListeners: true,
      isSharded: false,
      outputLimitBytes: 33_554_432,
      user: 'viewer',
    },
    levels: [
      { level: 'snapshot', works: true, why: 'Keys can be read.', unlock: null },
      { level: 'replication', works: false, why: 'No backlog.', unlock: null },
      { level: 'monitor', works: false, why: 'No permission.', unlock: 'ACL SETUSER viewer +monitor' },
    ],
  });
  expect(text.split('\n')).toEqual([
    'redis://h:6379',
    '  Redis 7.0.15, master, user viewer',
    '',
    '  yes  snapshot     Keys can be read.',
    '  no   replication  No backlog.',
    '  no   monitor      No permission.',
    '                    to unlock: ACL SETUSER viewer +monitor',
    '',
    'Locks can be observed here, at best with --observe events.',
    '',
  ]);
});

test('the text shows why nothing can be observed, and what to do', () => {
  const refused = problem('refused', { where: 'redis://h:1' });
  const diagnosis = { canObserve: false, problem: refused, bestLevel: null, capabilities: null, levels: [] };
  expect(textFromDiagnosis('redis://h:1', diagnosis).split('\n')).toEqual([
    'redis://h:1',
    'No Redis at redis://h:1. Check host and port, and that Redis is running and reachable from here.',
    'Locks cannot be observed here.',
    '',
  ]);
});

test('the text shows what is hidden without a right, and on one line the command that grants it', () => {
  const grant = 'ACL SETUSER app +scan';
  const about = { user: 'app', commands: ['SCAN'], absent: [], grant };
  const unseen = [problem('unseen-without-right', { loss: 'search', ...about })];
  const diagnosis = {
    canObserve: true,
    problem: null,
    bestLevel: 'events',
    capabilities: null,
    levels: [],
    unseen,
  } as const;
  expect(textFromDiagnosis('redis://h:1', diagnosis, 60).split('\n')).toEqual([
    'redis://h:1',
    '  Not seen',
    '    Locks that no event announced, such as those that were',
    '    held before: user app may not run SCAN.',
    '        ACL SETUSER app +scan',
    '',
    'Not all locks can be observed here, at best with --observe events.',
    '',
  ]);
});

test('the text shows the worst findings first, with the lines that change them, and a common reason once', () => {
  const about = { code: '', values: {}, reference: 'https://redis.io/x' };
  const unread = { ...about, state: 'unknown', why: 'This user may not run INFO.', advice: 'Grant it:' } as const;
  const findings: FindingView[] = [
    {
      ...about,
      ...{ id: 'eviction', state: 'danger', title: 'Redis may evict locks', why: 'Every lock has a TTL.', advice: '' },
      ...{ read: [{ name: 'maxmemory', value: '50' }], fix: ['CONFIG SET maxmemory-policy noeviction'] },
    },
    { ...unread, id: 'persistence', title: 'Restart of Redis: unknown', read: [], fix: ['ACL SETUSER u +info'] },
    { ...unread, id: 'replication', title: 'Failover: unknown', read: [], fix: ['ACL SETUSER u +info'] },
    { ...about, id: 'clock', state: 'good', title: 'The clocks agree', why: '', advice: '', read: [], fix: [] },
  ];
  const nothing = { canObserve: true, problem: null, bestLevel: null, capabilities: null, levels: [] };
  const diagnosis = { ...nothing, findings };
  const text = textFromDiagnosis('redis://h:1', diagnosis);
  expect(text.split('\n').slice(1, -2)).toEqual([
    '  Danger',
    '    Redis may evict locks (maxmemory 50)',
    '      Every lock has a TTL.',
    '        CONFIG SET maxmemory-policy noeviction',
    '      https://redis.io/x',
    '',
    '  Unknown',
    '    Restart of Redis: unknown',
    '    Failover: unknown',
    '      This user may not run INFO. Grant it:',
    '        ACL SETUSER u +info',
    '      https://redis.io/x',
    '',
    '  Good',
    '    The clocks agree',
    '',
  ]);
  const narrow = textFromDiagnosis('redis://h:1', diagnosis, 40).split('\n');
  expect(narrow).toContain('      This user may not run INFO. Grant');
  expect(narrow).toContain('        CONFIG SET maxmemory-policy noeviction');
});

test('the text shows how certain a cost is', () => {
  const about = { noiseShare: 0.01, onMs: 2000, outputBytesPerSecond: { low: 100, high: 20_000 } };
  const share = { low: 0.02, high: 0.05 };
  const costs: Costs = {
    levels: [
      { ...about, level: 'snapshot', verdict: 'too-quiet', cpuShare: share },
      { ...about, level: 'events', verdict: 'measured', cpuShare: share },
      {
        ...{
          level: 'monitor',
          verdict: 'refused',
          cpuShare: null,
          outputBytesPerSecond: null,
          noiseShare: null,
          onMs: 0,
        },
        problem: problem('redis-in-trouble', { why: 'slow', figure: 250 }),
      },
    ],
    commandsPerSecond: { low: 500, high: 600 },
    cpuShare: { low: 0.1, high: 0.1 },
    tookMs: 13_000,
  };
  const nothing = { canObserve: true, problem: null, bestLevel: null, capabilities: null, levels: [] };
  const text = textFromDiagnosis('redis://h:1', { ...nothing, costs });
  expect(text).toContain('Without a level, Redis ran 500 to 600 commands/s and used 10.0 % of a core.');
  expect(text).toContain('snapshot  too quiet to tell');
  expect(text).toContain('events    2.0 % to 5.0 % of a core more, 100 bytes/s to 20 kB/s more output; on for 2.0 s.');
  expect(text).toContain('monitor   not tried: Redis answers slowly: a PING took 250 ms.');
});
