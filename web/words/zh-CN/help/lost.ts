import type { HelpTheme } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';

/** 帮助：持有者仍在工作，锁却丢失了。 */
export const lost: Translated<HelpTheme<'lost'>> = {
  'lease-shorter-than-work': {
    what: '锁有固定租期，而工作时间更长。锁结束后，别的线程可以获得它。',
    why: 'lock(10, SECONDS) 或 tryLock(wait, lease, unit) 的租期会关闭看门狗，因此没有续期。',
    shows: '第一次的过期时间就是该租期，之后没有续期。键过期，别的持有者获得锁，前一个的解锁被拒绝。',
    prevent: '不传租期，让看门狗续期（lockWatchdogTimeout）；否则租期要大于工作时间的第 99 百分位。',
    now: '检查两个持有者在重叠期间写了什么。',
  },
  'watchdog-starved': {
    what: '客户端没能及时续期，它的锁一起丢失。',
    why: '进程没有运行：长时间垃圾回收、CPU 100 %、容器被挂起。它所有的锁共用一个定时器。',
    shows: '一个客户端的续期同时停止，连接都空闲。之后迟到的续期找不到锁。',
    prevent: '消除停顿。加大 lockWatchdogTimeout 只是争取时间。写入时用栅栏令牌（RFencedLock）保护。',
    now: '查看该进程当时的垃圾回收和 CPU，检查它在停顿之后写了什么。',
  },
  'renewal-broken-after-error': {
    what: '客户端仍然存活，却停止续期某把锁，锁随后过期。',
    why: '一次续期超时之后，或内部表中有旧条目时，客户端不再续期该锁。如果 Redis 没有第一次续期的脚本且应答太晚，客户端来不及加载它。',
    shows:
      '该锁的续期停止或从未开始，而同一客户端仍发送其他命令。或者一次续期在同一时刻到达两次，Redis 没有为它执行任何命令。键在一个看门狗超时后过期。',
    prevent: '升级 Redisson。避免服务器停顿超过 timeout 设置。',
    now: '检查过期之后写了什么。如果该名称每次都无续期而过期，请重启客户端。',
    versions:
      '超时后停止续期：见于 3.16.8 和 3.43.0，不见于 3.44.0 和 4.7.0。旧条目：见于 3.11.6，不见于 3.16.8。加锁两次并解锁两次之后：见于 3.44.0 和 3.45.1，不见于 3.43.0 和 3.46.0。停顿中丢失第一次续期：见于 3.46.0 和 4.7.0，不见于 3.44.0。',
  },
  'watchdog-batch-failure': {
    what: '一个脚本续期多把锁时失败，客户端失去全部这些锁。',
    why: '一个脚本最多续期 100 把锁。用单机配置连接集群节点时，不同槽的两把锁会使 Redis 拒绝它。',
    shows: 'CROSSSLOT 错误每三分之一看门狗超时增加一次。该客户端的锁都没有续期，但其他脚本正常。',
    prevent: '使用集群配置（useClusterServers），或把 lockWatchdogBatchSize 设为 1。',
    now: '修改配置并重启客户端，检查锁过期之后写了什么。',
    versions: '见于 3.44.0、4.0.0 和 4.7.0，不见于 3.43.0。仅升级没有用。',
  },
  'failover-lock-lost': {
    what: '主节点被替换或重启，被持有的锁在新主节点上不存在。',
    why: '复制是异步的：被提升的副本可能没有收到该锁。没有持久化时，重启会丢失所有锁。',
    shows:
      '服务器的角色或运行 ID 改变。租约未到期，键却消失，也没有看到删除或过期。只要被观测的服务器中过半数仍有该 RedLock，就不报告。',
    prevent: '保持 checkLockSyncedSlaves 开启。两个持有者会造成损害时，使用栅栏令牌（RFencedLock）。',
    now: '检查两个持有者写了什么。等待者可能一直睡到它读到的租约到期。',
    versions:
      '3.11.6 不等待副本。在没有 WAITAOF 的服务器（7.0.15）上，3.51.0 首次探测之后不再发送 WAIT；3.52.0 会发送。',
  },
  'evicted-lock-key': {
    what: 'Redis 为释放内存而驱逐了锁的键。',
    why: '锁与缓存共用服务器。allkeys-* 策略可驱逐任何键，volatile-* 可驱逐任何有过期时间的键。',
    shows: '锁的键出现 evicted 事件，被驱逐的键数上升。没有发布唤醒。',
    prevent: '把锁放在 maxmemory-policy 为 noeviction 的服务器上。',
    now: '释放内存。检查新旧持有者写了什么。等待者会睡到它读到的租约到期。',
  },
  'operator-delete-or-flush': {
    what: '一条不属于锁库的命令夺走了被持有的锁。',
    why: '运维人员、清理任务或清缓存执行了 DEL、UNLINK、FLUSHDB 或 FLUSHALL。',
    shows: '普通命令删除了键。没有发布唤醒，等待者仍在沉睡。',
    prevent: '锁与缓存分开。用 ACL 禁止 FLUSHDB 和 FLUSHALL。手动释放请用 forceUnlock()，它也会唤醒等待者。',
    now: '检查两个持有者写了什么。要立即唤醒等待者，请在锁的频道上发布解锁消息。',
  },
  'lost-before-watching': {
    what: '线程在没有锁的情况下工作：它在 Lockscope 观测服务器之前获取并失去了该锁。',
    why: '租约结束，或键被删除、淘汰，或在故障转移中丢失。是哪一种未被看到。',
    shows: 'Redis 拒绝了某线程的续期或解锁，而自开始观测以来它没有获取过该锁。只计入仅续期和解锁自己持有的锁的客户端。',
    prevent: '让 Lockscope 持续运行，或使用 --store：这样也能看到原因。',
    now: '请检查该线程写入了什么，以及期间是否有其他线程持有该锁。',
  },
  'foreign-delete': {
    what: '一个客户端删除了另一个客户端持有的锁。',
    why: '自制的解锁直接 DEL，或先读所有者、再删除，分两步进行。',
    shows: '一个客户端的令牌过期，另一个写入自己的令牌，随后前者删除了键。',
    prevent: '在一个脚本中比较并删除，或使用 RLock，其解锁会检查持有者。',
    now: '修正该客户端的解锁，检查此后各客户端写了什么。',
  },
  'redlock-node-restart': {
    what: 'RedLock 的一台服务器重启后为空，锁失去多数。',
    why: '续期只能延长已有的键。每次重启都少一份锁。',
    shows: '一台服务器的运行 ID 改变。锁所在的服务器不足一半，对重启的那台续期找不到锁。',
    prevent:
      '两次重启之间等待超过最长租期，或开启持久化。RedLock 在 Redisson 中已弃用，可用 RLock 或 RFencedLock 代替。',
    now: '把该锁视为不互斥：检查持有者写了什么。它的解锁仍可能报告成功。',
    versions: '见于 Redisson 3.16.8 和 4.7.0 的 RedLock。',
  },
  'read-renewal-lost': {
    what: '读者在工作时失去了读锁，写者同时运行。',
    why: '客户端把获取两次的读锁计数错误。它的另一个线程释放时，停止了这个读者的续期。',
    shows: '一个读者释放后，同一客户端剩余读者的续期停止，其超时键过期。',
    prevent: '把 Redisson 升级到 4.7.0。在此之前，不要在一个线程中两次获取读锁。',
    now: '检查写者写入时读者用了什么。重启客户端以清空内部表。',
    versions: '见于 3.44.0、3.46.0、3.52.0、4.3.1 和 4.6.1，不见于 3.43.0 和 4.7.0。',
  },
  'renewal-overdue': {
    what: '之前一直续期的看门狗迟到了。',
    why: '客户端可能停顿或断开，或续期失败。锁可能很快丢失。',
    shows: '续期原本每三分之一看门狗超时一次，而下一次没有到来。',
    prevent: '避免进程长时间停顿。加大 lockWatchdogTimeout 可以跨过短停顿。',
    now: '立即查看持有者的进程。续期若不来，锁会随租约到期而释放。',
  },
};
