import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import { end, freePort } from './server-process.ts';

/** The program; `NGINX` names another one. Debian has it in the package `nginx-light`. */
const NGINX = process.env.NGINX || 'nginx';

/** An nginx in front of one server, with a few connections to it that all of its clients share. */
export type RunningNginx = {
  /** Over plain HTTP. */
  readonly origin: string;
  /** Over TLS, with HTTP/2. */
  readonly secureOrigin: string;
  /** The log lines of nginx about failures. */
  log(): string;
  stop(): Promise<void>;
};

/** Starts nginx on free ports, and waits until it listens. Rejects if nginx is not installed. */
export async function startNginx(to: number): Promise<RunningNginx> {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-nginx-'));
  const [port, securePort] = [await freePort(), await freePort()];
  const { key, cert } = await makeCertificate(dir);
  writeFileSync(join(dir, 'nginx.conf'), configOf({ dir, to, port, securePort, key, cert }));
  const child = spawn(NGINX, ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const origin = `http://127.0.0.1:${port}`;
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`nginx did not start (${error.message}): apt-get install nginx-light, or set NGINX`)),
    );
    child.once('exit', (code) => reject(new Error(`nginx ended with code ${code}: ${log}`)));
    const ask = () =>
      void fetch(origin).then(
        () => resolve(),
        () => setTimeout(ask, 50),
      );
    ask();
  });
  return {
    ...{ origin, secureOrigin: `https://localhost:${securePort}`, log: () => log },
    async stop() {
      await end(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

type Config = { dir: string; to: number; port: number; securePort: number; key: string; cert: string };

function configOf({ dir, to, port, securePort, key, cert }: Config): string {
  return `daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  client_max_body_size 0;
  proxy_request_buffering off;
  proxy_buffering off;
  proxy_read_timeout 600s;
  proxy_send_timeout 600s;
  upstream application {
    server 127.0.0.1:${to};
    keepalive 16;
  }
  map $http_upgrade $connection_option {
    default upgrade;
    '' '';
  }
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${securePort} ssl http2;
    ssl_certificate ${cert};
    ssl_certificate_key ${key};
    location / {
      proxy_pass http://application;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_option;
    }
  }
}
`;
}
