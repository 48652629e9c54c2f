import { createClient } from 'redis';
import { answerParent, urlToWatch } from './answer-parent.ts';

/** `monitor()` of node-redis, which passes each line as one string. The listener only counts lines. */
const client = createClient({ url: urlToWatch() });
await client.connect();
let lines = 0;
await client.monitor(() => lines++);
answerParent(() => ({ lines }));
