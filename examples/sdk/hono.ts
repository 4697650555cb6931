// A complete agent in Hono: a card, a guard, and an answer.
import { serve } from '@hono/node-server';
import { type Caller, createAgentCard, protect } from '@parley/agent';
import { Hono } from 'hono';

const {
  PORT = '4000',
  PARLEY_URL = 'http://localhost:3000',
  PARLEY_AGENT = 'greeter',
  PARLEY_CLIENT_ID = '',
  PARLEY_CLIENT_SECRET = '',
} = process.env;
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

/** Answers a message of A2A 1.0 with a message. */
function greet(id: unknown, caller: Caller): object {
  const parts = [{ text: `Hello, ${caller.subject}` }];
  return { jsonrpc: '2.0', id, result: { message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts } } };
}

const app = new Hono();
app.get('/.well-known/agent-card.json', (context) => context.json(card));
app.post('/a2a', guard.hono, async (context) => {
  const { id } = await context.req.json();
  return context.json(greet(id, guard.callerOf(context)));
});
serve({ fetch: app.fetch, port: Number(PORT) }, () => console.log(`listening on ${origin}`));
