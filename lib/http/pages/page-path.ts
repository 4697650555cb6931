/** Where `app/` serves endpoints that Next cannot mount at their own address, because a page is there or a file among pages. */
export const ROWS_MOUNT = '/api/rows';

interface PageRequest {
  method: string;
  path: string;
  contentType: string;
  accept: string;
}

/**
 * True when a request is for a page and not for the endpoint that shares its address: the home page and Society's endpoint, an
 * agent's page and its JSON-RPC endpoint. Browsers read pages and post the forms on them; calls are posted as JSON.
 */
export function isForPage({ method, path, contentType, accept }: PageRequest): boolean {
  const isHome = path === '/';
  if (!isHome && !isAgentPage(path)) return false;
  if (method === 'POST') return !isJsonType(essenceOf(contentType));
  if (method !== 'GET' && method !== 'HEAD') return false;
  return isHome || !prefersJson(accept);
}

/** True for `/agents/{slug}`, where an agent's page and its JSON-RPC endpoint are. */
export function isAgentPage(path: string): boolean {
  const from = '/agents/'.length;
  if (path.length <= from || !path.startsWith('/agents/') || path[from] === '.' || path.endsWith('.md')) return false;
  const end = path.indexOf('/', from);
  return end === -1 || end === path.length - 1;
}

/** True for readers that name JSON, or event streams, and no page. */
function prefersJson(accept: string): boolean {
  if (!accept.includes('json') && !accept.includes('event-stream')) return false;
  const ranges = accept.split(',').map(essenceOf);
  if (ranges.some((range) => range === 'text/html' || range === 'application/xhtml+xml')) return false;
  return ranges.some((range) => isJsonType(range) || range === 'text/event-stream');
}

function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(type);
}

function essenceOf(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
