import type { Translated } from '../translated.ts';
import type { Words } from '../words.ts';
import { number } from './number.ts';

export const common: Translated<Words['common']> = {
  close: '关闭',
  copy: '复制',
  copied: '已复制',
  selectToCopy: '请选中文本后手动复制',
  clearFilter: '清除筛选',
  any: '不限',
  emptyName: '（空名称）',
  andMore: (n) => `另有 ${number(n)} 个`,
  listMore: '显示更多',
  thisPage: '本页面',
  theTimeline: '时间线',
  thisPart: '此部分',
  couldNotBeShown: (what) => `${what}无法显示。`,
  notLoaded: '其代码未能加载。请在页面恢复连接后重试；如果 Lockscope 已升级，请重新加载页面。',
  withKey: (what, key) => `${what}（${key}）`,
  sentences: (all) => all.join(''),
  tryAgain: '重试',
  copyDetails: '复制详情',
  certainty: { observed: '观测', inferred: '推断' },
  certaintyMeaning: {
    observed: '来自 Redis 的直接证据。',
    inferred: '由 Redis 的其他信息推断得出，并非 Redis 直接告知。',
  },
  assumedSince: (clock) => `自 ${clock} 起仅为推测：Lockscope 当时停止了观测，此后没有事件显示过它的完整状态。`,
};
