import { Router } from 'express';
import { curlLine, operationsOf } from './curl-line.ts';
import type { ApiDocument, Method, Operation } from './document.ts';
import { limitsText, typeText } from './schema-text.ts';

/**
 * Serves the document of the API as a page for people. The page has no inline scripts or styles, which the security
 * headers forbid.
 */
export function docsPages(describe: (base: string) => ApiDocument): Router {
  return Router().get('/', (req, res) => {
    const base = req.baseUrl.replace(/\/api$/i, '');
    res.type('html').send(docsPage(describe(base), base, `${req.protocol}://${req.headers.host}`));
  });
}

/**
 * `base`: the path under which Lockscope is mounted. `origin`: scheme, host and port of the request, for the examples.
 */
export function docsPage(document: ApiDocument, base: string, origin: string): string {
  const { info, tags, components } = document;
  const address = origin + base;
  const all = operationsOf(document);
  const ofTag = (name: string) => all.filter(({ operation }) => operation.tags.some((tag) => tag === name));
  const contents = tags.map(({ name }) => {
    const links = ofTag(name).map(({ path, method, operation }) => {
      return html`<li><a href="#${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></a></li>`;
    });
    return html`<section><h3>${capital(name)}</h3><ul>${links}</ul></section>`;
  });
  const sections = tags.map(({ name, description }) => {
    const operations = ofTag(name).map((each) => operationHtml(address, each));
    return html`<section><h2>${capital(name)}</h2><p>${description}</p>${operations}</section>`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<h3 id="schema-${name}">${name}</h3><pre>${linked(typeText(schema), components.schemas)}</pre>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lockscope API</title>
<link rel="icon" href="${base}/favicon.svg">
<link rel="stylesheet" href="${base}/api-docs.css">
</head>
<body>
<header>
<h1>Lockscope API</h1>
<p>Version ${info.version}. The same for programs: <a href="${base}/api/openapi.json">OpenAPI 3.1</a>. <a href="${base}/">Back to
Lockscope</a></p>
${info.description.split('\n\n').map((paragraph) => html`<p>${marked(paragraph)}</p>`)}
<p>With a token, add <code>-H 'Authorization: Bearer TOKEN'</code> to each command.</p>
</header>
<nav aria-label="Routes">${contents}</nav>
<main>${sections}<section><h2>Schemas</h2>${schemas}</section></main>
</body>
</html>
`.text;

  function operationHtml(address: string, each: { path: string; method: Method; operation: Operation }): Html {
    const { path, method, operation } = each;
    return html`<article id="${operation.operationId}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p>${marked(operation.summary)}</p>
<pre class="command">${curlLine(address, path, method, operation)}</pre>
${parametersHtml(operation)}${bodyHtml(operation)}${answersHtml(operation, document)}
</article>
`;
  }
}

function parametersHtml({ parameters = [] }: Operation): Html {
  const rows = parameters.map(({ name, in: where, required, schema, description }) =>
    row(name, `${where}${required ? ', required' : ''}`, limitsText(schema), description),
  );
  return rows.length === 0 ? html`` : table(['Parameter', 'Where', 'Value', 'Meaning'], rows);
}

function bodyHtml({ requestBody }: Operation): Html {
  if (!requestBody) return html``;
  const [[type, { schema }] = ['', {}]] = Object.entries(requestBody.content);
  if (!schema) return html`<p>The body is the file, as ${Object.keys(requestBody.content).join(' or ')}.</p>`;
  const rows = Object.entries(schema.properties ?? {}).map(([name, each]) =>
    row(name, schema.required?.includes(name) ? 'required' : '', limitsText(each), each.description ?? ''),
  );
  return table(['Field of the body', type, 'Value', 'Meaning'], rows);
}

function answersHtml({ responses }: Operation, { components }: ApiDocument): Html {
  const answers = Object.entries(responses).map(([status, { description, content }]) => {
    const [[type, { schema }] = ['', {}]] = Object.entries(content);
    const isRefused = Number(status) >= 400;
    const body = schema && type === 'application/json' ? linked(typeText(schema), components.schemas) : type;
    return html`<dt>${status}</dt><dd>${isRefused ? marked(description) : html`<pre>${body}</pre>`}</dd>`;
  });
  return html`<dl>${answers}</dl>`;
}

function table(heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="table"><table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function row(name: string, where: string, value: string, meaning: string): Html {
  return html`<tr><th scope="row"><code>${name}</code></th><td>${where}</td><td class="value">${value}</td><td>${marked(meaning)}</td></tr>
`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Words between backquotes as code. */
function marked(text: string): Html[] {
  return text.split('`').map((part, n) => (n % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

/** A type with links to the schemas that it names. */
function linked(type: string, schemas: ApiDocument['components']['schemas']): Html[] {
  return type
    .split(/\b([A-Z]\w+)\b/)
    .map((part, n) => (n % 2 === 1 && part in schemas ? html`<a href="#schema-${part}">${part}</a>` : html`${part}`));
}

/** Text that is HTML already. */
class Html {
  constructor(readonly text: string) {}
}

type Part = string | Html | readonly Html[];

/** HTML from a template: strings in it are escaped. */
function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, n) => text + (n < parts.length ? inserted(parts[n] ?? '') : '')).join(''));
}

function inserted(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part !== 'string') return part.map(({ text }) => text).join('');
  return part.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
