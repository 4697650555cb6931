import { compileRows, type Match } from './match';
import { table } from './table';

export type { EndpointMatch } from './match';

const matcher = compileRows(table);

/** Finds the row for a path; a trailing slash is the same path. HEAD is answered by GET's row. */
export function matchEndpoint(method: string, pathname: string): Match {
  return matcher.match(method, pathname);
}
