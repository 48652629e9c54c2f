import { advisedKeyEvents } from '../../../../shared/base/key-event-flags.ts';
import type { ServerValues } from '../../../../shared/insights/english/server.ts';
import type { WordsOf } from '../../../../shared/insights/words.ts';
import type { Translated } from '../../translated.ts';
import { joined } from './joined.ts';

const REFUSES = {
  OOM: '内存已满：无法获取任何锁，解锁也会失败。续期仍然成功。',
  MISCONF: '它无法保存快照，因此拒绝写入：加锁、解锁和续期都会失败。',
  CLUSTERDOWN: '集群的一部分没有主节点，因此该服务器拒绝命令：加锁、解锁和续期都会失败。',
  NOREPLICAS: '连接的副本太少，因此拒绝写入：加锁、解锁和续期都会失败。',
} as const;

const REMEDY = {
  OOM: '请释放内存或调高 maxmemory。失败的解锁会让锁一直保留到租约结束。',
  MISCONF: '请让快照目录可写，或将 stop-writes-on-bgsave-error 设为 no。',
  CLUSTERDOWN: '请为 CLUSTER SLOTS 中缺少的槽恢复主节点。',
  NOREPLICAS: '请恢复副本，或调低 min-replicas-to-write。',
} as const;

const REASON = { key: '键', channel: '频道', command: '命令' } as const;

const NEED = {
  key: '请在它的键权限中加入锁的名称；对 Redisson 还要加入 ~redisson_*：其解锁脚本也把频道作为键传入。',
  channel: '请在它的频道权限中加入 &redisson_*，并在键权限中加入 ~redisson_*。',
  command:
    '请允许它使用该命令：令牌锁需要 SET、EVAL 和 EVALSHA，Redisson 需要 EVAL、EVALSHA、SCRIPT LOAD、SUBSCRIBE 和 PUBLISH。',
} as const;

const CHURN = {
  READONLY: '该服务器不是主节点，但客户端仍向它发送写命令，均被拒绝。客户端无法在这里获得锁。',
  MOVED: '客户端仍向它发送其他服务器所管槽位的命令。',
  NOSCRIPT: '客户端反复调用服务器没有的脚本。',
} as const;

