const LOOK_MS = 500;

/**
 * Calls `onEnd` once the npx that started this process has ended; does nothing if npx did not start it. A signal to npx
 * ends only the shell between them, so nothing would stop MONITOR on the watched Redis.
 */
export function onNpxEnded(onEnd: () => void): void {
  if (process.env.npm_command !== 'exec') return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    onEnd();
  }, LOOK_MS);
  timer.unref();
}
