import type { Millis, RedisTime } from '../../../../shared/base/time.ts';
import type { LostValues } from '../../../../shared/insights/english/lost.ts';
import type { RenewalsValues } from '../../../../shared/insights/english/renewals.ts';
import type { Say, WordsOf } from '../../../../shared/insights/words.ts';
import type { Translated } from '../../translated.ts';
import { joined } from './joined.ts';

export const lost: Translated<WordsOf<LostValues & RenewalsValues>> = {
  'renewal-overdue': {
    title: '看门狗续期迟到',
    explanation: ({ holder, dueAt, endsAt, renewals }, { who, clock }) =>
      joined(
        `${who(holder)} 的看门狗应在 ${clock(dueAt)} 续期，此前已续期 ${renewals} 次。`,
        endsAt !== null && `如果仍不续期，租约将在 ${clock(endsAt)} 结束，即使它的工作还在进行。`,
      ),
    advice: ({ endsAt }, { clock }) =>
      `请${endsAt === null ? '' : `在 ${clock(endsAt)} 之前`}检查该进程是否停顿：垃圾回收、CPU 繁忙、容器被暂停。`,
    later: () => '写入时请使用隔离令牌。',
  },
  'failover-lock-lost': {
    title: '持有者失去了该锁而不自知',
    explanation: ({ holder, lostAt, endsAt, heldBy, isOver }, { who, clock }) =>
      joined(
        `${who(holder)} 的持有于 ${clock(lostAt)} 丢失：当时另一台服务器接管，或服务器重启。`,
        endsAt !== null && `在 ${clock(endsAt)} 之前，它的线程可能仍以为自己持有该锁。`,
        heldBy !== null &&
          (isOver
            ? `${who(heldBy)} 在此之前获取了该锁，两者可能曾同时工作。`
            : `现在由 ${who(heldBy)} 持有该锁，两者可能同时在工作。`),
      ),
    advice: ({ heldBy }) =>
      heldBy === null
        ? '请停止该线程，或在它结束之前不让其他线程获取该锁。请检查它写入的内容。'
        : '请检查两个线程写入的内容。',
    later: () => '让加锁等待副本确认，并在写入时使用隔离令牌。',
  },
  'redlock-node-restart': {
    title: 'RedLock 失去多数',
    explanation: ({ holder, servers, left, lostAt, heldBy }, { who, clock }) =>
      joined(
        `${who(holder)} 曾在 ${servers} 台被观测的服务器上持有该 RedLock，现在只剩 ${left} 台：自 ${clock(lostAt)} 起已不足多数。其余服务器重启或故障转移后没有它。`,
        '续期不会在那些服务器上恢复它，别的客户端可能获得多数。',
        heldBy !== null && `现在 ${who(heldBy)} 在其中多数服务器上持有它，两者可能同时在工作。`,
      ),
    advice: () => '请把该锁视为不再独占：检查各持有者写入的内容。',
    later: () => '两次重启之间应等待超过最长的持有时间，或为服务器开启持久化。写入时请使用隔离令牌。',
  },
  'lease-shorter-than-work': {
    title: '租约短于工作时间',
    explanation: (
      { holder, leaseMs, endedAt, unlockedAt, takenBy, takenAt, heldMs, releasedBefore, isWatchdogKnown, ...more },
      { who, clock },
    ) =>
      joined(
        leaseMs === null
          ? `${who(holder)} 首次被看到时就已持有该锁${unlockedAt === null ? '' : `，${clock(unlockedAt)} 才来${more.isRenewal ? '续期' : '解锁'}`}。`
          : unlockedAt === null || heldMs === null
            ? `${who(holder)} 以约 ${inSeconds(leaseMs)}的租约获取该锁。租约于 ${clock(endedAt)} 结束，期间既未见续期，也未见释放。`
            : more.isPermit
              ? `许可 ${who(holder)} ${more.renewedAt === null ? `获取时的租约为 ${inSeconds(leaseMs)}` : `于 ${clock(more.renewedAt)} 将租约设为 ${inSeconds(leaseMs)}`}，${inSeconds(heldMs)}后（${clock(unlockedAt)}）其客户端才来${more.isRenewal ? '续期' : '释放'}。`
              : `${who(holder)} ${more.renewedAt === null ? `以 ${inSeconds(leaseMs)}的租约获取该锁` : `于 ${clock(more.renewedAt)} 将该锁的租约设为 ${inSeconds(leaseMs)}`}，${inSeconds(heldMs)}后（${clock(unlockedAt)}）才来${more.isRenewal ? '续期' : '解锁'}。`,
        unlockedAt !== null && `租约已于 ${clock(endedAt)} 结束，期间未见及时的续期。`,
        !isWatchdogKnown &&
          (leaseMs === null
            ? '该线程是否传入了 leaseTime 未被看到。若没有传入，则是它的看门狗失效了。'
            : leaseMs === 0
              ? 'Redis 会立即结束这样的租约。不足 1 毫秒的 leaseTime 会作为 0 发送。'
              : '其客户端的看门狗所设的租约时长未知。若该线程没有传入 leaseTime，则是它的看门狗失效了。'),
        releasedBefore !== null &&
          `此前有 ${releasedBefore} 次同样租约的持有及时释放，而且此后它的客户端仍在。没有 MONITOR 就看不到是工作超时，还是该线程没有解锁。`,
        more.isPermit && takenBy !== null && takenAt !== null
          ? `${clock(takenAt)} 时所有许可都已被占用，最后一个是 ${who(takenBy)}：同时工作的客户端可能比许可多一个。`
          : taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, endedAt, takenBy, isPermit }, say) =>
      isPermit
        ? `请检查许可 ${say.who(holder)}${takenBy === null ? '' : ` 和 ${say.who(takenBy)}`} 的客户端在 ${say.clock(endedAt)} 之后写入的内容。`
        : checkWrites(holder, endedAt, takenBy, say),
    later: ({ isRedisson, isPermit }) =>
      isPermit
        ? '请以比最长的工作时间更长的租约获取许可，或在工作期间续期。'
        : isRedisson
          ? '请不带 leaseTime 加锁，由看门狗续期；或者把它设得比最长的工作时间更长。写入时请使用隔离令牌。'
          : '请把锁的超时设得比最长的工作时间更长，或在工作期间续期。写入时请使用隔离令牌。',
  },
  'renewal-broken-after-error': {
    title: '看门狗停止，租约结束',
    explanation: (values, say) => joined(...notRenewed(values, say), taken(values.takenBy, values.takenAt, say)),
    advice: ({ fault, holder, endedAt, takenBy }, say) =>
      joined(
        checkWrites(holder, endedAt, takenBy, say),
        fault === 'stale' || fault === 'no-holder'
          ? '请重启该客户端：在此之前，对此名称的每次持有都可能在一个租约之后结束。'
          : fault !== 'unseen' && '下一次对此名称的 lock() 会重新续期。',
      ),
    later: ({ fault }) => {
      switch (fault) {
        case 'not-run':
          return '请查明 Redis 为何应答太晚。将 useScriptCache 设为 false 后，Redisson 发送完整脚本，无需加载。写入时请使用隔离令牌。';
        case 'unseen':
          return '请在 MONITOR 级别观测：如果再次发生，它会显示原因。请将 Redisson 升级到 3.46.0 或更高版本。写入时请使用隔离令牌。';
        default:
          return '请将 Redisson 升级到 3.46.0 或更高版本。写入时请使用隔离令牌。';
      }
    },
  },
  'watchdog-starved': {
    title: '客户端停顿，租约过期',
    explanation: (
      { holder, renewedAt, endedAt, lateAt, unlockedAt, areCommandsSeen, takenBy, takenAt },
      { who, clock },
    ) =>
      joined(
        renewedAt === null
          ? `${who(holder)} 的租约在 ${clock(endedAt)} 结束，此前未见续期。`
          : `${who(holder)} 的看门狗在 ${clock(renewedAt)} 续期，租约在 ${clock(endedAt)} 结束。`,
        lateAt !== null
          ? `${renewedAt === null ? '续期' : '下一次续期'}在 ${clock(lateAt)} 才到，已经太晚。该进程或它与 Redis 的连接被耽搁了${renewedAt === null ? '，或者该线程传入的 leaseTime 短于其工作' : ''}。`
          : unlockedAt !== null
            ? `它的解锁在 ${clock(unlockedAt)} 才到，此前未见其他续期。该进程被耽搁了，或者它的看门狗已停止。`
            : areCommandsSeen
              ? '此后该线程没有再发送任何关于此锁的命令。它可能仍在无锁工作。'
              : '此后它的客户端仍在。没有 MONITOR 就看不到该线程是否仍在工作，也看不到续期是否来得太晚。',
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, endedAt, takenBy }, say) =>
      joined(checkWrites(holder, endedAt, takenBy, say), '请检查该进程是否停顿：垃圾回收、CPU 繁忙、容器被暂停。'),
    later: () => '写入时请使用隔离令牌。',
  },
  'watchdog-batch-failure': {
    title: '多把锁的一次续期失败',
    explanation: ({ holder, locks, refusals, since, endedAt, takenBy, takenAt, isReader }, { who, clock }) =>
      isReader
        ? joined(
            `${who(holder)} 所属客户端为该锁续期，但没有为这个读者的每个超时键续期：其中一个已于 ${clock(endedAt)} 到期。`,
            '如果另一个读者现在解锁，可能在它之下删除该锁，写者就会进入。',
            'Redisson 3.44.0 到 3.52.0 会这样，例如当一个脚本为多把锁续期时。',
          )
        : joined(
            `${who(holder)} 所属客户端的 ${locks} 把锁自 ${clock(since)} 起未见续期而过期，第一把在 ${clock(endedAt)}。`,
            `它们位于不同的槽，当时 Redis 以 CROSSSLOT 拒绝了 ${refusals} 个脚本。自 3.44.0 起，Redisson 用一个脚本为一个客户端的至多 100 把锁续期；如果锁位于不同的槽，集群模式的服务器会拒绝该脚本。`,
            takenBy !== null && takenAt !== null && `${who(takenBy)} 于 ${clock(takenAt)} 获取了其中一把锁。`,
          ),
    advice: ({ isReader, endedAt }, { clock }) =>
      isReader
        ? `请检查该读者在 ${clock(endedAt)} 之后使用的数据。`
        : `请检查 ${clock(endedAt)} 之后写入的内容。请把 lockWatchdogBatchSize 设为 1，并重启客户端：在此之前，它的锁会继续过期。`,
    later: ({ isReader }) =>
      isReader
        ? '请升级 Redisson：4.0.0 会为这些键续期。'
        : '请使用 Redisson 的集群配置（useClusterServers）。仅升级没有用。',
  },
  'evicted-lock-key': {
    title: 'Redis 淘汰了被持有的锁',
    explanation: ({ holder, at, policy, takenBy, takenAt }, { who, clock }) =>
      joined(
        `Redis 于 ${clock(at)} 为释放内存淘汰了该锁${policy === null ? '' : `（maxmemory-policy ${policy}）`}。当时${holder === null ? '一个未被看到的线程持有它' : ` ${who(holder)} 持有它，并未释放`}。`,
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, at, takenBy }, say) =>
      `${checkWrites(holder, at, takenBy, say)}请释放内存：Redis 可能会淘汰下一把锁。`,
    later: () => '请把锁放在 maxmemory-policy 为 noeviction 的 Redis 中。volatile 类策略不能保护锁，因为锁有过期时间。',
  },
  'operator-delete-or-flush': {
    title: '一条命令夺走了被持有的锁',
    explanation: ({ holder, at, command, address, shortenedAt, isEmptied, refusedAt, ...next }, { who, clock }) => {
      const held = holder === null ? '一个未被看到的线程持有它' : `${who(holder)} 持有它`;
      return joined(
        shortenedAt !== null
          ? `${address} 的一条命令于 ${clock(shortenedAt)} 提前了租约的结束时间：该锁于 ${clock(at)} 结束，当时 ${held}。`
          : isEmptied
            ? `该锁所在的数据库于 ${clock(at)} 被清空，当时 ${held}。`
            : command === null
              ? `该锁于 ${clock(at)} 被移走，当时 ${held}，并且没有发送释放消息。`
              : `${address} 的 ${command} 于 ${clock(at)} 删除了该锁，当时 ${held}。`,
        refusedAt !== null &&
          `${clock(refusedAt)} 有一次尝试被拒绝，其线程一直在休眠。持有者是在 Lockscope 未观测时取得该锁的。`,
        address === null
          ? `没有 MONITOR 就看不到是哪条命令。${isEmptied ? '' : 'Redisson 的解锁会发送消息。'}`
          : '这样的命令不会向等待者发送释放消息。',
        taken(next.takenBy, next.takenAt, { who, clock }),
      );
    },
    advice: ({ holder, at, takenBy, address }, say) =>
      joined(checkWrites(holder, at, takenBy, say), address !== null && `请查明 ${address} 处的应用或人员。`),
    later: ({ isRedisson }) =>
      isRedisson
        ? '要手动释放锁，请使用 forceUnlock()：它删除锁并唤醒等待者。请先确认持有者已不再工作。'
        : '手动释放锁之前，请先确认持有者已不再工作。',
  },
  'lost-before-watching': {
    title: '线程在开始观测之前就失去了锁',
    explanation: ({ holder, at, isRenewal, isHeldByOther, since }, { who, clock }) =>
      joined(
        `${who(holder)} 于 ${clock(at)} 来${isRenewal ? '续期' : '解锁'}该锁，但${isHeldByOther ? '当时由另一个线程持有' : '它并不持有该锁'}。`,
        `自 ${clock(since)} 开始观测以来它没有获取过该锁，因此在那之前就已失去。如何失去未被看到。`,
      ),
    advice: ({ holder, isRenewal }, { who }) =>
      `请检查 ${who(holder)} 写入了什么${isRenewal ? '，以及它是否仍在工作' : ''}：它可能在没有锁的情况下工作过。`,
    later: () => '请让 Lockscope 持续运行，或用 --store 保存发生的事情：这样就能知道是什么夺走了锁。',
  },
  'foreign-delete': {
    title: '一个客户端删除了另一个客户端的锁',
    explanation: ({ holder, at, late, expiredAt, takenBy, takenAt }, { who, clock }) =>
      joined(
        late === holder
          ? `一个客户端于 ${clock(at)} 删除了该锁，当时另一个客户端持有它。两者设置了相同的值 ${who(holder)}。`
          : `${who(late)} 于 ${clock(at)} 删除了该锁，当时 ${who(holder)} 持有它。`,
        expiredAt !== null && `它自己的持有已于 ${clock(expiredAt)} 过期。`,
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, at, takenBy }, say) => checkWrites(holder, at, takenBy, say),
    later: () => '请用一个脚本释放锁：只有键中仍是自己的令牌时才删除。',
  },
  'fencing-token-back': {
    title: '栅栏令牌从更小的数重新开始',
    explanation: ({ holder, token, highest, highestHolder, highestAt, endedAt }, { who, clock }) =>
      joined(
        `${who(holder)} 得到令牌 ${token}，而 ${who(highestHolder)} 已于 ${clock(highestAt)} 得到 ${highest}。`,
        endedAt === null
          ? `检查令牌的存储会拒绝每个持有者，直到其令牌大于 ${highest}。`
          : `自 ${clock(endedAt)} 起令牌又大于 ${highest}。在此之前，检查令牌的存储会拒绝每个持有者。`,
        '计数器被删除或驱逐、恢复备份、故障转移都会造成这种情况。',
      ),
    advice: ({ highest, counter, endedAt }) =>
      endedAt === null
        ? `如果存储会检查这些令牌，请把计数器设为最大的令牌，使下一个更大：SET ${counter} ${highest}。`
        : '如果存储会检查这些令牌，请查看它拒绝了哪些写入。',
    later: () => '删除键时请保留带令牌的锁的计数器，也不要让 Redis 驱逐没有过期时间的键。',
  },
  'read-renewal-lost': {
    title: '另一线程释放后，读者未再续期',
    explanation: ({ holder, endedAt, unlockedAt, releasedBy, releasedAt, takenBy, takenAt }, { who, clock }) =>
      joined(
        `${who(releasedBy)} 于 ${clock(releasedAt)} 释放了读锁。此后未见同一客户端的另一读者 ${who(holder)} 的续期。`,
        unlockedAt === null
          ? `它的租约于 ${clock(endedAt)} 结束，而它的客户端在应续期之后仍使用过该锁。进程停顿看起来也一样。没有 MONITOR 就看不到该读者是否仍在工作，也看不到它使用的 Redisson 版本。`
          : `它的租约于 ${clock(endedAt)} 结束，而它在 ${clock(unlockedAt)} 才来解锁。`,
        `${who(releasedBy)} 此前曾两次持有（重入）该读锁。之后，Redisson 3.44.0 至 4.6.1 可能会停止其他读者的续期。`,
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, endedAt }, { who, clock }) => `请检查 ${who(holder)} 在 ${clock(endedAt)} 之后使用的数据。`,
    later: () => '如果该客户端使用 Redisson 3.44.0 至 4.6.1，请升级到 4.7.0 并重启它。在此之前，同一线程不要重入读锁。',
  },
};

