import type { Endpoint } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { requestIdOf } from '../http/request';
import { respond } from '../http/respond';
import { sha256 } from '../platform/crypto';
import { listJwks } from '../tokens';

/** `GET /.well-known/jwks.json` (RFC 7517 §5): for everyone, from any page, kept for five minutes. */
export const jwks: Endpoint = async (request) => {
  try {
    const body = JSON.stringify(await listJwks(new Date()));
    const etag = `"${sha256(body).slice(0, 32)}"`;
    const headers = { etag, 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
    if (request.headers.get('if-none-match')?.includes(etag)) return respond(304, null, headers);
    return respond(200, body, { ...headers, 'content-type': 'application/json' });
  } catch (error) {
    return renderProblem(error, requestIdOf(request));
  }
};
