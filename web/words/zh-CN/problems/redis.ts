import type { RedisCode, TextsOf, ValuesOf } from '../../../../shared/wire/problems/values.ts';
import type { Translated } from '../../translated.ts';

const TRYING_AGAIN = '正在自动重试。';
const CONNECTING_AGAIN = 'Lockscope 已断开连接，并会自动重新连接。';
const NEEDS = 'Lockscope 需要 Redis 6 或更高版本，或 Valkey。';
const PROXY = `请检查途中是否有代理。${CONNECTING_AGAIN}`;
const SENT = {
  'bad-frame': '不属于 RESP 的字节',
  'too-deep': '嵌套超过 32 层的响应',
  'line-too-long': '响应中超过 64 KB 的一行',
} as const;

export function refusalsOf(
  { commands, absent }: Pick<ValuesOf<'not-permitted'>, 'commands' | 'absent'>,
  subject = '',
): string[] {
  return [
    ...(commands.length === 0 ? [] : [`${subject}无权执行 ${commands.join('、')}`]),
    ...(absent.length === 0 ? [] : [`此服务器没有 ${absent.join('、')}`]),
  ];
}

export function grantText(grant: string): string {
  return grant === '' ? '' : `如需允许：${grant}`;
}

export const REDIS_TEXTS: Translated<TextsOf<RedisCode>> = {
  refused: ({ where }) => ({
    message: `${where} 上没有 Redis。`,
    hint: '请检查主机和端口，并确认 Redis 正在运行且可从此处访问。',
  }),
  'no-such-host': ({ where }) => ({
    message: `找不到 ${where} 的主机。`,
    hint: '请检查拼写，并确认该主机名可从此处解析。',
  }),
  tls: ({ where, quote }) => ({
    message: `与 ${where} 的 TLS 握手失败：${quote}`,
    hint: '如果服务器没有启用 TLS，请使用 redis://；私有 CA 请将 NODE_EXTRA_CA_CERTS 设为其证书。',
  }),
  'no-connection': ({ where }) => ({ message: `${where} 没有响应。`, hint: '请检查地址以及途中的防火墙。' }),
  'no-answer': ({ where, command, seconds }) => ({
    message: `${where} 在 ${seconds} 秒内没有响应 ${command}。`,
    hint: `Redis 可能正忙于缓慢的命令或脚本，CLIENT PAUSE 可能让该命令等待，也可能有代理丢弃了该命令。${CONNECTING_AGAIN}`,
  }),
  lost: ({ where, quote }) => ({ message: `${where}：${quote}`, hint: TRYING_AGAIN }),
  closed: ({ where }) => ({
    message: `${where} 关闭了连接。`,
    hint: '如果它使用 TLS，请改用 rediss://；否则请确认它是 Redis 并且接受我们的连接。',
  }),
  cut: ({ where }) => ({
    message: `${where} 关闭了一个正常的连接。`,
    hint: 'Redis 可能已重启，或者认为客户端读取过慢而断开。Lockscope 会自动重新连接。',
  }),
  'not-redis': ({ where }) => ({
    message: `${where} 不是 Redis。`,
    hint: '该端口上是其他服务。请检查端口；Redis 通常使用 6379。',
  }),
  'unreadable-reply': ({ where, fault }) => ({
    message: `${where} 发来了 Redis 不会发送的内容：${SENT[fault]}。`,
    hint: PROXY,
  }),
  'snapshot-late': ({ where, megabytes }) => ({
    message: `${where} 在 Lockscope 等待另一个响应时发来了超过 ${megabytes} MB 的数据流。`,
    hint: CONNECTING_AGAIN,
  }),
  'no-snapshot': ({ where, seconds }) => ({
    message: `${seconds} 秒内没有得到 ${where} 中锁的快照。`,
    hint: `Redis 响应过慢。${CONNECTING_AGAIN}`,
  }),
  'out-of-step': ({ where }) => ({ message: `${where} 的响应与命令不对应。`, hint: PROXY }),
  'wrong-password': ({ where }) => ({
    message: `${where} 拒绝了用户名或密码。`,
    hint: '请写在 URL 中：redis://user:password@host:port（特殊字符需百分号编码）。',
  }),
  'password-required': ({ where }) => ({
    message: `${where} 需要密码。`,
    hint: '请写在 URL 中：redis://:password@host:port 或 redis://user:password@host:port。',
  }),
  'not-permitted': ({ user, commands, absent, keys, isDatabase, grant }) => {
    const reasons = [
      ...refusalsOf({ commands, absent }),
      ...(isDatabase ? ['无权使用此数据库'] : []),
      ...(keys.length === 0 ? [] : [`无权读取 ${keys.join('、')} 等键`]),
    ];
    const some = keys.length === 0 ? '' : '如果只需读取部分键，请用 --match 指定名称。';
    return {
      message: `用户 ${user} 无权读取锁${reasons.length === 0 ? '' : `：${reasons.join('；')}`}。`,
      hint: `${some}${grantText(grant)}`,
    };
  },
  'no-resp3': ({ where }) => ({
    message: `${where} 不支持 RESP3。`,
    hint: `${NEEDS}中间不能有只支持 RESP2 的代理。`,
  }),
  loading: ({ where, seconds }) => ({
    message: `${where} 正在加载数据${seconds === undefined ? '' : `，还需约 ${seconds} 秒`}：它拒绝锁的所有命令，因此客户端等的是 Redis，而不是锁。`,
    hint: TRYING_AGAIN,
  }),
  'too-old': ({ where, version }) => ({
    message: version === undefined ? `${where} 的版本低于 Redis 6。` : `${where} 是 Redis ${version}。`,
    hint: NEEDS,
  }),
  'too-many-clients': ({ where }) => ({
    message: `${where} 不再接受新的客户端。`,
    hint: '请调高 maxclients，或关闭一些连接。',
  }),
  'redis-error': ({ where, quote }) => ({ message: `${where}：${quote}`, hint: TRYING_AGAIN }),
  'no-sentinel': ({ where }) => ({
    message: `${where} 不是 Sentinel。`,
    hint: 'Sentinel 通常监听 26379。如需观测单个服务器，请使用 redis://host:port。',
  }),
  'is-sentinel': ({ where }) => ({
    message: `${where} 是 Sentinel，其中没有锁。`,
    hint: '请给出服务器的 URL：redis://host:port。如需观测当前主节点：redis+sentinel://host:port/NAME，SENTINEL MASTERS 会列出名称。',
  }),
  'no-such-master': ({ where, master }) => ({
    message: `${where} 的 Sentinel 不认识名为 ${master} 的主节点。`,
    hint: '请检查主机之后的名称：SENTINEL MASTERS 会列出已知的主节点。',
  }),
  'no-cluster': ({ where }) => ({
    message: `${where} 不是集群。`,
    hint: '请用服务器自己的 URL 观测：redis://host:port。',
  }),
  'no-slots': ({ where }) => ({
    message: `${where} 中没有服务器负责任何槽位。`,
    hint: '集群尚未建好，或该服务器从未加入集群：请查看 CLUSTER INFO。',
  }),
  'not-connected': () => ({ message: '尚未连接到 Redis。', hint: '请在连接后重试。' }),
  'not-answering': ({ where, silentMs, isBusy }) => {
    const seconds = Math.floor(silentMs / 1000);
    if (isBusy) {
      return {
        message:
          seconds < 1
            ? `${where} 返回 BUSY，因为有脚本或函数正在运行。`
            : `${where} 已有 ${seconds} 秒没有执行其他命令：它返回 BUSY，因为有脚本或函数正在运行。`,
        hint: '若它尚未写入，可用 SCRIPT KILL 或 FUNCTION KILL 结束它。',
      };
    }
    return {
      message: seconds < 1 ? `${where} 没有响应。` : `${where} 已有 ${seconds} 秒没有响应。`,
      hint: '可能的原因：慢命令、暂停、进程被停止，或网络故障。',
    };
  },
};
