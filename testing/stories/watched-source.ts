import type { Source } from '../../shared/wire/source.ts';

/** A source that is watched at level `events`, without trouble. */
export const WATCHED_SOURCE: Source = {
  id: 'main',
  url: 'redis://127.0.0.1:6379',
  redisVersion: '7.0.15',
  role: 'master',
  status: 'observing',
  level: 'events',
  lagMs: 0,
  linesPerSecond: 0,
  guard: { state: 'ok' },
  unseen: [],
  cannotSee: [],
  keyEvents: 'notifications',
  snapshotAt: null,
  drift: 0,
  rejected: 0,
  clockOffsetMs: 0,
};
