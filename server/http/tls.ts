import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { createSecureContext, type TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { fail, ok, type Result } from '../../shared/base/result.ts';

/** The names of two PEM files: the certificate with its chain, and its private key without a passphrase. */
type TlsFiles = { readonly cert: string; readonly key: string };
/** The contents of these files. */
export type TlsTexts = { readonly cert: string; readonly key: string };
export type TlsConfig = { readonly files: TlsFiles; readonly texts: TlsTexts };

type Socket = IncomingMessage['socket'];

export const HANDSHAKE_MS = 10_000;
/** If more connections than this have not finished their handshake, the oldest of them is ended. */
const MOST_HANDSHAKES = 200;
const LOOK_EVERY_MS = 2000;

/** Reads both files. The error is one line that names the file, the reason and what to do. */
export function readTls(files: TlsFiles): Result<TlsConfig, string> {
  const texts = { cert: '', key: '' };
  for (const [flag, file] of Object.entries(files)) {
    try {
      texts[flag as keyof typeof texts] = readFileSync(file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException; // what readFileSync throws
      return fail(`--tls-${flag}: cannot read ${file} (${code}). Name a PEM file that this user may read.`);
    }
  }
  const problem = problemOf(texts, files);
  return problem === undefined ? ok({ files, texts }) : fail(problem);
}

function problemOf({ cert, key }: TlsTexts, files: TlsFiles): string | undefined {
  if (!cert.includes('-----BEGIN CERTIFICATE-----')) {
    return `--tls-cert: ${files.cert} has no certificate in PEM form, which begins with "-----BEGIN CERTIFICATE-----".`;
  }
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(key)) {
    return `--tls-key: ${files.key} needs a passphrase. Write the key without one: openssl pkey -in ${files.key} -out KEY.`;
  }
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (error) {
    const { message } = error as Error; // what createSecureContext throws
    const isMismatch = /key values mismatch/i.test(message);
    if (isMismatch)
      return `--tls-key: ${files.key} is not the private key of ${files.cert}. Name the two files of one pair.`;
    return `--tls-cert, --tls-key: ${files.cert} and ${files.key} cannot be used (${message}). Both must be PEM files.`;
  }
}

/**
 * Watches both files. Within a few seconds after one has changed, new connections use the renewed files. Files that
 * cannot be used are reported, and the last good ones stay in use. Returns a function that ends this.
 */
export function followTls(
  server: Pick<HttpsServer, 'setSecureContext'>,
  files: TlsFiles,
  log: Pick<Logger, 'info' | 'warn'>,
): () => void {
  const read = () => {
    const renewed = readTls(files);
    if (renewed.ok) server.setSecureContext(renewed.value.texts);
    if (renewed.ok) log.info(`The certificate ${files.cert} was read again, and is used from now on.`);
    else log.warn(`${renewed.error} Until then, the last good certificate is used.`);
  };
  const names = [...new Set([files.cert, files.key])];
  for (const name of names) watchFile(name, { interval: LOOK_EVERY_MS, persistent: false }, read);
  return () => {
    for (const name of names) unwatchFile(name, read);
  };
}

/** Bounds the connections that have not finished their handshake: nothing else counts them. */
export function boundHandshakes(server: HttpsServer): void {
  const open = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    open.set(key, socket);
    socket.once('close', () => {
      if (open.get(key) === socket) open.delete(key);
    });
    const [oldest] = open.values();
    if (open.size > MOST_HANDSHAKES) oldest?.destroy();
  });
  server.on('secureConnection', (socket: TLSSocket) => open.delete(keyOf(socket)));
}

/** A TLS socket has the same addresses and port as the connection below it, which Node does not expose. */
function keyOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
