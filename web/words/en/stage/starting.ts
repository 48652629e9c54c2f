import { counted } from '../counted.ts';

/** Progress while the servers of a scenario start: how many are ready, out of how many. */
export const starting = {
  image: (image: string) => `Pulling the Docker image ${image}. This can take minutes.`,
  servers: (done: number, of: number) => `Starting ${counted(of, 'Redis server')}: ${done} of ${of} ready.`,
  copies: (done: number, of: number) => `Filling ${counted(of, 'replica')} from the master: ${done} of ${of} in sync.`,
  watching: (done: number, of: number) => `Connecting Lockscope to the servers: ${done} of ${of} observed.`,
};
