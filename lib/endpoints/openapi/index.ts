import type { OpenApi } from '../../docs/schema';
import type { Endpoint } from '../../http/endpoint';
import { cachedJsonRoute } from '../../http/routes/cached-document';
import type { Route } from '../route';
import { describeApi } from './describe-api';

/** `GET /openapi.json`: the API as OpenAPI 3.1. The rows are handed over, since the table they stand in has this one too. */
export function openApiOf(routes: Route[]): Endpoint {
  let document: OpenApi | undefined;
  return cachedJsonRoute(async () => {
    document ??= describeApi(routes);
    return document;
  });
}
