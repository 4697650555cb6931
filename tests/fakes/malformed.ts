import type { Method } from '@/lib/http/handler';
import { newUuid } from '@/lib/platform/ids';

/** A raw request. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** A valid request to an endpoint, to mutate. */
export interface Sample {
  method: Method;
  /** With `:name` for the members of `params`. */
  path: string;
  params: Record<string, string>;
  /** JSON, or a form. */
  body?: object | string;
  headers?: Record<string, string>;
}

type Random = () => number;

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An invalid request made from a valid one by one to three mutations. */
export function malform(sample: Sample, random: Random): RawRequest {
  const request: RawRequest = {
    method: sample.method,
    path: pathOf(sample, random),
    headers: { ...sample.headers },
    body: bytesOf(sample.body, random),
  };
  // Rarely, since an unknown path or method falls through to pages, which take ten times as long.
  if (random() < 0.03) request.method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'], random);
  if (random() < 0.03) request.path += pick(['/', '//', '/x', ':cancel', ':subscribe', '%2f', ';a=b', '.json'], random);
  const times = 1 + Math.floor(random() * 3);
  for (let time = 0; time < times; time++) pick(changes, random)(request, random);
  if (request.body) request.headers['content-length'] = String(request.body.byteLength);
  return request;
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)] as T;
}

function pathOf({ path, params }: Sample, random: Random): string {
  return path.replace(/:(\w+)\b/g, (part, name: string) => {
    const right = params[name];
    if (right === undefined) return part;
    return random() < 0.1 ? pick(ids, random) : right;
  });
}

function bytesOf(body: Sample['body'], random: Random): Buffer | null {
  if (body === undefined) return null;
  if (typeof body === 'string') return Buffer.from(random() < 0.5 ? body : wrongForm(body, random));
  return Buffer.from(random() < 0.8 ? wrongJson(body, random) : JSON.stringify(body));
}

const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
/** Values as JSON text, so that values JavaScript cannot represent can be sent too. */
const values = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1e999',
  '-1e-999',
  '9007199254740993',
  '1.5',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\u2028"',
  '"constructor"',
  '"../../etc/passwd"',
  '"TASK_STATE_NOPE"',
  '"1970-01-01T00:00:00Z"',
  '"not-a-date"',
  '"9999999-99-99T99:99:99Z"',
  '"%00"',
  '"\\r\\nx: y"',
  '[]',
  '[null]',
  '[[]]',
  '[{}]',
  '{}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"a":1,"a":2}',
  '{"kind":"text"}',
  '{"kind":"file","file":{"bytes":"!!!"}}',
  '{"text":1}',
  '{"data":null}',
  '{"raw":"%%%","mediaType":7}',
  '{"url":"javascript:alert(1)"}',
  '"http://169.254.169.254/"',
  deep,
  `"${'x'.repeat(20_000)}"`,
  `"${newUuid()}"`,
] as const;

const marker = '@@here@@';

/** The JSON of `value` with a member replaced, duplicated, renamed or removed, or with broken syntax. */
function wrongJson(value: object, random: Random): string {
  const copy = structuredClone(value) as Record<string, unknown>;
  const holders: Record<string, unknown>[] = [];
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    holders.push(node as Record<string, unknown>);
    for (const child of Object.values(node)) collect(child);
  };
  collect(copy);
  const holder = pick(holders, random);
  const key = pick([...Object.keys(holder), 'extra'], random);
  const way = random();
  if (way < 0.1) delete holder[key];
  else if (way < 0.2) holder[pick(['__proto__x', 'Kind', '', 'id', 'taskId', 'constructor'], random)] = holder[key];
  else holder[key] = marker;
  const text = JSON.stringify(copy);
  if (way < 0.3) return text.replace(`"${marker}"`, `1,"${key}":2`);
  const replaced = text.replaceAll(`"${marker}"`, () => pick(values, random));
  return way < 0.4 ? brokenText(replaced, random) : replaced;
}

function brokenText(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  return pick(
    [
      () => text.slice(0, at),
      () =>
        `${text.slice(0, at)}${pick([',', '}', '"', '\\', '\u0000', '//', '\ufeff', 'NaN'], random)}${text.slice(at)}`,
      () => `\ufeff${text}`,
      () => `[${text},${text}]`,
      () => `${text}${text}`,
      () => text.replaceAll('"', "'"),
      () => '',
      () => '   ',
    ],
    random,
  )();
}

