import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { Step } from '../../shared/signals/step.ts';
import { holderOf, seconds } from './story.ts';

const LOCK = 'orders:42';

/** The events of these steps at level `events`: no command is seen. */
export function heardStory(...steps: readonly Step[]): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story', hasCommands: false });
  return steps.flatMap((step) => interpreter.interpret(step));
}

/** A read of `orders:42` at `at` (s): held by `actor` for another `pttl` ms. */
export function readHeld(at: number, actor: string, pttl: number): Step {
  return read(at, 0, { type: 'hash', fields: { [holderOf(actor)]: '1' }, pttl });
}

/** A read of `orders:42` at `at` (s): free, and this number of clients subscribe to its channel. */
export function readFree(at: number, subscribers = 0): Step {
  return read(at, subscribers, { type: 'none', fields: {}, pttl: -2 });
}

/** A message at `at` (s): a key event of `orders:42`, or a release message on its channel. */
export function pushed(at: number, what: 'hincrby' | 'del' | 'expired' | 'release'): Step {
  const [channel, message] =
    what === 'release' ? [`redisson_lock__channel:{${LOCK}}`, '0'] : [`__keyevent@0__:${what}`, LOCK];
  return { kind: 'push', at: seconds(at), channel, message };
}

/** An unlock at `at` (s) that frees `orders:42`, and its message. */
export function released(at: number): Step[] {
  return [pushed(at, 'hincrby'), pushed(at, 'del'), pushed(at, 'release')];
}

function read(
  at: number,
  subscribers: number,
  key: { type: string; fields: Record<string, string>; pttl: number },
): Step {
  return { kind: 'bookmark', at: seconds(at), reads: [{ db: 0, name: LOCK, hasChanged: false, subscribers, ...key }] };
}
