import type { Words } from '../words.ts';

/** 每个诊断的标题、解释和建议。 */
export const insights: Words['insights'] = {
  'holder-crashed-wait-ttl': {
    title: '持有者的客户端已离线',
    explanation: ({ holder, goneSince, endsAt, neverEnds, isPermit, waiting }, { who, clock }) =>
      joined(
        `${who(holder)} 的客户端没有任何连接${goneSince === null ? '' : `，最后一次看到是 ${clock(goneSince)}`}。`,
        isPermit
          ? endsAt === null
            ? '它的许可不会自行归还。'
            : `它的许可将在 ${clock(endsAt)} 归还。`
          : neverEnds
            ? '该锁没有会到期的租约，因此没有客户端能获取它。'
            : `租约${endsAt === null ? '' : `在 ${clock(endsAt)} `}结束之前，没有客户端能获取该锁。`,
        waiting > 0 && `${waiting} 个线程正在等待它。`,
      ),
    advice: ({ endsAt, neverEnds }, { clock }) =>
      endsAt === null
        ? `${neverEnds ? '它不会自行结束' : '不知道何时结束'}。请先确认该客户端确实已离线，再手动释放该锁。`
        : `无需处理：${clock(endsAt)} 会自行结束。租约越短，等待越短。`,
  },
  'renewal-overdue': {
    title: '续约逾期，持有者可能已经不在',
    explanation: ({ holder, dueAt, endsAt, renewals }, { who, clock }) =>
      joined(
        `${who(holder)} 的看门狗应在 ${clock(dueAt)} 续约，此前已续约 ${renewals} 次。`,
        endsAt !== null && `如果仍不续约，租约将在 ${clock(endsAt)} 结束，即使它的工作还在进行。`,
      ),
    advice: () => '请检查该进程是否停顿：垃圾回收、CPU 繁忙、容器被暂停。写入时请使用隔离令牌。',
  },
  'abba-deadlock': {
    title: '死锁：线程互相等待',
    explanation: ({ path, endsAt }, { who, clock }) =>
      joined(
        ...path.map(({ holder, lock, heldBy }) => `${who(holder)} 在等待 ${lock}，而它由 ${who(heldBy)} 持有。`),
        endsAt === null
          ? '环中没有已知会结束的租约，这些线程可能永远等待。'
          : `环中的一个租约将在 ${clock(endsAt)} 结束，环随之解开。`,
      ),
    advice: () => '请手动释放其中一把锁。所有地方都按相同顺序加锁，或使用带时限的 tryLock。',
  },
  'fair-head-dead': {
    title: '队列中的第一个等待者已离线',
    explanation: ({ holder, goneSince, deadline, dead, waiting, isFree }, { who, clock }) =>
      joined(
        `${who(holder)} 排在队首，但已离线${goneSince === null ? '' : `，最后一次看到是 ${clock(goneSince)}`}。`,
        `${isFree ? '锁是空闲的，但' : ''}${deadline === null ? '在它被移除之前' : `在 ${clock(deadline)} 之前`}，其他等待者都无法获取该锁。`,
        dead > 1 && `队首连续 ${dead} 个等待者已离线。`,
        waiting > 0 && `后面还有 ${waiting} 个等待者。`,
      ),
    advice: () => '可以等到截止时间，或从队列及其截止时间中移除离线的等待者。缩短公平锁的等待超时可以缩短这段时间。',
  },
  'failover-lock-lost': {
    title: '持有者失去了该锁而不自知',
    explanation: ({ holder, lostAt, endsAt, heldBy }, { who, clock }) =>
      joined(
        `${who(holder)} 的持有于 ${clock(lostAt)} 丢失：当时另一台服务器接管，或服务器重启。`,
        endsAt !== null && `在 ${clock(endsAt)} 之前，它的线程可能仍以为自己持有该锁。`,
        heldBy !== null && `现在由 ${who(heldBy)} 持有该锁，两者可能同时在工作。`,
      ),
    advice: () => '请检查两个线程写入的内容。让加锁等待副本确认，并在写入时使用隔离令牌。',
  },
  'unlock-by-non-owner': {
    title: '线程解锁了并非自己持有的锁',
    explanation: ({ holder, at, heldBy, times, sawSuccess }, { who, clock }) =>
      joined(
        `${who(holder)} 于 ${clock(at)} 试图解锁该锁，但它由另一个线程持有。`,
        heldBy !== null && heldBy !== holder && `现在由 ${who(heldBy)} 持有。`,
        times > 1 && `它试了 ${times} 次。`,
        sawSuccess && '它的客户端版本报告成功。',
      ),
    advice: () => '请在加锁的线程中解锁，并且只在 tryLock() 返回 true 之后解锁。',
  },
};

function joined(...all: readonly (string | false)[]): string {
  return all.filter((sentence) => sentence !== false).join('');
}
