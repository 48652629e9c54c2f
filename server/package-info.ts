import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The package's folder. The compiled server is one folder deeper than its source. */
const root = new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url);

/** The version in package.json. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))).version;

/** The folder of the built page. */
export const WEB_DIR = fileURLToPath(new URL('dist/web', root));
