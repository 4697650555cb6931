import { problemOf } from '../errors/render-error';
import type { Handler, HandlerContext, HttpRequest, HttpResponse } from '../handler';
import { DOCUMENT_CACHE_SECONDS } from '../limits';
import { requestIdOf } from '../request';
import { etagOf, isNotModified, respond } from '../respond';

/** A text document and its media type. */
export interface CachedText {
  type: string;
  text: string;
}

const anyOriginHeaders = { 'access-control-allow-origin': '*', vary: 'Origin' };

type RenderError = (error: unknown, requestId: string) => HttpResponse;

type Load<Document> = (params: HandlerContext['params'], request: HttpRequest) => Promise<Document>;

/**
 * Returns a handler for a public text document, which is open to any origin, cached for {@link DOCUMENT_CACHE_SECONDS}
 * and revalidated by `ETag`.
 */
export function cachedTextRoute(load: Load<CachedText>, renderError: RenderError = problemOf): Handler {
  return async (request, { params }) => {
    try {
      const { type, text } = await load(params, request);
      const etag = etagOf(text);
      const headers = { etag, 'cache-control': `public, max-age=${DOCUMENT_CACHE_SECONDS}`, ...anyOriginHeaders };
      if (isNotModified(request, etag)) return respond(304, null, headers);
      return respond(200, text, { ...headers, 'content-type': type });
    } catch (error) {
      return renderError(error, requestIdOf(request));
    }
  };
}

/** Like {@link cachedTextRoute}, for a JSON document. */
export function cachedJsonRoute(load: Load<object>, renderError?: RenderError): Handler {
  return cachedTextRoute(
    async (...args) => ({ type: 'application/json', text: JSON.stringify(await load(...args)) }),
    renderError,
  );
}
