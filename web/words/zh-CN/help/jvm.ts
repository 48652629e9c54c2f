import type { HelpTheme } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';

export const jvm: Translated<HelpTheme<'jvm'>> = {
  'holder-thread-ended': {
    what: '线程转储中没有持有者 id 的线程。',
    why: '该线程未解锁就已结束：发生异常，或没有 finally 块。看门狗属于客户端，因此继续续期。',
    shows: '持有早于转储并且仍在持续。转储是完整的，其中没有该 id 的线程。',
    prevent: '由加锁的线程在 finally 块中解锁。如果工作有最长时间，请为 lock() 设置租约。',
    now: '请确认没有其他代码会解锁，例如 unlockAsync(threadId)，然后手动释放。',
    versions: '在 4.7.0 中见过。对 Java 19 及以后不含虚拟线程的转储不作判断：持有者可能是虚拟线程。',
  },
  'jvm-redis-deadlock': {
    what: '持有者在其 JVM 内等待一个线程，而该线程正在等待它在 Redis 中的锁。',
    why: '一个线程先获取 Redis 中的锁，再进入 synchronized 块；另一个线程的顺序相反。',
    shows: '在线程转储中，持有者等待的监视器或锁的所有者正在 Redisson 的调用中；在 Redis 中，该所有者等待此持有者。',
    prevent: '处处先获取 Redis 中的锁，不要在 synchronized 块内获取 Redis 中的锁。使用带等待时间的 tryLock()。',
    now: '请再取一次转储以确认，然后手动释放 Redis 中的锁，或重启该客户端。',
    versions: '在 4.7.0 中见过。它取决于应用，而不是版本。',
  },
};
