import { count } from '../../../base/count.ts';
import type { Wrapping } from '../../../unwrap/skipped.ts';
import type { TextCode, TextsOf } from '../values.ts';

/** Texts that people open, in English. */
export const TEXT_FILE_TEXTS: TextsOf<TextCode> = {
  'text-skipped': ({ around, prefix, lines }) => {
    const parts = around.map((each) => (each === 'prefix' ? `the text "${prefix}" in front of lines` : AROUND[each]));
    const all = lines === 0 ? parts : [...parts, count(lines, 'other line')];
    return { message: `Skipped what was around it: ${all.join(', ')}.`, hint: '' };
  },
};

const AROUND: Readonly<Record<Exclude<Wrapping, 'prefix'>, string>> = {
  'utf-16': 'the encoding UTF-16',
  'windows-1252': 'the encoding Windows-1252',
  colours: 'colours of a terminal',
  json: 'JSON around each text',
  csv: 'a table (CSV)',
  html: 'escapes of a web page',
  escapes: 'escaped quotes or tabs',
  typography: 'typographic quotes or blanks',
  folds: 'line breaks of a mail',
  mail: 'the encoding of a mail',
  marks: 'marks or notes behind lines, or links around addresses',
  'newest-first': 'the order, with the newest line first',
  captures: 'the order of its captures, with a later one first',
};
