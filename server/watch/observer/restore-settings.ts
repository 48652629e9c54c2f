import { text } from 'node:stream/consumers';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { KeptSettings } from './kept-settings.ts';

/* A process of its own: restores what a killed Lockscope left on the servers in its standard input, one in each line. */

const lines = (await text(process.stdin)).split('\n').filter((line) => line !== '');
const settings = new KeptSettings({ isWanted: false, warn: () => undefined });
await Promise.all(lines.map((line) => settings.prepare(JSON.parse(line) as RedisUrl))); // our own process wrote the lines
