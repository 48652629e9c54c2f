import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';
import { number } from '../number.ts';

export const find: Translated<Words['find']> = {
  placeholder: '查找',
  label: '查找锁、持有者、事件和操作',
  results: '结果',
  groups: {
    locks: '锁',
    people: '客户端与线程',
    events: '事件',
    scenarios: '场景',
    actions: '操作',
    search: '搜索',
  },
  client: (locks, isAtLeast) => `客户端，${isAtLeast ? '至少 ' : ''}${number(locks)} 次持有或等待`,
  thread: (locks, isAtLeast) => `持有或等待${isAtLeast ? '至少' : ''} ${number(locks)} 把锁`,
  more: (locks, isAtLeast) => `另有${isAtLeast ? '至少' : ''} ${number(locks)} 把锁`,
  play: '播放',
  goTo: (page) => `前往${page}`,
  goLive: '恢复实时',
  level: '更改观测级别',
  allLocks: (text) => `名称、持有者或等待者包含“${text}”的锁`,
  eventsOfLocks: (text) => `名称包含“${text}”的锁的事件`,
  eventsOfHolders: (text) => `名称包含“${text}”的持有者的事件`,
};
