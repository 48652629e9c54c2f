import type { Translated } from '../translated.ts';
import type { Words } from '../words.ts';

/** 强制释放锁的对话框。 */
export const release: Translated<Words['release']> = {
  open: '释放此锁…',
  title: '强制释放',
  reading: '正在询问 Redis 会发送什么…',
  who: (holders) => `${holders} 会失去该锁，且不会得到通知。`,
  risk: '它的线程可能仍在工作。它自己的解锁可能失败，也可能报告成功，取决于锁的种类和版本。',
  waiting: (count) => (count === 0 ? '未知有线程在等待它。' : `已知有 ${count} 个线程在等待它。`),
  reported: (channel) => `等待者会在 ${channel} 上得到通知。`,
  reportedFirst: '如果队列不为空，只有队首的线程会得到通知。',
  polled: '不会通知等待者：它们会自己再次尝试。',
  command: '发送给 Redis 的内容',
  guard: '如果在此之前持有者改变，则不释放任何锁。',
  confirm: '请输入锁的名称以确认：',
  send: '释放',
  sending: '正在释放…',
  done: '已释放。',
  headOpen: '移除已死的队首…',
  headTitle: '移除队列中已死的队首',
  headWho: (head, deadline) =>
    deadline === null
      ? `${head} 位于队首，没有截止时间。它会被移除。`
      : `${head} 位于队首，直到截止时间 ${deadline}。它会被移除。`,
  headRisk: '如果它的进程仍在运行，它的线程将不再位于队列中。',
  headNext: (next) => `下一个是 ${next}。`,
  headNextGone: (next) => `下一个是 ${next}，它的客户端也已消失。`,
  headLast: '它后面没有等待者。',
  headReported: (channel) => `锁是空闲的，因此它会在 ${channel} 上得到通知。`,
  headUnreported: '它不会得到通知：锁正被持有。',
  headGuard: '如果在此之前队首或其截止时间改变，则不移除任何条目。',
  headSend: '移除',
  headSending: '正在移除…',
  headDone: '已移除。',
};
