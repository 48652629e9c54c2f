import type { CircleDoubt, ContentionValues } from '../../../../shared/insights/english/contention.ts';
import type { WordsOf } from '../../../../shared/insights/words.ts';
import type { Translated } from '../../translated.ts';
import { joined, lengthText } from './joined.ts';

const doubtText: Record<CircleDoubt['why'], (who: string, clock: string) => string> = {
  overdue: (who, clock) => `${who} 自己的定时器在 ${clock} 结束，但它没有再次尝试，可能已不再等待。`,
  assumed: (who, clock) => `${who} 只在 ${clock} 被拒绝过一次；因为它的客户端此前已在监听，所以推断它在等待。`,
  shared: (who) => `${who} 的客户端可能还在为其他线程监听，因此没有命令会显示 ${who} 已放弃等待。`,
};

export const contention: Translated<WordsOf<ContentionValues>> = {
  'abba-deadlock': {
    title: '死锁：线程互相等待',
    explanation: ({ path, endsAt, isUpgrade, doubts }, { who, clock }) =>
      joined(
        isUpgrade && '一个线程持有读锁，却在等待同一把读写锁的写锁。它在等待自己。',
        ...path.map(({ holder, lock, heldBy }) => `${who(holder)} 在等待 ${lock}，而它由 ${who(heldBy)} 持有。`),
        ...doubts.map(({ holder, why, at }) => doubtText[why](who(holder), clock(at))),
        endsAt === null
          ? '环中没有已知会结束的租约，这些线程可能永远等待。'
          : `环中的一个租约将在 ${clock(endsAt)} 结束，环随之解开。`,
      ),
    advice: ({ isUpgrade, release, releaseOf, doubts: [doubt] }, { who }) =>
      joined(
        doubt !== undefined &&
          `先获取 ${who(doubt.holder)} 的客户端的线程转储：它显示该线程是否仍在等待。如果仍在等待：`,
        isUpgrade
          ? `重启 ${who(releaseOf)} 的客户端最为安全。或者手动释放它的读锁：该线程随后在没有锁的情况下读取。`
          : `重启其中一个客户端最为安全。或者手动释放 ${who(releaseOf)} 持有的 ${release}：该线程随后在没有锁的情况下工作。`,
      ),
    later: ({ isUpgrade }) =>
      isUpgrade
        ? '获取写锁之前先释放读锁：Redisson 不能把读锁升级为写锁。'
        : '所有地方都按相同顺序加锁，或使用带时限的 tryLock。',
  },
  'multilock-livelock': {
    title: '联锁反复重来',
    explanation: ({ path, holder, since, restarts }, { who, clock }) =>
      joined(
        `${who(holder)} 自 ${clock(since)} 起要同时获取多把锁，已重来 ${restarts} 次。`,
        ...path.map(
          ({ holder: waiting, lock, heldBy }) => `${who(waiting)} 在等待 ${lock}，而它由 ${who(heldBy)} 持有。`,
        ),
        '联锁缺少其中一把锁时，过一段时间会释放已有的锁并重新开始；到那时，其他联锁也做了同样的事。',
      ),
    advice: () => '请停止其中一个调用方：其他调用方就能继续。',
    later: () => '传给每个 RedissonMultiLock 的锁都应按相同顺序排列，例如按名称排序。',
  },
  'writer-starvation': {
    title: '写者一直排在新读者之后',
    explanation: ({ holder, since, isAtLeast, reads, writers, attempts }, { who, clock }) =>
      joined(
        isAtLeast
          ? `${who(holder)} 自 ${clock(since)} 或更早起等待写锁，此后尝试了 ${attempts} 次。`
          : `${who(holder)} 自 ${clock(since)} 起等待写锁，尝试了 ${attempts} 次。`,
        isAtLeast
          ? `在此期间至少又有 ${reads} 次读锁获取成功，未见锁空闲过。`
          : `在此期间又有 ${reads} 次读锁获取成功，锁从未空闲。`,
        writers > 1 && `共有 ${writers} 个写者在等待。`,
        '只要有线程在读，读写锁就会接纳每个新读者；不是最后一个离开的读者不会唤醒写者。',
      ),
    advice: () => '让读者暂停片刻，使锁空闲一次。',
    later: () => '缩短读锁的持有时间，或者在这里改用公平锁（getFairLock）。',
  },
  'semaphore-permit-drift': {
    title: '许可数不正确',
    explanation: ({ isLoss, holder, since, permits, total, available, waiting }, { who, clock }) =>
      joined(
        isLoss
          ? `自 ${clock(since)} 起，${total === null ? '' : `${total} 个许可中`}有 ${permits} 个许可可能被已消失的客户端取走${holder === null ? '' : `（其中有 ${who(holder)}）`}。信号量不知道许可在谁手中，所以已消失的客户端的许可不会回来。`
          : `自 ${clock(since)} 起，有 ${permits} 个没有被取走的许可被释放${holder === null ? '' : `，最近一次是 ${who(holder)}`}。原有 ${total} 个许可，如果这个数是上限，现在能放行的客户端多于预期。`,
        available !== null && `现有 ${available} 个空闲许可。`,
        waiting > 0 && `${waiting} 个客户端在等待许可。`,
      ),
    advice: ({ isLoss, permits }) =>
      isLoss
        ? `先数一数运行中的客户端持有的许可。如果确实缺少，且还没有人补上，调用一次 addPermits(${permits})。`
        : `如果这个数是上限，调用一次 addPermits(-${permits}) 更正数量。`,
    later: ({ isLoss }) =>
      isLoss
        ? '请使用带租约的 RPermitExpirableSemaphore：它的许可会自行归还。'
        : '只在 acquire() 或返回 true 的 tryAcquire() 之后释放，并且只释放一次。',
  },
  'permits-beyond-limit': {
    title: '发出的许可多于现有许可',
    explanation: ({ holder, since, limit, out, isRaised, isOver }, { who, clock }) =>
      joined(
        `共有 ${limit} 个许可，但自 ${clock(since)} 起${isOver ? `曾同时发出 ${out} 个` : `最多同时发出了 ${out} 个`}${holder === null ? '' : `，当时 ${who(holder)} 多取了一个`}。`,
        isRaised
          ? '在那之前，释放的许可多于取走的许可，许可因此增加。'
          : `一个持有许可的客户端只允许 ${limit} 个，而另一个客户端允许更多。`,
        '如果这个数是上限，同时工作的客户端就过多了。',
      ),
    advice: ({ isRaised }) =>
      isRaised
        ? '先暂停那个不可同时运行过多的作业，再用 addPermits() 更正数量。'
        : '找出以另一个上限启动的客户端，让所有客户端使用同一上限。',
    later: ({ isRaised }) =>
      isRaised
        ? '只在 acquire() 或返回 true 的 tryAcquire() 之后释放，并且只释放一次。'
        : '让同一信号量的所有客户端从同一处设置读取上限。',
  },
  'quorum-error-without-cause': {
    title: 'node-redlock 在这里可能失败的原因',
    explanation: ({ cause, holder, heldBy, times, tries, tookMs, leaseMs }, { who }) =>
      joined(
        cause === 'late'
          ? `${who(holder)} 在第 ${tries} 次尝试时获得锁，距第一次尝试 ${tookMs} 毫秒。它的租约为 ${leaseMs} 毫秒。有些版本（5.0.0-beta.2）从第一次尝试算起：那样拿到时已经过期。`
          : `${who(holder)} 在 ${tookMs} 毫秒内尝试了 ${tries} 次，全部被拒绝。`,
        cause === 'held' && heldBy !== null && `最后一次尝试时，锁由 ${who(heldBy)} 持有。问题不在 Redis。`,
        cause === 'no-lock' && '没有已知的调用方持有这把锁：它的键可能存着数据，或者是开始观测之前的锁。',
        times > 1 && `共发生 ${times} 次。`,
      ),
    advice: ({ cause }) =>
      ({
        held: '请查看锁的持有者，问题不在 Redis。',
        'no-lock': '请查看这个键的类型和值。',
        late: '请检查在该锁下做了什么：拿到时它可能已经过期。',
      })[cause],
    later: ({ cause }) =>
      ({
        held: '调整 retryCount 和 retryDelay，使全部尝试的时间长于通常的持有时间，或缩短持有时间。',
        'no-lock': '锁的名称不要与数据的键相同。',
        late: '租约应长于 retryCount 乘以 retryDelay，并在开始工作前检查锁的到期时间。',
      })[cause],
  },
  'released-before-commit': {
    title: '每次交接都在释放之后',
    explanation: ({ since, handovers, tightestMs }, { clock }) =>
      `自 ${clock(since)} 起，这把锁交接了 ${handovers} 次，每次都在释放之后。最短的一次交接用时 ${tightestMs} 毫秒。在 ${clock(since)} 之前失去锁的线程，当时可能仍在工作。`,
    advice: () => '如果此后数据仍有冲突，请检查是否在解锁之后才提交。',
    later: () => '在事务开始之前加锁，提交之后再释放。',
  },
  'attempt-flood': {
    title: '客户端不停顿地请求该锁',
    explanation: ({ holder, attempts, perSecond }, { who }) =>
      `${who(holder)} 被拒绝了 ${attempts} 次，约每秒 ${perSecond} 次。Redis 在唯一的线程中执行每次尝试，因此它的所有客户端都要等待更久。`,
    advice: () =>
      '请在该客户端中找到尝试外层的循环并加入停顿：每次被拒绝后随机且递增的时间，或改用以消息唤醒等待者的锁。',
  },
  convoy: {
    title: '线程在为快速易手的锁排队',
    explanation: ({ waiting, holdMs, perSecond, waitedMs }) =>
      `${waiting} 个线程在等待，最久的已等待 ${lengthText(waitedMs)}。一次持有通常用时 ${lengthText(holdMs)}，锁每秒交接 ${Math.round(perSecond * 10) / 10} 次。`,
    advice: () => '不要手动释放：每个持有者都即将释放。以后：缩短持有时间，把锁拆成多把，或减少请求它的线程。',
  },
  'thundering-herd': {
    title: '每次释放都唤醒许多线程',
    explanation: ({ releases, refused, isReadWrite }) =>
      joined(
        `${releases} 次释放中，被唤醒的线程有 ${refused} 次尝试被拒绝：每次释放约 ${Math.round(refused / releases)} 次。`,
        isReadWrite ? '读写锁的释放会唤醒所有等待者。' : '一次释放会唤醒每个客户端的一个线程。',
      ),
    advice: () => '如果 Redis 负载较高，请停止一部分等待的客户端。没有锁处于危险中。',
    later: ({ isReadWrite }) =>
      isReadWrite
        ? '把锁拆成多把，或改用普通锁（getLock）：它的释放只唤醒每个客户端的一个线程。'
        : '把锁拆成多把，改用只唤醒一个等待者的公平锁（getFairLock），或使用带退避的自旋锁。',
  },
};
