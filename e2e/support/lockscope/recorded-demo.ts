import { createRequire } from 'node:module';
import { RECORDED_DEMO } from './build-recorded-demo.ts';
import { type Lockscope, speakTo } from './lockscope.ts';

type Built = typeof import('../../../server/testing/serve-recorded-demo.ts');

const nodeRequire = createRequire(import.meta.url);

/** A demo without Redis in this process, whose recorded run of a scenario has just ended. */
export async function startRecordedDemo(scenario: string): Promise<Lockscope> {
  const { serveRecordedDemo }: Built = nodeRequire(RECORDED_DEMO);
  const { url, stop } = await serveRecordedDemo(scenario);
  return speakTo({ url, output: () => '', how: () => 'in this process', stop });
}
