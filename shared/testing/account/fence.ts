import type { Scene } from './account.ts';
import type { Page } from './book.ts';
import type { Expected } from './expected.ts';

/**
 * The token of an acquisition. INCR shows no number: it is reported only after Lockscope has read the counter, and from
 * then on always.
 */
export function fencingToken(scene: Scene, { fence }: Page, holder: string): Expected['fields'] {
  const content = scene.after(scene.keys[1] ?? '')?.content;
  const token = content?.type === 'string' ? content.text : '';
  const isRead = fence.isRead;
  return {
    fencingToken: (told: unknown) => {
      Object.assign(fence, { token, holder });
      if (told === undefined) return !fence.isReported;
      fence.isReported = true;
      return isRead && told === token;
    },
  };
}

/** Whether an event reports the newest token, which Lockscope has read. */
export function isNewestToken({ fence }: Page, told: { readonly [field: string]: unknown }): boolean {
  fence.isReported = true;
  return told.fencingToken === fence.token && told.holder === fence.holder;
}

/** Notes that the counter of a fenced lock is read. */
export function noteRead({ book, head }: Scene, name: string): void {
  const lock = /^redisson_lock_token:\{(.*)\}$/s.exec(name)?.[1];
  const page = lock === undefined ? undefined : book.find(head.db, lock);
  if (page) page.fence.isRead = true;
}
