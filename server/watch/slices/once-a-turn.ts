import { soon } from '../../redis/connection/surroundings.ts';

/** Returns a function that lets `run` run soon, once for all its calls until then. */
export function onceATurn(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    soon(() => {
      isDue = false;
      run();
    });
  };
}
