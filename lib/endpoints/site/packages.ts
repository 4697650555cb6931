import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { etagOf, isNotModified } from '../../http/etag';
import type { Handler } from '../../http/handler';
import { renderProblem } from '../../http/render-error';
import { queryOf, requestIdOf } from '../../http/request';
import { respond } from '../../http/respond';
import { env } from '../../platform/env';
import { ParleyError } from '../../platform/errors';
import { endpoint } from '../endpoint';
import { PACKAGE_CACHE_SECONDS, UNVERSIONED_PACKAGE_CACHE_SECONDS } from '../limits';

/** The packages by the names of their archives; `scripts/setup.mjs` packs them with the server. */
const files: ReadonlyMap<string, string> = new Map([
  ['agent', 'dist/packages/agent.tgz'],
  ['parley', 'dist/packages/parley.tgz'],
]);

interface Archive {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
}

const archives = new Map<string, Promise<Archive>>();

/**
 * The SDK (`agent.tgz`) and the command line (`parley.tgz`) in the version of this server, as npm installs them. A URL
 * with the version in `v`, as in the `ETag`, is cached forever.
 */
export const getPackage = endpoint({ method: 'GET', path: '/packages/:name.tgz', serve: servePackage() });

function servePackage(): Handler {
  return async (request, { params: { name = '' } }) => {
    const requestId = requestIdOf(request);
    try {
      const { bytes, etag } = await findArchive(name);
      const isVersioned = `"${queryOf(request).get('v')}"` === etag;
      const maxAge = isVersioned
        ? `${PACKAGE_CACHE_SECONDS}, immutable`
        : `${UNVERSIONED_PACKAGE_CACHE_SECONDS}, must-revalidate`;
      const headers = { etag, 'cache-control': `public, max-age=${maxAge}`, 'x-request-id': requestId };
      if (isNotModified(request, etag)) return respond(304, null, headers);
      return new Response(bytes, { headers: { ...headers, 'content-type': 'application/gzip' } });
    } catch (error) {
      return renderProblem(error, requestId);
    }
  };
}

function findArchive(name: string): Promise<Archive> {
  const file = files.get(name);
  if (file === undefined) {
    const urls = [...files.keys()].map((known) => `${env().APP_URL}/packages/${known}.tgz`);
    throw new ParleyError('not_found', `There is no package at this address; expected ${urls.join(' or ')}.`);
  }
  const archive = archives.get(name) ?? readArchive(file);
  archives.set(name, archive);
  return archive;
}

async function readArchive(file: string): Promise<Archive> {
  const bytes = Uint8Array.from(await readFile(path.resolve(file)));
  return { bytes, etag: etagOf(bytes) };
}
