import type { Translated } from '../translated.ts';
import type { Words } from '../words.ts';

export const settings: Translated<Words['settings']> = {
  title: '设置',
  connection: '连接',
  notConnected: '尚未观测任何 Redis。',
  watched: (status, level) => `${status}，${level}`,
  look: '外观',
  theme: '主题',
  themes: { system: '跟随系统', light: '浅色', dark: '深色' },
  language: '语言',
  languageOfSystem: '跟随浏览器',
  languageMissing: '无法加载该语言。请在 Lockscope 恢复响应后重新选择。',
  density: '表格行距',
  densities: { comfortable: '宽松', compact: '紧凑' },
  times: '时间',
  timeZone: '时区',
  zoneOfBrowser: (name) => `浏览器（${name}）`,
  listTimes: '事件列表中的时间',
  listTimesOf: { clock: '时刻', age: '距今时长' },
  timeline: '时间线',
  window: '打开时显示',
  windows: { '30s': '30 秒', '5min': '5 分', '15min': '15 分', all: '全部' },
  wheel: '时间线上的滚轮',
  wheels: { scroll: '滚动泳道，按住 Ctrl 缩放', zoom: '直接缩放' },
  kept: '保存在本浏览器中。',
};
