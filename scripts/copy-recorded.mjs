import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './set-up/run-command.mjs';

/* Copies the recorded runs of the demo to `dist`. The compiler does not copy them. */
const to = join(ROOT, 'dist/server/demo/recorded');
mkdirSync(to, { recursive: true });
cpSync(join(ROOT, 'server/demo/recorded'), to, { recursive: true });
