import { soon } from '../../redis/connection/surroundings.ts';

/** Returns a function that schedules `run` for soon. All its calls until `run` begins cause one run. */
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
