import { execFile } from 'node:child_process';
import { LocalRedisError } from './running-server.ts';

const START_DOCKER = 'Start Docker, then try again.';

/** Runs one docker command and returns what it printed. Rejects with `LocalRedisError`, which says what to do. */
export function docker(words: readonly string[], timeoutMs = 0): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('docker', words, { timeout: timeoutMs }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim());
      reject(new LocalRedisError(dockerProblem(error.killed ? NO_ANSWER : stderr || error.message)));
    });
  });
}

/** Makes sure that the engine has the image; `onPull` is called before a missing one is pulled. */
export async function provideImage(image: string, onPull: () => void): Promise<void> {
  const isHere = await docker(['image', 'inspect', '-f', '{{.Id}}', image]).catch((error: Error) => {
    if (/No such image/i.test(error.message)) return undefined;
    throw error;
  });
  if (isHere !== undefined) return;
  onPull();
  await docker(['pull', '-q', image]).catch((error: Error) => {
    throw new LocalRedisError(
      `Docker has no image ${image} and cannot pull it: ${error.message} ` +
        'Check the name and the network, or set REDIS_IMAGE to an image that "docker images" lists.',
    );
  });
}

const NO_ANSWER = 'no answer in time';

/** What Docker complained about, as one line with the way out. */
export function dockerProblem(complaint: string): string {
  if (/ENOENT|not found in PATH/i.test(complaint)) return 'The docker command is not in PATH. Install Docker.';
  if (/permission denied.*docker/is.test(complaint))
    return 'This user may not use Docker. Add the user to the group docker and log in again.';
  if (complaint === NO_ANSWER) return `Docker does not answer. ${START_DOCKER}`;
  if (/cannot connect to the docker daemon|error during connect|is the docker daemon running/i.test(complaint))
    return `No Docker engine is running. ${START_DOCKER}`;
  const lines = complaint.trim().split('\n');
  const telling = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '';
  return telling.replace(/^(docker: )?Error response from daemon: /i, '').slice(0, 500);
}

/** Whether Docker refused to publish a port because another program has it. */
export function isPortTaken(complaint: string): boolean {
  return /already allocated|address already in use|ports are not available/i.test(complaint);
}
