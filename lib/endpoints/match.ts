import type { StreamEndpoint } from '../http/endpoint';
import type { Row } from './row';

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

export type Match = EndpointMatch | { kind: 'wrong-method'; allow: string[] } | { kind: 'none' };

/** Finds rows by path. */
export interface Matcher {
  /** A trailing slash is the same path. HEAD is answered by GET's row. */
  match(method: string, pathname: string): Match;
  /** Every row of a path, whatever its method. */
  rowsAt(pathname: string): { row: Row; params: Record<string, string> }[];
}

/** Of several rows that fit a path the first one wins; a path that ends in `/*` takes what no other row does. */
export function compileRows(rows: Row[]): Matcher {
  const byLength = new Map<number, Compiled[]>();
  const deep: Row[] = [];
  for (const row of rows) {
    if (row.path.endsWith('/*')) {
      deep.push(row);
      continue;
    }
    const segments = row.path.split('/').slice(1).map(compile);
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { row, segments }]);
  }
  const rowsOf = (segments: string[]): Compiled[] => byLength.get(segments.length) ?? [];
  const deepRows = (pathname: string): Compiled[] =>
    deep.filter(({ path }) => pathname.startsWith(path.slice(0, -1))).map((row) => ({ row, segments: [] }));
  return {
    match(method, pathname) {
      const segments = segmentsOf(pathname);
      const found = matchAmong(rowsOf(segments), method, segments);
      return found.kind === 'none' && deep.length > 0 ? matchAmong(deepRows(pathname), method, segments) : found;
    },
    rowsAt(pathname) {
      const segments = segmentsOf(pathname);
      return rowsOf(segments).flatMap(({ row, segments: pattern }) => {
        const params = hasLiterals(pattern, segments) ? matchSegments(pattern, segments) : null;
        return params ? [{ row, params }] : [];
      });
    },
  };
}

function compile(segment: string): Segment {
  const [, name, suffix = ''] = /^:(\w+)([:.]\w+)?$/.exec(segment) ?? [];
  return name ? { name, suffix } : segment;
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
    if (!allow.includes(row.method)) allow.push(row.method);
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
