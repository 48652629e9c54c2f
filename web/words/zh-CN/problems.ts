import type { Words } from '../words.ts';

const TRYING_AGAIN = '正在自动重试。';
const NEEDS = 'Lockscope 需要 Redis 6 或更高版本，或 Valkey。';

export const problems: Words['problems'] = {
  silent: 'Lockscope 服务器没有响应。',
  silentHint: '请确认它是否仍在运行。',
  unreadable: (path, field) => `${path} 的响应不符合预期（${field}）。`,
  status: (status) => `服务器返回了 ${status}。`,
  reloadHint: '请重新加载页面：它可能比服务器旧。',
  byCode: {
    refused: (_, where) => ({
      message: `${where} 上没有 Redis。`,
      hint: '请检查主机和端口，并确认 Redis 正在运行且可从此处访问。',
    }),
    'no-such-host': (_, where) => ({
      message: `找不到 ${where} 的主机。`,
      hint: '请检查拼写，并确认该主机名可从此处解析。',
    }),
    'not-redis': (_, where) => ({
      message: `${where} 不是 Redis。`,
      hint: '该端口上是其他服务。请检查端口；Redis 通常使用 6379。',
    }),
    tls: ({ message }, where) => ({
      message: `与 ${where} 的 TLS 握手失败：${afterColon(message)}`,
      hint: '如果服务器没有启用 TLS，请使用 redis://；私有 CA 请将 NODE_EXTRA_CA_CERTS 设为其证书。',
    }),
    'no-answer': (_, where) => ({ message: `${where} 没有响应。`, hint: '请检查地址以及途中的防火墙。' }),
    lost: ({ message }, where) => ({ message: `${where}：${afterColon(message)}`, hint: TRYING_AGAIN }),
    'redis-error': ({ message }, where) => ({ message: `${where}：${afterColon(message)}`, hint: TRYING_AGAIN }),
    closed: (_, where) => ({
      message: `${where} 关闭了连接。`,
      hint: '如果它使用 TLS，请改用 rediss://；否则请确认它是 Redis 并且接受我们的连接。',
    }),
    'wrong-password': (_, where) => ({
      message: `${where} 拒绝了用户名或密码。`,
      hint: '请写在 URL 中：redis://user:password@host:port（特殊字符需百分号编码）。',
    }),
    'password-required': (_, where) => ({
      message: `${where} 需要密码。`,
      hint: '请写在 URL 中：redis://:password@host:port 或 redis://user:password@host:port。',
    }),
    'not-permitted': ({ message }) => ({
      message: `该用户没有观测所需的权限：${afterColon(message)}`,
      hint: 'lockscope doctor 会打印所需的 ACL 命令。',
    }),
    'no-resp3': (_, where) => ({
      message: `${where} 不支持 RESP3。`,
      hint: `${NEEDS}中间不能有只支持 RESP2 的代理。`,
    }),
    loading: (_, where) => ({ message: `${where} 正在加载数据。`, hint: TRYING_AGAIN }),
    'too-old': (_, where) => ({ message: `${where} 的版本低于 Redis 6。`, hint: NEEDS }),
    'too-many-clients': (_, where) => ({
      message: `${where} 不再接受新的客户端。`,
      hint: '请调高 maxclients，或关闭一些连接。',
    }),
    'monitor-refused': ({ message, hint }) => {
      const user = /^User (.+) may not/.exec(message)?.[1] ?? '';
      const command = /ACL SETUSER .+ \+monitor/.exec(hint)?.[0] ?? '';
      return {
        message: `用户 ${user} 无权执行 MONITOR。`,
        hint: `如需允许：${command}。在此之前，键事件级别可显示持有者与租约。`,
      };
    },
    'replica-monitor': () => ({
      message: '该服务器是副本：它的 MONITOR 只显示主节点做了什么，而不显示是谁要求的。',
      hint: '如需查看，请观测其主节点。',
    }),
    'no-such-master': ({ message }, where) => ({
      message: `${where} 的 Sentinel 不认识名为 ${/called (.+)\.$/.exec(message)?.[1] ?? ''} 的主节点。`,
      hint: '请检查主机之后的名称：SENTINEL MASTERS 会列出已知的主节点。',
    }),
    'no-sentinel': (_, where) => ({
      message: `${where} 不是 Sentinel。`,
      hint: 'Sentinel 通常监听 26379。如需观测单个服务器，请使用 redis://host:port。',
    }),
    'no-cluster': (_, where) => ({
      message: `${where} 不是集群。`,
      hint: '请用服务器自己的 URL 观测：redis://host:port。',
    }),
    'no-slots': (_, where) => ({
      message: `${where} 中没有服务器负责任何槽位。`,
      hint: '集群尚未建好，或该服务器从未加入集群：请查看 CLUSTER INFO。',
    }),
    'not-connected': () => ({ message: '尚未连接到 Redis。', hint: '请在连接后重试。' }),
    'observer-failed': ({ message }) => ({
      message: `观测进程已停止：${afterColon(message)}`,
      hint: '请重新启动 Lockscope，并报告此问题。',
    }),
    'token-required': () => ({
      message: '此 Lockscope 需要令牌。',
      hint: '请在地址后添加一次 ?token=TOKEN，或发送 “Authorization: Bearer TOKEN”。',
    }),
    'host-refused': () => ({ message: '该主机名不属于此 Lockscope。', hint: '请通过 Lockscope 打印的地址打开页面。' }),
    'origin-refused': () => ({ message: '该请求来自其他网站。', hint: '请使用 Lockscope 自己提供的页面。' }),
  },
  bySentence: {
    'Expiries and evictions are computed, not heard: Redis sends no key events for them (notify-keyspace-events needs Ex).':
      '过期与淘汰由推算得出，而非直接收到：Redis 没有发送相应的键事件（notify-keyspace-events 需要 Ex）。',
    'Refused attempts, so who waits: only how many connections listen for a lock.':
      '被拒绝的尝试，也就是谁在等待：只能看到有多少连接在监听某把锁。',
    'Who sent a command, refused unlocks and refused renewals.': '命令由谁发出，以及被拒绝的解锁与续期。',
    'Two changes within a moment may be told as one.': '瞬间发生的两次变化可能合并为一次。',
    'A lock that is new since the last scan: Redis sends no key events, so only known locks are tracked (--configure-notifications changes that).':
      '上次扫描之后新出现的锁：Redis 不发送键事件，因此只跟踪已知的锁（可用 --configure-notifications 改变）。',
    'Changes between two snapshots: this server sends neither key events nor invalidations.':
      '两次快照之间的变化：该服务器既不发送键事件，也不发送失效通知。',
    'Everything between two snapshots: short holds, releases, who waits, why a lock changed hands.':
      '两次快照之间的一切：短暂的持有、释放、谁在等待、锁为何易手。',
    'Who sent a command, refused attempts, unlocks and renewals.': '命令由谁发出，以及被拒绝的尝试、解锁与续期。',
    'Wake-up messages: they are not sent here (sharded pub/sub, or a replica), so a release and a deletion look the same.':
      '唤醒消息：此处收不到（分片 pub/sub，或者是副本），因此释放与删除看起来一样。',
    'connection lost': '连接断开',
    'watching again': '恢复观测',
  },
  byPattern: [
    {
      pattern: /^This server is a replica: MONITOR .* Watching at level (\w+) instead\.$/,
      say: (level = '') => `该服务器是副本：它的 MONITOR 不显示命令由谁发出。因此改用 ${level} 级别观测。`,
    },
    {
      pattern: /^(\d+) MB of MONITOR output waited in Redis\./,
      say: (megabytes = '') => `Redis 中积压了 ${megabytes} MB 的 MONITOR 输出，因此降低了观测级别。`,
    },
    {
      pattern: /^We were (\d+) s behind Redis\./,
      say: (seconds = '') => `我们比 Redis 落后了 ${seconds} 秒，因此降低了观测级别。`,
    },
  ],
};

/** What Redis or the system said, as it said it. */
function afterColon(message: string): string {
  return message.slice(message.indexOf(': ') + 1).trim();
}
