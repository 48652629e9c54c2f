import type { Words } from '../words.ts';
import { demoProblems } from './demo-problems.ts';

const TRYING_AGAIN = '正在自动重试。';
const CONNECTING_AGAIN = 'Lockscope 已断开连接，并会自动重新连接。';
const NEEDS = 'Lockscope 需要 Redis 6 或更高版本，或 Valkey。';

export const problems: Words['problems'] = {
  silent: 'Lockscope 服务器没有响应。',
  silentHint: '请确认它是否仍在运行。',
  unreadable: (path, field) => `${path} 的响应不符合预期（${field}）。`,
  status: (status) => `服务器返回了 ${status}。`,
  reloadHint: '请重新加载页面：它可能比服务器旧。',
  byCode: {
    ...demoProblems,
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
    'no-answer': ({ message }, where) => {
      const [, command, seconds] = /answer (\S+) within (\d+) s/.exec(message) ?? [];
      if (command === undefined) return { message: `${where} 没有响应。`, hint: '请检查地址以及途中的防火墙。' };
      return {
        message: `${where} 在 ${seconds} 秒内没有响应 ${command}。`,
        hint: `Redis 可能正忙于缓慢的命令或脚本，也可能有代理丢弃了该命令。${CONNECTING_AGAIN}`,
      };
    },
    'unreadable-reply': (_, where) => ({
      message: `${where} 发来了 Redis 不会发送的字节。`,
      hint: `请检查途中是否有代理。${CONNECTING_AGAIN}`,
    }),
    'snapshot-late': (_, where) => ({
      message: `${where} 在 Lockscope 等待另一个响应时发来了过多的数据流。`,
      hint: CONNECTING_AGAIN,
    }),
    'no-snapshot': ({ message }, where) => ({
      message: `${/for (\d+) s/.exec(message)?.[1] ?? ''} 秒内没有得到 ${where} 中锁的快照。`,
      hint: `该用户可能无权执行 MULTI、EXEC、SELECT、ECHO 或读取键（参见 lockscope doctor），也可能 Redis 响应过慢。${CONNECTING_AGAIN}`,
    }),
    'out-of-step': (_, where) => ({
      message: `${where} 的响应与命令不对应。`,
      hint: `请检查途中是否有代理。${CONNECTING_AGAIN}`,
    }),
    cut: (_, where) => ({
      message: `${where} 关闭了一个正常的连接。`,
      hint: 'Redis 可能已重启，或者认为客户端读取过慢而断开。Lockscope 会自动重新连接。',
    }),
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
    'not-answering': ({ message }, where) => {
      const seconds = /for (\d+) s/.exec(message)?.[1];
      return {
        message: seconds === undefined ? `${where} 没有响应。` : `${where} 已有 ${seconds} 秒没有响应。`,
        hint: '可能的原因：慢命令、暂停、进程被停止，或网络故障。',
      };
    },
    'observer-silent': ({ message }) => ({
      message: `此来源的观测线程已有 ${/for (\d+) s/.exec(message)?.[1] ?? '数'} 秒没有响应。`,
      hint: '一分钟后 Lockscope 会结束该线程并重新启动。',
    }),
    'observer-ended': ({ message }) => ({
      message: `此来源的观测线程已结束：${afterColon(message)}`,
      hint: 'Lockscope 会自动重新启动它并重新读取所有锁；多次失败后则不再启动，请重启 Lockscope 并报告此问题。',
    }),
    'over-budget': ({ message }) => ({
      message: wouldTake(...(/about ([\d,]+) %.*?(?:uses (\d+) %|$)/.exec(message)?.slice(1) ?? [])),
      hint: '开销过大，需要你确认。仍然启用 30 秒吗？',
    }),
    'no-output-limit': ({ message }) => ({
      message: message.startsWith('This Redis has')
        ? '此 Redis 对 pub/sub 客户端没有输出限制，因此 MONITOR 最多运行 5 分钟。'
        : 'Lockscope 无法读取此 Redis 对 pub/sub 客户端的输出限制，因此 MONITOR 最多运行 5 分钟。',
      hint: '请选择 5 分钟或更短。如需更改：CONFIG SET client-output-buffer-limit "pubsub 32mb 8mb 60"，并授予该用户 +config|get。',
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
    'too-many-pages': () => ({ message: '打开的页面过多。', hint: '请关闭其中一个。' }),
    'too-many-tries': ({ hint }) => ({
      message: '该地址已发送十个错误的令牌。',
      hint: `请在 ${/in (\d+) s/.exec(hint)?.[1] ?? ''} 秒后重试。`,
    }),
    busy: ({ hint }) => ({
      message: 'Lockscope 正忙于其他请求。',
      hint: `请在 ${/in (\d+) s/.exec(hint)?.[1] ?? ''} 秒后重试。`,
    }),
    'bad-message': ({ message }) =>
      message.includes('too long together')
        ? { message: '“want” 消息中的锁名总长过大。', hint: '请减少锁的数量，或用空列表请求全部。' }
        : { message: `消息不符合要求：${afterColon(message)}`, hint: '请重新加载页面。' },
    'unknown-message': ({ message }) => ({
      message: `没有名为 ${/"(.*)"/.exec(message)?.[1] ?? ''} 的消息。`,
      hint: '请发送 “hello” 或 “want”。',
    }),
    'host-refused': () => ({ message: '该主机名不属于此 Lockscope。', hint: '请通过 Lockscope 打印的地址打开页面。' }),
    'origin-refused': () => ({ message: '该请求来自其他网站。', hint: '请使用 Lockscope 自己提供的页面。' }),
  },
  bySentence: {
    'Expiries and evictions are computed, not observed: Redis sends no key events for them (notify-keyspace-events needs Ex).':
      '过期与淘汰由推算得出，而非直接收到：Redis 没有发送相应的键事件（notify-keyspace-events 需要 Ex）。',
    'Refused attempts, so who waits: only how many connections listen for a lock.':
      '被拒绝的尝试，也就是谁在等待：只能看到有多少连接在监听某把锁。',
    'Who sent a command, refused unlocks and refused renewals.': '命令由谁发出，以及被拒绝的解锁与续期。',
    'Two changes within a moment may be reported as one.': '瞬间发生的两次变化可能合并为一次。',
    'Free permits and counts of latches between two reads: they may be 10 s old.':
      '两次读取之间的空闲许可数与闭锁计数：可能是 10 秒之前的值。',
    'A lock that is new since the last scan: Redis sends no key events, so only known locks are tracked (--configure-notifications changes that).':
      '上次扫描之后新出现的锁：Redis 不发送键事件，因此只跟踪已知的锁（可用 --configure-notifications 改变）。',
    'Changes between two snapshots: this server sends neither key events nor invalidations.':
      '两次快照之间的变化：该服务器既不发送键事件，也不发送失效通知。',
    'Everything between two snapshots: short holds, releases, who waits, why a lock changed hands.':
      '两次快照之间的一切：短暂的持有、释放、谁在等待、锁为何易手。',
    'Who sent a command, refused attempts, unlocks and renewals.': '命令由谁发出，以及被拒绝的尝试、解锁与续期。',
    'Wake-up messages: they are not sent here (sharded pub/sub, or a replica), so a release and a deletion look the same.':
      '唤醒消息：此处收不到（分片 pub/sub，或者是副本），因此释放与删除看起来一样。',
    'Some held locks: more are held than --memory has room for.': '部分被持有的锁：被持有的锁超出 --memory 的容量。',
    'Some new locks, until the next scan: too many other keys change as a lock does, so only a sample of them is read.':
      '部分新锁要到下次扫描才可见：太多其他键的变化与锁相似，因此只抽样读取其中一部分。',
    'Who waits for a lock that is not known yet: this server has more than 10,000 channels, or this user may not count them (INFO).':
      '谁在等待尚未发现的锁：该服务器的频道超过 10,000 个，或当前用户无权查询数量（INFO）。',
    'Which clients are still connected: this server has more than 2,000 connections, or this user may not count them (INFO), and listing them could hold it up.':
      '哪些客户端仍保持连接：该服务器的连接超过 2,000 个，或当前用户无权查询数量（INFO），列出它们可能阻塞服务器。',
    'connection lost': '连接断开',
    'not connected yet': '尚未连接',
    'watching again': '恢复观测',
    'a script ran more commands than Lockscope keeps': '某个脚本执行的命令多于 Lockscope 可保存的数量',
    'a line was lost': '丢失了一行',
  },
  byPattern: [
    {
      pattern: /the first scan is (\d+) % done\.$/,
      say: (percent = '') => `此前已被持有且无人等待的锁：首次扫描已完成 ${percent}%。`,
    },
    {
      pattern: /^This server is a replica: MONITOR .* Watching at level (\w+) instead\.$/,
      say: (level = '') => `该服务器是副本：它的 MONITOR 不显示命令由谁发出。因此改用 ${level} 级别观测。`,
    },
    {
      pattern: /^(\d+) MB of MONITOR output waited in Redis\./,
      say: (megabytes = '') => `Redis 中积压了 ${megabytes} MB 的 MONITOR 输出，因此降低了观测级别。`,
    },
    {
      pattern: /^Lockscope was ([\d.]+) s behind Redis\./,
      say: (seconds = '') => `Lockscope 比 Redis 落后了 ${seconds} 秒，因此降低了观测级别。`,
    },
    {
      pattern: /^MONITOR took about (\d+) % of a core of Redis \(Redis used (\d+) %\)\./,
      say: (share = '', used = '') =>
        `MONITOR 约占 Redis 一个 CPU 核的 ${share}%（Redis 共占 ${used}%），因此降低了观测级别。`,
    },
    {
      pattern: /^MONITOR would take about (\d+) % of a core of this Redis(?: \(Redis uses (\d+) % now\))?\./,
      say: (share = '', used = '') => `${wouldTake(share, used)}因此降低了观测级别。`,
    },
    {
      pattern: /^A PING took (\d+) ms, and (\d+) ms before MONITOR\./,
      say: (now = '', before = '') => `PING 耗时 ${now} 毫秒，启用 MONITOR 之前为 ${before} 毫秒，因此降低了观测级别。`,
    },
    {
      pattern: /^Redis closed the MONITOR connection with a full output buffer(?: \(limit (\d+) MB\))?\./,
      say: (limit = '') => `输出缓冲区已满${upTo(limit)}，Redis 关闭了 MONITOR 连接，因此降低了观测级别。`,
    },
    {
      pattern: /^The MONITOR connection was cut, probably with a full output buffer(?: \(limit (\d+) MB\))?\./,
      say: (limit = '') => `MONITOR 连接断开，很可能是因为输出缓冲区已满${upTo(limit)}，因此降低了观测级别。`,
    },
    {
      pattern: /^The MONITOR connection was cut twice within a minute\./,
      say: () => 'MONITOR 连接在一分钟内断开了两次，因此降低了观测级别。',
    },
    {
      pattern: /^MONITOR ended after 5 minutes, because Redis has no known output limit for pub\/sub clients\./,
      say: () => 'MONITOR 在 5 分钟后结束，因为 Redis 对 pub/sub 客户端没有已知的输出上限。',
    },
  ],
};

function upTo(limit = ''): string {
  return limit === '' ? '' : `（上限 ${limit} MB）`;
}

function wouldTake(share = '', used = ''): string {
  const now = used === '' ? '' : `（Redis 目前占用 ${used}%）`;
  return `MONITOR 将约占此 Redis 一个 CPU 核的 ${share}%${now}。`;
}

/** The message of Redis or of the operating system, unchanged. */
function afterColon(message: string): string {
  return message.slice(message.indexOf(': ') + 1).trim();
}
