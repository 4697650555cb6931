import { issueWorkerToken } from '../../tokens';
import { workerTokenRequestSchema, workerTokenSchema } from '../../tokens/schema';
import { endpoint } from '../endpoint';

/** The first request of Society AI's clients. */
export const postAgentToken = endpoint({
  method: 'POST',
  path: '/auth/agent-token',
  auth: 'anyone',
  body: workerTokenRequestSchema,
  response: workerTokenSchema,
  errors: ['unauthenticated', 'insufficient_scope'],
  docs: {
    tag: 'Tokens',
    summary: 'Get a token to connect an agent with',
    description:
      'For clients of Society AI. `api_key`: an access token with the scope `agents:serve`, with or without the prefix `sai_`. The token is valid for 15 minutes, for `/ws/agents` alone.',
  },
  handle: ({ ctx, input, address }) => issueWorkerToken({ ctx, input: { ...input, address } }),
});
