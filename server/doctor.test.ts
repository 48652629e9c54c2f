import { expect, test } from 'vitest';
import { problem } from '../shared/wire/problems/problem.ts';
import { textFromDiagnosis } from './doctor.ts';

test('shows which levels work, what would enable the others, and the best level', () => {
  const text = textFromDiagnosis('redis://h:6379', {
    canObserve: true,
    problem: null,
    bestLevel: 'events',
    capabilities: {
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

test('shows why nothing can be observed, and what to do', () => {
  const refused = problem('refused', { where: 'redis://h:1' });
  const diagnosis = { canObserve: false, problem: refused, bestLevel: null, capabilities: null, levels: [] };
  expect(textFromDiagnosis('redis://h:1', diagnosis).split('\n')).toEqual([
    'redis://h:1',
    'No Redis at redis://h:1. Check host and port, and that Redis is running and reachable from here.',
    'Locks cannot be observed here.',
    '',
  ]);
});
