import { requireSameOrigin } from '../../http/credentials';
import type { Handler, HandlerContext } from '../../http/handler';
import { renderProblem } from '../../http/render-error';
import { mediaTypeOf, readFormText, requestIdOf } from '../../http/request';
import { safeNext, withNext } from '../../identity/schema';

interface FormPages {
  /** The form's page, which displays the error named by `?error=`. */
  page: string;
  /** The page after success; defaults to the form's `next`. */
  successPage?: string;
}

/** Fields returned to the form by its URL. Nothing that a user typed appears in a URL. */
const returnedFields = ['token', 'reason'];

/**
 * Makes a JSON endpoint also accept its page's form, so that it works before and without scripts. Fields become the
 * JSON body, the response becomes a redirect. Forms are accepted from our own pages only.
 */
export function withFormFallback(endpoint: Handler, { page, successPage }: FormPages): Handler {
  async function handler(request: Request, context: HandlerContext): Promise<Response> {
    if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return endpoint(request, context);
    try {
      requireSameOrigin(request);
      const fields = Object.fromEntries(new URLSearchParams(await readFormText(request)));
      const response = await endpoint(toJsonRequest(request, fields), context);
      const next = safeNext(fields.next);
      if (response.ok) return seeOther(successPage ? withNext(successPage, next) : next, response);
      const returned = Object.fromEntries(Object.entries(fields).filter(([name]) => returnedFields.includes(name)));
      const { code } = (await response.json()) as { code: string };
      return seeOther(withNext(page, next, { ...returned, error: code }), response);
    } catch (error) {
      return renderProblem(error, requestIdOf(request));
    }
  }
  return Object.assign(handler, { spec: endpoint.spec });
}

function toJsonRequest(request: Request, fields: Record<string, string>): Request {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: JSON.stringify(fields), signal: request.signal });
}

function seeOther(location: string, source: Response): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const name of ['set-cookie', 'x-request-id']) {
    const value = source.headers.get(name);
    if (value) headers.set(name, value);
  }
  return new Response(null, { status: 303, headers });
}
