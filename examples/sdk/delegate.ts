// An agent that calls another agent on behalf of its caller (RFC 8693). The user must authorize this.
import { type Caller, createAgentCard, createClient, ParleyError, protect, type SendResult } from '@parley/agent';
import express from 'express';

const {
  PORT = '4000',
  PARLEY_URL = 'http://localhost:3000',
  PARLEY_AGENT = 'assistant',
  PARLEY_CLIENT_ID = '',
  PARLEY_CLIENT_SECRET = '',
  OTHER_AGENT = 'analyst',
} = process.env;

const origin = `http://localhost:${PORT}`;

const card = createAgentCard({
  name: 'Assistant',
  description: 'Asks another agent for you.',
  version: '1.0.0',
  url: `${origin}/a2a`,
  parley: PARLEY_URL,
  streaming: false,
  skills: [{ id: 'ask', name: 'Ask', description: 'Passes on what you say.', tags: ['delegation'] }],
});

const guard = protect({
  url: PARLEY_URL,
  agent: PARLEY_AGENT,
  clientId: PARLEY_CLIENT_ID,
  clientSecret: PARLEY_CLIENT_SECRET,
});

/** Returns the other agent's answer to the calling user. */
async function passOn(text: string, caller: Caller): Promise<SendResult> {
  const client = createClient({ url: PARLEY_URL, authorize: (agent) => guard.exchange(caller, { agent }) });
  try {
    return await client.send(OTHER_AGENT, text);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const parts = [{ text: `I could not ask on your behalf: ${error.message}` }];
    return { message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts } };
  }
}

const app = express();
app.get('/.well-known/agent-card.json', (_request, response) => {
  response.json(card);
});
app.post('/a2a', guard.express, express.json(), async (request, response) => {
  const { id, params } = request.body;
  const result = await passOn(params.message.parts[0].text, guard.callerOf(request));
  response.json({ jsonrpc: '2.0', id, result });
});
app.listen(Number(PORT), () => console.log(`listening on ${origin}`));
