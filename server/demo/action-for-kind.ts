import type { DemoKind, ThreadAction, ThreadActionBody } from '../../shared/wire/demo.ts';
import type { ScenarioScript } from './scenario.ts';

type Body = ThreadActionBody & { readonly lock: string };
type Asked = { action: ThreadAction; body: Body };

/** The operations of semaphores and latches that replace `lock`, `tryLock` and `unlock`. */
const REPLACED_BY: Partial<Record<DemoKind, Partial<Record<ThreadAction, ThreadAction>>>> = {
  semaphore: { lock: 'acquire', tryLock: 'tryAcquire', unlock: 'release' },
  'expirable-semaphore': { lock: 'acquire', tryLock: 'tryAcquire', unlock: 'release' },
  latch: { lock: 'await', tryLock: 'await', unlock: 'countDown' },
};

/** The operation for a kind of lock. Without `kind`, the kind that the lock has in the current scenario is used. */
export function actionForKind(action: ThreadAction, body: Body, script: ScenarioScript | undefined): Asked {
  const kind = body.kind ?? (script?.lock === body.lock ? script.kind : undefined);
  if (kind === undefined) return { action, body };
  const replacement = REPLACED_BY[kind]?.[action] ?? action;
  const isOnce = action === 'tryLock' && replacement === 'await' && body.waitMs === undefined;
  return { action: replacement, body: { ...body, kind, ...(isOnce && { waitMs: 0 }) } };
}
