import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

/** What each scenario shows, in Chinese. */
export const lessons: Translated<Words['lessons']> = {
  label: '这说明了什么',
  went: '出了什么问题',
  happened: '发生了什么',
  production: '在生产环境中',
  prevents: '如何避免',
  know: '值得知道',
  lockPage: '在锁页面查看',
  of: {
    'full-show': {
      promise: '释放叫醒等待者；崩溃之后靠它自己的定时器。',
      what: '释放之后，A 的消息立刻叫醒了 B。崩溃之后没有消息：B 一直睡到租约到期。',
      production: '进程被杀或重新部署之后，等待者最多要等 30 秒：这是 Redisson 的默认租约。',
      prevents: '关闭进程前释放锁。调小 lockWatchdogTimeout 可以缩短崩溃后的等待。',
    },
    'two-threads': {
      promise: '等待者睡着，直到一条消息叫醒它。',
      what: 'B 问了两次，然后睡去，不轮询。A 释放时的消息叫醒了它。',
      production: '健康的短等待：两次被拒绝的尝试，一个订阅，几毫秒内完成交接。',
      prevents: '在 finally 块中调用 unlock()。否则等待者要等到租约结束，而看门狗会为它续期。',
    },
    reentrancy: {
      promise: '持有者可以再次加锁，也必须解锁同样多次。',
      what: 'A 加锁两次，持有计数为 2。第二次解锁才让锁空闲。',
      production: '少一次解锁，持有计数就停在 0 以上，等待者只能继续等。',
      prevents: '每个 lock() 配一个 unlock()。只要进程活着，看门狗就会为忘记释放的锁续期。',
    },
    'jdk-contrast': {
      promise: '不记录持有者的锁会挡住自己的线程。',
      what: 'A 持有一把不记录持有者的锁，又请求它一次，结果在等自己。B 的 RLock 计数到 2。',
      production: '一个线程永远等待。线程转储显示它停在 lock() 里；Redis 里什么也看不到。',
      prevents: '如果代码可能在持有锁时再次加锁，请用 RLock 或 Java 的 ReentrantLock。',
    },
    'unlock-by-non-owner': {
      promise: '只有加锁的线程才能解锁。',
      what: '另一个客户端、另一个线程、以及第二次解锁都被拒绝。锁没有任何变化。',
      production: '调用者得到 IllegalMonitorStateException: attempt to unlock lock, not locked by current thread。',
      prevents: '在同一个线程里加锁和解锁。异步代码中，把线程 id 传给 lockAsync() 和 unlockAsync()。',
    },
    'trylock-timeout': {
      promise: '有时限的等待者放弃，不造成损害。',
      what: 'B 等了 2 秒，放弃并取消订阅。A 自始至终持有锁。',
      production: 'tryLock() 返回 false。Redis 看不到新的尝试，最多看到一次 UNSUBSCRIBE。',
      prevents: '优先使用带等待时间的 tryLock()，而不是 lock()：少了一次释放，代价是一次超时，而不是一个线程。',
    },
    spin: {
      promise: '没有频道，等待者就一问再问。',
      what: 'B 没有订阅。它一再询问，每次最多停顿 128 毫秒，直到锁空闲。',
      production: '同一个线程连续许多次被拒绝，而且没有订阅。',
      prevents: 'getSpinLock() 适合只持有几毫秒的锁。持有更久时，普通 RLock 给 Redis 的负担更小。',
    },
    latch: {
      promise: '一个线程等待，直到另外三个都倒数完。',
      what: 'C 一直睡到计数为零。随后一条消息叫醒了它。',
      production: '如果某个客户端在 countDown() 之前失败，计数就停在零以上，等待者继续等。',
      prevents: '给 await() 一个时限。闭锁没有租约，等待不会自己结束。',
    },
    watchdog: {
      promise: '工作进行时，看门狗为租约续期。',
      what: 'A 持有锁的时间超过租约。每过租约的三分之一，它的看门狗就续期一次。',
      production: '至少每 10 秒续期一次：lockWatchdogTimeout 的三分之一，默认值为 30 秒。',
      prevents: '只有不指定租约时它才工作。续期只说明进程活着，不说明工作在继续。',
    },
    'no-watchdog': {
      promise: '固定的租约可能先于工作结束。',
      what: 'A 拿锁 3 秒，却干得更久。B 拿到锁时，A 仍在干活。',
      production: '两个线程同时干活。随后第一个线程的 unlock() 抛出 IllegalMonitorStateException。',
      prevents: '不要指定租约，让看门狗续期。否则租约要长于工作的最长时间。',
    },
    fenced: {
      promise: '不断增大的令牌会暴露迟到的写入者。',
      what: 'B 冻结到租约到期，C 拿到锁。B 随后带着旧令牌继续，而 C 的令牌更大。',
      production: '两个进程同时写入。令牌较小的那个已经失去了锁。',
      prevents: '使用 getFencedLock()，每次写入都带上令牌。存储必须拒绝比上一次更小的令牌。',
    },
    'expirable-semaphore': {
      promise: '没有按时归还的许可会交给等待者。',
      what: 'A 留着许可超过了 4 秒。C 的脚本拿走了它，A 的归还被拒绝。',
      production: '归还失败，而且有一段时间，干活的线程比许可还多。',
      prevents: '许可的租约要长于工作的最长时间，或者用 updateLeaseTime() 延长。',
    },
    'fair-queue': {
      promise: '等待者按第一次尝试的先后获得锁。',
      what: 'Redis 用一个列表保存等待者。每次释放只叫醒其中的第一个。',
      production: '锁旁边多了两个键：一个保存顺序的列表，一个保存截止时间的有序集合。',
      prevents: '公平锁更慢：即使别的等待者已准备好，也只有队首可以拿锁。只在顺序重要时使用。',
    },
    'fair-dead-head': {
      promise: '一个死掉的等待者挡住整个队列。',
      what: 'B 死在队首。锁空闲，但 C 在 B 的截止时间之前拿不到它。',
      production: '锁空闲，却没有客户端能拿到，每个死掉的等待者约挡 5 分钟。自 3.32 起，其间等待者不停轮询。',
      prevents: '调小 fairLockWaitTimeout（Redisson 3.46 起）。对 tryLock() 来说，取决于它的等待时间。',
    },
    'read-write': {
      promise: '读者共享锁，写者独占锁。',
      what: 'A 和 B 同时读，C 在等。随后 C 独自写，A 在等。',
      production: '写者可能要等很久：只要有读者持有锁，新的读者就会先被放进来。',
      prevents: '这把锁不公平。读得短一些；如果写者必须轮到，就用 getFairLock()。',
    },
    semaphore: {
      promise: '五个许可，而不是一个持有者。',
      what: '五个许可中，A 和 B 各拿两个。C 要两个，一直等到 A 归还。',
      production: '崩溃客户端的许可不会回来：Redis 只存一个数，没有持有者，也没有租约。',
      prevents: '使用 getPermitExpirableSemaphore()：每个许可都有 id，并且可以过期。',
    },
    'thundering-herd': {
      promise: '一次释放叫醒每个客户端的一个线程，只有一个拿到锁。',
      what: '每条消息叫醒每个等待中的客户端的一个线程。一个拿到锁，其余的又睡去。',
      production: '每次释放之后都有许多被拒绝的尝试。客户端很多时，Redis 的 CPU 会冲高。',
      prevents: '缩短持有时间，把锁拆成几把，或者用 getFairLock()：它只叫醒一个等待者。',
    },
    'multi-lock': {
      promise: '三把锁全拿到，或者一把都不留。',
      what: 'A 拿到一把，第二把被拒绝，于是释放了第一把。后来三把都拿到了。',
      production: '顺序不同的调用者可能反复拿到又释放成员，谁也拿不全。',
      prevents: '在所有地方用同一顺序把锁传给 getMultiLock()，例如按名称排序。',
    },
    redlock: {
      promise: '三台服务器中的多数决定。',
      what: '一台被杀死时，A 拿到三台中的两台。两台被杀死时，没有客户端能得到多数。',
      production: '多数服务器宕机时，每次尝试都失败，尽管还有一台应答。',
      prevents: '等最长的租约结束后，替换宕机的服务器。Redisson 已弃用 RedLock：考虑 RLock 或栅栏锁。',
    },
    deadlock: {
      promise: '两把锁按相反的顺序获取，两个线程互相挡住。',
      what: 'A 持有 orders:42，想要 stock:7；B 持有 stock:7，想要 orders:42。两边的租约都在续期。',
      production: '两个线程停在 lock() 里，看门狗不断续期。Redisson 不会发现它。',
      prevents: '在所有地方按同一顺序获取锁。使用带等待时间的 tryLock()，让其中一个线程放弃。',
    },
    'holder-crash': {
      promise: '崩溃不发消息：由租约决定。',
      what: 'A 被杀死，什么也没有释放。B 睡到租约到期，然后拿到锁。',
      production: '进程被杀或重新部署之后，等待者最多等 30 秒，或者等到显式租约用完。',
      prevents: '关闭进程前释放锁。显式租约要短，或者调小 lockWatchdogTimeout。',
    },
    'frozen-holder': {
      promise: '暂停的进程恢复后，仍以为自己持有锁。',
      what: 'A 暂停的时间超过租约，B 拿到锁。然后 A 继续运行：两个同时在干活。',
      production: '很长的垃圾回收，或被挂起的容器。凡是租约在此期间到期的锁，这个进程都会失去。',
      prevents: '没有哪个租约能长过所有暂停。每次写入都带上栅栏令牌（getFencedLock()），并留意暂停。',
    },
    failover: {
      promise: '新的主节点不知道这把锁。',
      what: '主节点在副本得到 A 的锁之前宕机。新的主节点把锁又给了 B。',
      production: '主节点切换之后，立刻有两个客户端在干活。随后续期或解锁被拒绝。',
      prevents: '保持 checkLockSyncedSlaves 打开（3.17 起的默认值）。仍有很短的空隙，之后栅栏令牌可能重复。',
    },
  },
};
