import type { Words } from '../words.ts';

export const several: Words['several'] = {
  captions: {
    named: {
      taken: (who, lock) => `${who} 拿到 ${lock}。`,
      asleep: (who, lock) => `${who} 再问一次 ${lock}，然后睡去。`,
      released: (who, lock) => `${who} 释放 ${lock}。`,
      'released-to-waiter': (who, lock) => `${who} 释放 ${lock}，并发布一条消息。`,
    },
    refused: (who, lock, left) =>
      left === null ? `${who} 请求 ${lock}：占用中。` : `${who} 请求 ${lock}：占用中，还剩 ${left} 秒。`,
    circle: () => '成环了：每个都在等对方手里的锁。死锁。',
    circleBroken: (who, after) => `${who} 等了 ${after} 秒后放弃：环断开了。`,
    crowdAsleep: (n) => `现在有 ${n} 个线程睡着。睡着不消耗 Redis。`,
    crowdTold: (who, clients) =>
      clients === null ? `${who} 发布一条消息。` : `${who} 发布一条消息，${clients} 个客户端听到。`,
    crowdWon: (who, after) => (after === null ? `${who} 最先到，拿到锁。` : `${who} 最先到：消息之后 ${after}。`),
    crowdLost: (who) => `${who} 白醒一场：别人更快。它又睡去。`,
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
