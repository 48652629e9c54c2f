import { millisBetween } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { Interpreter } from '../events/interpreter.ts';
import { fieldsOf } from '../events/lock-keys.ts';
import type { KeyRead } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';

/** What a trace means at level `monitor`, and at level `events`. */
export type BothLevels = { readonly monitor: LockEvent[]; readonly events: LockEvent[] };

/**
 * Plays a trace at level `events`: its pushes, and after each script a read of the locks that the script changed. What
 * such a read finds is taken from the same trace at level `monitor`.
 */
export function eventsAtBothLevels(steps: readonly Step[]): BothLevels {
  const witness = new Interpreter({ source: 'trace' });
  const interpreter = new Interpreter({ source: 'trace', hasCommands: false });
  const monitor: LockEvent[] = [];
  const events: LockEvent[] = [];
  for (const step of steps) {
    const seen = witness.interpret(step);
    monitor.push(...seen);
    const pushes = step.kind === 'push' ? [step] : step.kind === 'command' ? step.pushes : [];
    for (const push of pushes) events.push(...interpreter.interpret(push));
    const names = new Set(seen.map(({ lock }) => lock));
    if (step.kind !== 'command' || names.size === 0) continue;
    const { at } = step.head;
    const reads = [...names].map((name) => readOf(witness, name, at));
    events.push(...interpreter.interpret({ kind: 'bookmark', at, reads }));
  }
  return { monitor, events };
}

function readOf(witness: Interpreter, name: string, at: Parameters<typeof millisBetween>[0]): KeyRead {
  const key = witness.keys.find(0, name);
  const isHeld = key !== undefined && key.holders.size > 0;
  const pttl = !isHeld ? -2 : key.expiresAt == null ? -1 : Math.round(millisBetween(at, key.expiresAt));
  const fields = isHeld ? fieldsOf(key) : {};
  return { db: 0, name, type: isHeld ? 'hash' : 'none', fields, pttl, hasChanged: true, subscribers: null };
}
