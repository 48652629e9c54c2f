import { rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { build, createLogger, createServer } from 'vite';
import { ROOT, say } from '../set-up/run-command.mjs';
import { Program } from './program.mjs';

/** The page's port; the next free one if it is in use. `.vscode/launch.json` has it too. */
export const PAGE_PORT = 4681;
/** What Vite writes for each request that the page sends while the server starts again. */
const WHILE_STARTING = /proxy (socket )?error/;

/**
 * Starts the page and the server behind it:
 *
 *   browser ──► Vite :4681, hot reload ── /api, /socket.io ──► dist/server/main.js, started again after each build
 *                                                                    ▲
 *                                        shared/, server/ ──► vite build --watch
 *
 * Everything ends with SIGINT, SIGTERM or SIGHUP.
 */
export async function startDev(words, env) {
  const port = await freePort();
  const { forNode, forLockscope } = commandLine(words, env);
  const page = await openPage(port);
  const server = new Program([...forNode, 'dist/server/main.js', ...forLockscope, '--no-open', '--port', `${port}`], {
    readyText: 'lockscope ready',
    onReady: () => say(`ready ${page.resolvedUrls?.local[0]} (Ctrl+C ends everything)`),
    onEnd: (code) => say(`the server ended with code ${code}. It starts again after the next change.`),
  });
  say('building the server, which takes up to a minute the first time …');
  rmSync(join(ROOT, 'dist/server'), { recursive: true, force: true });
  // Files of earlier builds stay: after two changes at once, the server may still be loading those of the first.
  const watcher = await build({ ...CONFIG.server, build: { watch: {}, emptyOutDir: false } });
  watcher.on('event', ({ code, error }) => {
    // END also follows an ERROR
    if (code === 'BUNDLE_END') server.restart();
    if (code === 'ERROR') say(`the server is not built: ${error.message}`);
  });
  const end = async () => {
    await Promise.all([server.close(), watcher.close(), page.close()]);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
}

const CONFIG = {
  server: { configFile: join(ROOT, 'server/vite.config.ts'), logLevel: 'warn' },
  page: { configFile: join(ROOT, 'web/vite.config.ts'), logLevel: 'warn', clearScreen: false },
};

/**
 * Splits the arguments into those for Node and those for Lockscope. If those for Lockscope do not begin with a command
 * or a URL, Lockscope watches the Redis of REDIS_URL, or runs the demo without that variable.
 */
export function commandLine(words, env) {
  const forLockscope = words.filter((word) => !word.startsWith('--inspect'));
  const hasCommand = /^[^-]/.test(forLockscope[0] ?? '');
  return {
    forNode: ['--enable-source-maps', ...words.filter((word) => word.startsWith('--inspect'))],
    forLockscope: hasCommand || env.REDIS_URL ? forLockscope : ['demo', ...forLockscope],
  };
}

async function openPage(serverPort) {
  // web/vite.config.ts reads this variable
  process.env.LOCKSCOPE_PORT = `${serverPort}`;
  const logger = createLogger('warn');
  const { error } = logger;
  logger.error = (text, options) => {
    if (!WHILE_STARTING.test(text)) error(text, options);
  };
  const page = await createServer({
    ...CONFIG.page,
    customLogger: logger,
    server: { host: '127.0.0.1', port: PAGE_PORT },
  });
  return page.listen();
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createTcpServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
