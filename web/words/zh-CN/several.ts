import type { Words } from '../words.ts';

export const several: Words['several'] = {
  captions: {
    named: {
      taken: (who, lock) => `${who} 拿到 ${lock}。`,
      asleep: (who, lock) => `${who} 再问一次 ${lock}，然后睡去。`,
      released: (who, lock) => `${who} 释放 ${lock}。`,
      'released-to-waiter': (who, lock) => `${who} 释放 ${lock}，并发布一条消息。`,
      'local-taken': (who, lock) => `${who} 在自己的内存里拿到 ${lock}。它不记录是谁。`,
      'local-waits': (who, lock) => `${who} 等待 ${lock}。`,
      'local-waits-for-itself': (who) => `${who} 再次请求。锁说：已占用。${who} 在等它自己。`,
      'local-freed': (who, lock) => `${who} 释放 ${lock}。`,
    },
    refused: (who, lock, left) =>
      left === null ? `${who} 请求 ${lock}：占用中。` : `${who} 请求 ${lock}：占用中，还剩 ${left} 秒。`,
    after: {
      'local-gave-up': (who, after) => `${who} 等了 ${after} 秒后放弃。本来就没有人能释放它。`,
      'local-let-go': (who, after) => `${after} 秒后演示中断了 ${who}，否则它会永远等下去。`,
    },
    circle: () => '成环了：每个都在等对方手里的锁。死锁。',
    circleBroken: (who, after) => `${who} 等了 ${after} 秒后放弃：环断开了。`,
    crowdAsleep: (n) => `现在有 ${n} 个线程睡着。睡着不消耗 Redis。`,
    crowdTold: (who, clients) =>
      clients === null ? `${who} 发布一条消息。` : `${who} 发布一条消息，${clients} 个客户端听到。`,
    crowdWon: (who, after) => (after === null ? `${who} 最先到，拿到锁。` : `${who} 最先到：消息之后 ${after}。`),
    crowdLost: (who) => `${who} 白醒一场：别人更快。它又睡去。`,
  },
  local: {
    label: (client, name) => `${client} 的内存中：${name}`,
    title: (client) => `${client} 的内存中`,
    free: '空闲',
    taken: '已占用；被谁占用，它不知道',
    waits: '有线程在等它：',
    waitsForItself: '占用它的线程自己在等：',
    told: '由演示客户端告知。Redis 看不到它，Lockscope 也看不到。',
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
    asked: '醒来并请求',
    won: '拿到',
    forNothing: '白醒',
    release: (n) => `第 ${n} 次释放`,
    inAll: '合计',
  },
};
