import { sha256 } from '../../platform/crypto';
import type { Endpoint, EndpointContext } from '../endpoint';
import { renderProblem } from '../render-error';
import { requestIdOf } from '../request';
import { respond } from '../respond';

/** A document of text and its media type. */
export interface CachedText {
  type: string;
  text: string;
}

const anyOriginHeaders = { 'access-control-allow-origin': '*', vary: 'Origin' };

type Load<Document> = (params: EndpointContext['params'], request: Request) => Promise<Document>;

/**
 * An endpoint that answers everybody with the same text: from any page, kept for five minutes, asked for again by its
 * `ETag`.
 */
export function cachedTextRoute(load: Load<CachedText>): Endpoint {
  return async (request, { params }) => {
    try {
      const { type, text } = await load(params, request);
      const etag = `"${sha256(text).slice(0, 32)}"`;
      const headers = { etag, 'cache-control': 'public, max-age=300', ...anyOriginHeaders };
      if (request.headers.get('if-none-match')?.includes(etag)) return respond(304, null, headers);
      return respond(200, text, { ...headers, 'content-type': type });
    } catch (error) {
      return renderProblem(error, requestIdOf(request));
    }
  };
}

/** The same for a JSON document. */
export function cachedJsonRoute(load: Load<object>): Endpoint {
  return cachedTextRoute(async (...args) => ({
    type: 'application/json',
    text: JSON.stringify(await load(...args)),
  }));
}
