import { problem } from '../../shared/wire/problems/problem.ts';
import { DemoProblem } from './demo-stage.ts';
import type { Director, ScenarioScript } from './scenario.ts';

const LONGEST = 300;

/**
 * Throws `DemoProblem` unless the name begins with the prefix and goes on after it, has at most 300 characters, and has
 * neither braces nor control characters. An empty prefix allows any name.
 */
export function expectName(prefix: string, name: string): void {
  if (prefix === '') return;
  const isOdd = name.length <= prefix.length || name.length > LONGEST || /[\x00-\x1f\x7f{}]/.test(name);
  if (name.startsWith(prefix) && !isOdd) return;
  throw new DemoProblem(
    400,
    problem('foreign-key', { prefix, isOdd: name.startsWith(prefix), longest: LONGEST }),
    'lock',
  );
}

/** The same scenario with the prefix before each lock name. Locks in a client's own memory keep their names. */
export function withPrefix(prefix: string, script: ScenarioScript): ScenarioScript {
  if (prefix === '') return script;
  const plain = [script.lock, ...(script.otherLocks ?? [])];
  const inText = (text: string) => plain.reduce((result, name) => result.replaceAll(name, prefix + name), text);
  return {
    ...script,
    summary: inText(script.summary),
    lock: prefix + script.lock,
    ...(script.otherLocks && { otherLocks: script.otherLocks.map((name) => prefix + name) }),
    steps: script.steps.map((step) => ({
      ...step,
      title: inText(step.title),
      ...(step.lock !== undefined && { lock: prefix + step.lock }),
    })),
    play: (director) => script.play(directorWith(prefix, director)),
  };
}

function directorWith(prefix: string, director: Director): Director {
  const at = <T extends { lock?: string }>(times: T | undefined): T | undefined =>
    times?.lock === undefined ? times : { ...times, lock: prefix + times.lock };
  return {
    ...director,
    lock: (role, times) => director.lock(role, at(times)),
    tryLock: (role, times) => director.tryLock(role, at(times)),
    unlock: (role, times) => director.unlock(role, at(times)),
    ask: (role, action, times) => director.ask(role, action, at(times)),
    group: (role, action, call) => {
      const members = call.members.map((member) => ({ ...member, lock: prefix + member.lock }));
      return director.group(role, action, { ...call, members });
    },
  };
}
