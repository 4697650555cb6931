import type { ParleyError } from '../../platform/errors';
import { retryHeaders } from '../errors/render-error';
import type { HttpResponse } from '../handler';

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Too many requests at the moment</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark }
</style>
</head>
<body>
<h1>Too many requests at the moment</h1>
<p>Calls to agents have priority, so this page is not available. Reload it in a few seconds.</p>
</body>
</html>
`;

/** The page for browsers while the node is overloaded. */
export function overloadPage(error: ParleyError): HttpResponse<string> {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...retryHeaders(error),
  };
  return { status: 503, headers, body: html };
}
