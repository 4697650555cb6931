/**
 * True when a request for `/` is for the home page and not for Society's endpoint, which shares its address: what a browser
 * reads, and the forms of the page, which are posted to it. A call is posted as JSON.
 */
export function isForHomePage(request: { method: string; path: string; contentType: string }): boolean {
  if (request.path !== '/') return false;
  if (request.method !== 'POST') return request.method === 'GET' || request.method === 'HEAD';
  const type = request.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return !/^application\/(?:[\w.-]+\+)?json$/.test(type);
}
