import type { Observatory } from '../watch/observatory.ts';
import type { Exposition } from './exposition.ts';

/** The version, and the memory that `--memory` limits. Returns the function that sets its metrics. */
export function processMetrics(
  to: Exposition,
  version: string,
  limit: number | undefined,
): (observatory: Observatory) => void {
  const build = to.gauge({
    name: 'lockscope_build_info',
    help: 'Always 1. The label is the version of Lockscope.',
    labelNames: ['version'],
  });
  const used = to.gauge({
    name: 'lockscope_memory_used_bytes',
    help: 'Memory of the whole process (resident set size).',
  });
  const limitGauge = to.gauge({
    name: 'lockscope_memory_limit_bytes',
    help: 'What the process keeps to: --memory, or less in a smaller container.',
  });
  const parts = to.gauge({
    name: 'lockscope_memory_part_bytes',
    help: 'Estimated memory of events and of locks, as a part of lockscope_memory_used_bytes.',
    labelNames: ['part'],
  });
  const capped = to.gauge({
    name: 'lockscope_memory_locks_capped',
    help: '1 once a lock was dropped from memory: the metrics about locks are without it.',
  });
  return (observatory) => {
    const memory = observatory.memory?.();
    build([[{ version }, 1]]);
    used([[{}, process.memoryUsage.rss()]]);
    limitGauge([[{}, limit]]);
    parts([
      [{ part: 'events' }, memory?.eventsBytes],
      [{ part: 'locks' }, memory?.locksBytes],
    ]);
    capped([[{}, memory && Number(memory.locksCapped)]]);
  };
}
