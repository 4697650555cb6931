import type { OpenApi } from '../../docs/schema';
import type { Endpoint } from '../../http/endpoint';
import { publicRoute } from '../../http/public-route';
import type { Row } from '../row';
import { describeApi } from './describe-api';

/** `GET /openapi.json`: the API as OpenAPI 3.1. The rows are handed over, since the table they stand in has this one too. */
export function openApiOf(rows: Row[]): Endpoint {
  let made: OpenApi | undefined;
  return publicRoute(async () => {
    made ??= describeApi(rows);
    return made;
  });
}
