import type { JudgedRun, Operation } from '../account.ts';
import { type Expected, near, oneOf } from '../expected.ts';
import { notesOf, scoresIn } from '../holds.ts';

/**
 * Scripts of semaphores that are a sorted set with a member for each permit (redis-semaphore, effect-distributed-lock).
 */
export const SETS: Readonly<Record<string, Operation>> = {
  'set-acquire': (run) => leased(run),
  'set-refresh': (run) => leased(run),
  'set-release': (run) => returned(run, run.keys[0] ?? ''),
};

/** All clients of a trace allow the same number of permits. How many are free is not known at first. */
function permitCounts(total: number | undefined, members: number) {
  return total === undefined
    ? undefined
    : { total: oneOf(undefined, total), available: oneOf(undefined, total - members) };
}

function leased(run: JudgedRun): Expected[] {
  const [name = ''] = run.keys;
  const { tracker, head, args, script } = run;
  notesOf(run, name).kind = 'expirable-semaphore';
  const [lease, now] = args.slice(-2).map(Number) as [number, number];
  const had = scoresIn(run.before(name)); // the time of each acquisition or renewal is its score
  const has = scoresIn(run.after(name));
  const over = [...had].flatMap(([id, score]) => (score <= now - lease ? [id] : []));
  for (const id of over) tracker.expiredPermits.add(id);
  const limit = Number(args[0]);
  tracker.addToTotal(head.db, name, limit, true);
  const library = { library: script.library };
  const after = (members: number) => ({ ...library, ...permitCounts(limit, members) });
  const caller = tracker.connections.get(head.client ?? '') ?? head.client ?? '';
  const expired =
    over.length === 0
      ? []
      : [
          {
            ...run.expect(name, 'permits.expired', {
              ...{ ...after(had.size - over.length), permits: over.length, permitIds: over },
            }),
            by: undefined,
          },
        ];
  const set = [...has].flatMap(([id, score]) => (score === now && had.get(id) !== now ? [id] : []));
  const expiresAt = near(head.at + lease * 1000, 1000);
  const isRefresh = script.operation === 'set-refresh';
  if (set.length === 0) {
    if (!isRefresh) {
      const permits = args.length === 5 ? Number(args[1]) : 1;
      return [
        ...expired,
        run.expect(name, 'permits.refused', { ...after(has.size), holder: caller, permits, asleep: false }),
      ];
    }
    const id = `${args.at(-3)}${args.length === 5 ? '_0' : ''}`;
    const reason = tracker.expiredPermits.has(id) ? 'expired' : 'no-lock';
    return [...expired, run.expect(name, 'renewal.refused', { ...library, holder: id, mode: 'permit', reason })];
  }
  const event = isRefresh
    ? set.map((id) => run.expect(name, 'permits.renewed', { ...after(has.size), permitIds: [id], expiresAt }))
    : [
        run.expect(name, 'permits.acquired', {
          ...{ ...after(has.size), holder: caller, permits: set.length, permitIds: set, expiresAt },
        }),
      ];
  return [...expired, ...event];
}

/** Members that a script or a plain ZREM removed. */
export function returned(run: JudgedRun, name: string, ids: readonly string[] = []): Expected[] {
  const { tracker, head } = run;
  if (tracker.find(head.db, name)?.kind !== 'expirable-semaphore') return [];
  const had = scoresIn(run.before(name));
  const has = scoresIn(run.after(name));
  const given = [...had.keys()].filter((id) => !has.has(id));
  const library = { library: run.script.library ?? 'redis-semaphore' }; // redis-semaphore releases with a plain ZREM
  const late = ids.filter((id) => !had.has(id) && tracker.expiredPermits.has(id));
  const refused = late.map((id) =>
    run.expect(name, 'unlock.refused', { ...library, holder: id, mode: 'permit', reason: 'expired' }),
  );
  if (given.length === 0) return refused;
  const holder = tracker.connections.get(head.client ?? '') ?? head.client ?? '';
  const numbers = permitCounts(tracker.total(head.db, name), has.size);
  const released = { ...library, ...numbers, holder, permits: given.length, permitIds: given };
  return [...refused, run.expect(name, 'permits.released', released)];
}
