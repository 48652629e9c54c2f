import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const moment: Translated<Words['moment']> = {
  asOf: (time) => `${time} 时的状态`,
  goLive: '回到实时',
  forgotten: (time) => `${time} 不在内存中。`,
  memoryBack: (clock) => `内存最早到 ${clock}。`,
  reading: (time) => `正在读取 ${time} 时的状态。`,
  brokenLink: (parameters) => `这个链接有一部分无法识别：${parameters}。`,
  brokenLinkHint: '无法识别的部分已忽略。',
  elsewhere: (recording) => `这个链接指向录制文件 ${recording}，这里没有打开它。`,
  elsewhereHint: (recording) => `要查看它，请运行：lockscope open ${recording}`,
  momentForgotten: (since) => `这一刻已被清除：内存中最早的事件发生在 ${since}。`,
  momentUnseen: (since) => `当时还没有任何记录：第一个事件发生在 ${since}。`,
  momentForgottenHint: '如果当时有录制：lockscope open FILE',
  markForgotten: '选中的事件已从内存中清除。',
  markForgottenHint: '链接的其余部分照常显示。',
};
