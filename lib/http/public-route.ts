import { sha256 } from '../platform/crypto';
import type { Endpoint, EndpointContext } from './endpoint';
import { renderProblem } from './render-error';
import { requestIdOf } from './request';
import { respond } from './respond';

/** A document of text and its media type. */
export interface PublicText {
  type: string;
  text: string;
}

/**
 * An endpoint that answers everybody with the same text: from any page, kept for five minutes, asked for again by its
 * `ETag`.
 */
export function publicText(load: (params: EndpointContext['params']) => Promise<PublicText>): Endpoint {
  return async (request, { params }) => {
    try {
      const { type, text } = await load(params);
      const etag = `"${sha256(text).slice(0, 32)}"`;
      const headers = { etag, 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
      if (request.headers.get('if-none-match')?.includes(etag)) return respond(304, null, headers);
      return respond(200, text, { ...headers, 'content-type': type });
    } catch (error) {
      return renderProblem(error, requestIdOf(request));
    }
  };
}

/** The same for a JSON document. */
export function publicRoute(load: (params: EndpointContext['params']) => Promise<object>): Endpoint {
  return publicText(async (params) => ({ type: 'application/json', text: JSON.stringify(await load(params)) }));
}
