import { isEncoded } from '../unwrap/file-kinds.ts';
import type { DumpFault } from './thread-dump.ts';

/** Texts that are not dumps of a JVM whose threads have Java ids, and what identifies each of them. */
const TEXTS: readonly (readonly [form: RegExp, fault: DumpFault])[] = [
  [/^[^\n]{0,400}Thread \d{1,10}: \(state = [A-Z_]/m, 'forced'],
  [/^[^\n]{0,400}3XMTHREADINFO/m, 'j9'],
  [/DALVIK THREADS|^[^\n]{0,400}\| group="[^"\n]{0,200}" sCount=/m, 'android'],
  [/^[^\n]{0,400}(?:Thread \d{1,10} \((?:LWP|Thread 0x)|#0 {1,3}0x[0-9a-f]{6,16} in )/m, 'native'],
  [
    /^[^\n]{0,400}goroutine \d{1,12} \[|^[^\n]{0,400}(?:Current thread|Thread) 0x[0-9a-f]{6,16} \(most recent call/m,
    'other-runtime',
  ],
  [
    /^[^\n]{0,400}(?:OS Thread Id: 0x|\bThread \(0x[\dA-F]{1,16}\):|\bThread \S{1,20} \((?:idle|active)[^)\n]{0,40}\): ")/m,
    'other-runtime',
  ],
  [/^[^\n]{0,400}\bName: [^\n]{1,400}\n[^\n]{0,400}\bState: (?:NEW|RUNNABLE|BLOCKED|(?:TIMED_)?WAITING)\b/m, 'no-ids'],
  [
    /^[^\n]{0,400}(?:which is held by "|Coroutine [^\n]{1,400}, state: [A-Z]|Thread \[[^\n]{1,300}\] \((?:Suspended|Running))/m,
    'no-ids',
  ],
  [/\d\.\d{6} \[\d{1,9} \S{1,300}\] \\{0,2}"/, 'monitor-text'],
  [/^\s{0,100}\{"lockscope":/, 'recording'],
  [/^(?:[^\n]{0,400}\bjcmd [^\n]{1,400}\n)?(?:\d{1,10}:\s{0,9}\n)?Created [^\s"]{1,400}\s{0,99}$/, 'other-file'],
  [
    /^[^\n]{0,400}(?:Unable to open socket file|AttachNotSupportedException|doesn't respond within \d|well-known file [^\n]{1,300} is not secure|^\d{1,10}: No such process$)/m,
    'no-answer',
  ],
  [
    /^\s{0,100}(?:<!doctype html|<html\b|\{[^\n]{0,600}"status"\s?:\s?[45]\d\d\b[^\n]{0,600}\}\s{0,99}$)/i,
    'web-answer',
  ],
  [/^[^\n]{0,400}(?:Exception|Error)\b[^\n]{0,400}\n[^\n]{0,400}\bat [\w.$/@-]{3,400}\(/m, 'exception'],
];

/** Only this many characters are examined: each of these forms appears near the beginning of a text. */
const MOST_CHARS = 500_000;

/** What a text seems to be in which no thread with an id was found. */
export function whatItSeems(text: string): DumpFault {
  const head = text.slice(0, MOST_CHARS);
  if (head.trim() === '') return 'empty';
  return TEXTS.find(([form]) => form.test(head))?.[1] ?? (isEncoded(head) ? 'encoded' : 'not-a-dump');
}
