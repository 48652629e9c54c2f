import type { DumpThread, ThreadDump } from './thread-dump.ts';

/** The lines of a thread's stack, newest call first. */
export function stackOf(dump: Pick<ThreadDump, 'frames'>, { stack }: Pick<DumpThread, 'stack'>): readonly string[] {
  return stack.map((place) => dump.frames[place] ?? '');
}

/** A line of a stack without the module or class loader in front: `java.base@17.0.15/java.lang.Thread.run(…)`. */
function withoutModule(frame: string): string {
  const end = frame.indexOf('(');
  const slash = frame.lastIndexOf('/', end < 0 ? undefined : end);
  return slash < 0 ? frame : frame.slice(slash + 1);
}

const JAVA_PACKAGES = ['java.', 'javax.', 'jdk.', 'sun.', 'com.sun.'];

/** The first line of a stack that does not belong to Java itself; null: all lines do. */
export function firstOwnFrame(frames: readonly string[]): string | null {
  return frames.find((frame) => !JAVA_PACKAGES.some((prefix) => withoutModule(frame).startsWith(prefix))) ?? null;
}

/** A blocking method of Redisson that acquires a lock, a permit or a latch, or waits for one. */
const ACQUIRES =
  /^org\.redisson\.Redisson[A-Za-z]{0,40}(?:Lock|Semaphore|CountDownLatch|RedLock)\.(?:lock|tryLock|lockInterruptibly|acquire|tryAcquire|await)\(/;

/** Whether the Redisson call in which a thread waits gives up after a time: `tryLock()`, `tryAcquire()`. */
export function hasTimeLimit(dump: ThreadDump, { stack }: DumpThread): boolean {
  const calls = stack.map((place) => withoutModule(dump.frames[place] ?? '')).filter((frame) => ACQUIRES.test(frame));
  return /\.try[A-Z]/.test(calls.at(-1) ?? '');
}

/** Whether a thread waits inside a call of Redisson that acquires a lock. */
export function isWaitingInRedisson(dump: ThreadDump, thread: DumpThread): boolean {
  if (thread.state === 'RUNNABLE' || thread.state === 'NEW' || thread.state === 'TERMINATED') return false;
  return thread.stack.some((place) => ACQUIRES.test(withoutModule(dump.frames[place] ?? '')));
}
