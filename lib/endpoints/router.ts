import type { Method, StreamEndpoint } from '../http/endpoint';
import { compileRows, type Match } from './match';
import { table } from './table';

export type { EndpointMatch } from './match';

const matcher = compileRows(table);

/** Finds the row for a path; a trailing slash is the same path. HEAD is answered by GET's row. */
export function matchEndpoint(method: string, pathname: string): Match {
  return matcher.match(method, pathname);
}

/** As {@link matchEndpoint}, among the rows below `path` alone. */
export function matchUnder(path: string, method: string, pathname: string): Match {
  return matcher.matchUnder(path, method, pathname);
}

/** The row that an app/ mount stands for; throws when the table has no such row. */
export function endpointOf(method: Method, path: string): StreamEndpoint {
  const row = table.find((candidate) => candidate.method === method && candidate.path === path);
  if (!row) throw new Error(`no row ${method} ${path} in lib/endpoints/table.ts`);
  return row.endpoint;
}
