import type { Endpoint, Method } from '../http/endpoint';
import type { Row } from './row';
import { table } from './table';

interface Compiled {
  segments: string[];
  row: Row;
}

type Match =
  | { kind: 'endpoint'; endpoint: Endpoint; params: Record<string, string> }
  | { kind: 'wrong-method'; allow: string[] }
  | { kind: 'none' };

const compiled: Compiled[] = table.map((row) => ({ row, segments: row.path.split('/').slice(1) }));

/** Finds the row for a path; a trailing slash is the same path. HEAD is answered by GET's row. */
export function matchEndpoint(method: string, pathname: string): Match {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const segments = path.split('/').slice(1);
  const allow: string[] = [];
  for (const { row, segments: pattern } of compiled) {
    const params = matchSegments(pattern, segments);
    if (!params) continue;
    if (row.method === method || (row.method === 'GET' && method === 'HEAD')) {
      return { kind: 'endpoint', endpoint: row.endpoint, params };
    }
    allow.push(row.method);
  }
  return allow.length > 0 ? { kind: 'wrong-method', allow } : { kind: 'none' };
}

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const found = segments[index] ?? '';
    if (expected.startsWith(':')) {
      const value = decode(found);
      if (!value) return null;
      params[expected.slice(1)] = value;
    } else if (expected !== found) {
      return null;
    }
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
export function endpointOf(method: Method, path: string): Endpoint {
  const row = table.find((candidate) => candidate.method === method && candidate.path === path);
  if (!row) throw new Error(`no row ${method} ${path} in lib/endpoints/table.ts`);
  return row.endpoint;
}
