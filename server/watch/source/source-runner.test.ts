import { expect, test } from 'vitest';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { NotPermitted } from '../../redis/connection/problem.ts';
import { ClockWasSet } from '../../redis/stream/redis-clock.ts';
import { LevelChange } from './level-switch.ts';
import { MasterChange } from './master-change.ts';
import { reasonOf } from './source-runner.ts';

test('a blind spot has the reason why the connection ended: a new level or master, a clock that was set, rights, or a loss', () => {
  expect(reasonOf(new LevelChange('level changed to events'))).toBe('level-changed');
  expect(reasonOf(new MasterChange('it is a master now'))).toBe('master-changed');
  expect(reasonOf(new ClockWasSet())).toBe('clock-set');
  expect(reasonOf(new Error('read ECONNRESET'))).toBe('connection-lost');
  expect(reasonOf(new NotPermitted(problem('internal')))).toBe('no-rights');
});
