import type { FieldFault, RequestCode, TextsOf } from '../../../../shared/wire/problems/values.ts';
import type { Translated } from '../../translated.ts';

const WHERE = { query: '查询', header: '请求头', body: '正文', path: '路径' } as const;
const BUSY = {
  waiting: '等待中的同类请求过多。',
  unread: '未读取的响应过多。',
  connection: '同一连接上的并发请求过多。',
} as const;

export const REQUEST_TEXTS: Translated<TextsOf<RequestCode>> = {
  'bad-request': ({ where, ...fault }) => ({
    message: `${WHERE[where]}字段 “${fault.field}” 无效：${faultOf(fault)}。`,
    hint: `请更正 “${fault.field}” 后重新发送。`,
  }),
  'unreadable-request': () => ({
    message: '无法读取该请求。',
    hint: '请检查请求头和正文。GET /api/health 是一个有效的请求。',
  }),
  'not-sent': () => ({ message: '请求未及时到达。', hint: '请重新发送。' }),
  'too-long': () => ({ message: '地址过长。', hint: '请用 GET /api/locks?q= 和名称的一部分搜索。' }),
  'too-large': () => ({ message: '正文超过 2.5 MB。', hint: '请减少发送的内容。' }),
  'bad-json': () => ({ message: '正文不是 JSON。', hint: '请发送一个 JSON 对象。' }),
  'bad-path': () => ({ message: '路径的百分号编码不正确。', hint: '请对名称编码一次。' }),
  'not-json': () => ({ message: '正文没有标明为 JSON。', hint: '请发送 “Content-Type: application/json”。' }),
  'unknown-path': ({ method, path }) => ({
    message: `没有 ${method} ${path}。`,
    hint: 'GET /api/health 表明服务器在运行；所有路径见 docs/api.md。',
  }),
  'wrong-method': ({ method, path, allowed }) => ({
    message: `${path} 不能使用 ${method}。`,
    hint: `请使用 ${allowed} 之一。GET /api/openapi.json 描述每个路径。`,
  }),
  'nothing-here': () => ({ message: '这里什么也没有。', hint: '页面在 /，API 在 /api/health。' }),
  internal: () => ({ message: 'Lockscope 内部错误。', hint: '详情见其日志。其他功能不受影响。' }),
  'host-refused': () => ({
    message: '该主机名不属于此 Lockscope。',
    hint: '请通过 Lockscope 打印的地址打开页面。如果它嵌入在应用中，请把该主机名写入选项 “hosts”。',
  }),
  'origin-refused': () => ({ message: '该请求来自其他网站。', hint: '请使用 Lockscope 自己提供的页面。' }),
  'site-refused': () => ({ message: '该请求由其他网站引起。', hint: '请在单独的标签页中打开页面。' }),
  'token-required': () => ({
    message: '此 Lockscope 需要令牌。',
    hint: '请在地址后添加一次 ?token=TOKEN，或发送 “Authorization: Bearer TOKEN”。',
  }),
  'login-required': () => ({
    message: '尚未通过应用的登录，或登录已结束。',
    hint: '请重新加载页面。程序应先带着登录信息发送一个请求，再使用响应中的 Cookie。',
  }),
  'too-many-tries': ({ seconds }) => ({ message: '该地址已发送十个错误的令牌。', hint: `请在 ${seconds} 秒后重试。` }),
  busy: ({ why, seconds }) => ({ message: BUSY[why], hint: `请先读取已有的响应，并在 ${seconds} 秒后重试。` }),
  'unknown-source': () => ({ message: '没有这个数据源。', hint: 'GET /api/health 会列出所有数据源。' }),
  'no-such-fleet-source': () => ({ message: '没有这个数据源。', hint: 'GET /api/fleet 会列出所有数据源。' }),
  'ask-a-source': ({ path, names }) => ({
    message: '查看器自身没有锁：锁属于各个数据源。',
    hint: `GET /sources/NAME/api${path}。${names.length > 0 ? `NAME 例如：${names.join('、')}。` : ''}GET /api/fleet 会列出所有数据源。`,
  }),
  'sources-unread': () => ({
    message: '总线上的数据源尚未读取。',
    hint: '请稍后再试。GET /api/fleet 会显示总线是否应答。',
  }),
  'unknown-lock': () => ({ message: '没有见过这个名称的锁。', hint: 'GET /api/locks?q= 按名称的一部分搜索。' }),
  'unknown-client': () => ({ message: '没有见过这个标识的客户端。', hint: 'GET /api/clients 会列出所有客户端。' }),
  'ambiguous-lock': ({ count, places }) => ({
    message: `有 ${count} 把锁使用这个名称。`,
    hint: `请添加其中之一：${places.join('  ')}`,
  }),
  'ambiguous-client': ({ count, places }) => ({
    message: `该客户端出现在 ${count} 个数据源上。`,
    hint: `请添加其中之一：${places.join('  ')}`,
  }),
  'not-in-memory': ({ what }) => NOT_IN_MEMORY[what],
  'event-not-in-memory': ({ seq }) => ({
    message: `事件 ${seq} 不在内存中。`,
    hint: 'GET /api/events 的 oldestSeq 和 nextSeq 显示哪些事件在内存中。',
  }),
  'lines-not-in-memory': ({ seq }) => ({
    message: `事件 ${seq} 背后的 Redis 行不在内存中。`,
    hint: '只有本 Lockscope 自己观测的数据源或录制中的最新事件才有这些行。',
  }),
  'in-the-future': ({ field, now }) => ({
    message: `“${field}” 是未来的时刻。`,
    hint: `Redis 的时钟现在是 ${now}（自纪元起的微秒数）。请选择更早的时刻。`,
  }),
  forgotten: ({ oldestAt }) => ({
    message: `该时刻已不在内存中。${oldestAt === undefined ? '内存中还没有事件。' : `内存最早到 ${new Date(oldestAt / 1000).toISOString()}。`}`,
    hint: '请选择更晚的时刻，或去掉 “at” 查看当前状态。',
  }),
  'no-metrics': () => ({
    message: '此处没有指标：这是一份录制，或是多数据源的查看器。',
    hint: '请查询正在观测 Redis 的 Lockscope：它的指标在 /metrics。',
  }),
  'release-not-allowed': () => ({
    message: '此 Lockscope 只做观测。',
    hint: '请用 --allow-release 启动以允许强制解锁。',
  }),
  'release-not-confirmed': () => ({
    message: '没有确认锁的名称。',
    hint: '请在请求体的 “confirm” 中写入同样的名称。',
  }),
  'release-unsafe': ({ reason }) => ({ message: NOT_SAFE[reason], hint: '没有向 Redis 发送任何命令。' }),
  'release-changed': () => ({
    message: '该锁或其队列在命令发送之前发生了变化。',
    hint: '没有做任何更改。请重新查看该锁。',
  }),
  'release-unknown': () => ({
    message: '与 Redis 的连接在得到答复之前中断。不知道 Redis 是否执行了该命令。',
    hint: '请重新查看该锁。',
  }),
  'release-refused': ({ quote }) => ({
    message: `Redis 拒绝：${quote}`,
    hint: '如果其用户缺少权限：docs/operating.md 列出了 --allow-release 所需的命令。',
  }),
  'no-demo': () => ({ message: '此 Lockscope 不是演示。', hint: '请用 “lockscope demo” 启动演示。' }),
  recording: () => ({
    message: '这是一份录制。没有连接 Redis，因此无法更改任何内容。',
    hint: '如需观测 Redis：lockscope REDIS_URL。',
  }),
  'watched-elsewhere': () => ({
    message: '这是一个查看器：每个数据源由另一个进程（观察者）观测。在这里无法更改或检查任何内容。',
    hint: '请在启动观察者处选择级别：lockscope observe URL --observe LEVEL。如需检查服务器：lockscope doctor URL。',
  }),
  'websocket-only': () => ({
    message: '实时通道是 WebSocket。',
    hint: '请用 socket.io 并设置 transports: ["websocket"]，或读取 GET /api/events。',
  }),
  'too-many-streams': ({ most }) => ({
    message: `已打开的事件流过多（最多 ${most} 个）。`,
    hint: '请关闭其中一个，或用 GET /api/events?after= 查询。',
  }),
  'too-many-pages': () => ({ message: '打开的页面过多。', hint: '请关闭其中一个。' }),
  'bad-message': ({ name, ...fault }) => ({
    message: `“${name}” 消息不符合要求：${fault.field === '' ? '' : `${fault.field}：`}${faultOf(fault)}。`,
    hint: '请重新加载页面。如果客户端由你编写，消息格式见 docs/api.md。',
  }),
  'unknown-message': ({ name }) => ({ message: `没有名为 “${name}” 的消息。`, hint: '请发送 “hello” 或 “want”。' }),
  restarted: () => resync('Lockscope 已重新启动。'),
  'event-unknown': () => resync('Lockscope 已重新启动：它还没有这个事件。'),
  'missed-too-much': () => resync('错过的内容已不在内存中。'),
  'too-many-changes': () => resync('其间变化的锁过多。'),
  'too-much-at-once': () => resync('同时变化的锁过多。'),
};

