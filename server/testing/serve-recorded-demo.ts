import { createLog } from '../cli/log.ts';
import { parseConfig } from '../config.ts';
import { openRecordedDemo } from '../recorded-demo.ts';
import { serve } from '../serve.ts';

/** `lockscope demo` on a machine without Redis, in this process. The run of the scenario has just ended. */
export async function serveRecordedDemo(scenario: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const config = parseConfig(['demo', '--port', '0', '--no-open'], {});
  if (!config.ok || config.value.command !== 'demo') throw new Error('the demo has no configuration');
  const steps: (() => Promise<void>)[] = [];
  const log = createLog(true);
  log.level = 'silent';
  const url = await serve(
    { ...config.value, memory: 512 * 1024 * 1024 },
    {
      startDemo: () => openRecordedDemo({ first: scenario, isOver: true }),
      createObservatory: () => Promise.reject(new Error('a recorded demo has an observatory')),
    },
    log,
    { add: (step) => void steps.push(step), isEnding: () => false },
  );
  return {
    url,
    stop: async () => {
      for (const step of steps.reverse()) await step();
    },
  };
}
