import type { FindingTexts } from '../../../../shared/doctor/finding-values.ts';

/** Findings about what Lockscope can see. */
export const sight = {
  'key-events': ({ flags }) => ({
    title: 'Redis 会发送键事件',
    why: `键事件级别能在锁发生变化时看到每次变化（${flags}）。`,
    advice: '',
  }),
  'key-events-with-fields': ({ flags }) => ({
    title: 'Redis 会发送键事件，并附带哈希的字段',
    why: `键事件级别能看到锁的每次变化，并且无需读取即可知道是谁获得了已知的 Redisson 锁（${flags}）。这些通知按 Redis 8.8 的文档解读：尚未在这样的服务器上试过。`,
    advice: '',
  }),
  'key-events-without-fields': ({ flags }) => ({
    title: 'Redis 会发送键事件，但不附带哈希的字段',
    why: `键事件级别能看到锁的每次变化，并通过读取得知持有者（${flags}）。自 Redis 8.8 起，标志 T 会附带哈希的字段：它们指明已知的 Redisson 锁的持有者，因此这些锁的短暂持有也能看到。此功能按文档实现，尚未在这样的服务器上试过。`,
    advice: '如有需要，请加上 T。此后 Redis 还会发布任何 HSET、HINCRBY 或 HDEL 所更改的全部字段名。',
  }),
  'key-events-twice': ({ flags }) => ({
    title: 'Redis 会把每个键事件发送两次',
    why: `键事件级别能看到锁的每次变化。标志 ${flags} 含有 K 和 E：Redis 对每次变化发布两条消息，而 Lockscope 只需要一条。`,
    advice: '如果没有其他程序使用 K 的消息，请去掉它。',
  }),
  'key-events-tracked': ({ flags }) => ({
    title: 'Redis 不发送锁的键事件',
    why: `标志为“${flags}”。键事件级别改用客户端跟踪：已知锁的变化立即可见，新的锁通过扫描发现。`,
    advice: '请设置标志，或以 --configure-notifications 启动 Lockscope。',
  }),
  'key-events-missing': ({ flags }) => ({
    title: '锁的变化无法在发生时看到',
    why: `键事件的标志为“${flags}”，且此用户不能使用客户端跟踪。`,
    advice: '请设置标志，或以 --configure-notifications 启动 Lockscope。',
  }),
  'monitor-allowed': () => ({
    title: '允许使用 MONITOR',
    why: 'MONITOR 级别能看到等待者、被拒绝的尝试以及每条命令背后的客户端。其开销可以测量。',
    advice: '',
  }),
  'monitor-on-replica': () => ({
    title: 'MONITOR 级别需要主节点',
    why: '从节点的 MONITOR 只显示主节点发送的内容，而不显示是哪个客户端请求的。',
    advice: '请给 Lockscope 主节点的 URL。',
  }),
  'monitor-missing': ({ why, quote }) => ({
    title: 'MONITOR 不可用',
    why: `${why === 'no-permission' ? '此用户无权执行它。' : why === 'no-command' ? '这台服务器没有此命令：它已被改名或移除。' : `Redis 返回“${quote}”。`}没有它，就看不到等待者的名称和被拒绝的尝试。`,
    advice: why === 'no-command' ? '授权无法改变这一点：请查看其配置中的 rename-command。' : '',
  }),
  'may-write': ({ user }) => ({
    title: '此用户可以写入',
    why: `Lockscope 只读取，而用户 ${user} 也可以写入和删除。权限更少的用户能确保这一点。`,
    advice: '请为 Lockscope 创建一个用户。在集群中，请参阅 docs/operating.md 中的另外两条规则。',
  }),
  'reads-only': ({ user }) => ({ title: '此用户不能写入', why: `用户 ${user} 无权执行 SET。`, advice: '' }),
  'clients-seen': ({ connections, named, libraries, more, hasLibraries }) => ({
    title:
      libraries.length > 0
        ? `客户端库：${libraries.join('、')}${more > 0 ? `，另有 ${more} 个` : ''}`
        : '没有客户端报告其库',
    why: `${connections} 个连接，其中 ${named} 个有名称。${
      hasLibraries
        ? '只能看到发送 CLIENT SETINFO 的客户端：Redisson 从不发送。'
        : '在 Redis 7.2 之前，Redis 不列出客户端库。'
    }Lockscope 根据 Redisson 的脚本推断其版本，显示在各客户端的页面上。`,
    advice: '',
  }),
  'clients-too-many': ({ clients, most }) => ({
    title: '客户端版本：未查询',
    why: `已连接 ${clients} 个客户端。CLIENT LIST 会因每个客户端而阻塞 Redis，因此超过 ${most} 个时不发送。`,
    advice: '',
  }),
  version: ({ server, version }) => ({
    title: `${server === 'redis' ? 'Redis' : server} ${version} 支持 RESP3`,
    why: '应答、消息与 MONITOR 的各行在同一个连接上按发生的顺序到达。',
    advice: '',
  }),
} satisfies Partial<FindingTexts['texts']>;
