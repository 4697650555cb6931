import type { Method, StreamEndpoint } from '../http/endpoint';
import type { Row } from './row';
import { table } from './table';

/** Literal text, or a parameter with what must follow it within the segment (A2A 1.0 §11.3: `/tasks/{id}:cancel`). */
type Segment = string | { name: string; suffix: string };

interface Compiled {
  segments: Segment[];
  row: Row;
}

/** A row, and what its path's parameters are. */
export interface EndpointMatch {
  kind: 'endpoint';
  endpoint: StreamEndpoint;
  params: Record<string, string>;
}

type Match = EndpointMatch | { kind: 'wrong-method'; allow: string[] } | { kind: 'none' };

const compiled: Compiled[] = table.map((row) => ({ row, segments: row.path.split('/').slice(1).map(compile) }));

function compile(segment: string): Segment {
  const [, name, suffix = ''] = /^:(\w+)([:.]\w+)?$/.exec(segment) ?? [];
  return name ? { name, suffix } : segment;
}

/** The rows by how many segments their paths have. */
const byLength = new Map<number, Compiled[]>();
for (const row of compiled) byLength.set(row.segments.length, [...(byLength.get(row.segments.length) ?? []), row]);

/** Finds the row for a path; a trailing slash is the same path. HEAD is answered by GET's row. */
export function matchEndpoint(method: string, pathname: string): Match {
  const segments = segmentsOf(pathname);
  return matchAmong(byLength.get(segments.length) ?? [], method, segments);
}

/** As {@link matchEndpoint}, among the rows below `path` alone. */
export function matchUnder(path: string, method: string, pathname: string): Match {
  const segments = segmentsOf(pathname);
  const rows = (byLength.get(segments.length) ?? []).filter(({ row }) => row.path.startsWith(`${path}/`));
  return matchAmong(rows, method, segments);
}

function segmentsOf(pathname: string): string[] {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return path.split('/').slice(1);
}

function matchAmong(rows: Compiled[], method: string, segments: string[]): Match {
  const allow: string[] = [];
  for (const { row, segments: pattern } of rows) {
    if (!hasLiterals(pattern, segments)) continue;
    const params = matchSegments(pattern, segments);
    if (!params) continue;
    if (row.method === method || (row.method === 'GET' && method === 'HEAD')) {
      return { kind: 'endpoint', endpoint: row.endpoint, params };
    }
    allow.push(row.method);
  }
  return allow.length > 0 ? { kind: 'wrong-method', allow } : { kind: 'none' };
}

/** Looked at first, for it tells nearly all rows apart and makes nothing. */
function hasLiterals(pattern: Segment[], segments: string[]): boolean {
  for (let index = 0; index < pattern.length; index++) {
    const expected = pattern[index];
    if (typeof expected === 'string' && expected !== segments[index]) return false;
  }
  return true;
}

function matchSegments(pattern: Segment[], segments: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (let index = 0; index < pattern.length; index++) {
    const expected = pattern[index];
    if (expected === undefined || typeof expected === 'string') continue;
    const found = segments[index] ?? '';
    const { name, suffix } = expected;
    if (!found.endsWith(suffix)) return null;
    const value = decode(found.slice(0, found.length - suffix.length));
    if (!value) return null;
    params[name] = value;
  }
  return params;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The row that an app/ mount stands for; throws when the table has no such row. */
export function endpointOf(method: Method, path: string): StreamEndpoint {
  const row = table.find((candidate) => candidate.method === method && candidate.path === path);
  if (!row) throw new Error(`no row ${method} ${path} in lib/endpoints/table.ts`);
  return row.endpoint;
}
