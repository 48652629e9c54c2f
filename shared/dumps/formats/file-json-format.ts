import { fail, type Result } from '../../base/result.ts';
import { DumpBuilder } from '../dump-builder.ts';
import { type DumpFault, type JvmWait, javaVersionOf, type ParsedDump, THREAD_STATES } from '../thread-dump.ts';
import { classOf } from './file-text-format.ts';
import { fieldsOf, itemsOf, textOf, wholeNumberOf } from './json-value.ts';

/*
 * What `jcmd Thread.dump_to_file -format=json` writes. Java 21 has `tid`, `name` and `stack` only:
 *
 *   { "threadDump": { "time": "2026-11-23T06:02:11.118256Z", "runtimeVersion": "25+36-LTS", "threadContainers": [
 *     { "container": "<root>", "threads": [
 *       { "tid": "22", "name": "worker-1", "virtual": true, "state": "BLOCKED", "blockedOn": "java.lang.Object@4f2410ac",
 *         "parkBlocker": { "object": "…ReentrantLock$NonfairSync@1b2c6ec2", "owner": "31" }, "stack": ["…"],
 *         "monitorsOwned": [{ "depth": 3, "locks": ["java.lang.Object@5e91993f"] }] } ] } ] } }
 */

type Fields = Readonly<Record<string, unknown>>;

/** Parses the value of a file of `jcmd Thread.dump_to_file -format=json`; undefined if it is another value. */
export function parseFileJson(value: Fields): Result<ParsedDump, DumpFault> | undefined {
  const dump = fieldsOf(value.threadDump) ?? value;
  if (!Array.isArray(dump.threadContainers)) return undefined;
  const builder = new DumpBuilder();
  for (const container of itemsOf(dump.threadContainers)) {
    for (const thread of itemsOf(fieldsOf(container)?.threads)) take(builder, fieldsOf(thread) ?? {});
  }
  if (builder.size === 0) return fail('not-a-dump');
  const takenAtMs = Date.parse(textOf(dump.time) ?? '');
  const version = textOf(dump.runtimeVersion)?.slice(0, 100) ?? null;
  return builder.result({
    ...{ format: 'file-json', dumps: 1, localTime: null, isWhole: true, listsVirtual: true, version },
    takenAtMs: /Z$/.test(textOf(dump.time) ?? '') && !Number.isNaN(takenAtMs) ? takenAtMs : null,
    javaVersion: version === null ? null : javaVersionOf(version),
  });
}

/** Whether these are the fields of one thread of such a file of `jcmd`. */
export function isFileThread({ tid, name, stack }: Fields): boolean {
  return Array.isArray(stack) && textOf(name) !== null && wholeNumberOf(tid) !== null;
}

function take(builder: DumpBuilder, thread: Fields): void {
  const id = wholeNumberOf(thread.tid);
  if (id === null) return;
  builder.begin(id, textOf(thread.name) ?? '');
  const state = THREAD_STATES.find((each) => each === thread.state);
  if (state) builder.state(state);
  if (thread.virtual === true) builder.virtual();
  for (const frame of itemsOf(thread.stack)) builder.frame(textOf(frame) ?? '');
  for (const owned of itemsOf(thread.monitorsOwned)) {
    for (const lock of itemsOf(fieldsOf(owned)?.locks)) {
      const monitor = textOf(lock);
      if (monitor !== null) builder.holds('monitor', monitor);
    }
  }
  const released = textOf(thread.waitingOn);
  if (released !== null) builder.releases(released);
  const wait = waitOf(thread);
  if (wait) builder.waitsFor(wait);
}

function waitOf(thread: Fields): JvmWait | null {
  const monitor = textOf(thread.blockedOn);
  if (monitor !== null) return { id: monitor, className: classOf(monitor), kind: 'monitor', ownerId: null };
  const blocker = fieldsOf(thread.parkBlocker);
  const lock = textOf(blocker?.object);
  if (lock === null) return null;
  const ownerId = wholeNumberOf(blocker?.owner) ?? wholeNumberOf(blocker?.exclusiveOwnerThreadId);
  return { id: lock, className: classOf(lock), kind: 'lock', ownerId };
}
