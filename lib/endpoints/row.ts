import type { Method, StreamEndpoint } from '../http/endpoint';

export interface Row {
  method: Method;
  /** Path with `:name` for one segment, or `:name:verb` and `:name.ending` for one that ends so. */
  path: string;
  endpoint: StreamEndpoint;
}
