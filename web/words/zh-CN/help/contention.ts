import type { HelpTheme } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';

/** 帮助：许多客户端想要同样的锁。 */
export const contention: Translated<HelpTheme<'contention'>> = {
  'abba-deadlock': {
    what: '线程互相等待，形成环。',
    why: '它们以不同顺序获取同样的锁，或读者想成为同一把锁的写者。Redisson 不检测死锁。',
    shows: '每个持有者都被下一个持有者的锁拒绝，环一直存在。',
    prevent: '按固定顺序获取锁。使用带等待时间的 tryLock()。获取写锁前先释放读锁。',
    now: '检查其工作之后，用 forceUnlock() 释放其中一把锁。有看门狗时它不会自行结束。',
    versions: '两把锁：见于 3.24.3 和 4.7.0。读者变写者：见于 4.7.0。',
  },
  'multilock-livelock': {
    what: '联锁的调用者反复获取部分成员，却从未获取全部。',
    why: '被拒绝时释放所有成员再重新获取，顺序不同的调用者互相干扰。',
    shows: '同一线程反复获取并释放同一组成员的一部分。',
    prevent: '各处都以相同顺序把成员传给 RedissonMultiLock。',
    now: '停止其中一个调用者，再修正顺序。',
    versions: '见于 3.16.8 和 4.7.0。',
  },
  'writer-starvation': {
    what: '读者不断被允许进入，写者一直等待。',
    why: '读写锁不公平。有读者时新读者可进入，只有最后一个读者才唤醒写者。',
    shows: '写者被拒绝，读者来来去去，总有一个在。',
    prevent: '在读之间留出空隙，或对此任务使用普通锁或公平锁（getFairLock）。',
    now: '暂停读者，直到写者运行完。',
    versions: '见于 3.16.8 和 4.7.0。',
  },
  'attempt-flood': {
    what: '客户端不停顿地反复请求已被持有的锁。',
    why: 'tryLock() 或带 NX 的 SET 外层的循环没有停顿，或停顿为 0。',
    shows: '同一线程或令牌有不少于 2,000 次被拒绝的尝试，每秒不少于 1,000 次。',
    prevent: '每次被拒绝后停顿随机且递增的时间，或改用以消息唤醒等待者的锁。',
    now: '按地址找到该客户端并停止循环：它占用此 Redis 所有客户端的时间。',
  },
  convoy: {
    what: '许多线程一直在等待同一把锁，而锁不断交接。',
    why: '每次持有都很短，但次数太多，无法依次完成。',
    shows: '30 秒内有不少于 5 个线程在等待，且锁在交接。',
    prevent: '缩短持有时间，把锁拆成多个名称，或减少请求它的线程。',
    now: '不要手动释放：每个持有者都即将释放。',
  },
  'thundering-herd': {
    what: '每次释放唤醒许多线程，除一个外都白白询问。',
    why: '一条消息在每个客户端唤醒一个线程，读写锁则唤醒所有等待者。',
    shows: '每次唤醒后 50 ms 内有许多被拒绝的尝试。',
    prevent: '把锁拆成多个名称。使用带退避的 getSpinLock()，或只唤醒一个等待者的公平锁。',
    now: '减少等待者，例如在每个进程中先用本地锁。',
    versions: '读写锁：见于 3.24.3 和 4.7.0。',
  },
};
