import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { type ClientDumps, threadsOf } from '../../shared/dumps/client-dump.ts';
import { parseDump } from '../../shared/dumps/parse-dump.ts';
import { clientOf } from '../../shared/events/names/names.ts';
import { holderOf } from './story.ts';

type DumpStory = {
  /** By the ids of client A's threads: `blocked by ID`, `in lock`, `in tryLock` or `at work`, also `… with monitor`. */
  readonly threads: Readonly<Record<number, string>>;
  readonly takenAt: RedisTime | null;
  /** The version of Java; virtual threads exist since 19. */
  readonly java?: string;
  /** Whether the text contains its end. */
  readonly isWhole?: boolean;
};

/** A dump of client A of a story, as `jcmd Thread.print` writes it. */
export function dumpStory({ threads, takenAt, java = '17.0.15+6', isWhole = true }: DumpStory): ClientDumps {
  const parts = Object.entries(threads).map(([id, activity]) => threadText(Number(id), activity));
  const end = isWhole ? '\nJNI global refs: 32, weak refs: 0\n' : '';
  const text = `Full thread dump OpenJDK 64-Bit Server VM (${java} mixed mode):\n\n${parts.join('\n')}${end}`;
  const read = parseDump(text);
  if (!read.ok) throw new Error(read.error);
  const client = clientOf(holderOf('A'));
  const at = takenAt === null ? null : redisTime(takenAt);
  return new Map([[client, { id: 'dump', client, takenAt: at, dump: read.value, ...threadsOf(read.value) }]]);
}

function threadText(id: number, activity: string): string {
  const owner = /^blocked by (\d+)(?: with monitor)?$/.exec(activity)?.[1];
  const state = owner ? 'BLOCKED (on object monitor)' : activity.startsWith('in ') ? 'WAITING (parking)' : 'RUNNABLE';
  const lines = [
    ...(owner ? [`\t- waiting to lock <0x${owner}> (a java.lang.Object)`] : []),
    ...(activity.startsWith('in lock') ? ['\tat org.redisson.RedissonLock.lock(RedissonLock.java:131)'] : []),
    ...(activity.startsWith('in tryLock') ? ['\tat org.redisson.RedissonLock.tryLock(RedissonLock.java:261)'] : []),
    '\tat com.shop.Orders.take(Orders.java:42)',
    ...(activity.endsWith('with monitor') ? [`\t- locked <0x${id}> (a java.lang.Object)`] : []),
  ];
  const head = `"orders-${id}" #${id} prio=5 os_prio=0 tid=0x00007f01 nid=0x1 x`;
  return `${head}\n   java.lang.Thread.State: ${state}\n${lines.join('\n')}\n`;
}
