import type { JvmValues } from '../../../../shared/insights/english/jvm.ts';
import type { WordsOf } from '../../../../shared/insights/words.ts';
import type { Translated } from '../../translated.ts';
import { joined } from './joined.ts';

export const jvm: Translated<WordsOf<JvmValues>> = {
  'holder-thread-ended': {
    title: '线程转储中没有持有者的线程',
    explanation: ({ holder, thread, listsVirtual, dumpAt, since, isRenewed, endsAt, waiting }, { who, clock }) =>
      joined(
        `${who(holder)} ${since === null ? '在首次被看到之前就已' : `自 ${clock(since)} 起`}持有该锁。`,
        `它的客户端在 ${clock(dumpAt)} 的线程转储中没有 id 为 ${thread} 的线程。`,
        '因此该线程很可能未解锁就已结束。向 lockAsync() 传入其他 id 的调用看起来也一样。',
        listsVirtual && '如果 JVM 以 jdk.trackAllThreads=false 运行，虚拟线程看起来也一样。',
        isRenewed === true && '其客户端的看门狗仍在续期。',
        endsAt !== null && `没有看门狗为租约续期，它将在 ${clock(endsAt)} 结束。`,
        waiting > 0 && `${waiting} 个线程正在等待该锁。`,
      ),
    advice: ({ isRenewed }) =>
      isRenewed === true
        ? '如果没有其他代码会解锁，请手动释放该锁，或停止该客户端：锁会随租约结束。'
        : '如果没有其他代码会解锁，请等待租约结束，或手动释放该锁。',
    later: () => '请由加锁的线程在 finally 块中解锁。',
  },
  'jvm-redis-deadlock': {
    title: '跨 Redis 与 JVM 的死锁',
    explanation: ({ path, dumpAt, givesUp, endsAt }, { who, clock }) =>
      joined(
        ...path.map(({ holder, lock, monitor, heldBy }) =>
          lock === null
            ? `${who(holder)} 在其 JVM 内等待 ${who(heldBy)} 持有的${monitor === null || monitor === '' ? '锁' : `锁（${monitor}）`}。`
            : `${who(holder)} 等待 Redis 中由 ${who(heldBy)} 持有的 ${lock}。`,
        ),
        `JVM 内的等待来自 ${clock(dumpAt)} 的线程转储。Redis 中的持有和等待更早开始，并且仍在持续。`,
        givesUp && '其中一个线程在 tryLock() 中等待，它到时限会放弃，从而打破该环。',
        endsAt === null
          ? '环中没有已知会结束的租约。'
          : `环中的一个租约将在 ${clock(endsAt)} 结束。届时获得该锁的线程可以继续，但另一个线程的工作不再受保护。`,
      ),
    advice: () => '请再取一次线程转储：如果仍是同样的线程，请手动释放 Redis 中的锁，或重启该客户端。',
    later: () => '处处先获取 Redis 中的锁再进入监视器，或使用带时限的 tryLock。',
  },
};
