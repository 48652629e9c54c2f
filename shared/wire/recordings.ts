import { z } from 'zod';
import { problemSchema } from './problems/problem-schema.ts';
import { inOrder, instant, source } from './query.ts';
import { observeLevel } from './source.ts';

/** One recording that Lockscope keeps, or writes with `--record`. */
export const recordingSchema = z.object({
  id: z.string(),
  /** The name that pages show. It is never a path. */
  name: z.string(),
  /**
   * `uploaded`: uploaded through the API or a page. `saved`: saved from memory by a user. `automatic`: saved from
   * memory around a problem. `record`: the file of `--record`.
   */
  origin: z.enum(['uploaded', 'saved', 'automatic', 'record']),
  /** Where its pages and its API are, below the address of this Lockscope: `/recordings/ID/`. */
  path: z.string(),
  /** Size of the file. */
  bytes: z.number(),
  /** The source that was recorded; null: not known yet. */
  source: z.object({ id: z.string(), url: z.string(), redisVersion: z.string(), level: observeLevel }).nullable(),
  /** Redis time of its beginning and end; null: not known yet. */
  startedAt: z.number().nullable(),
  endsAt: z.number().nullable(),
  /** Events in it, those about the source included; null: it was not read yet, or is being written. */
  events: z.number().nullable(),
  /** The end of the file is missing; null: it was not read yet, or is being written. */
  cutShort: z.boolean().nullable(),
  /** The recording was made from the text of `redis-cli monitor`. */
  isText: z.boolean(),
  /** Lines that could not be read. */
  badLines: z.number(),
  /** Whether the pages of the recording can be read without opening it first. */
  isOpen: z.boolean(),
  /** The recording is being written now. */
  isWriting: z.boolean(),
});
export type RecordingEntry = z.infer<typeof recordingSchema>;

export const recordingsBody = z.object({
  v: z.literal(1),
  /** The files of `--record` first, then the newest first. */
  recordings: z.array(recordingSchema),
  /** `files` and `bytes`: how much may be kept until Lockscope ends. `usedBytes`: how much is. */
  room: z.object({
    files: z.number(),
    bytes: z.number(),
    usedBytes: z.number(),
    /** How large one file may be. */
    fileBytes: z.number(),
    /** Recordings that may be open at once. */
    open: z.number(),
  }),
});
/** All recordings after parts of memory were saved as new ones. */
export const savedBody = recordingsBody.extend({
  /** Sources from which nothing was saved. */
  notSaved: z.array(z.object({ source: z.string(), problem: problemSchema })),
});
export type SavedBody = z.infer<typeof savedBody>;
export const recordingBody = z.object({ v: z.literal(1), recording: recordingSchema });

export const uploadQuery = z.object({
  name: z
    .string()
    .min(1)
    .max(255)
    .describe('Name of the file, for people.')
    .meta({ examples: ['x.lockscope'] }),
});
export const recordingPath = z.object({ id: z.string().describe('Id of the recording, as in GET /api/recordings.') });
export const saveBody = z
  .object({
    from: instant.optional().describe('Begin (Redis time, µs). Absent: ten minutes before `to`.'),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
    source: source.optional().describe('Id of a source. Absent: one recording for each source.'),
  })
  .refine(...inOrder);
