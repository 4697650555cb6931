import type { Parameter } from '@/lib/docs/schema';

/** A request as it is about to be sent. */
export interface Trial {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** What the form of an endpoint asks to send. */
export function toTrial(
  form: FormData,
  { method, path, parameters, bodyType }: { method: string; path: string; parameters: Parameter[]; bodyType?: string },
): Trial {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const value = text(`parameter-${name}`);
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
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

/** The same as a line for a terminal; the token is left to a variable. */
export function curlOf({ method, url, headers, body }: Trial, origin: string): string {
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
