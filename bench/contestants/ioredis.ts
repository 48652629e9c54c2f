import { Redis } from 'ioredis';
import { answerParent, urlToWatch } from './answer-parent.ts';

/** `monitor()` of ioredis. The listener only counts lines. */
const redis = new Redis(urlToWatch());
const monitor = await redis.monitor();
let lines = 0;
monitor.on('monitor', () => lines++);
answerParent(() => ({ lines }));
