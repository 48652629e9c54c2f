import type { FindingTexts } from '../../../../shared/doctor/finding-values.ts';
import type { DoctorWords } from '../../en/pages/doctor.ts';
import type { Translated } from '../../translated.ts';
import { adviceUnread, page, whyUnread } from './doctor-page.ts';
import { sight } from './doctor-sight.ts';

const findings: Translated<FindingTexts> = {
  matters: {
    eviction: '淘汰',
    memory: '内存',
    persistence: 'Redis 重启',
    saving: '写入磁盘',
    replication: '故障转移',
    role: '角色',
    clock: '时钟',
    'output-limit': '订阅者的输出限制',
    'idle-connections': '空闲连接',
    'max-clients': '连接数',
    scripts: '慢脚本',
    'key-events': '键事件',
    monitor: 'MONITOR',
    rights: '此用户的权限',
    clients: '客户端版本',
    version: '服务器与协议',
  },
  unread: (name, values) => ({ title: `${name}：未知`, why: whyUnread(values), advice: adviceUnread(values) }),
  texts: {
    'evicts-nothing': ({ isWithoutLimit }) => ({
      title: 'Redis 不会淘汰锁',
      why: isWithoutLimit
        ? 'maxmemory 为 0：Redis 没有上限，因此无论策略如何都不会淘汰任何键。'
        : '策略为 noeviction：内存满时，Redis 拒绝写入，而不删除键。',
      advice: '',
    }),
    evicts: ({ policy, isTtlOnly, evicted, canProtect }) => ({
      title: 'Redis 可能淘汰锁',
      why:
        `内存满时，策略 ${policy} 会删除${isTtlOnly ? '带有 TTL 的键，而锁都有 TTL' : '任何键，锁也不例外'}。` +
        '此时锁变为空闲，而持有者仍在工作，也没有等待者被唤醒。' +
        (evicted === null || evicted === 0 ? '' : `自计数开始以来已淘汰 ${evicted} 个键。`),
      advice:
        '请使用 noeviction，或将锁放在没有缓存的专用服务器上。' +
        (canProtect
          ? 'BLESS SET KEY NO-EVICT 可保护一直存在的键，例如信号量或 fencing token；锁的键每次释放后都会重建，届时不再受保护。'
          : ''),
    }),
    'memory-left': ({ percent }) => ({ title: '内存充足', why: `已用 maxmemory 的 ${percent}%。`, advice: '' }),
    'memory-nearly-full': ({ percent }) => ({
      title: percent >= 100 ? '内存已满' : '内存将满',
      why: `已用 maxmemory 的 ${percent}%。内存满且无法淘汰时，Redis 返回 OOM：无法获取锁，解锁也会失败。`,
      advice: '请提高 maxmemory，或找出增长的键。',
    }),
    'nothing-saved': () => ({
      title: '重启后所有锁都会消失',
      why: 'Redis 不保存任何数据：既没有 AOF 也没有快照。仍在工作的持有者以为自己持有锁，而其他客户端会取得它们。',
      advice: '请启用 AOF，或将 Redis 的重启推迟一个最长租约的时间。',
    }),
    'snapshots-only': () => ({
      title: '崩溃后，锁会回到上一次快照的状态',
      why: '上次快照之后获取的锁会消失。之后释放的锁会重新出现，直到租约结束。',
      advice: '请启用 AOF。',
    }),
    'aof-always': () => ({
      title: '锁在重启后仍然存在',
      why: '每次写入都在 Redis 应答之前落盘（appendfsync always）。',
      advice: '',
    }),
    'aof-every-second': () => ({
      title: '机器故障可能丢失约一秒内的锁',
      why: 'Redis 每秒将 AOF 落盘一次（appendfsync everysec）。最后一秒内获取的锁之后可能消失，而其持有者仍在工作。',
      advice: '如果不可接受，请使用 appendfsync always。此后每次写入都要等待磁盘。',
    }),
    'aof-by-system': () => ({
      title: '机器故障可能丢失许多秒内的锁',
      why: '由操作系统决定 AOF 何时落盘（appendfsync no）：在 Linux 上常为 30 秒后。',
      advice: '请使用 appendfsync everysec 或 always。',
    }),
    'aof-unknown-sync': () => ({
      title: '故障会丢失多少锁：未知',
      why: 'AOF 已启用。无法读取它多久落盘一次（appendfsync）。',
      advice: '',
    }),
    'saves-work': () => ({ title: '最近没有快照失败', why: '最近一次快照没有失败，或者尚未有过快照。', advice: '' }),
    'save-failed': ({ what }) => ({
      title: what === 'aof' ? '无法写入 AOF' : '最近一次快照失败',
      why:
        what === 'aof'
          ? '此时 Redis 以 MISCONF 拒绝写入：加锁、解锁与续租都会失败。'
          : '除非关闭 stop-writes-on-bgsave-error，否则 Redis 会以 MISCONF 拒绝写入：加锁、解锁与续租都会失败。',
      advice: '请检查磁盘与 Redis 的日志。',
    }),
    'no-replica': () => ({
      title: '没有连接从节点',
      why: '这里的故障转移不会丢失锁。如果这台服务器宕机，则无法获取锁。',
      advice: '',
    }),
    'replicas-unconfirmed': ({ replicas }) => ({
      title: '故障转移可能丢失最新的锁',
      why: `Redis 在其 ${replicas} 个从节点收到写入之前就已应答。如果此时发生故障，新的主节点不知道该锁，会把它交给第二个持有者。`,
      advice:
        '设置 min-replicas-to-write 后，没有从节点的主节点会拒绝加锁，这会减少丢失，但不能杜绝。自 3.12.5 起，如果 Redisson 配置了从节点，它会在每次加锁后发送 WAIT；曾观测到 3.51.0 对 Redis 7.0 不发送。checkLockSyncedSlaves 自 3.17 起默认开启。',
    }),
    'replicas-required': ({ replicas, least }) => ({
      title: '故障转移可能丢失最新的锁，但仅限很短的时间',
      why: `Redis 在从节点收到写入之前就已应答。当连接的从节点${least === null ? '过少' : `少于 ${least} 个`}时（当前 ${replicas} 个），它会拒绝写入，因此被隔离的主节点不再发放锁。`,
      advice: '',
    }),
    'replicas-missing': ({ present, least }) => ({
      title: 'Redis 拒绝写入：从节点过少',
      why: `min-replicas-to-write 要求 ${least} 个，而及时连接的有 ${present} 个。Redis 返回 NOREPLICAS：加锁、解锁与续租都会失败。`,
      advice: '请恢复从节点。没有此设置时，Redis 会重新接受写入，而故障转移可能丢失锁。',
    }),
    'replica-late': ({ lagSeconds }) => ({
      title: '有从节点落后',
      why: `${lagSeconds === null ? '有从节点未同步。' : `有从节点上次应答是在 ${lagSeconds} 秒之前，或仍在同步。`}故障转移到它会丢失此后获取的锁。`,
      advice: '在故障转移之前，请检查其连接与负载。',
    }),
    'replica-connected': () => ({
      title: '此从节点跟随其主节点',
      why: '它与主节点的连接正常。它显示的内容可能略有延迟。',
      advice: '',
    }),
    'replica-cut-off': () => ({
      title: '此从节点已失去主节点',
      why: '它显示的是旧数据。如果它成为主节点，此后获取的锁会丢失。',
      advice: '请检查它与主节点的连接。',
    }),
    'is-master': () => ({ title: '这是主节点', why: '锁在这里获取。', advice: '' }),
    'is-replica': () => ({
      title: '这是从节点',
      why: '锁在其主节点上获取。在这里看到的会更晚，也看不到是哪个客户端请求的。淘汰、内存与保存取决于主节点，在这里不检查。',
      advice: '请给 Lockscope 主节点或 Sentinel 的 URL。',
    }),
    'clock-close': (bounds) => ({
      title: '时钟一致',
      why: `Redis 的时钟与运行 Lockscope 的机器相差 ${range(bounds)}。没有比较你的应用所在的机器。`,
      advice: '',
    }),
    'clock-apart': (bounds) => ({
      title: '时钟不一致',
      why: `Redis 的时钟与运行 Lockscope 的机器相差 ${range(bounds)}。公平锁按各客户端的时钟计算队列的期限：时钟错误的客户端会移除仍然存活的等待者。`,
      advice: '请让所有机器跟随同样的时间服务器（NTP），并检查哪个时钟有误。',
    }),
    'clock-unclear': (bounds) => ({
      title: '时钟是否一致：未知',
      why: `Redis 应答太慢，差值可能为 ${range(bounds)}。`,
      advice: '请在离 Redis 更近的机器上重试。',
    }),
    'output-limited': ({ megabytes }) => ({
      title: '订阅者的输出有上限',
      why: `对于不读取的订阅者，Redis 最多保留 ${megabytes} MB，足以容纳唤醒消息。`,
      advice: '',
    }),
    'output-unlimited': () => ({
      title: '订阅者的输出没有上限',
      why: '如果 Lockscope 或等待中的客户端停止读取，其消息会占满 Redis 的内存。MONITOR 在这里最多运行 5 分钟。',
      advice: '请设置 Redis 的默认上限。',
    }),
    'output-limit-small': ({ kilobytes }) => ({
      title: '订阅者的输出上限过小',
      why: `未读内容达到 ${kilobytes} KB 时，Redis 会关闭该订阅。订阅被关闭的等待者会错过唤醒，一直睡到自己的定时器到时。`,
      advice: '请设置 Redis 的默认上限。',
    }),
    'idle-kept': ({ keepaliveSeconds }) => ({
      title: 'Redis 保留空闲连接，并能发现失效的连接',
      why: `Redis 不关闭空闲连接。客户端消失后，TCP keepalive 大约在 ${2 * keepaliveSeconds} 秒后发现。`,
      advice: '',
    }),
    'idle-closed': ({ seconds }) => ({
      title: `Redis 会关闭空闲 ${seconds} 秒的连接`,
      why: '订阅不受影响。被暂停或不发送 PING 的客户端必须重新连接，才能续租或释放其锁。Redisson 默认每 30 秒发送一次 PING。',
      advice: '请将 timeout 设为 0，或设为远大于 PING 间隔的值。',
    }),
    'no-keepalive': () => ({
      title: 'Redis 不会发现失效的连接',
      why: 'TCP keepalive 已关闭：故障机器的连接会留在客户端列表中，其持有者看起来仍然存活。',
      advice: '请设置 tcp-keepalive。',
    }),
    'connections-left': ({ connected, most }) => ({
      title: '还能连接更多客户端',
      why: `${most} 个连接中已使用 ${connected} 个。`,
      advice: '',
    }),
    'connections-nearly-full': ({ connected, most }) => ({
      title: 'Redis 的连接将用尽',
      why: `${most} 个连接中已使用 ${connected} 个。无法连接的客户端不能续租或释放其锁。`,
      advice: '请提高 maxclients，或找出哪些客户端遗留了连接。',
    }),
    'script-limit': ({ ms }) => ({
      title: '耗时过长的脚本可以被终止',
      why: `脚本运行期间，Redis 不执行其他任何命令，续租也不例外。${ms} 毫秒后它返回 BUSY，SCRIPT KILL 可终止尚未写入的脚本。`,
      advice: '',
    }),
    'no-script-limit': () => ({
      title: '永不结束的脚本会阻塞所有锁',
      why: '脚本运行期间，Redis 不执行其他任何命令，续租也不例外。没有上限时它在此期间完全不应答，因此无法终止脚本。',
      advice: '请设置 Redis 的默认上限。',
    }),
    ...sight,
  },
};

function range({ lowMs, highMs }: { lowMs: number; highMs: number }): string {
  return `${inMs(lowMs)} 至 ${inMs(highMs)}`;
}

function inMs(ms: number): string {
  const size = Math.abs(ms);
  const text =
    size < 10 ? `${ms.toFixed(1)} 毫秒` : size < 10_000 ? `${ms.toFixed(0)} 毫秒` : `${(ms / 1000).toFixed(0)} 秒`;
  return ms > 0 ? `+${text}` : text;
}

export const DOCTOR: Translated<DoctorWords> = { page, findings };
