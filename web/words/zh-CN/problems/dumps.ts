import type { DumpCode, TextsOf } from '../../../../shared/wire/problems/values.ts';
import type { Translated } from '../../translated.ts';

export const OF_DUMPS: Translated<TextsOf<DumpCode>> = {
  'not-a-thread-dump': ({ why }) => FAULTS[why],
  'thread-dump-too-large': ({ megabytes }) => ({
    message: `此线程转储大于 ${megabytes} MB。`,
    hint: '如果文本包含多份转储，请只添加最后一份。',
  }),
  'thread-dump-too-much': () => ({
    message: '读取此线程转储耗时过长，或占用内存过多。',
    hint: '如果文本包含多份转储，请只添加最后一份。',
  }),
  'thread-dump-too-many': ({ most }) => ({
    message: `此转储的线程多于 ${most} 个。`,
    hint: '请使用 “jcmd PID Thread.print -l”，它不含虚拟线程。',
  }),
  'thread-dumps-full': ({ dumps, megabytes }) => ({
    message: `没有空间再存放线程转储：最多保留 ${dumps} 份或 ${megabytes} MB。`,
    hint: '请先删除一份。',
  }),
  'unknown-thread-dump': () => ({
    message: '没有这份线程转储，可能已被删除。',
    hint: 'GET /api/thread-dumps 会列出所有线程转储。',
  }),
};

const HOW = '请使用 “jcmd PID Thread.print -l”，或其他带有 Java 线程 id 的转储。';
const FAULTS = {
  'not-a-dump': { message: '这不是已知格式的线程转储：其中没有找到线程。', hint: HOW },
  'no-ids': { message: '此转储中的线程没有 Java id，Java 8 之前就是这样。', hint: HOW },
  cut: { message: '此线程转储缺少结尾，因此无法读取其 JSON。', hint: '请添加完整的文件。' },
} as const;
