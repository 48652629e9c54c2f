import { redisTime } from '../../../shared/base/time.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import {
  recordingBody,
  recordingPath,
  recordingsBody,
  type SavedBody,
  saveBody,
  savedBody,
  uploadQuery,
} from '../../../shared/wire/recordings.ts';
import { savedName, saveEach } from '../../recordings/save-memory.ts';
import { type Answer, route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problems/problem.ts';

const TEN_MINUTES = 600_000_000;

const UNREADABLE = [
  'not-a-recording',
  'monitor-of-several',
  'recording-newer',
  'recording-damaged',
  'recording-too-large',
  'recording-too-long',
  'recording-unreadable',
] as const;
const FULL = ['recordings-full', 'recordings-disk-full'] as const;

export const recordingsRoute = route({
  method: 'GET',
  path: '/recordings',
  operation: 'listRecordings',
  tag: 'recordings',
  summary: 'Lists the recordings that are kept until Lockscope ends, and the files of `--record`.',
  refusals: { 404: ['nothing-here'] },
  answer: recordingsBody,
}).handledBy((context: ApiContext) => ({ body: listOf(context) }));

export const addRecordingRoute = route({
  method: 'POST',
  path: '/recordings',
  operation: 'addRecording',
  tag: 'recordings',
  summary: 'Keeps a recording and opens it.',
  refusals: { 404: ['nothing-here', 'unknown-recording'], 413: ['recording-too-large'], 422: UNREADABLE, 507: FULL },
  query: uploadQuery,
  uploadTypes: ['application/octet-stream'],
  answer: recordingBody,
}).handledBy(async (context: ApiContext, { query: { name }, upload, gone }) => {
  const recording = await storeOf(context).add(name, 'uploaded', upload.length, upload.bytes, gone);
  return { body: { v: 1, recording } };
});

/** Saves a range from memory: one recording for each source that has events in it. */
export const saveRecordingRoute = route({
  method: 'POST',
  path: '/recordings/save',
  operation: 'saveMemory',
  tag: 'recordings',
  summary: 'Keeps what is in memory about a range of time: one recording for each source.',
  refusals: {
    404: ['nothing-here', 'unknown-source', 'not-in-memory'],
    413: ['recording-too-large'],
    422: UNREADABLE,
    507: FULL,
  },
  body: saveBody,
  answer: savedBody,
}).handledBy((context: ApiContext, { body: { from, to, source: only } }): Answer<SavedBody> => {
  const store = storeOf(context);
  const { observatory } = context;
  const sources = observatory.sources().filter(({ id, ended }) => (only === undefined ? ended !== true : id === only));
  if (sources.length === 0) throw new HttpProblem(404, problem('unknown-source'), 'source');
  return {
    inTurn: async (signal) => {
      const ends = new Map<string, number>();
      const { saved, notSaved } = await saveEach(
        sources.map(({ id }) => id),
        (id) => {
          const end = to ?? observatory.now(id);
          ends.set(id, end);
          const begin = from ?? redisTime(Math.max(0, end - TEN_MINUTES));
          return observatory.recording({ source: id, from: begin, to: end }, signal);
        },
        (id, { startedAt, bytes }) => {
          const name = savedName(startedAt, ends.get(id) ?? startedAt, sources.length > 1 ? id : undefined);
          return store.add(name, 'saved', bytes.length, [bytes], signal);
        },
      );
      const unreachable = notSaved.find(({ problem: { code } }) => code !== 'not-in-memory');
      if (saved.length === 0 && unreachable) throw new HttpProblem(503, unreachable.problem);
      if (saved.length === 0) throw new HttpProblem(404, problem('not-in-memory', { what: 'range' }), 'to');
      return { v: 1, recordings: saved.reverse(), room: store.room(), notSaved };
    },
  };
});

export const openRecordingRoute = route({
  method: 'POST',
  path: '/recordings/:id/open',
  operation: 'openRecording',
  tag: 'recordings',
  summary: 'Opens a recording: its pages and an API like this one are then under `/recordings/ID/`.',
  refusals: { 404: ['nothing-here', 'unknown-recording'], 422: UNREADABLE },
  params: recordingPath,
  answer: recordingBody,
}).handledBy(async (context: ApiContext, { params: { id } }) => ({
  body: { v: 1, recording: await storeOf(context).open(id) },
}));

export const recordingFileRoute = route({
  method: 'GET',
  path: '/recordings/:id/file',
  operation: 'downloadRecording',
  tag: 'recordings',
  summary: 'Downloads the file of a recording.',
  refusals: { 404: ['nothing-here', 'unknown-recording'] },
  params: recordingPath,
  answer: 'application/gzip',
}).handledBy((context: ApiContext, { params: { id } }) => ({ stored: storeOf(context).file(id) }));

export const deleteRecordingRoute = route({
  method: 'DELETE',
  path: '/recordings/:id',
  operation: 'deleteRecording',
  tag: 'recordings',
  summary: 'Deletes a recording that is kept.',
  refusals: { 404: ['nothing-here', 'unknown-recording'], 409: ['recording-yours'] },
  params: recordingPath,
  answer: recordingsBody,
}).handledBy(async (context: ApiContext, { params: { id } }) => {
  await storeOf(context).delete(id);
  return { body: listOf(context) };
});

function listOf(context: ApiContext) {
  const store = storeOf(context);
  return { v: 1 as const, recordings: store.list(), room: store.room() };
}

function storeOf({ recordings }: ApiContext): NonNullable<ApiContext['recordings']> {
  if (!recordings) throw new HttpProblem(404, problem('nothing-here'));
  return recordings;
}
