import type { HelpTheme } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';

/** 帮助：锁无法解开，或没有客户端会解开它。 */
export const stuck: Translated<HelpTheme<'stuck'>> = {
  'accidental-reentrancy': {
    what: '两个任务可能共用一个线程 ID，因而进入了同一把锁。',
    why: '持有者由客户端和线程 ID 确定。ID 是自编或共用的（如协程）时，第二个任务看起来像重入。',
    shows: '持有计数起落而不到 0，或线程 ID 不是 Java 线程会有的。仅凭 Redis 无法证明。',
    prevent: '为每个任务传入唯一 ID（lockAsync(threadId)），或使用不可重入的锁（Redisson 4.4.0 起）。',
    now: '在应用中检查哪些任务使用该线程 ID。',
  },
  'unlock-by-non-owner': {
    what: '线程解锁了它未持有的锁。调用者得到 IllegalMonitorStateException。',
    why: '由另一个线程解锁（回调、响应式代码）；tryLock() 返回 false 后 finally 仍解锁；或检查的是 isLocked()。',
    shows: '解锁脚本发现该线程不持有锁，便停止。',
    prevent: '只在 tryLock() 返回 true 后、在同一线程或线程 ID 上解锁。检查 isHeldByCurrentThread()。移交时用信号量。',
    now: '锁没有改变。请修正解锁的代码。',
    versions: '3.5.7 再次解锁空闲的锁时报告成功。',
  },
  'unlock-replayed': {
    what: '解锁已生效，但客户端没有得到应答。',
    why: '应答丢失或来得太晚。客户端再次发送解锁，或抛出超时。',
    shows: '释放之后同一解锁再次出现，被拒绝或由门闩键应答；或门闩键一直没有被删除。',
    prevent: '升级到 3.24.1 或更高，门闩键会保存应答。查找应答缓慢的原因（timeout、retryInterval）。',
    now: '无需处理：该解锁已完成。',
    versions: '重复被拒绝：见于 3.16.8。由门闩应答：见于 3.24.3。不重复而超时：见于 3.43.0 和 4.7.0。',
  },
  'holder-crashed-wait-ttl': {
    what: '持有锁的客户端已没有连接。',
    why: '进程被杀死或断网。没有客户端续期，锁会留到租约到期。',
    shows: '该客户端没有连接，租约在倒计时而没有续期。',
    prevent: '较短的 lockWatchdogTimeout 可缩短等待。避免很长的显式租期。正常停机时解锁。',
    now: '等待倒计时。如果租期很长且进程确已消失，使用 forceUnlock()。',
  },
  'zombie-renewal': {
    what: '锁一直被续期，但似乎没有线程在其下工作。',
    why: '线程在获取锁时被中断，或没有 unlock() 就结束。续期不依赖线程。',
    shows: '持有的续期远超此前，或续期开始得晚，或另一个客户端强制解锁了它；该线程没有发送任何命令。',
    prevent: '在 finally 中解锁。lock() 或 tryLock() 被中断后，检查 isHeldByCurrentThread() 并解锁。',
    now: '先确认没有线程在其下工作，例如用线程转储；再用 forceUnlock() 或重启客户端。',
    versions:
      '中断之后：见于 3.11.6、3.20.1、3.24.3、3.27.2、3.31.0、3.36.0、3.43.0 和 4.7.0，不见于 3.16.8 和 3.18.1。线程结束之后：见于 3.24.3 和 4.7.0。',
  },
  'phantom-hold-count': {
    what: '锁获取一次却计数两次，一次解锁不能释放它。',
    why: '第一次尝试的应答太晚，重复的尝试被当作重入。',
    shows: '同一线程获取两次，然后部分释放，没有续期，最后过期。使用同一线程 id 的两个任务看起来也是这样。',
    prevent: '对锁把 retryAttempts 设为 0。查找慢于 timeout 的应答。',
    now: '该线程不再来时，锁随租约到期而释放。确认它不再工作后可用 forceUnlock()。',
    versions: '单机：见于 3.16.8、3.27.2 和 3.36.0。有副本：见于 3.43.0 和 4.7.0。单机客户端自 3.37.0 起不重复。',
  },
  'no-ttl-lock': {
    what: '锁没有期限，持有者消失后它仍然存在。',
    why: 'SETNX 与 EXPIRE 分两步，或 PERSIST、不带 KEEPTTL 的 SET 去掉了租约。redis-py 的 lock() 不带 timeout 时从来没有租约。',
    shows: '键的 PTTL 为 -1。',
    prevent: '用一条带 NX 和 PX 的 SET。在 Redisson 中让看门狗管理租约。',
    now: '如果没有进程在其下工作，删除键并发布解锁消息：等待者会无限沉睡。',
  },
  'orphan-job-lock': {
    what: '任务的锁被已消失的客户端持有数小时。',
    why: '工作进程被杀死，而锁为防重复使用了很长的租期。',
    shows: '键还有数小时期限，而创建者没有连接。',
    prevent: '租期接近任务时长，或使用看门狗（lockWatchdogTimeout）。',
    now: '如果任务确实没有运行，只删除这一个键，不要清空整个缓存。',
  },
  'rwlock-zombie-reader': {
    what: '已消失的读者让写者一直等待。',
    why: '另一个客户端续期了所有读者的超时键，包括已崩溃客户端的。',
    shows: '读者没有连接，其超时键却仍被另一客户端续期。',
    prevent: '升级到 Redisson 4.4.0 或更高。',
    now: '最后一个存活的读者离开后，写者最多再等一个看门狗超时。',
    versions: '见于 3.16.8、3.43.0 和 4.3.1，不见于 4.7.0。',
  },
  'latch-litter': {
    what: '每次解锁都会留下一个小键，持续数秒。',
    why: '客户端用错误的名称删除门闩键，每个键都留到过期。',
    shows: '大量 redisson_unlock_latch:… 键，以及以客户端 ID 删除门闩键的命令。',
    prevent: '升级到 Redisson 4.3.1 或更高。',
    now: '没有损坏。解锁很多时请注意内存。',
    versions: '见于 3.52.0、4.0.0、4.1.0 和 4.2.0，不见于 3.51.0 和 4.3.1。',
  },
  'granted-after-timeout': {
    what: '持有锁的线程，其 lock() 调用其实已失败。',
    why: '客户端停止等待之后，尝试才在服务器上运行；或没有副本确认。看门狗没有启动。',
    shows: '锁在停顿之后，或在超时的 WAIT 之前被获取；该线程此后没有续期、释放或其他命令。',
    prevent: 'lock() 或 tryLock() 抛出异常后，只要 isHeldByCurrentThread() 返回 true 就解锁。查找长于 timeout 的停顿。',
    now: '锁随租约到期而释放。只有该线程确已失败时才用 forceUnlock()。',
    versions: '单机：见于 3.43.0 和 4.7.0。有副本：见于 3.16.8 和 3.27.2 至 3.46.0，不见于 3.24.3、3.52.0 和 4.7.0。',
  },
  'holder-without-connection': {
    what: '持有者的客户端可能已离线：没有一个打开的连接属于它。',
    why: '其进程在开始观测之前就已结束。如果有静默的连接可能属于它，它也可能只是暂停或断网。',
    shows:
      '不少于 10 秒的 CLIENT LIST 与 MONITOR：每个连接都有其他客户端发送脚本，或不可能是 Redisson 的连接。连接的归属是推断的。',
    prevent: '使用较短的租约或看门狗：这样锁最多比其进程多存活 30 秒。',
    now: '请检查进程是否仍在运行。如果确已不在，请手动释放该锁。',
  },
  'taken-twice-released-once': {
    what: '同一客户端获取锁两次，只释放一次，第二次解锁被拒绝。',
    why: '同一进程的两个线程为该锁使用不同的对象，例如 Spring Integration 的注册表把持有中的锁移出了缓存。',
    shows: '同一令牌在持有期间再次设置该锁，然后一次释放，再一次被拒绝的释放。',
    prevent: '把注册表的缓存容量设得大于同时持有的锁的数量。',
    now: '请检查两个线程写入的内容。',
  },
  'threads-waited-long': {
    what: '线程的等待远远超过该锁通常的持有时间，且锁没有易手。',
    why: '多半是忘记解锁，或锁内的工作卡住或耗时很长。无论如何，看门狗都会续期。',
    shows: '等待不少于 60 秒，且达到通常持有时间的 20 倍；若未见过持有，则为两个租期，期间没有新的持有者。',
    prevent: '在 finally 中解锁。为锁内的工作设定时限，并用带时限的 tryLock() 等待。',
    now: '对持有者做线程转储。如果其线程仍在锁内工作，不要动它；否则重启进程或使用 forceUnlock()。',
  },
};
