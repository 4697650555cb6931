import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import type { Handler } from '../../http/handler';
import { queryOf, requestIdOf } from '../../http/request';
import { etagOf, isNotModified, respond } from '../../http/respond';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { PACKAGE_CACHE_SECONDS, UNVERSIONED_PACKAGE_CACHE_SECONDS } from '../limits';

/** The packages by their names. `scripts/setup.mjs` packs the archives together with the server. */
const files: ReadonlyMap<string, string> = new Map([
  ['agent.tgz', 'dist/packages/agent.tgz'],
  ['parley.tgz', 'dist/packages/parley.tgz'],
  ['parley_serve.py', 'examples/python/serve.py'],
]);

interface Archive {
  bytes: Uint8Array;
  etag: string;
}

const archives = new Map<string, Promise<Archive>>();

/**
 * The SDK (`agent.tgz`) and the command line (`parley.tgz`) in the version of this server, as npm installs them. If `v`
 * in the URL is the version in the `ETag`, the response is cached forever.
 */
export const getPackage = endpoint({ method: 'GET', path: '/packages/:name.tgz', serve: servePackage('.tgz') });

/** The module `parley_serve.py`, with which an agent in Python connects. */
export const getPythonModule = endpoint({ method: 'GET', path: '/packages/:name.py', serve: servePackage('.py') });

const mediaTypes = { '.tgz': 'application/gzip', '.py': 'text/x-python; charset=utf-8' };

function servePackage(extension: keyof typeof mediaTypes): Handler {
  return async (request, { params: { name = '' } }) => {
    const requestId = requestIdOf(request);
    try {
      const { bytes, etag } = await findArchive(`${name}${extension}`);
      const isVersioned = `"${queryOf(request).get('v')}"` === etag;
      const maxAge = isVersioned
        ? `${PACKAGE_CACHE_SECONDS}, immutable`
        : `${UNVERSIONED_PACKAGE_CACHE_SECONDS}, must-revalidate`;
      const headers = { etag, 'cache-control': `public, max-age=${maxAge}`, 'x-request-id': requestId };
      if (isNotModified(request, etag)) return respond(304, null, headers);
      return respond(200, bytes, { ...headers, 'content-type': mediaTypes[extension] });
    } catch (error) {
      return problemOf(error, requestId);
    }
  };
}

function findArchive(name: string): Promise<Archive> {
  const file = files.get(name);
  if (file === undefined) {
    const urls = [...files.keys()].map((known) => `${env().APP_URL}/packages/${known}`);
    throw new ParleyError('not_found', `Package not found; expected ${urls.join(' or ')}.`);
  }
  const archive = archives.get(name) ?? readArchive(file);
  archives.set(name, archive);
  return archive;
}

async function readArchive(file: string): Promise<Archive> {
  const bytes = await readFile(path.resolve(file));
  return { bytes, etag: etagOf(bytes) };
}
