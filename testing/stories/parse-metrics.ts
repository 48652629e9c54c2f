/** One series of an answer of `/metrics`. */
export type MetricSample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The labels of its exemplar, if it has one. */
  readonly exemplar?: Readonly<Record<string, string>>;
};

const LINE = /^([a-z_]+)(?:\{(.*?)\})? (\S+)(?: # \{(.*)\} \S+ \S+)?$/;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/**
 * Reads the text of `/metrics`, in either format. Throws at a line that has another form, or at a series that is there
 * twice.
 */
export function samplesIn(text: string): MetricSample[] {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = '', exemplar] = LINE.exec(line) ?? [];
      if (name === '') throw new Error(`not a sample: ${line}`);
      return {
        ...{ name, labels: labelsIn(labels), value: Number(value.replace('Inf', 'Infinity')) },
        ...(exemplar === undefined ? {} : { exemplar: labelsIn(exemplar) }),
      };
    });
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, labels]));
  const twice = keys.find((key, n) => keys.indexOf(key) !== n);
  if (twice !== undefined) throw new Error(`twice: ${twice}`);
  return samples;
}

/** The values of one metric, by the values of its labels: `{ 'main lock held': 1 }`. */
export function valuesOf(samples: readonly MetricSample[], name: string): Record<string, number> {
  const found = samples.filter((sample) => sample.name === name);
  return Object.fromEntries(found.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
}

function labelsIn(text: string): Record<string, string> {
  const found = [...text.matchAll(LABEL)];
  if (found.map(([whole]) => whole).join('') !== text) throw new Error(`not labels: ${text}`);
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, unescaped)]));
}

function unescaped(_: string, character: string): string {
  return character === 'n' ? '\n' : character;
}
