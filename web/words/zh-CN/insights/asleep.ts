import type { AsleepValues } from '../../../../shared/insights/english/asleep.ts';
import type { WordsOf } from '../../../../shared/insights/words.ts';
import type { Translated } from '../../translated.ts';
import { joined } from './joined.ts';

const ENDS: Record<AsleepValues['silent-release']['by'], string> = {
  expired: '该锁的租约已到期',
  deleted: '该锁的键已被删除',
  evicted: 'Redis 淘汰了该锁的键',
  flushed: '该锁所在的数据库已被清空',
  lost: '另一台服务器接管或服务器重启时，该锁丢失',
  downgrade: '该锁的写持有者转为只读',
  unseen: '该锁在未被观测期间变为空闲，随后发现它是空闲的',
};

export const asleep: Translated<WordsOf<AsleepValues>> = {
  'missed-wakeup': {
    title: '等待者错过了唤醒它的消息',
    explanation: ({ holder, asleep, until, messageAt, resubscribedAt, called, queued }, { who, clock }) =>
      joined(
        called === null
          ? `该锁已释放，消息于 ${clock(messageAt)} 发出，但 ${who(holder)} 仍在休眠${until === null ? '' : `，直到它自己的定时器于 ${clock(until)} 结束`}。`
          : `该锁于 ${clock(messageAt)} 释放，消息发给了 ${who(called)}，它没有取得该锁，现在排在其他等待者之后。该锁空闲，但此后没有发出消息，排在队首的 ${who(holder)} 仍在休眠${until === null ? '' : `，直到它自己的定时器于 ${clock(until)} 结束`}。`,
        queued > 1 && `队列中有 ${queued} 个等待者。`,
        called !== null
          ? false
          : resubscribedAt === null
            ? '消息没有到达它，或者它的进程已暂停，或得不到处理器时间。'
            : `${clock(resubscribedAt)} 有连接重新订阅，之后没有尝试：之前的订阅曾中断，其间发送的消息已丢失。`,
        asleep > 1 && `共有 ${asleep} 个等待者在休眠。`,
      ),
    advice: ({ channel }) =>
      channel === null
        ? '请查看它的进程是否暂停，或连接是否被切断。'
        : `要唤醒它，请向 ${channel} 发布 0（使用分片频道的集群：SPUBLISH）。`,
    later: () =>
      '请查明是什么切断了订阅：输出缓冲区上限、代理的空闲超时、故障转移。缩短 lockWatchdogTimeout 可以减少损失。3.28.0 之前的 Redisson 自身也会丢失消息。',
  },
  'permits-free-waiter-asleep': {
    title: '许可已空闲，但等待者仍在休眠',
    explanation: ({ holder, available, asks, freeSince, waiting }, { who, clock }) =>
      joined(
        `自 ${clock(freeSince)} 起有 ${available} 个许可空闲，而等待 ${asks} 个许可的 ${who(holder)} 没有再次请求。`,
        waiting > 1 && `${waiting} 个客户端在等待。`,
      ),
    advice: ({ channel }) =>
      joined(
        channel !== null && `${channel} 上的每条消息唤醒一个等待者。`,
        '请用 tryAcquire() 限制等待并重新请求。如果等待者一次请求多个许可，请查看 Redisson 的变更记录并升级。',
      ),
  },
  'silent-release': {
    title: '锁空闲时未发唤醒消息，等待者仍在休眠',
    explanation: ({ holder, asleep, until, at, by, isLatch }, { who, clock }) =>
      joined(
        isLatch && '没有键的闭锁是打开的。',
        `${ENDS[by]}（${clock(at)}）。${by === 'unseen' ? '唤醒等待者的消息可能已丢失' : isLatch ? '只有最后一次计数才会发送唤醒等待者的消息' : '只有释放锁的解锁才会发送消息'}，因此${holder === null ? '它的等待者' : ` ${who(holder)} `}继续休眠${until === null ? '' : `，${holder === null ? '最迟到' : '直到'} ${clock(until)}`}。`,
        holder === null ? `有 ${asleep} 个连接在监听它的频道。` : asleep > 1 && `共有 ${asleep} 个等待者在休眠。`,
      ),
    advice: ({ channel, until }, { clock }) =>
      channel === null
        ? `请等待${until === null ? '' : `到 ${clock(until)}`}：等待者的定时器结束后会再次尝试。`
        : `要唤醒等待者，请向 ${channel} 发布 0（使用分片频道的集群：SPUBLISH）。`,
    later: ({ by, isLatch }) =>
      isLatch
        ? '请让闭锁通过计数归零来结束：delete() 发送的消息不会唤醒等待者。'
        : by === 'downgrade'
          ? '释放写锁之后尽快释放读锁，或重新获取读锁，而不是同时持有两者。'
          : '请用 forceUnlock() 移除锁，它会发送消息。租约越短，损失越小。',
  },
  'waiter-asleep-without-limit': {
    title: '等待者在空闲的锁上永远休眠',
    explanation: ({ holder, asleep, freeSince, isEvicted }, { who, clock }) =>
      joined(
        `该锁自 ${clock(freeSince)} 起空闲，而 ${who(holder)} 仍在休眠。它没有设置定时器，只有消息才能唤醒它。`,
        isEvicted && '它已被移出队列，因此没有解锁会向它发送消息。',
        asleep > 1 && `共有 ${asleep} 个等待者如此休眠。`,
      ),
    advice: ({ channel }) =>
      channel === null
        ? '请重启它的客户端：不知道用哪个频道可以唤醒它。'
        : `要唤醒它，请向 ${channel} 发布 0（使用分片频道的集群：SPUBLISH）。`,
    later: ({ isEvicted }) =>
      isEvicted ? 'Redisson 3.32.0 及更高版本会自行再次尝试。' : '请为锁设置租约，不要用 PERSIST 移除它。',
  },
  'subscription-pool-exhausted': {
    title: '没有等待者使用的订阅',
    explanation: ({ holder, leaked, isShown, silent }, { who }) =>
      joined(
        holder === null
          ? `${leaked} 个锁是空闲的，而它们的频道上仍有连接在监听，尽管等待者此时早该再次查看。很可能等待在 SUBSCRIBE 尚未完成时就结束了，这样的订阅永远不会归还。进程停顿看起来也一样；没有 MONITOR 就看不到是哪个客户端。`
          : isShown
            ? `${who(holder)} 的客户端订阅了 ${leaked} 个锁，但它没有线程在等待这些锁。等待在 SUBSCRIBE 尚未完成时就结束了，这样的订阅永远不会归还。`
            : `${who(holder)} 的客户端订阅了 ${leaked} 个锁，而该线程没有再次尝试，尽管这个客户端在其他方面都很及时。很可能等待在 SUBSCRIBE 尚未完成时就结束了，这样的订阅永远不会归还。`,
        silent !== null && `${who(silent)} 被拒绝一次后既没有订阅也没有再次尝试：它可能没有得到空闲的订阅。`,
      ),
    advice: () => '请重启该客户端：这会归还它的订阅。',
    later: () =>
      '更长的 tryLock() 等待会减少这种情况；subscriptionsPerConnection 和 subscriptionConnectionPoolSize 可以增加余量；自旋锁不需要订阅。',
  },
};
