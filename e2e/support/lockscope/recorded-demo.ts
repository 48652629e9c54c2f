import { serveRecordedDemo } from '../../../server/testing/serve-recorded-demo.ts';
import { type Lockscope, speakTo } from './lockscope.ts';

/** A demo without Redis in this process, whose recorded run of a scenario has just ended. */
export async function startRecordedDemo(scenario: string): Promise<Lockscope> {
  const { url, stop } = await serveRecordedDemo(scenario);
  return speakTo({ url, output: () => '', how: () => 'in this process', stop });
}