const NOT_IN_MEMORY = {
  range: {
    message: '该时间段不在内存中。',
    hint: 'GET /api/events 的 oldestSeq 显示内存最早到哪里；--record FILE 会保存全部内容。',
  },
  lock: { message: '在该时刻还没有见过这把锁。', hint: 'GET /api/events?lock= 显示它的第一个事件。' },
} as const;

function resync(message: string) {
  return { message, hint: '随后会收到快照。' };
}

function faultOf({ fault, expected }: FieldFault): string {
  switch (fault) {
    case 'type':
      return `应为 ${expected}`;
    case 'too-big':
      return `不得大于 ${expected}`;
    case 'too-small':
      return `不得小于 ${expected}`;
    case 'choice':
      return `应为其中之一：${expected}`;
    case 'format':
      return `应符合格式 ${expected}`;
    case 'before':
      return `不得早于 “${expected}”`;
    case 'together':
      return `不能与 “${expected}” 同时使用`;
    case 'unknown':
      return '没有这个字段';
    case 'missing':
      return '必须填写';
    case 'other':
      return '值不符合要求';
  }
}

const NOT_SAFE = {
  free: '没有线程持有该锁。',
  kind: '这种锁不能安全地释放：它的许可或计数不属于任何持有者。',
  library: '不知道该库如何唤醒等待者，因此不能安全地释放它的锁。',
  group: '该持有属于联锁或红锁。只释放一个成员会使其他成员仍被持有。',
  guessed: '该键只是看起来像锁。',
  modes: '该锁同时用于读和写，或并非所有持有者都已知。',
  'no-queue': '未知有等待者位于同名 Redisson 公平锁的队首。',
  'head-alive': '不能确定队列中第一个等待者已消失。',
} as const;
