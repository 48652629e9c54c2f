import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

test.each([
  [['en-GB', 'zh-CN'], 'en'],
  [['zh-CN'], 'zh-CN'],
  [['zh'], 'zh-CN'],
  [['zh-Hans-SG'], 'zh-CN'],
  [['zh-SG', 'en'], 'zh-CN'],
  [['ZH-cn'], 'zh-CN'],
  [['de-AT', 'zh-CN', 'en'], 'zh-CN'],
  [['zh-TW', 'zh-Hant-HK', 'fr'], 'en'],
  [['zh-TW', 'zh-CN'], 'zh-CN'],
  [['enm', 'zha', 'de'], 'en'],
  [[], 'en'],
] as const)('a browser that prefers %j gets %s', (preferred, language) => {
  expect(languageOf('system', preferred)).toBe(language);
});

test('a chosen language overrides the languages of the browser', () => {
  expect(languageOf('en', ['zh-CN'])).toBe('en');
  expect(languageOf('zh-CN', ['en'])).toBe('zh-CN');
});
