import type { Endpoint, EndpointContext } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { mediaTypeOf, readFormText, requestIdOf, requireSameOrigin } from '../http/request';
import { safeNext, withNext } from '../identity/schema';

interface FormPages {
  /** The page of the form, which shows what `?error=` names. */
  page: string;
  /** Where to go when it went well; without it, to the form's own `next`. */
  successPage?: string;
}

/** Fields that lead back to the same form; nothing that a person typed goes into an address (LOG-1). */
const returnedFields = ['token', 'reason'];

/**
 * Lets an endpoint of JSON also take the form of its page, so that signing in works without script, and before script has
 * loaded: the fields become the JSON body, the answer becomes a redirect. Forms are taken from our own pages alone (CSRF-1).
 */
export function withFormFallback(endpoint: Endpoint, { page, successPage: done }: FormPages): Endpoint {
  async function answer(request: Request, context: EndpointContext): Promise<Response> {
    if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return endpoint(request, context);
    try {
      requireSameOrigin(request);
      const fields = Object.fromEntries(new URLSearchParams(await readFormText(request)));
      const answer = await endpoint(toJsonRequest(request, fields), context);
      const next = safeNext(fields.next);
      if (answer.ok) return seeOther(done ? withNext(done, next) : next, answer);
      const returned = Object.fromEntries(Object.entries(fields).filter(([name]) => returnedFields.includes(name)));
      const { code } = (await answer.json()) as { code: string };
      return seeOther(withNext(page, next, { ...returned, error: code }), answer);
    } catch (error) {
      return renderProblem(error, requestIdOf(request));
    }
  }
  return Object.assign(answer, { facts: endpoint.facts });
}

function toJsonRequest(request: Request, fields: Record<string, string>): Request {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: JSON.stringify(fields), signal: request.signal });
}

function seeOther(location: string, answer: Response): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const name of ['set-cookie', 'x-request-id']) {
    const value = answer.headers.get(name);
    if (value) headers.set(name, value);
  }
  return new Response(null, { status: 303, headers });
}
