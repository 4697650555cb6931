import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { cachedTextRoute } from '../../http/routes/cached-document';
import { env } from '../../platform/runtime/env';
import {
  agentCancelParams,
  agentSearchParams,
  agentSendParams,
  authParams,
  eventParams,
  HUB_SUBPROTOCOL,
  helloParams,
  offerResult,
  releaseParams,
  stateParams,
} from '../../protocol/hub/hub-schema';

/** The params of each method that a worker calls. */
const workerFrames: Record<string, z.ZodType> = {
  'hub.hello': helloParams,
  'hub.auth': authParams,
  'hub.ping': z.object({}),
  'run.event': eventParams,
  'run.release': releaseParams,
  'worker.state': stateParams,
  'agent.search': agentSearchParams,
  'agent.send': agentSendParams,
  'agent.cancel': agentCancelParams,
};

/** `GET /schemas/hub.v1.json`: the JSON Schema of the frames that workers send. */
export const hubSchema = endpoint({
  method: 'GET',
  path: '/schemas/hub.v1.json',
  serve: cachedTextRoute(async () => ({
    type: 'application/schema+json',
    text: JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${env().APP_URL}/schemas/hub.v1.json`,
      title: HUB_SUBPROTOCOL,
      oneOf: [
        ...Object.entries(workerFrames).map(([method, params]) => requestSchema(method, params)),
        offerResponse(),
      ],
    }),
  })),
});

function requestSchema(method: string, params: z.ZodType): object {
  return {
    type: 'object',
    required: ['jsonrpc', 'method', 'params'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'number'] },
      method: { const: method },
      params: z.toJSONSchema(params, { io: 'input' }),
    },
  };
}

/** Returns the schema of the response to `run.offer`. */
function offerResponse(): object {
  return {
    type: 'object',
    required: ['jsonrpc', 'id', 'result'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: 'string' },
      result: z.toJSONSchema(offerResult, { io: 'input' }),
    },
  };
}
