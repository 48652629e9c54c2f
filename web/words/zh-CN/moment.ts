import type { Words } from '../words.ts';

export const moment: Words['moment'] = {
  asOf: (time) => `${time} 时的状态`,
  asOfHint: '按 J 和 K 后退或前进一个事件。',
  goLive: '回到实时',
  toEnd: '到结尾',
  notThen: (time) => `${time} 时对这把锁一无所知。`,
  notThenHint: '当时它还不存在，或者那一刻已不在内存中。',
  reading: (time) => `正在读取 ${time} 时的状态。`,
  onlyNow: '统计和历史包含内存中的全部事件，不仅是此前的事件。',
  showInTimeline: '在时间线中显示',
  showInEvents: '在全部事件中显示',
  eventsOfLock: '这把锁的事件',
  olderThanList: (time) => `光标早于这里列出的所有事件：列表从 ${time} 开始。`,
  brokenLink: (parameters) => `这个链接有一部分无法识别：${parameters}。`,
  brokenLinkHint: '无法识别的部分已忽略。',
  elsewhere: (recording) => `这个链接指向录制文件 ${recording}，这里没有打开它。`,
  elsewhereHint: (recording) => `要查看它，请运行：lockscope open ${recording}`,
  momentForgotten: '这一刻已不在内存中。',
  momentForgottenHint: '只保留最新的事件。如果当时有录制：lockscope open FILE',
  markForgotten: '这个链接选中的内容已不在内存中。',
  markForgottenHint: '链接的其余部分照常显示。',
};
