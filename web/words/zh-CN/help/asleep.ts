import type { HelpTheme } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';

/** 帮助：锁空闲，等待者却在沉睡。 */
export const asleep: Translated<HelpTheme<'asleep'>> = {
  'missed-wakeup': {
    what: '锁已释放，但等待者没有醒来。',
    why: '它的订阅被切断，或消息丢失。重连后客户端重新订阅，但不查看锁。',
    shows: '唤醒已发布，但直到等待者读到的租约到期都没有尝试。',
    prevent: '查找切断连接的原因：输出缓冲区限制、代理空闲超时、故障切换。较短的 lockWatchdogTimeout 可限制损失。',
    now: '等待者会在读到的租约到期时再问。发布解锁消息可立即唤醒它。',
    versions: '订阅被切断：见于 3.16.8、3.27.2 和 4.7.0。客户端内部丢失消息在 3.28.0 中修正。',
  },
  'permits-free-waiter-asleep': {
    what: '信号量有足够的空闲许可，但等待者仍在沉睡。',
    why: '每条消息唤醒一个等待者。如果它一次请求多个许可，或消息丢失，即使许可足够它也可能沉睡。',
    shows: '许可已归还，3 秒内已订阅的等待者没有再次请求，而它请求的数量已空闲。',
    prevent: '用带时限的 tryAcquire() 等待。一次请求一个许可，或升级 Redisson。',
    now: '等待者会在下一次归还之后或时限结束时再问。',
    versions: '可过期信号量一次请求多个许可：见于 3.50.0。',
  },
  'silent-release': {
    what: '锁空闲了却没有唤醒，等待者仍在沉睡。',
    why: '只有最后的解锁会发布。驱逐、DEL、FLUSHDB、重启和故障切换都不会；写者解锁后仍是读者时也不会。',
    shows: '键已消失或可读，频道有订阅者，之后却没有尝试。',
    prevent: '手动释放请用 forceUnlock()。把锁放在不驱逐的服务器上。',
    now: '等待者会在读到的租约到期时再问。发布解锁消息可立即唤醒它们。',
    versions: '写者变为读者：见于 3.16.8 和 4.7.0。',
  },
  'subscription-pool-exhausted': {
    what: '客户端没有剩余的订阅供更多锁的等待者使用。',
    why: '同时争用的锁太多，或等待在 SUBSCRIBE 途中结束而泄漏订阅。',
    shows: '锁频道有订阅者却没有等待者（泄漏），或尝试被拒绝后没有 SUBSCRIBE。',
    prevent:
      '加大 subscriptionConnectionPoolSize 或 subscriptionsPerConnection。tryLock() 等待更久，或用不需要订阅的自旋锁。',
    now: '若是泄漏，重启客户端；若负载真实，扩大连接池。',
    versions: '超时后泄漏：见于 3.16.8、3.27.2、3.43.0、3.52.0 和 4.7.0，不见于 3.11.6。中断后泄漏：以上版本全都有。',
  },
  'waiter-asleep-without-limit': {
    what: '等待者无时限地沉睡，需要消息才能醒来。',
    why: '它读到了负的时间：锁没有租约，或公平锁的等待者已过截止时间。',
    shows: '锁空闲，等待者已订阅，但它未再询问的时间超过了它可能读到的任何租期。',
    prevent: '不要对锁使用 PERSIST。公平锁请升级到 3.32.0 或更高。',
    now: '在等待者监听的频道上发布 0。',
    versions: '没有租约的锁：见于 3.16.8 和 4.7.0。公平锁：见于 3.11.6 和 3.27.2，不见于 4.7.0。',
  },
};
