// Starts real reverse proxies with TLS on a port of 127.0.0.1, configured as docs/self-hosting.md has it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

export type ReverseProxy = { close(): Promise<void> };

/** Of the origin, in PEM. */
type Certificate = { cert: string; key: string };

async function startProgram(name: string, words: readonly string[], folder: string): Promise<ReverseProxy> {
  const env = { PATH: process.env.PATH, HOME: folder };
  const child: ChildProcess = spawn(name, words, { stdio: 'ignore', env });
  const ended = once(child, 'exit');
  return {
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param site the block of the Caddyfile, whose first line has the address */
export async function startCaddy(site: string, { cert, key }: Certificate): Promise<ReverseProxy> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const withFiles = site.replace('{\n', `{\n  tls ${folder}/cert.pem ${folder}/key.pem\n`);
  const options = '{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n';
  await writeFile(join(folder, 'Caddyfile'), options + withFiles);
  return startProgram(
    'caddy',
    ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    folder,
  );
}

/** @param parts the frontend and the backend */
export async function startHaproxy(parts: string, { cert, key }: Certificate): Promise<ReverseProxy> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'both.pem'), cert + key);
  const withFiles = parts.replace(/crt \S+/, `crt ${folder}/both.pem`);
  await writeFile(join(folder, 'haproxy.cfg'), `${withFiles}\n`);
  return startProgram('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], folder);
}

/**
 * Starts nginx with TLS on a port of 127.0.0.1.
 * @param servers the part of its configuration with `upstream` and `server`, as docs/self-hosting.md has it
 */
export async function startNginx(servers: string, { cert, key }: Certificate): Promise<ReverseProxy> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'temp'));
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const withFiles = servers
    .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`);
  await writeFile(join(folder, 'nginx.conf'), configurationWith(withFiles, folder));
  return startProgram('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'error.log'], folder);
}

const configurationWith = (servers: string, folder: string): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/temp/body;
  proxy_temp_path ${folder}/temp/proxy;
  fastcgi_temp_path ${folder}/temp/fastcgi;
  uwsgi_temp_path ${folder}/temp/uwsgi;
  scgi_temp_path ${folder}/temp/scgi;
${servers}
}
`;
