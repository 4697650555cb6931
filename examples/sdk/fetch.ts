// A complete agent without a framework: `Request` in, `Response` out, as in Deno, Bun, workers and route handlers.
import { serve } from '@hono/node-server';
import { type Caller, createAgentCard, protect } from '@parley/agent';

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

const answer = guard.fetch(async (request, caller) => {
  const { id } = await request.json();
  return Response.json(greet(id, caller));
});

async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/.well-known/agent-card.json') return Response.json(card);
  return pathname === '/a2a' ? answer(request) : new Response(null, { status: 404 });
}

// In Deno: Deno.serve(handle). In a worker: export default { fetch: handle }.
serve({ fetch: handle, port: Number(PORT) }, () => console.log(`listening on ${origin}`));
