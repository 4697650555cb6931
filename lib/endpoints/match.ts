import type { StreamEndpoint } from '../http/endpoint';
import type { Route } from './route';

/** Literal text, or a parameter with what must follow it within the segment (A2A 1.0 §11.3: `/tasks/{id}:cancel`). */
type Segment = string | { name: string; suffix: string };

interface CompiledRoute {
  segments: Segment[];
  route: Route;
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
  routesAt(pathname: string): { route: Route; params: Record<string, string> }[];
}

/** Of several rows that fit a path the first one wins; a path that ends in `/*` takes what no other row does. */
export function compileRoutes(routes: Route[]): Matcher {
  const byLength = new Map<number, CompiledRoute[]>();
  const wildcardRoutes: Route[] = [];
  for (const route of routes) {
    if (route.path.endsWith('/*')) {
      wildcardRoutes.push(route);
      continue;
    }
    const segments = route.path.split('/').slice(1).map(compile);
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { route, segments }]);
  }
  const routesOf = (segments: string[]): CompiledRoute[] => byLength.get(segments.length) ?? [];
  const wildcardMatches = (pathname: string): CompiledRoute[] =>
    wildcardRoutes
      .filter(({ path }) => pathname.startsWith(path.slice(0, -1)))
      .map((route) => ({ route, segments: [] }));
  return {
    match(method, pathname) {
      const segments = segmentsOf(pathname);
      const match = matchAmong(routesOf(segments), method, segments);
      return match.kind === 'none' && wildcardRoutes.length > 0
        ? matchAmong(wildcardMatches(pathname), method, segments)
        : match;
    },
    routesAt(pathname) {
      const segments = segmentsOf(pathname);
      return routesOf(segments).flatMap(({ route, segments: pattern }) => {
        const params = hasLiterals(pattern, segments) ? matchSegments(pattern, segments) : null;
        return params ? [{ route, params }] : [];
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

function matchAmong(routes: CompiledRoute[], method: string, segments: string[]): Match {
  const allow: string[] = [];
  for (const { route: row, segments: pattern } of routes) {
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
    const match = segments[index] ?? '';
    const { name, suffix } = expected;
    if (!match.endsWith(suffix)) return null;
    const value = decode(match.slice(0, match.length - suffix.length));
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
