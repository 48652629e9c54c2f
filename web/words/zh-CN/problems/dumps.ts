import type { DumpCode, TextsOf } from '../../../../shared/wire/problems/values.ts';
import type { Translated } from '../../translated.ts';

export const DUMP_TEXTS: Translated<TextsOf<DumpCode>> = {
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

const OPEN_IT = '请在“录制”页面打开，或拖放到任意页面。';
const HOW = '请使用 “jcmd PID Thread.print -l”，或其他带有 Java 线程 id 的转储。';
const FAULTS = {
  'not-a-dump': { message: '这不是已知格式的线程转储：其中没有找到线程。', hint: HOW },
  'no-ids': { message: '此文本中的线程没有 Java id：Java 8 之前的转储、死锁列表或协程列表都是如此。', hint: HOW },
  cut: { message: '此线程转储缺少结尾，因此无法读取其 JSON。', hint: '请添加完整的文件。' },
  forced: {
    message: '此转储（jstack -F）使用操作系统的线程 id，而不是 Java 的线程 id。',
    hint: '请使用 “jcmd PID Thread.print -l”。如果 JVM 没有响应，请使用 “kill -3 PID”，它会输出到 JVM 的日志。',
  },
  j9: {
    message: '此 javacore 中的线程没有 Java id，IBM Java 6 之前就是这样。',
    hint: '请使用 “jcmd PID Thread.print”，或应用的 GET /actuator/threaddump。',
  },
  android: { message: '这里列出的是 Android 的线程，其编号不是 Java 线程的 id。', hint: HOW },
  native: { message: '这是 gdb 或 pstack 的栈，其中没有 Java 线程的名称。', hint: HOW },
  'other-runtime': { message: '这是 Go、Python 或 .NET 的线程。只能读取 JVM 的线程。', hint: HOW },
  exception: { message: '这是一个异常的栈，不是所有线程的列表。', hint: HOW },
  'monitor-text': { message: '这是 redis-cli monitor 的文本，不是线程转储。', hint: OPEN_IT },
  recording: { message: '这是 Lockscope 录制，不是线程转储。', hint: OPEN_IT },
  empty: { message: '此文本为空。', hint: HOW },
  'heap-dump': { message: '这是堆转储，不是线程转储。', hint: HOW },
  'flight-recording': {
    message: '这是 Java Flight Recorder 的记录。',
    hint: '请以文本添加其中的线程转储：“jfr print --events jdk.ThreadDump FILE”。',
  },
  archive: { message: '这是归档或压缩文件。', hint: '请解压后添加其中的文本。' },
  document: { message: '这是文字处理软件的文档或电子表格。', hint: '请另存为纯文本，然后添加该文件。' },
  'other-file': {
    message: '这是 jcmd 把线程转储写入文件时的输出，其中没有转储本身。',
    hint: '请从该 JVM 所在的机器或容器添加它所示的文件。',
  },
  'no-answer': {
    message: '这是 jstack 或 jcmd 的错误：JVM 没有响应。其中没有找到线程。',
    hint: '请使用与 JVM 相同的用户和容器。如果它没有响应，“kill -3 PID” 会把转储输出到其日志。',
  },
  'web-answer': {
    message: '这是错误信息或网页，不是线程转储。',
    hint: '请用该页面所需的权限重新请求，或使用 “jcmd PID Thread.print -l”。',
  },
  picture: { message: '这是图片或 PDF。', hint: '请添加文本本身。' },
  'redis-data': { message: '这是 Redis 的数据文件（RDB）。', hint: HOW },
  encoded: {
    message: '这是 base64 编码的文本，如邮件的源代码或导出文件。',
    hint: '请在邮件程序中保存附件，或解码（“base64 -d”），然后添加其中的文本。',
  },
  binary: { message: '这是二进制文件，不是文本。', hint: HOW },
} as const;
