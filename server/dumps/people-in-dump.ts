import { threadSight } from '../../shared/dumps/client-dump.ts';
import { firstOwnFrame, stackOf } from '../../shared/dumps/frames.ts';
import type { DumpThread, JvmWait, ThreadDump } from '../../shared/dumps/thread-dump.ts';
import type { PersonInDump } from '../../shared/wire/dumps.ts';

/** What a dump shows about a holder or waiter of its client. */
export function personInDump(
  of: { readonly dump: ThreadDump; readonly threads: ReadonlyMap<number, DumpThread> },
  holder: string,
): PersonInDump {
  const sight = threadSight(of, holder);
  if (sight.found !== 'thread') return { holder, found: sight.found };
  const { javaId, name, state, isVirtual, framesBeyond, waitsFor } = sight.thread;
  const stack = [...stackOf(of.dump, sight.thread)];
  return {
    holder,
    found: 'thread',
    thread: {
      ...{ javaId, name, state, isVirtual, stack, moreFrames: framesBeyond, ownFrame: firstOwnFrame(stack) },
      waitsFor: waitOf(of, waitsFor),
    },
  };
}

type Wait = NonNullable<PersonInDump['thread']>['waitsFor'];

/** Only a wait whose owner is known: a thread that sleeps also waits for something, for example for a message. */
function waitOf({ threads }: { readonly threads: ReadonlyMap<number, DumpThread> }, wait: JvmWait | null): Wait {
  if (wait?.ownerId == null) return null;
  const { className, kind, ownerId } = wait;
  return { className, kind, ownerId, ownerName: threads.get(ownerId)?.name ?? null };
}
