import { sha256 } from '../platform/crypto';
import type { Endpoint, EndpointContext } from './endpoint';
import { renderProblem } from './render-error';
import { requestIdOf } from './request';
import { respond } from './respond';

/**
 * An endpoint that answers everybody with the same JSON document: from any page, kept for five minutes, asked for again
 * by its `ETag`.
 */
export function publicRoute(load: (params: EndpointContext['params']) => Promise<object>): Endpoint {
  return async (request, { params }) => {
    try {
      const body = JSON.stringify(await load(params));
      const etag = `"${sha256(body).slice(0, 32)}"`;
      const headers = { etag, 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
      if (request.headers.get('if-none-match')?.includes(etag)) return respond(304, null, headers);
      return respond(200, body, { ...headers, 'content-type': 'application/json' });
    } catch (error) {
      return renderProblem(error, requestIdOf(request));
    }
  };
}
