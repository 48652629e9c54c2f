import { stripVTControlCharacters } from 'node:util';
import { JsonReporter } from 'vitest/node';

/** The reason of a failure has at most this many lines of a diff. */
const DIFF_LINES = 12;

/** The JSON report of Vitest. The reason of each failure also contains what differs. */
export default class JsonWithDiffs extends JsonReporter {
  async onTestRunEnd(modules) {
    for (const module of modules) {
      for (const test of module.children.allTests('failed')) {
        for (const error of test.result().errors)
          error.stack = `${differences(error.diff)}${error.stack ?? error.message}`;
      }
    }
    await super.onTestRunEnd(modules);
  }
}

/** The lines of a diff that differ, each with a line end; '' if there is no diff. */
function differences(diff = '') {
  const lines = stripVTControlCharacters(diff).split('\n');
  const changed = lines.filter((line) => /^[-+] /.test(line)).slice(0, DIFF_LINES);
  return changed.map((line) => `${line}\n`).join('');
}
