import { compileRoutes, type Match } from './match';
import { routes } from './routes';

export type { EndpointMatch } from './match';

const matcher = compileRoutes(routes);

/** Finds the row for a path; a trailing slash is the same path. HEAD is answered by GET's row. */
export function matchEndpoint(method: string, pathname: string): Match {
  return matcher.match(method, pathname);
}
