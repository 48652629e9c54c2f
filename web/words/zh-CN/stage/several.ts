import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const several: Translated<Words['several']> = {
  on: (lock, server) => `${server} 上的 ${lock}`,
  captions: {
    named: {
      taken: (who, lock) => `${who} 拿到 ${lock}。`,
      asleep: (who, lock) => `${who} 再问一次 ${lock}，然后睡去。`,
      released: (who, lock) => `${who} 释放 ${lock}。`,
      'released-to-waiter': (who, lock) => `${who} 释放 ${lock}，并发布一条消息。`,
      'rolled-back': (who, lock) => `${who} 归还 ${lock}：要么全要，要么全不要。`,
      'never-held': (who, lock) => `${who} 也释放 ${lock}，虽然从未拿到。`,
      'local-taken': (who, lock) => `${who} 在自己的内存里拿到 ${lock}。它不记录所有者。`,
      'local-waits': (who, lock) => `${who} 等待 ${lock}。`,
      'local-waits-for-itself': (who) => `${who} 再次请求。锁说：已占用。${who} 在等它自己。`,
      'local-freed': (who, lock) => `${who} 释放 ${lock}。`,
    },
    refused: (who, lock, left) =>
      left === null ? `${who} 请求 ${lock}：占用中。` : `${who} 请求 ${lock}：占用中，租约剩余 ${left} 秒。`,
    groupRefused: (who, lock, of) => `${lock} 占用中：${who} 无法拿齐 ${of} 把。`,
    group: {
      'group-took': (who, lock, have, of) => `${who} 又拿到 ${lock}：${of} 中的 ${have}。`,
      'group-complete': (who, lock, _have, of) => `${who} 又拿到 ${lock}：${of} 把齐了。`,
    },
    votes: {
      majority: (who, have, of) => `${of} 台服务器中 ${have} 台答应：多数，${who} 持有。`,
      'no-majority': (who, have, of) => `${who} 统计：${of} 台中只有 ${have} 台，不成多数，放弃。`,
    },
    server: {
      'server-killed': (server) => `${server} 被杀死，不再有人应答。`,
      'server-link-cut': (server) => `${server} 被切断：不再复制任何东西。`,
      'server-promoted': (server) => `${server} 被提升：现在它是主节点。`,
    },
    after: {
      'local-gave-up': (who, after) => `${who} 等了 ${after} 秒后放弃。没有线程能释放它。`,
      'local-let-go': (who, after) => `${after} 秒后演示中断了 ${who}，否则它会永远等下去。`,
    },
    circle: () => '死锁：双方各自等待对方手里的锁。',
    circleBroken: (who, after) => `${who} 等了 ${after} 秒后放弃：环断开了。`,
    failover: {
      lost: (who, server) => `${server} 对 ${who} 的锁一无所知，而 ${who} 并不知道。`,
      'lost-unlock': (who, server) => `${who} 的解锁被拒绝：${server} 从未知道它的锁。`,
    },
    crowdAsleep: (n) => `现在有 ${n} 个线程睡着。睡着的线程不发送命令。`,
    crowdReported: (who, clients) =>
      clients === null ? `${who} 发布一条消息。` : `${who} 发布一条消息，${clients} 个客户端听到。`,
    crowdWon: (who, after) => (after === null ? `${who} 最先到，拿到锁。` : `${who} 最先到：消息之后 ${after}。`),
    crowdLost: (who) => `${who} 白醒一场：别人更快。它又睡去。`,
  },
  local: {
    label: (client, name) => `${client} 的内存中：${name}`,
    title: (client) => `${client} 的内存中`,
    free: '空闲',
    taken: '已占用；它不记录所有者',
    waits: '有线程在等它：',
    waitsForItself: '占用它的线程自己在等：',
    reported: '由演示客户端报告，不在 Redis 中。',
  },
  group: {
    multiLock: (who) => `${who} 的联锁：`,
    redLock: (who) => `${who} 的 RedLock：`,
    has: (have, of, isMajority) => (isMajority ? `${of} 台服务器中的 ${have} 台，多数` : `${of} 中的 ${have}`),
    hasNone: '尚无',
    ends: { released: '已归还', 'rolled-back': '已回滚，什么也没持有', lost: '已丢失' },
    inferred: '它们同属一次操作，这是推断。',
    reported: '它们同属一次操作，由演示客户端报告。',
    unasked: (who) => `${who} 还没问这里`,
    members: {
      held: (who) => `${who} 拿到`,
      refused: (who) => `${who} 被拒绝`,
      'rolled-back': (who) => `${who} 已归还：要么全要，要么全不要`,
      released: (who) => `${who} 已归还`,
      'never-held': (who) => `${who} 从未拿到，仍然解锁`,
      lost: (who) => `${who} 丢失了它`,
    },
  },
  nodes: {
    label: '服务器',
    states: {
      master: () => '主节点',
      copies: (of) => `副本，复制 ${of}`,
      'cut-off': (of) => `副本，与 ${of} 断开`,
      killed: () => '被杀死',
      promoted: () => '现在是主节点',
    },
  },
  server: {
    down: '被杀死。它不再应答，也不再被观测。',
    unseen: '目前看不到：状态未知',
  },
  circle: {
    label: '死锁',
    wants: '想要',
    heldBy: '持有者',
    step: (who, lock, holder) => `${who} 想要 ${lock}，它由 ${holder} 持有。`,
  },
  tally: {
    title: '由事件数出',
    asleep: '睡着',
    asked: '醒来再问',
    won: '拿到',
    forNothing: '白醒',
    release: (n) => `第 ${n} 次释放`,
    inAll: '合计',
  },
};