function wrongForm(text: string, random: Random): string {
  return pick(
    [
      `${text}&${text}`,
      text.replaceAll('=', ''),
      `${text}%`,
      `${text}&%zz=1`,
      `token=${'a'.repeat(5_000)}`,
      '&&&=&=',
      '',
      `${text}&client_id=x&client_secret=y`,
    ],
    random,
  );
}

type Change = (request: RawRequest, random: Random) => void;

const header =
  (name: string, wrong: readonly string[]): Change =>
  (request, random) => {
    request.headers[name] = pick(wrong, random);
  };

const ids = [
  'x',
  '%00',
  '%ff',
  '%2e%2e%2f',
  '..%2f',
  "'%20OR%201=1",
  '-1',
  '9'.repeat(400),
  '%F0%9F%92%A9',
  'a:b:c',
  '*',
  '%0d%0a',
];
const queries = [
  'pageSize=-1',
  'pageSize=1e9',
  'pageSize=x',
  'pageToken=%00',
  'pageToken=AAAA',
  'historyLength=-1',
  'historyLength=1e400',
  'status=NOPE',
  'contextId=%ff',
  'after=-1',
  'after=99999999999999999999',
  'A2A-Version=9',
  'A2A-Version=%00',
  'x=1&x=2',
  'includeArtifacts=maybe',
  'statusTimestampAfter=never',
  'lastUpdatedAfter=1e99',
  'access_token=abc',
  '%',
  '&&==',
  'tenant=../..',
];

const changes: readonly Change[] = [
  (request, random) => {
    request.path += `${request.path.includes('?') ? '&' : '?'}${pick(queries, random)}`;
  },
  (request, random) => {
    if (!request.body?.byteLength) return;
    const bytes = Buffer.from(request.body);
    for (let times = 0; times < 3; times++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    request.body = bytes;
  },
  (request, random) => {
    const bad = pick([[0xff, 0xfe], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0x80]], random);
    request.body = Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.from(bad)]);
  },
  (request) => {
    request.body = null;
  },
  header('content-type', [
    '',
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/a2a+json',
    'application/problem+json',
    'a/b/c',
    'application/json,text/plain',
  ]),
  header('content-encoding', ['gzip', 'br', 'deflate', 'x', 'identity, gzip']),
  header('accept', [
    '',
    '*/*',
    'text/event-stream',
    'application/a2a+json',
    'text/html',
    'x',
    'application/json;q=2',
    ',,,',
  ]),
  header('a2a-version', ['', '0', '0.3', '1.0', '1.0.0', '99', '-1', '1.0,0.3', 'latest', '0.2.5']),
  header('a2a-extensions', ['x', 'https://a.example/ext, ,', ',', 'http://[']),
  header('last-event-id', ['-1', 'x', '99999999999999999999', '1e3', '0x10', '', ' 1', '9223372036854775808']),
  header('authorization', [
    '',
    'Bearer',
    'Bearer x',
    'Bearer a b',
    'Basic',
    'Basic !!!',
    'Basic Og==',
    'bearer eyJ.eyJ.x',
    'Digest x',
    `Bearer ${'a'.repeat(5_000)}`,
  ]),
  header('idempotency-key', ['', ' ', 'x'.repeat(1_000), '\u00e9', '"quoted"', 'a,b']),
  header('prefer', ['wait=-1', 'wait=1e9', 'respond-async', 'wait', 'wait=0, wait=1', ';;;', 'return=minimal']),
  header('traceparent', ['x', '00-0-0-0', `ff-${'0'.repeat(32)}-${'0'.repeat(16)}-00`]),
  header('via', ['1.1 parley, 1.1 parley', '1.1 parley, 1.1 parley, 1.1 parley, 1.1 parley', 'x']),
  header('origin', ['null', 'https://evil.example', 'x']),
  header('cookie', ['parley=', 'parley=x', 'parley=%ff; parley=y', '=', ';;;']),
  header('x-a2a-notification-token', ['', 'x', 'a'.repeat(100)]),
  header('if-none-match', ['*', 'W/"x"', '"', 'x,,']),
  header('range', ['bytes=0-1', 'bytes=9-1']),
];
