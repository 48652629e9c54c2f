import type { StuckValues } from '../../../../shared/insights/english/stuck.ts';
import type { UnlocksValues } from '../../../../shared/insights/english/unlocks.ts';
import type { WordsOf } from '../../../../shared/insights/words.ts';
import type { Translated } from '../../translated.ts';
import { joined, lengthText } from './joined.ts';

export const stuck: Translated<WordsOf<StuckValues & UnlocksValues>> = {
  'holder-crashed-wait-ttl': {
    title: '持有者的客户端已离线',
    explanation: ({ holder, goneSince, endsAt, neverEnds, isPermit, isReader, isShared, waiting }, { who, clock }) =>
      joined(
        `${who(holder)} 的客户端没有任何连接${goneSince === null ? '' : `，最后一次看到是 ${clock(goneSince)}`}。`,
        isPermit
          ? endsAt === null
            ? '它的许可不会自行归还。'
            : `它的许可将在 ${clock(endsAt)} 归还。`
          : neverEnds
            ? '该锁没有会到期的租约，因此没有客户端能获取它。'
            : isShared && endsAt === null
              ? '它的读锁在自身的超时到期后结束，该时间未观测到。其他读者也持有该锁。'
              : `${isReader ? '它的读锁' : '租约'}${endsAt === null ? '' : `在 ${clock(endsAt)} `}结束之前，没有${isReader ? '写者' : '客户端'}能获取该锁。`,
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: ({ holder, endsAt, neverEnds, isShared, leftMs }, { who, clock }) =>
      isShared && endsAt === null
        ? '请等待其他读者释放该锁。如果之后仍有写者在等待，请手动释放该锁。'
        : endsAt === null || leftMs === null
          ? `${neverEnds ? '它不会自行结束' : '不知道何时结束'}。请先确认 ${who(holder)} 的进程确已不在，再手动释放该锁。`
          : leftMs <= 60_000
            ? `请等待：${clock(endsAt)} 会自行结束。`
            : `如果 ${who(holder)} 的进程确已不在，请手动释放该锁：${clock(endsAt)} 之前没有其他客户端能获取它。`,
    later: ({ neverEnds }) => (neverEnds ? '请为该锁设置租约。' : '租约越短，等待越短。'),
  },
  'granted-after-timeout': {
    title: '授予时其客户端可能已放弃',
    explanation: ({ holder, since, stoodFrom, stoodTo, endsAt, waiting }, { who, clock }) =>
      joined(
        `从 ${clock(stoodFrom)} 到 ${clock(stoodTo)}，Redis 没有执行任何命令，超过了客户端默认等待应答的时间。紧接着在 ${clock(since)}，${who(holder)} 获得了该锁。`,
        '此后没有续期，因此那次 lock() 调用很可能已失败，没有线程在此锁下工作。',
        endsAt !== null && `它将在 ${clock(endsAt)} 自行结束。`,
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: () => '请在该客户端的日志中查找失败的 lock()。如果有，可以手动释放该锁。',
    later: () => 'lock() 失败后，只要 isHeldByCurrentThread() 返回 true，就请解锁。',
  },
  'unlock-by-non-owner': {
    title: '线程解锁了并非自己持有的锁',
    explanation: ({ holder, at, heldBy, times, sawSuccess, how, ownerThen, triedAt }, { who, clock }) =>
      joined(
        `${who(holder)} 于 ${clock(at)} 试图解锁该锁，但它由${ownerThen === null ? '另一个线程' : ` ${who(ownerThen)} `}持有。`,
        how === 'never-got-it' && triedAt !== null && `它从未获得该锁：${clock(triedAt)} 的尝试被拒绝。`,
        how === 'other-thread' && '持有者是同一客户端的另一个线程。',
        heldBy !== null && heldBy !== holder && heldBy !== ownerThen && `现在由 ${who(heldBy)} 持有。`,
        times > 1 && `它试了 ${times} 次。`,
        sawSuccess && '它的客户端版本报告成功。',
      ),
    advice: ({ how, holder }, { who }) =>
      how === 'other-thread'
        ? '请查看工作是否在另一个线程中继续：加锁的线程解锁或租约结束之前，锁一直被持有。'
        : `请检查 ${who(holder)} 写入的内容：它可能在没有锁的情况下工作。`,
    later: ({ how }) =>
      how === 'never-got-it'
        ? '只在 tryLock() 返回 true 之后解锁。'
        : how === 'other-thread'
          ? '请在加锁的线程中解锁。如果工作在另一个线程中继续，请把加锁线程的 id 传给 lockAsync() 和 unlockAsync()，或使用信号量。'
          : '请在加锁的线程中解锁，并且只在 tryLock() 返回 true 之后解锁。isLocked() 不表示锁是谁的：请用 isHeldByCurrentThread()。',
  },
  'unlock-replayed': {
    title: '解锁已生效，但客户端没有收到应答',
    explanation: ({ holder, unlockedAt, isPartly, repeat, times }, { who, clock }) =>
      joined(
        `${who(holder)} 在 ${clock(unlockedAt)} 的解锁已生效：${isPartly ? '释放了一次持有' : '锁已释放'}。`,
        repeat === null &&
          '它的客户端没有删除这次解锁的标记，而收到应答后总会删除：应答丢失、过晚，或是一个错误。因此调用方会得到异常。',
        repeat === 'answered' && '应答丢失了。客户端重发解锁，并得到了保存的应答。',
        repeat === 'refused' && '客户端似乎重发了解锁，而重发被拒绝，因此调用方会得到异常。',
        times > 1 && `共发生 ${times} 次。`,
      ),
    advice: ({ repeat }) =>
      repeat === 'refused' ? '无需操作：锁已释放，该异常无害。' : '无需操作：锁不受影响，这次解锁的异常无害。',
    later: ({ repeat }) =>
      `请查明应答为何丢失：服务器慢、网络问题，或响应超时过短。${repeat === 'refused' ? 'Redisson 3.24.1 及以后会记住第一次的应答。' : ''}`,
  },
  'latch-litter': {
    title: '客户端每次解锁都遗留一个键',
    explanation: ({ client, since, unlocks, keys, keptMs }, { who, clock }) =>
      joined(
        `自 ${clock(since)} 起，${who(client)} 的 ${unlocks} 次解锁遗留了解锁标记，Redis 将每个保留约 ${Math.round(keptMs / 1000)} 秒。`,
        keys > 0 && `现在 Redis 中约有 ${keys} 个这样的键。`,
        '该客户端是 Redisson 3.52.0 至 4.2.0，它以错误的名称删除标记。',
      ),
    advice: () => '无需操作：这只浪费内存。',
    later: () => '请升级 Redisson：4.3.1 会删除标记。',
  },
  'no-ttl-lock': {
    title: '被持有的锁永不过期',
    explanation: ({ holder, since, isGone, goneSince, isRedisson, waiting, listening }, { who, clock }) =>
      joined(
        `${who(holder)} ${since === null ? '' : `自 ${clock(since)} 起`}持有该锁，其键没有过期时间。`,
        isGone &&
          `它的客户端没有任何连接${goneSince === null ? '' : `，最后一次看到是 ${clock(goneSince)}`}，因此该锁会一直存在。`,
        waiting > 0 && `${waiting} 个线程正在等待它。`,
        listening > 0 && `${listening} 个连接在监听它的释放。`,
        isRedisson && waiting + listening > 0 && '读到没有过期时间的等待者不设定时器：只有消息能唤醒它。',
      ),
    advice: ({ isGone, isRedisson, holder }, { who }) =>
      joined(
        isGone
          ? '请先确认该客户端确实已离线，再手动释放该锁。'
          : `请查看 ${who(holder)} 是否仍在工作。如果它未解锁就结束，任何客户端都无法再获取该锁。`,
        isRedisson && '单独的 DEL 不会唤醒等待者：还要发布释放消息。',
      ),
    later: ({ isRedisson }) =>
      isRedisson
        ? '请查明它为何没有过期时间：PERSIST、恢复操作，或者租约太长，锁已写入而 Redis 拒绝了租约。'
        : '请用一条命令设置值和过期时间（带 NX 和 PX 的 SET），并给锁设置超时。',
  },
  'orphan-job-lock': {
    title: '长任务的客户端已离线',
    explanation: ({ holder, goneSince, since, endsAt, waiting }, { who, clock }) =>
      joined(
        `${who(holder)} ${since === null ? '' : `于 ${clock(since)} `}获取了该锁，而它的客户端没有任何连接${goneSince === null ? '' : `，最后一次看到是 ${clock(goneSince)}`}。`,
        `在 ${clock(endsAt)} 之前，该锁会阻塞所有其他线程。`,
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: ({ endsAt }, { clock }) =>
      `如果该任务确已不再运行，请手动释放这一个锁。它到 ${clock(endsAt)} 才会自行结束。`,
    later: () => '租约不要比任务长太多，或交给看门狗（lockWatchdogTimeout）。',
  },
  'phantom-hold-count': {
    title: '一次获取可能被计数两次',
    explanation: ({ holder, acquiredAt, apartMs, leftAt, endsAt, count, waiting }, { who, clock }) =>
      joined(
        `${who(holder)} 的尝试似乎执行了两次：第一次在 ${clock(acquiredAt)}，${apartMs < 1 ? '紧接着' : `${(apartMs / 1000).toFixed(1)} 秒后`}又执行一次，被算作重入。`,
        '使用同一线程 id 的两个任务看起来也是这样。',
        `它在 ${clock(leftAt)} 的解锁还留下 ${count} 次计数，此后没有看门狗续期。`,
        endsAt !== null && `在 ${clock(endsAt)} 之前，只有该线程能获取它。`,
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: ({ endsAt }, { clock }) =>
      `${endsAt === null ? '不知道何时结束。' : `如果该线程不再加锁，${clock(endsAt)} 会自行结束。`}强制解锁可立即结束：只在没有任务在该锁下工作时使用。`,
    later: () => '请把加锁客户端的 retryAttempts 设为 0；3.37.0 及以后的单机客户端不会重发尝试。',
  },
  'rwlock-zombie-reader': {
    title: '已离线的读者被另一个客户端续期',
    explanation: ({ holder, goneSince, keptBy, waiting }, { who, clock }) =>
      joined(
        `${who(holder)} 的客户端没有任何连接${goneSince === null ? '' : `，最后一次看到是 ${clock(goneSince)}`}。`,
        `${who(keptBy)} 的看门狗仍在延长它的超时键。`,
        '只有在最后一个活着的读者释放之后租约结束时，写者才能获取该锁。',
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: ({ keptBy }, { who }) => `请让活着的读者（如 ${who(keptBy)}）释放：再过一个租约，写者就能获取该锁。`,
    later: () => '请升级 Redisson：自 4.4.0 起，客户端只延长自己的读者。lockWatchdogTimeout 越短，等待越短。',
  },
  'accidental-reentrancy': {
    title: '两个任务可能使用同一个线程 id',
    explanation: ({ holder, since, lastAt, rises, isMadeUp }, { who, clock }) =>
      joined(
        `${who(holder)} 的持有计数 ${rises} 次从 1 升到 2，最近一次在 ${clock(lastAt)}，${since === null ? '' : `自 ${clock(since)} 起`}其间从未到 0。`,
        isMadeUp && 'Java 线程不会有这样的编号：应用传入了自己的 id。',
        '使用同一线程 id 的两个任务就是这样，并且同时处于临界区内；同一线程的嵌套调用也是这样。',
      ),
    advice: () => '请查明这些调用是否嵌套。如果不是，两个任务曾同时工作。',
    later: () =>
      '请为每个任务向 lockAsync() 和 unlockAsync() 传入唯一的 id，或使用不可重入的锁（Redisson 4.4.0 及以后）。',
  },
  'zombie-renewal': {
    title: '仍在续期，但可能没有线程在工作',
    explanation: ({ holder, since, renewals, before, renewalsBefore, lateMs, forcedAt, waiting }, { who, clock }) =>
      joined(
        forcedAt === null
          ? `${who(holder)} 自 ${clock(since)} 起持有该锁，看门狗已续期 ${renewals} 次。`
          : `${who(holder)} 从 ${clock(since)} 到 ${clock(forcedAt)} 持有该锁，看门狗续期了 ${renewals} 次，随后另一个客户端强制解锁。`,
        forcedAt !== null && '此后该线程没有尝试解锁，只有看门狗尝试续期。',
        lateMs !== null &&
          `看门狗晚了 ${(lateMs / 1000).toFixed(1)} 秒才开始，因此客户端这么晚才收到应答，或者曾暂停。此间被中断的线程不知道自己持有该锁。`,
        forcedAt === null && lateMs === null && `此前的 ${before} 次持有共续期 ${renewalsBefore} 次。`,
        `它的线程可能${forcedAt === null ? '仍在工作' : '在没有锁的情况下工作'}，也可能未解锁就结束或被中断：看门狗察觉不到。`,
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: ({ forcedAt }) =>
      forcedAt === null
        ? '请查看该线程，例如用线程转储。如果它已不再处理此事，请强制解锁：续期会随下一次而停止。'
        : '请查明该线程是否仍在处理此事：若是，可能有两个线程同时在内。',
    later: () => '请在 finally 中解锁。在 lock() 或 tryLock() 中被中断之后，请检查 isHeldByCurrentThread() 并解锁。',
  },
  'holder-without-connection': {
    title: '持有者的客户端可能已离线',
    explanation: ({ holder, since, connections, endsAt, isReader, isShared, waiting }, { who, clock }) =>
      joined(
        `${who(holder)} 首次被看到时就已持有该锁，其客户端此后没有发送任何命令。`,
        connections === 0
          ? `没有一个打开的连接属于其客户端（自 ${clock(since)} 起观测到）：所有连接都属于其他客户端。`
          : `其客户端可能已暂停、断网或离线：仅有的 ${connections} 个可能属于它的连接自 ${clock(since)} 起没有动静。`,
        endsAt !== null &&
          `${isReader ? '它的读锁' : '租约'}在 ${clock(endsAt)} 结束之前，没有${isReader ? '写者' : '客户端'}能获取该锁。`,
        isShared && '其他客户端也持有它。',
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: ({ holder, connections, endsAt, isShared }, { who, clock }) =>
      `${connections === 0 ? `请检查 ${who(holder)} 的进程是否仍在运行。` : '请查找已停止的容器、暂停的进程或丢包的网络。'}如果进程确已不在，请手动${isShared ? '只释放这一持有' : '释放该锁'}${endsAt === null ? '' : `，或等到 ${clock(endsAt)}`}。`,
  },
  'taken-twice-released-once': {
    title: '同一客户端获取该锁两次，只释放一次',
    explanation: ({ holder, againAt, releasedAt, refusedAt }, { who, clock }) =>
      joined(
        `${who(holder)} 在持有期间于 ${clock(againAt)} 再次获取该锁，于 ${clock(releasedAt)} 释放，第二次解锁于 ${clock(refusedAt)} 被拒绝。`,
        'Redis 中该客户端只有一个令牌且不计数，因此它的两个线程可能同时工作过。',
      ),
    advice: () =>
      '请检查该进程的两个线程是否为此锁使用不同的对象，例如注册表在锁被持有时将其移出缓存。请把注册表的容量设得大于持有的锁的数量。',
  },
  'threads-waited-long': {
    title: '线程等待已久',
    explanation: (
      {
        holder,
        refusedAt,
        isPermit,
        hasPermitId,
        heldSince,
        others,
        isConnected,
        isRenewed,
        waiting,
        areListeners,
        areQueued,
        waitedMs,
        isAtLeast,
        usualMs,
        holds,
      },
      { who, clock },
    ) =>
      joined(
        areListeners
          ? `${waiting} 个连接在监听它的释放，${waiting === 1 ? '' : '最久的'}已至少 ${lengthText(waitedMs)}。`
          : `${waiting} 个线程${areQueued ? '在它的队列中' : '在等待它'}，最久的已等待${isAtLeast ? '至少' : ''} ${lengthText(waitedMs)}。`,
        areQueued && '看不到它们是否都仍在等待：队列会把已失效的等待者保留数分钟。',
        holder === null &&
          `${refusedAt === null ? '' : `${clock(refusedAt)} 最近一次尝试被拒绝，当时锁被持有。`}未见到持有者：它在 Lockscope 未观测时取得了锁，此后未见到它续期。`,
        holder !== null &&
          (isPermit
            ? `${hasPermitId ? `许可 ${who(holder)} ` : `${who(holder)} `}${heldSince === null ? '在首次被看到之前' : `于 ${clock(heldSince)} `}${hasPermitId ? '被取走，尚未归还' : '取走的许可，就所见尚未归还'}。`
            : heldSince === null
              ? `${who(holder)} 首次被看到时就已持有它，现在仍持有。`
              : `${who(holder)} 自 ${clock(heldSince)} 起持有它。`),
        !isPermit && others > 0 && `另有 ${others} 个线程也持有它。`,
        isConnected &&
          `${others > 0 && holder !== null ? `${who(holder)} 的客户端` : '其客户端'}已连接${isRenewed ? '，租约在续期' : ''}。`,
        !isConnected && isRenewed && '租约在续期。',
        usualMs !== null && `此前的 ${holds} 次持有每次约 ${lengthText(usualMs)}。`,
      ),
    advice: ({ holder, isPermit, hasPermitId, others }, { who }) =>
      holder === null
        ? '如果它们仍在等待，请读取该锁的键：HGETALL 显示持有者，PTTL 显示租期。然后对该进程做线程转储。'
        : isPermit
          ? `请查找取走许可却未归还的线程。Redis 不显示许可属于哪个客户端：请对使用该信号量的进程做线程转储。如果许可确已丢失，请${hasPermitId ? '重启其进程，或按 id 释放该许可' : '手动释放一个许可'}。`
          : `对 ${who(holder)} 所在的进程做线程转储：可看出该线程仍在锁内工作，还是未解锁就继续了。如果在工作，不要动这个锁；否则重启进程${others > 0 ? '：手动释放也会夺走其他持有者的锁' : '，或手动释放该锁'}。`,
    later: () => '请在 finally 中解锁，并限制锁内工作的时间。',
  },
};
