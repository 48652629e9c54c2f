import type { FairValues } from '../../../../shared/insights/english/fair.ts';
import type { WordsOf } from '../../../../shared/insights/words.ts';
import type { Translated } from '../../translated.ts';
import { joined } from './joined.ts';

export const fair: Translated<WordsOf<FairValues>> = {
  'fair-head-dead': {
    title: '队列中的第一个等待者没有响应',
    explanation: ({ holder, goneSince, lateAt, deadline, dead, waiting, isFree }, { who, clock }) =>
      joined(
        goneSince === null
          ? `${who(holder)} 排在队首，但不再请求该锁：它已离线、其进程已停住，或者唤醒它的消息已丢失。`
          : `${who(holder)} 排在队首，但已离线，最后一次看到是 ${clock(goneSince)}。`,
        lateAt !== null && `它的客户端在 ${clock(lateAt)} 处理其他事情时也迟到了，因此该线程可能只是迟到。`,
        `${isFree ? '锁是空闲的，但' : ''}${deadline === null ? '在它被移除之前' : `在 ${clock(deadline)} 之前`}，其他等待者都无法获取该锁。`,
        dead > 1 && `队首连续 ${dead} 个等待者没有响应。`,
        waiting > 0 && `后面还有 ${waiting} 个等待者。`,
      ),
    advice: ({ lateAt, deadline }, { clock }) =>
      lateAt !== null
        ? '请等待，不要把它移出队列：它的客户端可能缺少处理器时间，恢复后可能会再次请求。'
        : `${deadline === null ? '请' : `请等到 ${clock(deadline)}，或`}从队列及其截止时间中移除离线的等待者。`,
    later: () => '缩短 fairLockWaitTimeout 可以缩短这段时间。',
  },
  'fair-live-waiter-purged': {
    title: '仍然存活的等待者被移出队列',
    explanation: ({ holder, at, since, backAt, until, isWithoutLimit }, { who, clock }) =>
      joined(
        `${who(holder)} 自 ${clock(since)} 起等待，它在队列中的截止时间已过。${clock(at)} 另一个调用者的脚本认为它已离线，将其移出队列。`,
        backAt !== null && `它于 ${clock(backAt)} 再次尝试，排在之后到来的等待者后面。`,
        backAt === null && '它仍在监听，但没有解锁会向它发送消息。',
        backAt === null && isWithoutLimit && '它没有设置定时器，不会自行醒来。',
        backAt === null && until !== null && `它自己的定时器于 ${clock(until)} 结束。`,
      ),
    advice: ({ backAt, until, channel }, { clock }) =>
      backAt !== null
        ? '无需操作：它已重新排队。'
        : until !== null
          ? `请等待：它将在 ${clock(until)} 再次尝试。`
          : channel === null
            ? '请重启它的客户端，使它再次尝试。'
            : `要唤醒它，请向 ${channel} 发布 0（使用分片频道的集群：SPUBLISH）。`,
    later: () =>
      '请将 fairLockWaitTimeout 设置为大于最长的持有时间和队列持续不空的最长时间，或使用等待时间更短的 tryLock()。Redisson 3.32.0 及更高版本会自行再次尝试。',
  },
  'fair-clock-skew': {
    title: '客户端的时钟偏快',
    explanation: ({ holder, by, aheadSeconds, evicted, victim }, { who }) =>
      joined(
        `${holder === null ? `位于 ${by} 的客户端` : who(holder)} 的时钟比 Redis 快 ${aheadSeconds} 秒。客户端按自己的时钟设置并检查该队列的截止时间。`,
        evicted === 0
          ? '它尚未过早移除等待者。'
          : `它在截止时间之前移除了 ${evicted} 个等待者${victim === null ? '' : `，最后一个是 ${who(victim)}`}。`,
      ),
    advice: () => '请同步该主机的时钟（NTP）。',
  },
  'fair-orphan-entry': {
    title: '队列中有一项没有截止时间',
    explanation: ({ holder, position, isFree, waiting }, { who }) =>
      joined(
        `${who(holder)} 是队列中的第 ${position} 位，但没有截止时间，因此没有脚本会移除它。如果它已离线，队列将一直被阻塞。`,
        isFree && position === 1 && '锁是空闲的，但只有这个等待者可以获取它。',
        waiting > 0 && `后面还有 ${waiting} 个等待者。`,
        '3.31.0 之前的 Redisson 脚本在这样的队首处会出错。',
      ),
    advice: ({ holder, queue }) =>
      joined(
        '请先确认该等待者已离线：存活的等待者轮到时会获取该锁。',
        queue === null ? '然后从列表中移除该项。' : `然后移除该项：LREM ${queue} 0 ${holder}`,
      ),
  },
  'fair-hot-loop': {
    title: '等待者不停地尝试',
    explanation: ({ holder, perSecond, attempts, head, deadline, version }, { who, clock }) =>
      joined(
        `${who(holder)} 每秒尝试获取该锁 ${perSecond} 次，至今 ${attempts} 次：锁是空闲的，但${head === null ? '队首' : ` ${who(head)} `}排在它前面且没有获取。`,
        deadline !== null && `最迟于 ${clock(deadline)} 结束，届时它前面的等待者会被移除。`,
        `Redisson 3.32.0 到 4.7.0 会这样${version === null ? '' : `（该锁最新的已知脚本，可能来自其他客户端：${version}）`}。`,
      ),
    advice: () => '要立即结束，请从队列及其截止时间中移除离线的等待者。',
    later: () => '缩短 fairLockWaitTimeout 可以缩短这段时间。',
  },
  'fair-timeout-drift': {
    title: '队列的截止时间过晚',
    explanation: ({ holder, deadline, excessSeconds, version }, { who, clock }) =>
      joined(
        `${who(holder)} 可以在队列中停留到 ${clock(deadline)}，比租约和它的位置所能解释的长 ${excessSeconds} 秒。如果它离线，该锁会一直被阻塞到那时。`,
        `3.11.0 及更早的 Redisson 每次交接都会增加 5 秒${version === null ? '' : `（该锁最新的已知脚本，可能来自其他客户端：${version}）`}。`,
      ),
    advice: () => '请在锁空闲且没有等待者时删除队列及其截止时间。',
    later: () => '请将所有客户端的 Redisson 升级到 3.11.1 或更高版本。',
  },
};
