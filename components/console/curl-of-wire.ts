import type { CallDetail } from '@/lib/console/schema';

type Wire = NonNullable<CallDetail['wire']>;

const masked = '[secret]';

/** A logged request as a curl command. Masked values become shell variables, so that it can be run. */
export function curlOfWire({ request: { method, url, headers, body } }: Wire): string {
  const shown = Object.entries(headers).filter(
    ([name]) => !/^(content-length|host|connection|traceparent)$/i.test(name),
  );
  const lines = [
    `curl -X ${method} ${quoted(url)}`,
    ...shown.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`  --data-raw ${quoted(body)}`]),
  ];
  return lines.join(' \\\n');
}

/** In single quotes, with variables in place of masked values. */
function quoted(text: string): string {
  return text
    .split(masked)
    .map((piece) => `'${piece.replaceAll("'", `'\\''`)}'`)
    .join('"$SECRET"');
}
