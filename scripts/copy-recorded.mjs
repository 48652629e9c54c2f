import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './set-up/run-command.mjs';

/* The recorded runs of the demo, which the compiler leaves behind. */
const to = join(ROOT, 'dist/server/demo/recorded');
mkdirSync(to, { recursive: true });
cpSync(join(ROOT, 'server/demo/recorded'), to, { recursive: true });
