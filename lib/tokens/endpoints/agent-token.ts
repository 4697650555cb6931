import { endpoint } from '../../http/endpoint';
import { issueWorkerToken } from '..';
import { workerTokenRequestSchema, workerTokenSchema } from '../schema';

/**
 * The first request of Society AI's clients. `api_key`: an access token with the scope `agents:serve`, also with the
 * prefix that they expect of keys.
 */
export const postAgentToken = endpoint({
  method: 'POST',
  path: '/auth/agent-token',
  auth: 'anyone',
  body: workerTokenRequestSchema,
  response: workerTokenSchema,
  handle: ({ ctx, input, address }) => issueWorkerToken({ ctx, input: { ...input, address } }),
});
