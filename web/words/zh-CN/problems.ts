import type { ProblemCode, TextsOf } from '../../../shared/wire/problems/values.ts';
import type { Translated } from '../translated.ts';
import { translatedProblem } from '../translated-problem.ts';
import type { Words } from '../words.ts';
import { DEMO_TEXTS } from './problems/demo.ts';
import { DUMP_TEXTS } from './problems/dumps.ts';
import { RECORDING_TEXTS } from './problems/recordings.ts';
import { grantText, REDIS_TEXTS } from './problems/redis.ts';
import { REQUEST_TEXTS } from './problems/requests.ts';
import { TEXT_FILE_TEXTS } from './problems/texts.ts';
import { SIGHT_TEXTS, WATCHING_TEXTS } from './problems/watching.ts';

/** 服务器报告的每个问题。 */
export const BY_CODE: Translated<TextsOf<ProblemCode>> = {
  ...REDIS_TEXTS,
  ...WATCHING_TEXTS,
  ...SIGHT_TEXTS,
  ...REQUEST_TEXTS,
  ...DEMO_TEXTS,
  ...RECORDING_TEXTS,
  ...DUMP_TEXTS,
  ...TEXT_FILE_TEXTS,
};

export const problems: Translated<Words['problems']> = {
  silent: 'Lockscope 服务器没有响应。',
  silentHint: '请确认它是否仍在运行。',
  unreadable: (path) => `${path} 的响应不符合预期。`,
  status: (status) => `服务器返回了 ${status}。`,
  reloadHint: '请重新加载页面：它可能比服务器旧。',
  overBudgetHint: '开销过大，需要你确认。仍然启用 30 秒吗？',
  toAllow: grantText,
  watchedInstead: (message, level) => `${message}因此改用 ${level} 级别观测。`,
  blind: {
    'connection-lost': '连接断开',
    'level-changed': '级别或键事件已更改',
    'master-changed': '主节点已更换',
    'clock-set': 'Redis 的时钟被调整',
    'not-connected': '尚未连接',
    'no-rights': '用户无权读取锁',
    'observer-ended': '观测线程结束',
    'not-running': 'Lockscope 未运行',
    'not-stored': '未能存储',
    'recording-stopped': '录制已停止',
    'script-too-long': '某个脚本执行的命令多于 Lockscope 可保存的数量',
    'line-lost': '丢失了一行',
    'no-script-lines': '缺少脚本的行',
    dropped: '已从内存中清除',
    'watching-again': '恢复观测',
    unknown: '原因未知',
  },
  badLine: {
    'other-recording': '从此处开始的是另一份录制，请单独打开',
    'after-end': '位于结尾之后',
    'too-long': '过长',
    'not-json': '不是 JSON',
    'not-object': '不是对象',
    'no-time': '“at” 不是时间',
    'not-signal': '不是信号',
    'not-end': '不是结尾行',
    'lines-missing': '它记录的行数多于其前面的行数',
    'not-monitor': '不是 MONITOR 的一行',
    shortened: '被缩短',
    'no-call': '其脚本的调用缺失或不完整',
    'no-run': '其脚本的各行不相符：缺少若干行、来自另一台服务器，或 id 被替换',
    'out-of-order': '早于前一行',
  },
  textOf: (sent) => translatedProblem(BY_CODE, sent),
};
