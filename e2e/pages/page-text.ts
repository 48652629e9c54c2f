import type { Page } from '@playwright/test';
import { untranslatedWords } from './untranslated-words.ts';

/** Terms that stay as they are in every language: products, commands, keys, types of Redis. */
const TERMS = new Set([
  ...[
    'Lockscope',
    'Redis',
    'redis',
    'redisson',
    'Redisson',
    'Java',
    'JVM',
    'DEL',
    'MONITOR',
    'WAIT',
    'Sentinel',
    'INFO',
    'CPU',
    'PUBLISH',
    'URL',
    'TLS',
    'hash',
    'channel',
    'lockscope',
    'demo',
    'English',
  ],
  ...['Shift', 'Ctrl', 'Alt', 'Page', 'Down', 'Home', 'End', 'Enter', 'Esc', 'Space', 'Backspace'],
  ...['notify', 'keyspace', 'events', 'configure', 'notifications', 'fencing', 'token', 'Fenced'],
  ...['min', 'replicas', 'write'], // min-replicas-to-write
]);

/**
 * Latin words of three letters or more in the page's own texts, labels and titles, without `TERMS`, `names`, lines of
 * Redis, codes, and texts that have no Chinese yet.
 */
export async function latinWords(page: Page, names: RegExp): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const ofOthers = 'bdi, code, pre, kbd, script, style, noscript, .person, [lang="en"], [title^="redis:"]';
    const texts: string[] = [document.title.replace(/^.* · /, '')];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest(ofOthers)) continue;
      texts.push(node.textContent ?? '');
    }
    for (const element of document.querySelectorAll('body *')) {
      for (const side of ['::before', '::after']) {
        texts.push(...(getComputedStyle(element, side).content.match(/"[^"]*"/g) ?? []));
      }
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      if (element.closest(ofOthers)) continue;
      for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
    }
    return texts;
  });
  const words = shown.flatMap(
    (text) =>
      text
        .replace(/\b\w+:\/\/\S+|\blockscope( [A-Za-z-]+)+/g, '')
        .replace(names, '')
        .match(/[A-Za-z]{3,}/g) ?? [],
  );
  const left = new Set(words.filter((word) => !TERMS.has(word)));
  return left.size === 0 ? [] : [...left].filter((word) => !untranslatedWords().has(word)).sort();
}
