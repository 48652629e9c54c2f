import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const recordings: Translated<Words['recordings']> = {
  title: '录制',
  choose: '打开文件…',
  drop: '松开即可打开该文件',
  none: '还没有录制。',
  unknown: '尚不清楚',
  whole: '完整',
  text: '来自 MONITOR 文本',
  textTitle: '由 redis-cli monitor 的文本生成。',
  textMeaning:
    '该文本没有键事件、连接列表和回复，因此租约的结束由推算得出，且不知道开始之前已持有什么。时间是 Redis 自己的时钟。',
  open: '打开',
  download: '下载',
  save: '保存最近 10 分钟',
  saving: '正在保存最近 10 分钟…',
  saved: (names) => `已保存：${names}`,
  notSaved: (source, why) => `未保存：${source}。${why}`,
  savedHint: '它保留到此 Lockscope 结束为止。如需更久，请下载。',
  reading: (name) => `正在读取 ${name}…`,
  readingHint: '读取完成后会自动打开。',
  toList: '所有录制',
  dismiss: '关闭此消息',
};
