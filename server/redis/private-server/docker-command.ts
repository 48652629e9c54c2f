import { execFile } from 'node:child_process';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { LocalRedisError } from './running-server.ts';

/** Runs one docker command and returns its output. Rejects with a `LocalRedisError` (see `dockerError`). */
export function docker(words: readonly string[], timeoutMs = 0): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('docker', words, { timeout: timeoutMs }, (error, stdout, stderr) => {
      if (!error) resolve(stdout.trim());
      else
        reject(
          error.killed ? new LocalRedisError(SILENT, problem('docker-silent')) : dockerError(stderr || error.message),
        );
    });
  });
}

/** Makes sure that the engine has the image; `onPull` is called before a missing one is pulled. */
export async function provideImage(image: string, onPull: () => void): Promise<void> {
  const imageId = await docker(['image', 'inspect', '-f', '{{.Id}}', image]).catch((error: Error) => {
    if (/No such image/i.test(error.message)) return undefined;
    throw error;
  });
  if (imageId !== undefined) return;
  onPull();
  await docker(['pull', '-q', image]).catch((error: LocalRedisError) => {
    if (error.problem.code !== 'servers-failed') throw error;
    throw new LocalRedisError(
      `Docker has no image ${image} and cannot pull it (${error.message}). Check the name and the network, ` +
        'or set REDIS_IMAGE to an image that "docker images" lists.',
      problem('no-image', { image, quote: error.message }),
    );
  });
}

const SILENT = 'Docker does not answer. Restart Docker, then try again.';

/**
 * Turns an error message of Docker into an error of one line: what to do if the cause is known, else Docker's words.
 */
export function dockerError(complaint: string): LocalRedisError {
  if (/ENOENT/.test(complaint))
    return new LocalRedisError(
      'The docker command is not in PATH. Install Docker or redis-server.',
      problem('no-docker'),
    );
  if (/permission denied/i.test(complaint) && /docker/i.test(complaint))
    return new LocalRedisError(
      'This user may not use Docker. Add the user to the group docker and log in again.',
      problem('docker-refused'),
    );
  if (/cannot connect to the docker daemon|error during connect|is the docker daemon running/i.test(complaint))
    return new LocalRedisError('No Docker engine is running. Start Docker, then try again.', problem('docker-stopped'));
  const line = reportLine(complaint);
  if (/already allocated|address already in use|ports are not available/i.test(line))
    return new LocalRedisError(
      `Another program uses a port that was free before: ${line}. Try again.`,
      problem('port-taken', { quote: line }),
    );
  return new LocalRedisError(line);
}

/** The line with the fault in a Docker message, without the prefix that Docker adds to every line. */
function reportLine(complaint: string): string {
  const lines = complaint.trim().split('\n');
  const line = lines.findLast((each) => /error/i.test(each)) ?? lines.at(-1) ?? '';
  const bare = line.replace(/^(docker: )?(Error response from daemon: |Error: )?/i, '');
  return bare.replace(/\.$/, '').slice(0, 500);
}
