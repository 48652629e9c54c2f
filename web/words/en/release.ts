import { counted } from './counted.ts';

/** The dialog that releases a lock by force. */
export const release = {
  open: 'Release this lock…',
  title: 'Release by force',
  reading: 'Asking Redis what would be sent…',
  who: (holders: string) => `${holders} would lose the lock without a message.`,
  risk: 'Its thread may still be working. Its own unlock may fail, or report success, depending on its kind and version.',
  waiting: (count: number) =>
    count === 0
      ? 'No thread is known to wait for it.'
      : `${counted(count, 'thread is', 'threads are')} known to wait for it.`,
  reported: (channel: string) => `Waiters get a message on ${channel}.`,
  reportedFirst: 'If the queue is not empty, only its first thread gets a message.',
  polled: 'Waiters get no message: they ask again by themselves.',
  command: 'What is sent to Redis',
  guard: 'If the holders change before that, nothing is released.',
  confirm: 'Type the name of the lock to confirm:',
  send: 'Release',
  sending: 'Releasing…',
  done: 'Released.',
  headOpen: 'Remove the dead head…',
  headTitle: 'Remove the dead head of the queue',
  headWho: (head: string, deadline: string | null) =>
    deadline === null
      ? `${head} is first in the queue and has no deadline. It would be removed.`
      : `${head} is first in the queue until its deadline, ${deadline}. It would be removed.`,
  headRisk: 'If its process still runs, its thread is no longer in the queue.',
  headNext: (next: string) => `${next} is next.`,
  headNextGone: (next: string) => `${next} is next, and its client is gone too.`,
  headLast: 'No waiter is behind it.',
  headReported: (channel: string) => `The lock is free, so it gets a message on ${channel}.`,
  headUnreported: 'It gets no message: the lock is held.',
  headGuard: 'If the head or its deadline changes before that, nothing is removed.',
  headSend: 'Remove',
  headSending: 'Removing…',
  headDone: 'Removed.',
};
