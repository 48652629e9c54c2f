import type { CommandPipe } from './command-pipe.ts';

/** CPU time of the server so far, in s, user and system. */
export async function cpuSeconds(pipe: CommandPipe): Promise<number> {
  const info = String(await pipe.ask('INFO', 'cpu'));
  const field = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return field('used_cpu_user') + field('used_cpu_sys');
}
