import { MAX_FORM_BYTES } from '../limits';

interface PageRequest {
  method: string;
  path: string;
  contentType: string;
  accept: string;
}

/**
 * Returns true if a request is for the page and not for the endpoint with the same path: the home page and Society's
 * endpoint, an agent's page and its JSON-RPC endpoint, and the authorization page. Browsers request pages and post
 * forms; calls post JSON.
 */
export function isForPage({ method, path, contentType, accept }: PageRequest): boolean {
  if (isAuthorizationPage(path)) return method === 'GET' || method === 'HEAD';
  const isHome = path === '/';
  if (!isHome && !isAgentPage(path)) return false;
  if (method === 'POST') return !isJsonType(mediaTypeOf(contentType));
  if (method !== 'GET' && method !== 'HEAD') return false;
  return isHome || !prefersJson(accept);
}

/** Returns true for `/agents/{slug}`, which is the path of an agent's page and of its JSON-RPC endpoint. */
export function isAgentPage(path: string): boolean {
  const start = '/agents/'.length;
  if (path.length <= start || !path.startsWith('/agents/') || path[start] === '.' || path.endsWith('.md')) return false;
  const end = path.indexOf('/', start);
  return end === -1 || end === path.length - 1;
}

/**
 * Returns true for the authorization endpoint (RFC 6749 §3.1), which is a page for GET, and an endpoint for the form of
 * that page.
 */
export function isAuthorizationPage(path: string): boolean {
  return path === '/oauth/authorize' || path === '/oauth/authorize/';
}

/** Returns true if `Accept` contains JSON or event streams, and no HTML. */
function prefersJson(accept: string): boolean {
  if (!accept.includes('json') && !accept.includes('event-stream')) return false;
  const ranges = accept.split(',').map(mediaTypeOf);
  if (ranges.some((range) => range === 'text/html' || range === 'application/xhtml+xml')) return false;
  return ranges.some((range) => isJsonType(range) || range === 'text/event-stream');
}

function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(type);
}

function mediaTypeOf(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Returns the status and text for a form that a page could not parse, or null. Next returns 500 for malformed multipart
 * forms and has no size limit.
 */
export async function rejectFormPost(request: Request): Promise<{ status: 400 | 413; text: string } | null> {
  const { headers } = request;
  if (request.method !== 'POST' || !/^multipart\/form-data/i.test(headers.get('content-type') ?? '')) return null;
  const bytes = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(bytes <= MAX_FORM_BYTES)) return { status: 413, text: `Expected a form of at most ${MAX_FORM_BYTES} bytes.` };
  try {
    await request.clone().formData();
    return null;
  } catch {
    return { status: 400, text: 'Expected a complete form in the format that Content-Type names.' };
  }
}
