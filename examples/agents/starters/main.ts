/**
 * starters: four agents in one process. Each is one file with a card and a handler, and connects to Parley, so none
 * needs a URL, a port or a server.
 *
 * `npm start` runs them as part of the demo. A single one, as your own agent:
 *
 *   npx http://localhost:3000/packages/parley.tgz --api-url http://localhost:3000 \
 *     serve examples/agents/starters/quiz.ts --agent my-quiz --create
 */
import { serve } from '@parley/agent/serve';
import { starters } from './starters';

/** Maximum number of simultaneous turns of each agent. */
const CAPACITY = 20;
/** Maximum time of running turns after SIGTERM, in milliseconds. */
const DRAIN_MS = 2_500;

const { PARLEY_URL: url = 'http://localhost:3000', PARLEY_CLIENT_ID = '', PARLEY_CLIENT_SECRET = '' } = process.env;
const credentials = { clientId: PARLEY_CLIENT_ID, clientSecret: PARLEY_CLIENT_SECRET };

await Promise.all(
  Object.entries(starters).map(([agent, { handle }]) =>
    serve({ url, agent, ...credentials, handle, capacity: CAPACITY, drainMs: DRAIN_MS }),
  ),
);
