import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { HttpProblem } from '../problems/problem.ts';

/** A file on disk to download. */
export type StoredFile = { readonly name: string; readonly path: string };

/** Sends a file as it is now, also a file that still grows. Throws a 404 if the file is gone. */
export async function sendStored(res: Response, { name, path }: StoredFile): Promise<void> {
  const file = await open(path).catch(() => undefined);
  if (!file) throw new HttpProblem(404, problem('unknown-recording'), 'id');
  const { size } = await file.stat();
  res.setHeader('Content-Disposition', attachment(name));
  res.setHeader('Content-Length', size);
  res.type('application/gzip');
  if (size === 0) {
    await file.close();
    return void res.end();
  }
  // A client that closes its connection ends the pipeline, which is not a fault.
  await pipeline(createReadStream('', { fd: file, end: size - 1 }), res).catch(() => res.destroy());
}

/** Names have any characters: browsers read the second form, and other programs the first. */
function attachment(name: string): string {
  const plain = name.replace(/[^\w.-]/g, '_');
  const any = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${any}`;
}
