import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of this checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs a program in this checkout, or in another one (`root`). Returns its exit code, its output (only with `isQuiet`),
 * and whether it was killed after `withinMs`.
 *
 * The program has its own process group, which is killed as a whole after `withinMs`, or if we get a signal.
 */
export function runCommand([program, ...words], { isQuiet = false, env = {}, withinMs = 0, root = ROOT } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    let output = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    const endGroup = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The process group has already ended.
      }
    };
    const onSignal = (signal) => {
      endGroup(signal);
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    const limit =
      withinMs > 0 &&
      setTimeout(() => {
        isLate = true;
        endGroup('SIGKILL');
      }, withinMs);
    const end = (code) => {
      clearTimeout(limit);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      resolve({ code, output, isLate });
    };
    child.once('error', (error) => {
      output += error.message;
      end(127);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

/** The command `npm …`, with the npm that runs this script, else the one on PATH. */
export function npm(...words) {
  const { npm_execpath: npmProgram } = process.env;
  return npmProgram?.endsWith('.js') ? [process.execPath, npmProgram, ...words] : ['npm', ...words];
}

/** Prints one line on stderr. */
export function say(text) {
  process.stderr.write(`lockscope: ${text}\n`);
}

/** Runs one step of the set-up. Prints its output only if it fails. */
export async function runStep(title, command, root = ROOT) {
  say(`${title} …`);
  const { code, output } = await runCommand(command, { isQuiet: true, root });
  if (code === 0) return true;
  process.stderr.write(`${output.trimEnd()}\n`);
  say(`${title} failed, see its output above. The command was: ${command.slice(-4).join(' ')}`);
  return false;
}
