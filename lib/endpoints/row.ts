import type { Endpoint, Method } from '../http/endpoint';

export interface Row {
  method: Method;
  /** Path with `:name` for one segment. */
  path: string;
  endpoint: Endpoint;
}
