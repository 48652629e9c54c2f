import { readFileSync, statSync } from 'node:fs';
import { ok, type Result } from '../../shared/base/result.ts';
import { isExportUrl } from '../cli/export-url.ts';
import type { Flags } from '../cli/flags.ts';
import { type Refusal, wrongUsage } from '../cli/usage-problem.ts';
import { parseTemplate, type Template } from './template.ts';
import type { WebhookConfig } from './webhook.ts';

const LARGEST_TEMPLATE = 64 * 1024;

/** The webhook of the command line or the environment; absent: `undefined`. No message contains its URL. */
export function webhookConfig(flags: Flags, env: NodeJS.ProcessEnv): Result<WebhookConfig | undefined, Refusal> {
  const url = flags.webhook ?? (env.LOCKSCOPE_WEBHOOK || undefined);
  const file = flags['webhook-template'];
  if (url === undefined) {
    return file === undefined ? ok(undefined) : wrongUsage('--webhook-template needs a --webhook URL.');
  }
  if (!isExportUrl(url)) {
    return wrongUsage('--webhook and LOCKSCOPE_WEBHOOK take an http:// or https:// URL without user and password.');
  }
  if (file === undefined) return ok({ url });
  const template = readTemplate(file);
  return template.ok ? ok({ url, template: template.value }) : template;
}

function readTemplate(file: string): Result<Template, Refusal> {
  try {
    if (statSync(file).size > LARGEST_TEMPLATE) return wrongUsage(`--webhook-template ${file}: at most 64 KB, please.`);
    const template = parseTemplate(readFileSync(file, 'utf8'));
    return template.ok ? template : wrongUsage(`--webhook-template ${file}: ${template.error}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what readFileSync throws
    return wrongUsage(`--webhook-template: cannot read ${file} (${code}). Name a file with the text of the message.`);
  }
}
