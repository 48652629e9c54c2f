import { fail, ok, type Result } from '../../shared/base/result.ts';

/** The values that a template may name, as `{{lock}}`. All are text; a value that is not known is empty. */
const VALUE_NAMES = [
  ...(['severity', 'confidence', 'incident', 'title', 'explanation', 'advice'] as const),
  ...(['lock', 'source', 'db', 'holders', 'since', 'sinceBefore', 'endsAt', 'insight', 'page'] as const),
] as const;
export type MessageValues = Readonly<Record<(typeof VALUE_NAMES)[number], string>>;

/** The body of a request. */
export type MessageBody = { readonly contentType: string; readonly body: string };

/** A text with named values. JSON: values are put into its strings only, so that they cannot change its shape. */
export type Template = { readonly isJson: boolean; readonly text: string };

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Reads a template. Fails with one line if it names a value that does not exist. */
export function parseTemplate(text: string): Result<Template, string> {
  for (const [, name = ''] of text.matchAll(PLACE)) {
    if (isValueName(name)) continue;
    return fail(`there is no value {{${name}}}. Use one of ${VALUE_NAMES.join(', ')}.`);
  }
  return ok({ isJson: parsedJson(text) !== undefined, text });
}

export function bodyFromTemplate({ isJson, text }: Template, values: MessageValues): MessageBody {
  if (!isJson) return { contentType: 'text/plain; charset=utf-8', body: filled(text, values) };
  const body = JSON.stringify(
    JSON.parse(text, (_, value) => (typeof value === 'string' ? filled(value, values) : value)),
  );
  return { contentType: 'application/json', body };
}

function filled(text: string, values: MessageValues): string {
  return text.replace(PLACE, (place, name: string) => (isValueName(name) ? values[name] : place));
}

function isValueName(name: string): name is keyof MessageValues {
  return (VALUE_NAMES as readonly string[]).includes(name);
}

function parsedJson(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
