import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** From here to the package's folder: the compiled server lies one folder deeper than its source. */
const root = new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url);

/** The version of this package. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))).version;

/** The folder of the built page. */
export const WEB_DIR = fileURLToPath(new URL('dist/web', root));
