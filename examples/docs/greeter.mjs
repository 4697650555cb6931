import { createAgentCard, protect } from '@parley/agent';
import express from 'express';

const { PORT = '4000', PARLEY_URL, PARLEY_AGENT = 'greeter', PARLEY_CLIENT_ID, PARLEY_CLIENT_SECRET } = process.env;
const origin = `http://localhost:${PORT}`;

const card = createAgentCard({
  name: 'Greeter',
  description: 'Greets whoever calls.',
  version: '1.0.0',
  url: `${origin}/a2a`,
  parley: PARLEY_URL,
  streaming: false,
  skills: [{ id: 'greet', name: 'Greet', description: 'Says hello.', tags: ['hello'], examples: ['Hi'] }],
});

const guard = protect({
  url: PARLEY_URL,
  agent: PARLEY_AGENT,
  clientId: PARLEY_CLIENT_ID,
  clientSecret: PARLEY_CLIENT_SECRET,
});

const app = express();
app.get('/.well-known/agent-card.json', (_request, response) => {
  response.json(card);
});
app.post('/a2a', guard.express, express.json(), (request, response) => {
  const { subject } = guard.callerOf(request);
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text: `Hello, ${subject}` }] };
  response.json({ jsonrpc: '2.0', id: request.body.id, result: { message } });
});
app.listen(Number(PORT), () => console.log(`listening on ${origin}`));
