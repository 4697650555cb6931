import type { Parameter } from '@/lib/docs/schema';

/** A request to be sent. */
export interface PlaygroundRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The request from an endpoint's form. */
export function toPlaygroundRequest(
  form: FormData,
  { method, path, parameters, bodyType }: { method: string; path: string; parameters: Parameter[]; bodyType?: string },
): PlaygroundRequest {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: location } of parameters) {
    const value = text(`parameter-${name}`);
    if (location === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value) query.set(name, value);
  }
  const token = text('token');
  const body = form.has('body') ? text('body') : undefined;
  return {
    method,
    url: query.size > 0 ? `${filled}?${query}` : filled,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && bodyType && { 'content-type': bodyType }),
    },
    body,
  };
}

/** The same request as a curl command; the token is a shell variable. */
export function curlCommand({ method, url, headers, body }: PlaygroundRequest, origin: string): string {
  const type = headers['content-type'];
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + url)}`,
    '  -H "Authorization: Bearer $PARLEY_TOKEN"',
    ...(type ? [`  -H ${quote(`Content-Type: ${type}`)}`] : []),
    ...(body === undefined ? [] : [`  -d ${quote(body)}`]),
  ];
  return lines.join(' \\\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
