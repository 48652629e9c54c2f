import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';
import { withAfter } from '../number.ts';

export const remedies: Translated<Words['remedies']> = {
  renewal: {
    gone: () => '客户端没有到 Redis 的连接，因此不会为此租约续期。',
    'never-ends': () => '没有租约：锁不会自行结束。',
    renewed: (due) => `看门狗在为租约续期${due === null ? '' : `，下一次在 ${due}内`}。`,
    extended: () => '租约已被续期。不知道何时会再次续期。',
    late: () => '看门狗曾为租约续期，但下一次续期迟到了。',
    missed: (lease) =>
      `租约 ${withAfter(lease, '过去')}三分之一后（看门狗应续期之时）没有续期。租约很可能由调用者指定。`,
    long: (lease) =>
      `未知有看门狗为此持有续期。Redisson 看门狗默认设置 30 秒，因此 ${withAfter(lease, '的')}租约很可能由调用者指定。`,
    due: (due) => `尚不知道有看门狗为此持有续期${due === null ? '' : `。若有看门狗，应在 ${due}内续期`}。`,
    unseen: () => '未知：Lockscope 没有看到租约最近是如何设置的。',
  },
  turns: '交接',
  rate: '频率',
  rateText: (rate, count, span) => `每秒 ${rate} 次（${withAfter(span, '内')} ${count} 次）`,
  tooFew: (count, span) => `数据不足：${withAfter(span, '内')} ${count} 次`,
  longest: '所见最久等待',
  longestText: (length, isOpen) => `${isOpen ? '至今 ' : ''}${length}`,
  overtaken: (_times, text, isWhole) => `${isWhole ? '' : '至少'}有 ${text} 次由更晚见到请求的线程先获得`,
  inOrder: '没有更晚见到请求的线程先获得',
  newcomer: '新的等待者',
  newcomerText: (length, waiting, rate) =>
    `若保持现状，平均约等待 ${length}：当前 ${waiting} 个在等待，每秒交接 ${rate} 次`,
  newcomerUnknown: '目前无法估计',
  noTurns: (span) => (span === null ? '尚未看到交接。' : `最近 ${withAfter(span, '内')}未见交接。`),

  title: '可以做什么',
  risk: (text) => `风险：${text}`,
  convoy: '不要释放它：锁在快速交接，释放会让两个线程同时进入。请缩短持有时间，或把它拆成多把锁。',
  wait: (clock) => `等到 ${clock}。如果客户端没有回来，租约届时结束，Redis 释放这把锁。`,
  waitRisk: '届时进程可能仍在没有连接的情况下工作。请确认它已终止。',
  ends: (clock) => `如果没有续期，租约将在 ${clock} 结束，即使持有者仍在工作。`,
  endsRisk: '届时另一个线程可能获得锁，而此线程仍在工作。',
  renewed: '仅靠等待可能不够：只要客户端在运行且没有解锁，看门狗就会续期。',
  dumpAgain: (clock, thread, who) =>
    `持有者处已显示${clock === null ? '' : ` ${clock} 的`}线程转储。再取一次，可看到 ${who} 的 Java 线程 ${thread} 那时在做什么。`,
  dump: (thread, who) => `查看 ${who} 的 Java 线程 ${thread} 在做什么。`,
  dumpRisk: '线程转储会让该 JVM 暂停片刻，且不包含虚拟线程，也不包含异步调用自行设定的 id。',
  release: '手动释放这把锁。',
  releaseChecks: '如果届时锁已由其他线程持有，它什么也不做；否则会唤醒等待者。',
  releaseChecksPolling: '如果届时 Redis 中是其他持有者，它什么也不做。',
  releaseForces: '在使用 Redisson 的应用中执行。它不检查锁由哪个线程持有，并唤醒等待者。',
  releaseGone: (clock) =>
    `其客户端${clock === null ? '' : `自 ${clock} 起`}已没有到 Redis 的连接，但进程可能仍在工作。请确认它已终止。`,
  releaseAlive: '持有者不会得到通知。它与下一个持有者可能同时工作，而它自己的解锁可能失败。',
  noDelete: '不要只用 DEL：它不会唤醒等待者。',
};
