import type { DemoKind, ThreadAction, ThreadActionBody } from '../../shared/wire/demo.ts';
import type { ScenarioScript } from './scenario.ts';

type Body = ThreadActionBody & { readonly lock: string };
type Asked = { action: ThreadAction; body: Body };

/** What locking, trying and unlocking mean for what only counts. */
const MEANT: Partial<Record<DemoKind, Partial<Record<ThreadAction, ThreadAction>>>> = {
  semaphore: { lock: 'acquire', tryLock: 'tryAcquire', unlock: 'release' },
  'expirable-semaphore': { lock: 'acquire', tryLock: 'tryAcquire', unlock: 'release' },
  latch: { lock: 'await', tryLock: 'await', unlock: 'countDown' },
};

/** What a thread is asked to do. Without a kind, the kind is the one that this lock has in the scenario on the stage. */
export function meantBy(action: ThreadAction, body: Body, script: ScenarioScript | undefined): Asked {
  const kind = body.kind ?? (script?.lock === body.lock ? script.kind : undefined);
  if (kind === undefined) return { action, body };
  const meant = MEANT[kind]?.[action] ?? action;
  const isOnce = action === 'tryLock' && meant === 'await' && body.waitMs === undefined;
  return { action: meant, body: { ...body, kind, ...(isOnce && { waitMs: 0 }) } };
}
