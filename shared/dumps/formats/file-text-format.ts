import { fail, type Result } from '../../base/result.ts';
import type { DumpBuilder } from '../dump-builder.ts';
import { LastDump } from '../last-dump.ts';
import { type DumpFault, type JvmWait, javaVersionOf, type ParsedDump, THREAD_STATES } from '../thread-dump.ts';
import { linesOf } from './text-lines.ts';
import { ThreadLines } from './thread-lines.ts';

/*
 * What `jcmd Thread.dump_to_file` writes as text. Java 21 writes names and stacks only, later versions also states and
 * locks, and since Java 25 `at` before each frame, and locks as `- waiting to lock <java.lang.Object@4f2410ac>`:
 *
 *   41232
 *   2026-11-23T06:02:11.118256Z
 *   21.0.4+7-LTS
 *
 *   #22 "worker-1" virtual BLOCKED 2026-11-23T06:02:11.119Z
 *         // blocked on java.lang.Object@4f2410ac
 *         com.shop.Orders.take(Orders.java:42)
 *         // locked java.lang.Object@1b2c6ec2
 *
 * The text has no end mark, so it is not known whether its end is missing.
 */

const THREAD = /^(?:Thread )?#(\d{1,16}) "/;

/** The first three lines: process, instant, version. */
const HEAD = /^[^\n]{0,400}?\b\d{1,12}\n{1,3}(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)\n{1,3}([^\n]{1,100})\n/gm;

/** Whether a text is written by `Thread.dump_to_file`, or is a part of such a text. */
export function isFileText(text: string): boolean {
  return /^(?:Thread )?#\d{1,16} "/m.test(text) && !text.includes('Full thread dump ');
}

/** Parses the last text of `Thread.dump_to_file`. */
export function parseFileText(text: string): Result<ParsedDump, DumpFault> {
  const heads = [...text.matchAll(HEAD)];
  const head = heads.at(-1);
  const [, time = '', version = null] = head ?? [];
  const last = new LastDump();
  const lines = new ThreadLines();
  for (const line of linesOf(head ? text.slice(head.index) : text)) {
    const id = THREAD.exec(line)?.[1];
    const isDetail = DETAIL.test(line);
    const isOther = lines.isOther(line, isDetail);
    if (id !== undefined) {
      begin(last, Number(id), line);
      lines.begin();
    } else if (isOther) last.builder.end();
    else if (isDetail) takeDetail(last.builder, line.trim());
  }
  const { builder, dumps } = last.end();
  if (builder.size === 0) return fail('not-a-dump');
  const takenAtMs = Date.parse(time);
  return builder.result({
    ...{
      format: 'file-text',
      dumps: Math.max(1, heads.length) + dumps - 1,
      localTime: null,
      isWhole: false,
      listsVirtual: true,
    },
    takenAtMs: Number.isNaN(takenAtMs) ? null : takenAtMs,
    version,
    javaVersion: version === null ? null : javaVersionOf(version),
  });
}

/** A line of a stack, also without the blanks in front, which some programs leave out. */
const DETAIL = /^(?: {4}|\t|at |[-\u2013\u2014] |\/\/ |[\w.$/@-]{3,400}\()/;

/** `#22 "name"`, and after the last quote in any order: `virtual`, a state, a time. */
function begin(last: LastDump, id: number, line: string): void {
  const end = line.lastIndexOf('"');
  last.begin(id, line.slice(line.indexOf('"') + 1, end));
  const { builder } = last;
  const words = line.slice(end + 1, end + 200).split(' ');
  if (words.includes('virtual')) builder.virtual();
  const state = THREAD_STATES.find((each) => words.includes(each));
  if (state) builder.state(state);
}

const NOTE =
  /^(?:\/\/|[-\u2013\u2014]) (parked on|parking to wait for|blocked on|waiting to lock|waiting on|locked) +<?([^\s<>,]{1,300})>?/;

function takeDetail(builder: DumpBuilder, line: string): void {
  const [, what, id] = NOTE.exec(line) ?? [];
  if (what === undefined || id === undefined) {
    if (!line.startsWith('//') && !/^[-\u2013\u2014] /.test(line) && line !== '')
      builder.frame(line.replace(/^at /, ''));
    return;
  }
  const owner = /, owned by #(\d{1,16})/.exec(line.slice(0, 600))?.[1];
  const wait = (kind: JvmWait['kind']) =>
    builder.waitsFor({ id, className: classOf(id), kind, ownerId: owner === undefined ? null : Number(owner) });
  if (what === 'locked') builder.holds('monitor', id);
  else if (what === 'waiting on') builder.releases(id);
  else wait(what === 'blocked on' || what === 'waiting to lock' ? 'monitor' : 'lock');
}

/** The class in `java.lang.Object@4f2410ac`. */
export function classOf(identity: string): string | null {
  const end = identity.lastIndexOf('@');
  return end > 0 ? identity.slice(0, end) : null;
}
