import type { Words } from '../words.ts';

export const settings: Words['settings'] = {
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
  wheel: '时间线上的滚轮',
  wheels: { scroll: '滚动泳道，按住 Ctrl 缩放', zoom: '直接缩放' },
  kept: '保存在本浏览器中。',
};
