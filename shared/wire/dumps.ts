import { z } from 'zod';
import { DUMP_FORMATS, THREAD_STATES } from '../dumps/thread-dump.ts';
import { problemSchema } from './problems/problem-schema.ts';
import { instant } from './query.ts';

/** One dump of the threads of a JVM. Times are Redis time in µs. */
export const dumpSchema = z.object({
  id: z.string(),
  /** The name of the file; null: it was pasted. */
  name: z.string().nullable(),
  format: z.enum(DUMP_FORMATS),
  /** How many dumps the text contained. The last one is used. */
  dumps: z.number(),
  /** When Lockscope received the text. */
  receivedAt: z.number(),
  /** When the dump was taken; null: not known. */
  takenAt: z.number().nullable(),
  /**
   * The source of `takenAt`: the dump itself, or the person who added it. `assumed`: in one time zone, the local time
   * of the dump is less than a minute before it was added; no verdict relies on that. Null: not known.
   */
  takenAtBy: z.enum(['dump', 'user', 'assumed']).nullable(),
  /** The local time in the dump, which names no zone, for example `2026-11-23 14:02:11`. Null: the dump has none. */
  localTime: z.string().nullable(),
  /** The version of Java in the dump; null: the dump has none. */
  version: z.string().nullable(),
  /** Whether the end of the dump was seen. False: threads may be missing. */
  isWhole: z.boolean(),
  /** Whether the format lists virtual threads. */
  listsVirtual: z.boolean(),
  /** Whether the dump lists every thread: then a missing thread did not exist. */
  listsEveryThread: z.boolean(),
  threads: z.number(),
  /** The number of threads that wait inside a call of Redisson. */
  waiting: z.number(),
  /** The uuid of the client that the dump belongs to; null: not known. */
  client: z.string().nullable(),
  /** `threads`: the client was found by its waiting threads. `user`: it was chosen. Null: not known. */
  clientBy: z.enum(['threads', 'user']).nullable(),
  /** What was around the dump in the text (`text-skipped`); null: nothing. */
  skipped: problemSchema.nullable(),
  /** Bytes of memory. */
  bytes: z.number(),
});
export type DumpEntry = z.infer<typeof dumpSchema>;

export const dumpsBody = z.object({
  v: z.literal(1),
  /** The newest first. */
  dumps: z.array(dumpSchema),
  /**
   * `dumps` and `bytes`: how much may be kept, in memory, until Lockscope ends. `usedBytes`: how much is.
   * `uploadBytes`: how large one text may be.
   */
  room: z.object({ dumps: z.number(), bytes: z.number(), usedBytes: z.number(), uploadBytes: z.number() }),
});
export const dumpBody = z.object({ v: z.literal(1), dump: dumpSchema });

/** What a dump shows about a holder or waiter: its thread, or why it shows none. */
const personInDump = z.object({
  /** `uuid:thread`. */
  holder: z.string(),
  /**
   * `missing`: the dump lists every thread, and no thread has this id. `unlisted`: no listed thread has this id, but
   * the dump may lack threads. `no-id`: the holder id has no number that a thread of Java can have.
   */
  found: z.enum(['thread', 'missing', 'unlisted', 'no-id']),
  /** The thread of that person; absent: it was not found. */
  thread: z
    .object({
      javaId: z.number(),
      name: z.string(),
      /** Null: the dump does not show the state of this thread. */
      state: z.enum(THREAD_STATES).nullable(),
      isVirtual: z.boolean(),
      /** Newest call first. */
      stack: z.array(z.string()),
      /** The number of lines that are not listed. */
      moreFrames: z.number(),
      /** The first line of the stack that is not of Java itself; null: none. */
      ownFrame: z.string().nullable(),
      /**
       * The lock or monitor inside the JVM that the thread waits for, and the thread that holds it; null: none is
       * known.
       */
      waitsFor: z
        .object({
          className: z.string().nullable(),
          kind: z.enum(['monitor', 'lock']),
          ownerId: z.number(),
          /** Null: the dump does not list that thread. */
          ownerName: z.string().nullable(),
        })
        .nullable(),
    })
    .optional(),
});
export type PersonInDump = z.infer<typeof personInDump>;

/** A dump with the threads of the holders and waiters of its client. */
export const dumpDetailBody = z.object({ v: z.literal(1), dump: dumpSchema, people: z.array(personInDump) });

export const dumpPath = z.object({ id: z.string().describe('Id of the dump, as in GET /api/thread-dumps.') });
const holderId = z.string().max(100);
export const dumpDetailQuery = z.object({
  holders: z
    .string()
    .max(12_000)
    .transform((text) => text.split(','))
    .pipe(z.array(holderId).min(1).max(100))
    .optional()
    .describe('Ids of up to 100 holders, with commas. Absent: those that hold or wait now.'),
});
const client = z.string().min(1).max(100);
export const addDumpQuery = z.object({
  name: z.string().min(1).max(255).optional().describe('Name of the file, for people.'),
  client: client.optional().describe('UUID of the client that it belongs to. Absent: its threads may prove it.'),
  takenAt: instant.optional().describe('When it was taken (Redis time, µs). Absent: when it says itself.'),
});
/** Facts that the user knows. A field that is left out is not changed. */
export const changeDumpBody = z.object({
  client: client.nullable().optional().describe('UUID of the client that it belongs to. Null: not known.'),
  takenAt: z
    .number()
    .int()
    .min(0)
    .nullable()
    .optional()
    .describe('When it was taken (Redis time, µs). Null: not known.'),
});
