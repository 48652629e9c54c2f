import { fail, type Result } from '../../base/result.ts';
import { DumpBuilder } from '../dump-builder.ts';
import { type DumpFault, type JvmWait, type ParsedDump, THREAD_STATES } from '../thread-dump.ts';
import { fieldsOf, itemsOf, textOf, wholeNumberOf } from './json-value.ts';

/*
 * What Spring Boot's `GET /actuator/threaddump` answers: the fields of `java.lang.management.ThreadInfo`.
 *
 *   { "threads": [ { "threadName": "worker-1", "threadId": 22, "threadState": "BLOCKED", "lockOwnerId": 31,
 *     "lockInfo": { "className": "java.lang.Object", "identityHashCode": 460141958 },
 *     "stackTrace": [ { "className": "com.shop.Orders", "methodName": "take", "fileName": "Orders.java", "lineNumber": 42 } ] } ] }
 *
 * It names no instant, no version, and no virtual thread.
 */

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses the value of an answer of the actuator; undefined if it is another value. Spring Boot 1 and Micronaut answer
 * the list alone.
 */
export function parseActuator(value: unknown): Result<ParsedDump, DumpFault> | undefined {
  const fields = fieldsOf(value);
  const list = fields ? fields.threads : value;
  const threads = itemsOf(list).map((each) => fieldsOf(each) ?? {});
  if (!threads.some(isActuatorThread)) return undefined;
  const builder = new DumpBuilder();
  for (const thread of threads) take(builder, thread);
  if (builder.size === 0) return fail('no-ids');
  return builder.result({
    ...{ format: 'actuator', dumps: 1, takenAtMs: null, localTime: null, version: null, javaVersion: null },
    ...{ isWhole: true, listsVirtual: false },
  });
}

/**
 * Whether these are the fields of a thread in a dump. Lines of a log may have the name and the id of a thread as well.
 */
export function isActuatorThread(fields: Fields): boolean {
  const { threadState, stackTrace } = beanOf(fields);
  return Array.isArray(stackTrace) || THREAD_STATES.some((each) => each === threadState);
}

/** The management of WildFly writes `thread-id` instead of `threadId`. */
function beanOf(fields: Fields): Fields {
  if (!('thread-id' in fields) && !('class-name' in fields)) return fields;
  const named = Object.entries(fields).map(([name, value]) => [
    name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(named);
}

function take(builder: DumpBuilder, fields: Fields): void {
  const thread = beanOf(fields);
  const id = wholeNumberOf(thread.threadId);
  if (id === null) return;
  builder.begin(id, textOf(thread.threadName) ?? '');
  const state = THREAD_STATES.find((each) => each === thread.threadState);
  if (state) builder.state(state);
  for (const frame of itemsOf(thread.stackTrace)) builder.frame(frameText(beanOf(fieldsOf(frame) ?? {})));
  const ownerId = wholeNumberOf(thread.lockOwnerId);
  if (ownerId === null || ownerId < 1) return;
  const { id: lock, className } = lockOf(thread);
  const kind: JvmWait['kind'] = state === 'BLOCKED' ? 'monitor' : 'lock';
  builder.waitsFor({ id: lock, className, kind, ownerId });
}

/** `lockInfo`, or the `lockName` of older versions: `java.lang.Object@1b6d3586`. */
function lockOf(thread: Fields): { id: string; className: string | null } {
  const info = fieldsOf(thread.lockInfo);
  const className = textOf(info?.className);
  const hash = wholeNumberOf(info?.identityHashCode);
  if (className !== null && hash !== null) return { id: `${className}@${(hash >>> 0).toString(16)}`, className };
  const name = (textOf(thread.lockName) ?? '').slice(0, 300);
  const end = name.lastIndexOf('@');
  return { id: name, className: end > 0 ? name.slice(0, end) : null };
}

function frameText({ className, methodName, fileName, lineNumber, nativeMethod }: Fields): string {
  const line = wholeNumberOf(lineNumber);
  const file = textOf(fileName);
  const place = nativeMethod === true ? 'Native Method' : (file ?? 'Unknown Source');
  const method = `${textOf(className) ?? ''}.${textOf(methodName) ?? ''}`;
  return `${method}(${place}${file !== null && nativeMethod !== true && line !== null && line >= 0 ? `:${line}` : ''})`;
}
