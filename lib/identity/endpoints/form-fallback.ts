import { requireSameOrigin } from '../../http/credentials';
import { problemOf } from '../../http/errors/render-error';
import type { Handler, HandlerContext, HttpRequest, HttpResponse } from '../../http/handler';
import { mediaTypeOf, readFormText, requestIdOf, withBody } from '../../http/request';
import { seeOther } from '../../http/respond';
import { safeNext, withNext } from '../schema';

interface FormPages {
  /** The form's page, which displays the error named by `?error=`. */
  page: string;
  /** The page after success; defaults to the form's `next`. */
  successPage?: string;
}

/** Fields returned to the form by its URL. User input never appears in a URL. */
const returnedFields = ['token', 'reason'];

/**
 * Makes a JSON endpoint also accept its page's form, so that it works before and without scripts. Fields become the
 * JSON body, the response becomes a redirect. Forms are accepted from our own pages only.
 */
export function withFormFallback(
  endpoint: Handler<HttpResponse>,
  { page, successPage }: FormPages,
): Handler<HttpResponse> {
  async function handler(request: HttpRequest, context: HandlerContext): Promise<HttpResponse> {
    if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return endpoint(request, context);
    try {
      requireSameOrigin(request);
      const fields = Object.fromEntries(new URLSearchParams(await readFormText(request)));
      const jsonRequest = withBody(request, JSON.stringify(fields), 'application/json');
      const { status, headers, body } = await endpoint(jsonRequest, context);
      const next = safeNext(fields.next);
      if (status < 300) return seeOther(successPage ? withNext(successPage, next) : next, keptHeaders(headers));
      const returned = Object.fromEntries(Object.entries(fields).filter(([name]) => returnedFields.includes(name)));
      const { code } = JSON.parse(String(body)) as { code: string };
      return seeOther(withNext(page, next, { ...returned, error: code }), keptHeaders(headers));
    } catch (error) {
      return problemOf(error, requestIdOf(request));
    }
  }
  return Object.assign(handler, { spec: endpoint.spec });
}

function keptHeaders(headers: HttpResponse['headers']): HttpResponse['headers'] {
  const kept = Object.entries(headers).filter(([name]) => name === 'set-cookie' || name === 'x-request-id');
  return { ...Object.fromEntries(kept), 'cache-control': 'no-store' };
}
