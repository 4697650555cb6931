import type { Method, StreamEndpoint } from '../http/endpoint';

export interface Row {
  method: Method;
  /** Path with `:name` for one segment, or `:name:verb` for one that ends in `:verb`. */
  path: string;
  endpoint: StreamEndpoint;
}
