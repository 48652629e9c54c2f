import type { HelpWords } from '../../en/help/all.ts';
import type { Translated } from '../../translated.ts';

/** 帮助页的标题。 */
export const page: Translated<HelpWords['page']> = {
  title: '锁的各种问题',
  all: '所有问题',
  open: '当前存在',
  toLocks: '回到锁列表',
  unknown: '没有关于它的帮助。',
  theme: {
    lost: '锁丢失',
    stuck: '锁卡住',
    asleep: '等待者沉睡',
    fair: '公平锁',
    contention: '争用与死锁',
    server: '服务器',
    jvm: '结合线程转储',
  },
  part: {
    what: '是什么',
    why: '为什么发生',
    shows: '如何表现',
    prevent: '如何预防',
    now: '现在怎么办',
    versions: '版本',
  },
  see: '看它发生',
  seeHint: '启动演示中的这个场景：',
  start: '演示中可以看到这种情况。用命令',
  choose: '启动，然后选择场景',
};
