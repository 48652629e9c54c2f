import type { HelpText } from '../../help-text.ts';

/** Help: what a thread dump shows together with the locks. */
export const jvm = {
  'holder-thread-ended': {
    what: 'A thread dump has no thread with the id of a holder.',
    why: 'The thread ended without an unlock: an exception, or no finally block. The watchdog belongs to the client, so it goes on renewing.',
    shows: 'The hold is older than the dump and still lasts. The dump was whole, and no thread in it has that id.',
    prevent: 'Unlock in a finally block of the thread that locked. Give lock() a lease if the work has a longest time.',
    now: 'Make sure that no other code unlocks it, for example with unlockAsync(threadId). Then release it by hand.',
    versions: 'Seen with 4.7.0. Silent for dumps without virtual threads of Java 19 and later: the holder may be one.',
  },
  'jvm-redis-deadlock': {
    what: 'A holder waits inside its JVM for a thread that waits for its lock in Redis.',
    why: 'One thread takes the lock in Redis, then enters a synchronized block. Another one takes them in the other order.',
    shows:
      'In a thread dump, the holder waits for a monitor or lock whose owner is inside a call of Redisson; in Redis, that owner waits for the holder.',
    prevent:
      'Take the lock in Redis first everywhere, and nothing in Redis inside a synchronized block. Use tryLock() with a wait time.',
    now: 'Take a second dump to be sure. Then release the lock in Redis by hand, or restart the client.',
    versions: 'Seen with 4.7.0. It depends on the application, not on the version.',
  },
} satisfies Readonly<Record<string, HelpText>>;
