import type { JudgedRun } from '../account.ts';
import type { Expected } from '../expected.ts';
import type { LockNotes } from '../tracker.ts';

/**
 * The token of an acquisition. INCR does not show the token: it is reported only after Lockscope has read the counter,
 * and from then on always.
 */
export function fencingToken(run: JudgedRun, { fence }: LockNotes, holder: string): Expected['fields'] {
  const content = run.after(run.keys[1] ?? '')?.content;
  const token = content?.type === 'string' ? content.text : '';
  const isRead = fence.isRead;
  return {
    fencingToken: (reported: unknown) => {
      Object.assign(fence, { token, holder });
      if (reported === undefined) return !fence.isReported;
      fence.isReported = true;
      return isRead && reported === token;
    },
  };
}

/** Whether an event reports the newest token, which Lockscope has read. */
export function isNewestToken({ fence }: LockNotes, reported: { readonly [field: string]: unknown }): boolean {
  fence.isReported = true;
  return reported.fencingToken === fence.token && reported.holder === fence.holder;
}

/** Notes that the counter of a fenced lock is read. */
export function noteRead({ tracker, head }: JudgedRun, name: string): void {
  const lock = /^redisson_lock_token:\{(.*)\}$/s.exec(name)?.[1];
  const notes = lock === undefined ? undefined : tracker.find(head.db, lock);
  if (notes) notes.fence.isRead = true;
}
