import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { steadyMs } from '../../redis/connection/surroundings.ts';
import { probeRedis } from '../../redis/levels/try-levels.ts';
import { type Figures, priceProblem } from '../guard/monitor-guard.ts';
import type { LevelWish } from './level-switch.ts';
import type { Place } from './worker-messages.ts';

/**
 * MONITOR may run this long on a server without an output limit. If the process of Lockscope is frozen, it reads
 * nothing, and Redis keeps all output in memory.
 */
export const MOST_UNBOUNDED_MS = 300_000;
/** How long an answer about the permission is reused. */
const REFUSED_FOR_MS = 1000;
const PERMITTED_FOR_MS = 5000;

/** Why a request for MONITOR is refused, with the figures; null: MONITOR may begin. */
export function monitorRefusal(
  { forMs, isForced }: LevelWish,
  outputLimitBytes: number | null,
  overBudget: Figures | undefined,
): Problem | null {
  const isLong = forMs === null || forMs > MOST_UNBOUNDED_MS;
  if (isLong && !outputLimitBytes) return problem('no-output-limit', { isKnown: outputLimitBytes === 0 });
  return overBudget && !isForced ? priceProblem(overBudget) : null;
}

/** Remembers for 1 s or 5 s whether MONITOR is permitted: finding out takes a connection. */
export class MonitorPermission {
  #known: { readonly isPermitted: Promise<boolean>; until: number } | undefined;

  /** Asks the server, unless the answer is recent or under way: the permission may have been granted meanwhile. */
  async ask({ server }: Place, toProblem: (error: unknown) => Problem): Promise<boolean> {
    if (this.#known && steadyMs() < this.#known.until) return this.#known.isPermitted;
    const isPermitted = probeRedis(server, toProblem).then(
      ({ levels }) => levels.find(({ level }) => level === 'monitor')?.works ?? true,
    );
    const known = { isPermitted, until: Number.POSITIVE_INFINITY };
    this.#known = known;
    known.until = steadyMs() + ((await isPermitted) ? PERMITTED_FOR_MS : REFUSED_FOR_MS);
    return isPermitted;
  }
}
