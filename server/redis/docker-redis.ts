import { execFile, execFileSync } from 'node:child_process';
import { LocalRedisError, type RunningServer } from './running-server.ts';

/** Runs the server in a container whose port is published on loopback only. */
export async function runInDocker(image: string, port: number, args: readonly string[]): Promise<RunningServer> {
  const server = image.includes('valkey') ? 'valkey-server' : 'redis-server';
  // Inside the container it must listen on every interface, or the published port reaches nobody.
  const settings = ['--bind', '0.0.0.0', '--protected-mode', 'no', '--save', '', '--appendonly', 'no'];
  const publish = `127.0.0.1:${port}:6379`;
  const id = await docker('run', '--rm', '-d', '-p', publish, image, server, ...settings, ...args);
  const pid = Number(await docker('inspect', '-f', '{{.State.Pid}}', id));
  return {
    pid,
    ended: docker('wait', id).then(
      (code) => `its container ended with code ${code}`,
      () => 'its container is gone',
    ),
    async stop() {
      await docker('rm', '-f', id).catch(() => undefined); // already gone
    },
    killNow: () => {
      try {
        execFileSync('docker', ['rm', '-f', id], { stdio: 'ignore', timeout: 2500 });
      } catch {
        // The engine is gone, and the container with it.
      }
    },
  };
}

function docker(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('docker', args, (error, stdout, stderr) => {
      if (error) reject(new LocalRedisError(`docker ${args[0]} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`));
      else resolve(stdout.trim());
    });
  });
}
