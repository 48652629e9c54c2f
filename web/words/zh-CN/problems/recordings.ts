import type { RecordingCode, TextsOf } from '../../../../shared/wire/problems/values.ts';
import type { Translated } from '../../translated.ts';

const WRITTEN = '此前写入的内容可以打开。请在有空间的磁盘上用 --record 重新开始。';
const CAUSES = {
  exists: '该文件已存在',
  'no-folder': '没有这个文件夹',
  forbidden: '没有写入权限',
  'is-folder': '那是一个文件夹',
} as const;

export const RECORDING_TEXTS: Translated<TextsOf<RecordingCode>> = {
  'not-a-recording': ({ seems, line }) => {
    const { message, hint } = seems === undefined ? UNKNOWN : SEEMS[seems];
    return { message: line === undefined ? message : `${message}见第 ${line} 行。`, hint };
  },
  'monitor-of-several': ({ one, other }) => ({
    message: `此文本包含多个服务器的行：“${one}” 和 “${other}”。`,
    hint: '请每次只打开一个服务器的行。',
  }),
  'recording-newer': ({ format, reads }) => ({
    message: `由更新的版本生成（格式 ${format}；此版本可读取 ${reads}）。`,
    hint: '请用最新的 Lockscope 打开。',
  }),
  'recording-damaged': ({ field }) => ({
    message: `无法读取此录制：第一行缺少 “${field}”，或其值无效。`,
    hint: '请换一份该文件的副本，或重新录制。',
  }),
  'recording-too-large': ({ part, megabytes }) => ({
    message: `无法读取此录制：${PARTS[part]} ${megabytes} MB。`,
    hint:
      part === 'line' || part === 'memory'
        ? '请换一份该文件的副本，或重新录制。'
        : '请用 “lockscope open FILE” 打开，或录制更短的时间。',
  }),
  'recording-too-long': ({ lines }) => ({
    message: `无法读取此录制：超过 ${lines / 10_000} 万行。`,
    hint: '请用 “lockscope open FILE” 打开，或录制更短的时间。',
  }),
  'recording-unreadable': ({ why }) => UNREADABLE[why],
  'recordings-full': ({ files, megabytes }) => ({
    message: `没有空间再存放录制：最多保留 ${files} 个文件或 ${megabytes} MB。`,
    hint: '请在“录制”页面删除一份。',
  }),
  'recordings-disk-full': () => ({
    message: '没有空间存放录制：存放临时文件的磁盘已满。',
    hint: '请删除一份录制，或释放该磁盘的空间。',
  }),
  'unknown-problem': () => ({
    message: '最近 24 小时的问题中没有这个 id。',
    hint: 'GET /api/problems 列出它们。',
  }),
  'unknown-recording': () => ({
    message: '没有这份录制，可能已被删除。',
    hint: 'GET /api/recordings 会列出所有录制。',
  }),
  'recording-closed': ({ name }) => ({
    message: `录制 ${name} 未打开。`,
    hint: '加载其页面即可打开，除非它已被删除。',
  }),
  'recording-yours': ({ name }) => ({
    message: `${name} 是 --record 的文件，Lockscope 不会删除它。`,
    hint: '请自行删除该文件。',
  }),
  'not-a-file': () => ({
    message: '正文没有标明为长度已知的文件。',
    hint: '请发送 “Content-Type: application/octet-stream” 和 “Content-Length”。',
  }),
  'disk-full': ({ file }) => ({ message: `录制 ${file} 已停止：磁盘已满。`, hint: WRITTEN }),
  'store-failed': ({ file, why, quote }) => ({
    message: `未能存入 ${file}：${why === 'other' ? quote : why === 'gone' ? `数据库没有响应（${quote}）` : NOT_STORED[why]}。`,
    hint:
      why === 'gone'
        ? 'Lockscope 继续观测，每 5 秒重试一次。在此期间发生的内容最多保留 32 MB，之后会存入。'
        : 'Lockscope 继续观测，每 5 秒重试一次。在此期间发生的内容不会出现在存储中。',
  }),
  'store-unreadable': ({ file, quote }) => ({
    message: `无法读取 ${file} 中存储的内容：${quote}。`,
    hint: '内存中的时刻和范围照常显示。待存储恢复响应后请重试。',
  }),
  'recording-failed': ({ file, why, quote }) => ({
    message: `录制 ${file} 已停止：${why === 'other' ? quote : CAUSES[why]}。`,
    hint: WRITTEN,
  }),
};
const NOT_STORED = { full: '磁盘已满', slow: '磁盘过慢' };
const HOW = '录制由 --record FILE 生成，或在页面上保存。也可打开 redis-cli monitor 的文本。';
const RUN_MONITOR = '请在发生时运行 “redis-cli monitor > FILE”，然后打开该文本。';
const UNKNOWN = { message: '这不是 Lockscope 录制，其中也没有 MONITOR 的行。', hint: HOW };
const SEEMS = {
  empty: { message: '此文件为空。', hint: HOW },
  'heap-dump': { message: '这是 JVM 的堆转储，不是录制。', hint: HOW },
  'flight-recording': { message: '这是 Java Flight Recorder 的记录，不是 Lockscope 录制。', hint: HOW },
  archive: { message: '这是归档或压缩文件。', hint: '请解压后打开其中的文本。仅用 gzip 压缩一次的文本可直接打开。' },
  document: { message: '这是文字处理软件的文档或电子表格。', hint: '请另存为纯文本，然后打开该文件。' },
  damaged: { message: '此文件用 gzip 压缩，但已损坏，无法读取其中的内容。', hint: '请使用该文件的另一份副本。' },
  picture: { message: '这是图片或 PDF。', hint: '请打开文本本身。' },
  'redis-data': { message: '这是 Redis 的数据文件（RDB），其中没有命令。', hint: RUN_MONITOR },
  encoded: {
    message: '这是 base64 编码的文本，如邮件的源代码或导出文件。',
    hint: '请在邮件程序中保存附件，或解码（“base64 -d”），然后打开该文件。',
  },
  binary: { message: '这是二进制文件，不是录制。', hint: HOW },
  'thread-dump': { message: '这似乎是线程转储，不是录制。', hint: '请在 Lockscope 观测时通过“线程转储…”添加。' },
  'recording-text': {
    message: '这是 Lockscope 录制的文本，但开头不是录制的首行。',
    hint: '请打开写入或保存时的原文件。',
  },
  'redis-log': { message: '这是 Redis 服务器的日志，其中没有命令。', hint: RUN_MONITOR },
  'redis-reply': {
    message: '这是 Redis 对 MONITOR 以外命令的回复、redis-cli 的报告，或订阅收到的消息。',
    hint: RUN_MONITOR,
  },
  'redis-info': { message: '这是 INFO 的结果，其中没有命令。', hint: RUN_MONITOR },
  'client-list': { message: '这是 Redis 的客户端列表，其中只有每个客户端的最后一条命令。', hint: RUN_MONITOR },
  slowlog: { message: '这是慢日志，其中只有慢命令，没有脚本内部的命令。', hint: RUN_MONITOR },
  'redis-error': {
    message: 'Redis 或 redis-cli 返回了错误，此文件中没有命令。',
    hint: '请解决文件中所示的错误，然后重新运行 “redis-cli monitor > FILE”。',
  },
  'other-times': {
    message: '这些看起来是 Redis 的命令，但时间不是 MONITOR 所写的形式（带六位小数的秒数）。',
    hint: RUN_MONITOR,
  },
  'other-form': {
    message: '这些看起来是 Redis 的命令，但不是 Redis 2.6 以来 redis-cli 所写的形式。',
    hint: RUN_MONITOR,
  },
  commands: { message: '这是 Redis 的 AOF 文件，其中没有客户端和精确的时间。', hint: RUN_MONITOR },
} as const;
const PARTS = {
  file: '文件大于',
  unpacked: '解压后大于',
  line: '其中一行长于',
  memory: '读取它需要的内存多于',
} as const;
const UNREADABLE = {
  missing: { message: '没有这个文件。', hint: '请检查文件名和文件夹。' },
  'is-folder': { message: '那是一个文件夹。', hint: '请指定其中的一个文件。' },
  forbidden: { message: '没有读取该文件的权限。', hint: '请更改其权限，或复制该文件。' },
} as const;