/** Which renewals were seen, and the fault that explains them. */
function notRenewed(
  values: RenewalsValues['renewal-broken-after-error'],
  { who, clock }: Say,
): readonly [string, string] {
  const { holder, endedAt, fault, times, version } = values;
  switch (fault) {
    case 'gave-up':
      return [
        `${who(holder)} 的一次续期在同一时刻发送了两次，此后直到租约在 ${clock(endedAt)} 结束都没有再续期。`,
        `从脚本看，该客户端是 Redisson ${version}；在 3.43.0 及以前，未得到应答的续期就是最后一次。`,
      ];
    case 'stale':
      return [
        `${who(holder)} 的客户端持有此锁时，锁被删除。此后该客户端有 ${times} 次持有未经续期就过期，最近一次在 ${clock(endedAt)}。`,
        `从脚本看，该客户端是 Redisson ${version}；此后它不会再为该锁续期。`,
      ];
    case 'no-holder':
      return [
        `${who(holder)} 持有此锁期间，其客户端发送了 ${times} 次没有指明持有者的续期。它们没有续期任何持有，租约于 ${clock(endedAt)} 结束。`,
        '已见 Redisson 3.44.0 和 3.45.1 在一个线程对同一把锁两次加锁、两次解锁之后如此。',
      ];
    case 'not-run':
      return [
        `${who(holder)} 的一次续期在同一时刻发送了两次，Redis 都没有为它执行任何命令。直到租约在 ${clock(endedAt)} 结束，没有续期生效。`,
        '很可能 Redis 没有该脚本，且应答来得太晚，客户端未能加载它。已见 Redisson 3.46.0 和 4.7.0 这样丢失第一次续期。',
      ];
    case 'unseen':
      return [
        `${who(holder)} 的租约在 ${clock(endedAt)} 结束，这次持有期间未见续期，而同一客户端的看门狗此前曾为此锁续期。`,
        '没有 MONITOR 就看不到原因。也可能是应用自己设置了同样长度的租约。',
      ];
  }
}

/** What to do now after a lock was lost: two threads may have written. `holder` is null: it was not seen. */
function checkWrites(holder: string | null, since: RedisTime, takenBy: string | null, { who, clock }: Say): string {
  if (holder === null)
    return `请找出当时持有它的线程${takenBy === null ? '' : `，并检查它和 ${who(takenBy)} 在 ${clock(since)} 之后写入的内容`}：它可能仍在工作。`;
  return `请检查 ${who(holder)}${takenBy === null ? '' : ` 和 ${who(takenBy)}`} 在 ${clock(since)} 之后写入的内容。`;
}

/** The sentence about the thread that got the lock meanwhile. */
function taken(takenBy: string | null, takenAt: RedisTime | null, { who, clock }: Say): string | false {
  if (takenBy === null || takenAt === null) return false;
  return `${who(takenBy)} 于 ${clock(takenAt)} 获取了该锁，两者可能曾同时工作。`;
}

function inSeconds(ms: Millis): string {
  return `${Number((ms / 1000).toFixed(1))} 秒`;
}
