import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const pastInstant: Translated<Words['pastInstant']> = {
  asOfHint: '按 J 和 K 后退或前进一个事件。',
  toEnd: '到结尾',
  unwatchedThen: '这一刻没有进行观测：显示的是此前看到的状态。',
  notWatchedThen: (sources) => `这一刻未在观测：${sources}。显示的是此前最后看到的状态。`,
  notWatchedSince: (source, time) => `${source}（自 ${time} 起）`,
  moreUnwatched: (count) => `另外 ${count} 个`,
  noneThen: (time) => `${time} 时还没有已知的锁。`,
  memoryEmpty: '内存中还没有事件。',
  ifRecorded: '如果那段时间有录制：lockscope open FILE',
  toOldest: '前往最早的一刻',
  notThen: (time) => `${time} 时对这把锁一无所知。`,
  notThenHint: '到那时为止还没有见过它。',
  showInTimeline: '在时间线中显示',
  showInEvents: '在全部事件中显示',
  eventsOfLock: '这把锁的事件',
  olderThanList: (time) => `光标早于这里列出的所有事件：列表从 ${time} 开始。`,
};
