import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes a self-signed certificate for `localhost` and its addresses, as two PEM files in `dir`. */
export async function makeCertificate(dir: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const what = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1'];
  await run('openssl', ['req', '-x509', ...what, ...name, '-keyout', key, '-out', cert]);
  return { key, cert };
}
