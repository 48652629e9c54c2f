import type { ValuesOf } from '../../../../shared/doctor/finding-values.ts';
import type { DoctorWords } from '../../en/pages/doctor.ts';
import type { Translated } from '../../translated.ts';

/** What the page says around the findings. */
export const page: Translated<DoctorWords['page']> = {
  title: '健康',
  about: '每台服务器上有哪些因素会危及锁，以及 Lockscope 在那里能看到什么。只读取，不做任何更改。',
  again: '重新检查',
  examining: '正在检查服务器。',
  readAt: (clock) => `读取于 ${clock}。`,
  needsServer: '体检需要一台在线的服务器',
  needsServerHint: '这是录制文件：它显示客户端做了什么，而不显示服务器如何配置。',
  elsewhere: '查看器不连接服务器',
  elsewhereHint: '此数据源由另一个进程（观察者）观测。如需检查其服务器：lockscope doctor URL。',
  allSources: '所有数据源',
  state: { danger: '危险', warning: '警告', unknown: '未知', info: '供参考', good: '良好' },
  good: (count) => `${count} 项良好`,
  rewrite: 'CONFIG SET 在 Redis 重启后失效。CONFIG REWRITE 可使其保留。',
  read: '读取到',
  reference: 'Redis 文档',
  help: '那时会发生什么',
  levels: '级别',
  works: '可用。',
  worksNot: '不可用。',
  unseen: '由于该用户缺少权限而看不到',
  cost: {
    title: '各级别的开销',
    none: '尚未测量。每个级别在不同的 Redis 上开销各不相同。',
    measure: '测量……',
    measureAgain: '重新测量……',
    dialog: '测量各级别的开销',
    what: 'Lockscope 以所选的每个级别观测这台服务器，各两次，每次 1 秒，并将 Redis 的 CPU 与其间的各秒进行比较。',
    monitor: 'MONITOR 共会运行约 2 秒：其间 Redis 会把所有客户端的每条命令复制给 Lockscope。',
    guard: '如果 Redis 繁忙、缓慢、正在保存或内存将满，则不会开始。造成危害的级别会立即结束。',
    first: '其中包含首次扫描所有键，因此级别之后的开销会更小。',
    beside: '此页面会继续观测。这些数字是再多一个 Lockscope 的开销。',
    takes: (seconds) => `大约需要 ${seconds} 秒。`,
    choose: '要测量的级别',
    start: '立即测量',
    notNow: '暂不',
    running: (level) => (level === null ? '当前没有启用级别，用于比较。' : `当前启用：${level}。`),
    elsewhere: (source) => `正在测量 ${source}。`,
    cancel: '取消',
    cancelled: '测量已取消。其级别均已停用。',
    failed: '测量失败。',
    without: (commands, cpu) =>
      `未启用级别时，Redis 每秒执行 ${commands} 条命令${cpu === null ? '' : `，占用单核的 ${cpu}`}。`,
    noFigures: 'Redis 不报告其活动，因此无法比较。',
    heads: ['级别', '增加的 CPU', '增加的输出', '可信程度'],
    range: (low, high) => (low === high ? low : `${low} 至 ${high}`),
    ofCore: (percent) => `单核的 ${percent}`,
    perSecond: (size) => `${size}/秒`,
    noValue: '–',
  },
  verdict: {
    measured: '已测得',
    'below-noise': '小于 Redis 自身负载的波动',
    'too-quiet': '过于空闲，无法判断：当前命令太少',
    unsteady: '不确定：负载变化过大',
    'no-figures': 'Redis 不报告其 CPU 时间',
    ended: '提前结束',
    refused: '未尝试',
  },
};

/** Why something could not be read. */
export function whyUnread({ command, why, quote }: ValuesOf<'unread'>): string {
  switch (why) {
    case 'no-permission':
      return `此用户无权执行 ${command}。`;
    case 'no-command':
      return `这台服务器没有 ${command}：它已被改名或移除。`;
    case 'not-reported':
      return `Redis 已应答，但没有这里已知的值：${quote}。`;
    case 'other':
      return quote === '' ? `Redis 没有应答 ${command}。` : `Redis 对 ${command} 返回“${quote}”。`;
  }
}

/** How to make it readable. */
export function adviceUnread({ command, why }: ValuesOf<'unread'>): string {
  switch (why) {
    case 'no-permission':
      return '授权方式：';
    case 'no-command':
      return command === 'ACL DRYRUN'
        ? '它自 Redis 7 起存在。'
        : '授权无法改变这一点。请查看配置文件，或 Redis 托管服务的控制台。';
    default:
      return '';
  }
}
