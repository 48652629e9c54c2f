/**
 * Lists the texts of the page that have no Chinese yet: the page shows them in English. It never fails, because English
 * is enough to contribute. `--json` writes them as JSON. On GitHub their number is a notice of the run.
 */
import { runnerImport } from 'vite';

const { SCENARIOS } = await load('server/demo/scenarios/all.ts');
const { missingInChinese } = await load('web/testing/missing-in-chinese.ts');
const missing = missingInChinese(SCENARIOS);

if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(missing)}\n`);
else if (missing.length > 0) {
  const title = `${missing.length} texts have no Chinese yet, and are shown in English`;
  process.stdout.write(process.env.GITHUB_ACTIONS ? `::notice title=Translation::${title}\n` : `${title}:\n`);
  for (const { path, english } of missing)
    process.stdout.write(`  ${path}${isSentence(english) ? '' : `: ${english}`}\n`);
}

/** Loads a module in TypeScript. */
async function load(path) {
  const { module } = await runnerImport(`${import.meta.dirname}/../${path}`, { configFile: false, logLevel: 'error' });
  return module;
}

/** Whether a text is a function, which writes a sentence with values. */
function isSentence(english) {
  return english.includes('=>');
}
