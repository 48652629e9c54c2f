import { expect, test } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { serverLike } from '../../../shared/base/topology-url.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { Group, TopologyView } from '../../redis/topology/replication-group.ts';
import type { SourceHandle } from '../observer/source-handle.ts';
import { MOST_SOURCES, TopologySources } from './topology-sources.ts';

/** A topology that reports what the test gives it, and sources without threads that record their calls. */
function make(memory = 64 * 1024 ** 3) {
  let report: (view: TopologyView) => void = () => {};
  const problems: (Problem | null)[] = [];
  const opened: SourceHandle[] = [];
  const topology = {
    start(onView: (view: TopologyView) => void) {
      report = onView;
    },
    hurry: () => {},
    stop: () => {},
  };
  const sources = new TopologySources(topology, {
    memory: () => memory,
    open() {
      const handle = {
        moveTo: (_: unknown, problem: Problem | null) => problems.push(problem),
      } as unknown as SourceHandle; // the code under test uses only these parts
      opened.push(handle);
      return handle;
    },
    close: (handle) => void opened.splice(opened.indexOf(handle), 1),
  });
  sources.start();
  return { sources, opened, problems, report: (groups: Group[]) => report({ groups, problem: null }) };
}

function groupsOf(count: number): Group[] {
  const seed = parseRedisUrl('redis://127.0.0.1:1');
  if (!seed.ok) throw new Error(seed.error);
  return Array.from({ length: count }, (_, n) => {
    return { key: `shard-${n}`, master: serverLike(seed.value, '127.0.0.1', n + 1), replicas: [], slots: [] };
  });
}

test('a cluster with 5,000 shards gets 200 sources, and one further source that reports the others', () => {
  const { sources, opened, problems, report } = make();
  report(groupsOf(5000));
  expect(opened).toHaveLength(MOST_SOURCES + 1);
  expect(problems.at(-1)?.message).toBe('4800 more shards are not watched: Lockscope watches at most 200.');
  report(groupsOf(4000));
  expect(opened).toHaveLength(MOST_SOURCES + 1);
  report(groupsOf(3));
  sources.stop();
  expect(opened.length).toBeLessThanOrEqual(MOST_SOURCES);
});

test('with a limit of 512 MB a cluster gets 37 sources, and the problem names the memory that all of them need', () => {
  const { sources, opened, problems, report } = make(512 * 1024 ** 2);
  report(groupsOf(60));
  expect(opened).toHaveLength(38);
  expect(problems.at(-1)?.message).toBe(
    '23 more shards are not watched: Lockscope watches at most 37 with this limit for its memory.',
  );
  expect(problems.at(-1)?.hint).toContain('--memory 710mb');
  report(groupsOf(37));
  expect(opened).toHaveLength(37);
  sources.stop();
});

test('if each report has other shards, there are at most 201 sources', () => {
  const { sources, opened, report } = make();
  for (let round = 0; round < 5; round++)
    report(groupsOf(190).map((group) => ({ ...group, key: `${round}/${group.key}` })));
  expect(opened.length).toBeLessThanOrEqual(MOST_SOURCES + 1);
  sources.stop();
});
