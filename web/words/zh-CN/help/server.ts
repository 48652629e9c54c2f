import { advisedKeyEvents } from '../../../../shared/base/key-event-flags.ts';
import type { HelpTheme } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';

/** 帮助：服务器、其权限及其可见性。 */
export const server: Translated<HelpTheme<'server'>> = {
  'acl-denied': {
    what: 'ACL 拒绝锁客户端访问键或频道。',
    why: '规则允许锁本身，却不允许其附属的键和频道。解锁脚本把频道作为键传入。',
    shows: 'ACL LOG 中有键或频道的名称，命令被拒绝。',
    prevent: '除锁名外，还要允许 ~redisson_* 和 &redisson_*。',
    now: '用 ACL SETUSER 修改规则。解锁失败时锁可能已空闲，但等待者没有被唤醒。',
    versions: '见于 3.16.8 和 4.7.0。',
  },
  'replica-sync-tax': {
    what: '每次锁调用都要等副本约一秒。',
    why: 'Redisson 在每个锁脚本后发送 WAIT。副本缓慢或消失时要等满整个超时。',
    shows: '锁脚本之后是 WAIT 或 WAITAOF，该客户端约一秒后才有下一条命令。',
    prevent: '修复副本。设置 slavesSyncTimeout。checkLockSyncedSlaves=false 会放弃故障切换时的保护。',
    now: '在 INFO replication 中查看复制延迟。',
    versions: '没有副本确认时：3.16.8 和 3.27.2 至 3.46.0 不释放锁；3.24.3 和 3.52.0 会释放。',
  },
  'topology-churn': {
    what: '客户端把锁脚本发给不再拥有该锁的服务器。',
    why: '故障切换或槽迁移后，客户端的拓扑过时，或仍访问旧主节点。',
    shows: 'MOVED、READONLY 或 NOSCRIPT 错误上升，同样的脚本反复出现。',
    prevent: '让 scanInterval 足够短，并升级 Redisson。',
    now: '重启仍发往错误服务器的客户端。',
    versions: '故障切换后的 READONLY：见于 3.27.2 和 4.7.0。',
  },
  'slow-script-busy': {
    what: 'Redis 因一条长命令停住，锁无法续期。',
    why: '一个脚本或命令的运行时间超过租期或响应超时。',
    shows: '命令流出现空洞，有 BUSY 错误或 SLOWLOG 条目，随后多个客户端的租约一起到期。',
    prevent: '拆分长脚本和长命令。让 lockWatchdogTimeout 远大于其中最长的。',
    now: '在 SLOWLOG 中找到该命令。SCRIPT KILL 可结束尚未写入的脚本。',
    versions: '此后 3.11.6 和 3.24.3 不再续期它们的锁。',
  },
  'server-refuses-writes': {
    what: 'Redis 拒绝写入，锁无法获取或释放。',
    why: '内存已满（OOM）、保存到磁盘失败（MISCONF）、连接的副本太少（NOREPLICAS），或集群的一部分没有主节点（CLUSTERDOWN）。',
    shows: '脚本在第一次写入之前停止，这些错误上升。',
    prevent: '保持内存充裕，监视磁盘和副本，锁与缓存分开。',
    now: '消除原因。在此之前锁只能随租约到期而释放。不是 OOM 时续期也会失败。',
    versions: '见于 3.16.8 和 4.7.0。',
  },
  'key-name-collision': {
    what: '同一个名称既用于锁又用于别的东西。',
    why: '数据键与锁同名，两种锁共用一个名称，或两个环境共用一台服务器。',
    shows: '键的类型与锁不符，WRONGTYPE 错误上升，或 SET 覆盖了被持有的锁。',
    prevent: '锁名加上应用和环境前缀。每个名称只用一种锁。',
    now: '给其中一个改名。在此之前，锁可能什么都没有保护。',
    versions: '两种锁共用一个名称会破坏互斥而不报错：见于 3.16.8 和 4.7.0。',
  },
  'quorum-error-without-cause': {
    what: 'node-redlock 报告没有达到法定多数，却没有原因。',
    why: '锁有争用、已过期、键存有数据，或脚本从未运行。该库的报告都一样。',
    shows: '脚本内的调用各不相同：被另一令牌拒绝、令牌已消失，或没有脚本。',
    prevent: '按持有时长调整 node-redlock 的 retryCount 和 retryDelay。',
    now: '查看该锁的事件：它们显示持有者和剩余时间。',
    versions: '见于 node-redlock 5.0.0-beta.2。',
  },
  'semaphore-permit-drift': {
    what: '信号量丢失了许可，或许可过多。',
    why: '普通信号量只是没有持有者的数字。崩溃会带走许可，重复释放会增加许可。',
    shows: '获取了许可的客户端已消失，或释放多于获取。',
    prevent: '使用 RPermitExpirableSemaphore，其许可有 ID 和租期。',
    now: '数清真正在工作的之后，用 addPermits() 修正数字。',
    versions: '见于 3.16.8 和 4.7.0。',
  },
  'permits-beyond-limit': {
    what: '信号量发出的许可多于现有许可。',
    why: '某个许可被释放了两次，或客户端启动时的上限不同。',
    shows: '已取走而未释放的许可，多于所设的数量，或多于某个持有许可的客户端所允许的数量。',
    prevent: '每个许可只释放一次，所有客户端使用同一上限。',
    now: '数清真正在工作的，停掉多出的。',
    versions: 'Redisson 的两种信号量、redis-semaphore 5.8.0、effect-distributed-lock 0.0.11。',
  },
  'events-off': {
    what: '键空间事件已关闭，Lockscope 看不到租约何时到期。',
    why: '事件默认关闭，有些托管服务禁止 CONFIG。',
    shows: '键变化时没有事件到来。',
    prevent: `把 notify-keyspace-events 设为 ${advisedKeyEvents()}，或设为 "lockscope doctor" 给出的值。`,
    now: '在服务器配置中开启事件。在此之前，租约的到期由推断得出。',
  },
  'released-before-commit': {
    what: '锁是互斥的，但数据仍可能冲突。',
    why: '锁在外层事务提交之前释放，下一个持有者读到旧数据。',
    shows: '获取和释放都正常，没有重叠。Redis 无法显示提交。',
    prevent: '在事务之外加锁：加锁、开始、提交、解锁。',
    now: '在应用中查找解锁之后的提交。',
  },
};
