import { readFileSync } from 'node:fs';
import { errorBody } from '../../shared/wire/http.ts';
import { createLog } from '../cli/log.ts';
import { type ReadFile, readRecordingFile } from '../recordings/read-file.ts';
import { openRecording } from '../recordings/replay-observatory.ts';
import { serve } from '../serve.ts';
import { strictAnswer, strictRefusal } from './strict-answer.ts';

/** A recording of two threads and one lock. */
export const TWO_THREADS = 'server/demo/recorded/two-threads.lockscope';
const MB = 1024 * 1024;

type Options = { memoryMb?: number; token?: string; readRecording?: ReadFile };

/** A Lockscope that shows a recording as if it watched it, with helpers for its recordings. */
export async function serveRecordings({ memoryMb = 512, token, readRecording = readRecordingFile }: Options = {}) {
  const steps: (() => Promise<void>)[] = [];
  const log = createLog(true);
  log.level = 'silent';
  const memory = memoryMb * MB;
  const url = await serve(
    {
      ...{ command: 'observe', redisUrls: ['redis://127.0.0.1:1'], level: 'events', match: [], host: '127.0.0.1' },
      ...{ port: 0, token, memory, configureNotifications: false, allowRelease: false, open: false, json: false },
    },
    {
      startDemo: () => Promise.reject(new Error('no demo')),
      createObservatory: async () => (await openRecording(TWO_THREADS, { memory })).observatory,
      readRecording,
    },
    log,
    { add: (step) => void steps.push(step), isEnding: () => false },
  );

  /** A request with a JSON answer, which must have the schema of its route. */
  async function ask(method: string, path: string, init: RequestInit = {}) {
    const response = await fetch(url + path, { method, redirect: 'manual', ...init });
    const body: unknown = await response.json();
    if (response.ok) strictAnswer(method, path.replace(/^\/recordings\/\w+/, ''), body);
    else strictRefusal(method, path, response.status, errorBody.parse(body));
    return { status: response.status, body };
  }
  const upload = (bytes: Uint8Array<ArrayBuffer>, name = 'x.lockscope', headers: Record<string, string> = {}) =>
    ask('POST', `/api/recordings?name=${encodeURIComponent(name)}`, {
      headers: { 'Content-Type': 'application/octet-stream', ...headers },
      body: bytes,
    });
  const end = async () => {
    for (const step of steps.reverse()) await step();
  };
  return { url, ask, upload, end };
}

/** The bytes of `TWO_THREADS`. */
export function twoThreads(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(TWO_THREADS));
}
