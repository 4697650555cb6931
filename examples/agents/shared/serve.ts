import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import { AgentCard, type Task } from '@a2a-js/sdk';
import { legacyAgentCardRouter } from '@a2a-js/sdk/compat/v0_3/server/express';
import { jsonRpcHandler } from '@a2a-js/sdk/server/express';
import { protect } from '@parley/agent';
import express, { type Express, type RequestHandler } from 'express';
import { RPC_PATH } from './card';
import { type AgentEnvironment, EnvironmentError, readEnvironment } from './environment';
import { createExecutor, type TurnExecutor } from './executor';
import { ParleyUser } from './parley-user';
import { StrictRequestHandler } from './request-handler';
import type { Turn } from './turn';

/** The definition of one agent. */
export interface AgentDefinition {
  slug: string;
  createCard: (environment: AgentEnvironment) => AgentCard;
  open: (environment: AgentEnvironment) => OpenAgent;
  onCanceled?: (task: Task, subject: string) => void;
}

/** An agent created with its environment. */
interface OpenAgent {
  takeTurn: (turn: Turn) => Promise<void>;
  /** Public keys of its signatures, served without authentication. */
  jwks?: object;
}

const JWKS_PATH = '/.well-known/jwks.json';
const CARD_PATH = '/.well-known/agent-card.json';
const CARD_MAX_AGE = 60;
const BODY_LIMIT_MB = 8;
const GRACE_MS = 3_000;

/**
 * Starts an agent from its environment variables. If the start fails, prints one line on stderr and exits with code 1.
 */
export function runAgent(definition: AgentDefinition): void {
  const { environment, agent } = openOrExit(definition);
  const { app, executor } = createApp(definition, environment, agent);
  const server = app.listen(environment.port, environment.host);
  server.once('listening', () =>
    console.log(`${definition.slug}: listening on ${environment.host}:${environment.port}`),
  );
  server.once('error', (error) => exit(definition.slug, error.message));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(server, executor));
}

/** Creates the agent's HTTP endpoints: card, JSON-RPC, health. */
function createApp(
  definition: AgentDefinition,
  environment: AgentEnvironment,
  { takeTurn, jwks }: OpenAgent,
): { app: Express; executor: TurnExecutor } {
  const card = definition.createCard(environment);
  const executor = createExecutor(takeTurn);
  const onCanceled = definition.onCanceled ?? (() => undefined);
  const requestHandler = new StrictRequestHandler({ card, executor, onCanceled });
  const { parleyUrl: url, agent, clientId, clientSecret } = environment;
  // Runs before the body is read, so that unauthenticated callers cost little.
  const guard = protect({ url, agent, clientId, clientSecret });

  const app = express();
  app.disable('x-powered-by').set('env', 'production');
  app.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ agent: definition.slug, build: environment.buildId });
  });
  app.use(CARD_PATH, legacyAgentCardRouter({ agentCardProvider: async () => card, cache: { maxAge: CARD_MAX_AGE } }));
  app.get(CARD_PATH, serveCard(card));
  if (jwks) {
    app.get(JWKS_PATH, (_request, response) => {
      response.set('Cache-Control', `public, max-age=${CARD_MAX_AGE}`).json(jwks);
    });
  }
  app.use(
    RPC_PATH,
    guard.express,
    readBody(),
    jsonRpcHandler({
      requestHandler,
      userBuilder: async (request) => new ParleyUser(guard.callerOf(request)),
      legacyCompat: { enabled: true },
    }),
  );
  return { app, executor };
}

/**
 * Serves the 1.0 card. The SDK's handler is not used: in 1.3.0 it serializes security schemes in their in-memory form.
 */
function serveCard(card: AgentCard): RequestHandler {
  const body = JSON.stringify(AgentCard.toJSON(card));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return function sendCard(request, response) {
    response.set({ ETag: etag, 'Cache-Control': `public, max-age=${CARD_MAX_AGE}`, Vary: 'A2A-Version' });
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    response.type('json').send(body);
  };
}

/** Parses the body; invalid JSON or a body above the limit is answered with a JSON-RPC error. */
function readBody(): RequestHandler {
  // The SDK's own parser, which runs after this, has a limit of 100 kB.
  const parse = express.json({ limit: `${BODY_LIMIT_MB}mb` });
  return function parseBody(request, response, next) {
    parse(request, response, (error?: { type?: string }) => {
      if (error?.type === 'entity.too.large') {
        response.status(413).json(rpcError(-32600, `The request is larger than ${BODY_LIMIT_MB} MB.`));
      } else if (error?.type === 'entity.parse.failed') {
        response.json(rpcError(-32700, 'The request body is not valid JSON.'));
      } else {
        next(error);
      }
    });
  };
}

function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

function openOrExit(definition: AgentDefinition): { environment: AgentEnvironment; agent: OpenAgent } {
  try {
    const environment = readEnvironment(definition.slug);
    return { environment, agent: definition.open(environment) };
  } catch (error) {
    if (error instanceof EnvironmentError) exit(definition.slug, error.message);
    throw error;
  }
}

function exit(slug: string, message: string): never {
  console.error(`${slug}: ${message}`);
  process.exit(1);
}

/** Stops accepting calls, fails running ones, and exits after at most three seconds. */
function stop(server: Server, executor: TurnExecutor): void {
  server.close(() => process.exit(0));
  executor.stopAll();
  // A keep-alive connection is idle only after its last response was sent.
  setInterval(() => server.closeIdleConnections(), 50).unref();
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
}
