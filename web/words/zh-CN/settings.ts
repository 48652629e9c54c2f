import type { Words } from '../words.ts';

export const settings: Words['settings'] = {
  title: '设置',
  language: '语言',
  languageOfSystem: '跟随浏览器',
};
