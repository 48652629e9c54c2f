import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const frame: Translated<Words['frame']> = {
  title: (page) => `${page} · Lockscope`,
  skip: '跳到正文',
  skipToLocks: '跳到锁列表',
  pages: '页面',
  page: {
    overview: '现在',
    timeline: '时间线',
    lock: '锁',
    events: '事件',
    graph: '阻塞',
    waits: '阻塞的代价',
    clients: '客户端',
    recordings: '录制',
    demo: '演示',
    doctor: '健康',
    'incident-help': '帮助',
    'not-found': '页面不存在',
  },
  blocking: { label: '阻塞', chain: '等待链', cost: '代价' },
  themes: { system: '跟随系统主题', light: '浅色主题', dark: '深色主题' },
  settings: '设置',
  help: '帮助：快捷键',
  openingPage: '正在打开页面。',
  openingPart: '正在打开。',
  lost: '与 Lockscope 的连接已断开。',
  lostHint: '正在重试。当前显示的是断开时的内容。',
  triesAgain: (seconds) => `此页面每 ${seconds} 秒自动重试。`,
  lastHeard: (age) => `最近一次收到消息：${age}。`,
  cutBack: (url) => `为保护 Redis，已降低对 ${url} 的观测级别。`,
};
