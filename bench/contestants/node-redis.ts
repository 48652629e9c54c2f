import { createClient } from 'redis';
import { answerParent, urlToWatch } from './answer-parent.ts';

/** node-redis' own `monitor()`; its listener only counts. It splits nothing: a line is handed over as one string. */
const client = createClient({ url: urlToWatch() });
await client.connect();
let lines = 0;
await client.monitor(() => lines++);
answerParent(() => ({ lines }));
