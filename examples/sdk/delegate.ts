// An agent that asks another agent on behalf of whoever calls it (RFC 8693). The person must let it act for them.
import { createClient, protect } from '@parley/agent';
import express from 'express';

const {
  PORT = '4000',
  PARLEY_URL = 'http://localhost:3000',
  PARLEY_AGENT = 'assistant',
  PARLEY_CLIENT_ID = '',
  PARLEY_CLIENT_SECRET = '',
  OTHER_AGENT = 'analyst',
} = process.env;

const guard = protect({
  url: PARLEY_URL,
  agent: PARLEY_AGENT,
  clientId: PARLEY_CLIENT_ID,
  clientSecret: PARLEY_CLIENT_SECRET,
});

const app = express();
app.post('/a2a', guard.express, express.json(), async (request, response) => {
  const caller = guard.callerOf(request);
  const client = createClient({ url: PARLEY_URL, authorize: (agent) => guard.exchange(caller, { agent }) });
  const result = await client.send(OTHER_AGENT, request.body.params.message.parts[0].text);
  response.json({ jsonrpc: '2.0', id: request.body.id, result });
});
app.listen(Number(PORT), () => console.log(`listening on http://localhost:${PORT}`));