export const server: Translated<WordsOf<ServerValues>> = {
  'server-refuses-writes': {
    title: 'Redis 拒绝写入',
    explanation: ({ error, refusals, usedMemoryBytes, policy, held, nextFreeAt }, { clock }) =>
      joined(
        `Redis 返回了 ${refusals} 次 ${error}。`,
        REFUSES[error],
        error === 'OOM' &&
          usedMemoryBytes !== null &&
          `已用 ${megabytes(usedMemoryBytes)} MB${policy === null ? '' : `，策略为 ${policy}`}。`,
        held > 0 && `有 ${held} 把锁被持有。`,
        nextFreeAt !== null && `只有租约结束时锁才会空闲，下一个在 ${clock(nextFreeAt)}（除非续期）。`,
      ),
    advice: ({ error }) => REMEDY[error],
  },
  'slow-script-busy': {
    title: 'Redis 停顿',
    explanation: ({ lengthMs, endedAt, pause, command, by, expired, clients }, { clock }) =>
      joined(
        pause !== null &&
          `${pause === 'all' ? '所有客户端' : '执行写操作的客户端（锁的脚本都是写操作）'}因 CLIENT PAUSE ${endedAt === null ? `正在等待，至少已 ${inSeconds(lengthMs)} 秒` : `等待了${pause === 'writes' ? '至少' : ''} ${inSeconds(lengthMs)} 秒，${pause === 'writes' ? '最后一次看到是在' : '直到'} ${clock(endedAt)}`}。它们等的是 Redis，而不是锁。`,
        pause === null &&
          endedAt !== null &&
          `Redis 有 ${inSeconds(lengthMs)} 秒没有执行其他命令，直到 ${clock(endedAt)}${command === null ? '' : `：${by === null ? '' : ` ${by} 的 `}${command} 用了这么久`}。`,
        expired > 0 && `其间 ${clients} 个客户端的 ${expired} 个租约结束。锁是受害者，不是原因。`,
      ),
    advice: ({ expired, command, pause, endedAt }) =>
      joined(
        expired > 0 && '请检查这些客户端在租约结束之后写入的内容。',
        pause !== null
          ? `${endedAt === null ? '暂停在调用者设定的时间之后结束，或由 CLIENT UNPAUSE 结束。' : ''}请查明是谁暂停了客户端：故障转移、升级或运维脚本都可能这样做。`
          : command === null
            ? '请检查慢命令、CLIENT PAUSE，以及发生过停顿的机器。'
            : '请确保该命令现在不再执行。',
      ),
    later: ({ command, pause }) =>
      `${command === null || pause !== null ? '' : '请缩短该命令，或在副本上执行。'}更长的租约只能应对短暂的停顿。`,
  },
  'acl-denied': {
    title: 'Redis 拒绝某个用户使用锁所需的命令、键或频道',
    explanation: ({ user, reasons, objects, command, address, connection, inScript, isGuess }) =>
      joined(
        user === null
          ? `Redis 拒绝了 ${objects.join(' 和 ')}，因此有用户无权使用某个频道。INFO 不显示是哪个用户：可能是不使用锁的用户。`
          : `用户 ${user}${address === null ? '' : `（${address}${connection === null ? '' : `，${connection}`}）`}无权${reasons.at(-1) === 'command' || command === null ? '' : `以 ${command} `}使用${REASON[reasons.at(-1) ?? 'command']} ${objects.at(-1)}${reasons.at(-1) === 'command' ? '，ACL LOG 不显示键名' : ''}。`,
        user !== null && objects.length > 1 && `它还被拒绝使用 ${objects.slice(0, -1).join('、')}。`,
        isGuess === true && '这里有需要它的锁，但 ACL LOG 不显示是否用于锁。',
        inScript && `${user === null ? '' : '锁'}脚本在此处出错结束，此前已完成了一部分操作。`,
      ),
    advice: ({ user, reasons, isGuess }) =>
      joined(
        user === null && 'ACL LOG 会显示用户和频道。如果它是锁客户端的用户：',
        ...reasons.map((reason) => NEED[reason]),
        isGuess === true && '如果它不使用锁，则无需处理。',
      ),
  },
  'topology-churn': {
    title: '客户端使用了错误的服务器',
    explanation: ({ error, refusals, isReplica }) =>
      joined(`Redis 返回了 ${refusals} 次 ${error}。`, CHURN[error], isReplica && '它的角色是副本。'),
    advice: ({ error }) =>
      error === 'NOSCRIPT'
        ? '请检查 SCRIPT FLUSH 和重启。多数客户端会自行加载缺失的脚本；做不到的客户端请重启，或用 SCRIPT LOAD 加载其脚本。'
        : '请重启仍在使用该服务器的客户端。',
    later: () => '如果再次发生，请升级这些客户端。',
  },
  'replica-sync-tax': {
    title: '锁调用在等待副本',
    explanation: (
      { client, since, times, medianMs, longestMs, ended, recent, limitMs, replicas, connected },
      { clock },
    ) =>
      joined(
        `自 ${clock(since)} 起，客户端 ${client.slice(0, 8)} 在 ${times} 次锁脚本之后长时间等待 ${replicas} 个副本。`,
        `最近一分钟，等待的中位数为 ${inSeconds(medianMs)} 秒，最长 ${inSeconds(longestMs)} 秒。`,
        ended > 0 && `${recent} 次中有 ${ended} 次一直等到 ${inSeconds(limitMs)} 秒的上限。`,
        connected !== null && `Redis 报告有 ${connected} 个已连接的副本。`,
      ),
    advice: () => '请修复或更换未及时确认的副本。',
    later: () => '调低 slavesSyncTimeout 可缩短每次等待。',
  },
  'key-name-collision': {
    title: '锁与其他内容使用了相同的名称',
    explanation: ({ lock, command, by, refusals, plain, other }, { who }) =>
      plain !== null && other !== null
        ? `${who(plain)} 把 ${lock ?? '该名称'} 作为普通锁持有，${who(other)} 同时把它作为读写锁持有：两者互不排斥，Redis 也不报错。其中一个解锁可能会删除另一个的持有。`
        : lock === null
          ? `Redis 向类似锁的脚本返回了 ${refusals} 次 WRONGTYPE：某个与锁同名的键存放着其他内容。INFO 不显示是哪一个。`
          : `${lock} 作为锁被持有时，${by === null ? '' : ` ${by} 的 `}${command ?? '一条命令'} 覆盖了它。写入者没有收到错误，持有者丢失了锁。`,
    advice: ({ plain, command, by }, { who }) =>
      plain !== null
        ? `请停止其中一个：在此之前 ${who(plain)} 并非独占。`
        : command === null
          ? '请查找键类型不符的锁。'
          : `请查明${by === null ? '写入该键' : ` ${by} `}的应用：它可能再次覆盖该锁。`,
    later: () => '请为锁的名称使用专用前缀，并为每个环境使用不同的前缀。',
  },
  'events-off': {
    title: 'Redis 不通知过期',
    explanation: ({ flags, lastLock, leases }) =>
      joined(
        `${lastLock} 的租约结束时 Redis 没有通知${leases > 1 ? `；共有 ${leases} 个租约如此结束` : ''}。结束时间由 Lockscope 计算，因此丢失锁的原因可能无法得知。`,
        flags === null ? '无权读取 notify-keyspace-events 设置。' : `notify-keyspace-events 为 "${flags}"。`,
      ),
    advice: () =>
      `请将 notify-keyspace-events 设为 ${advisedKeyEvents()}（托管服务在控制台中设置），或使用 --configure-notifications 启动 Lockscope。`,
  },
};

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
