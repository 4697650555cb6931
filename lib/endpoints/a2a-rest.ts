import type { StreamEndpoint } from '../http/endpoint';
import { type RestRoute, restRoute } from '../http/routes/rest-route';
import { handleA2aCall } from './a2a-jsonrpc';

/** One path of `/agents/{slug}/a2a/rest/…`: the same codecs and verbs as JSON-RPC, in A2A's HTTP+JSON binding. */
export function a2aRest(version: RestRoute['version'], operation: RestRoute['operation']): StreamEndpoint {
  return restRoute({ version, operation }, handleA2aCall);
}
