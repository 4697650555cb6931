import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, serve } from '@hono/node-server';
import { type Guard, type ProtectOptions, protect } from '@parley/agent';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';

/** An agent protected by the SDK; it responds with the caller its handler received. */
export interface ProtectedAgent {
  url: string;
  guard: Guard;
  /** Number of handler calls. */
  calls(): number;
  stop(): Promise<void>;
}

type Start = (guard: Guard, called: () => void) => Promise<{ port: number; stop: () => Promise<void> }>;

const starts = {
  async express(guard, called) {
    const app = express();
    app.use('/a2a', guard.express);
    app.post('/a2a', (request, response) => {
      called();
      response.json(guard.callerOf(request));
    });
    return listening(app.listen(0, '127.0.0.1'));
  },
  async fastify(guard, called) {
    const app = fastify();
    app.addHook('onRequest', guard.fastify);
    app.post('/a2a', (request) => {
      called();
      return guard.callerOf(request);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { port: (app.server.address() as AddressInfo).port, stop: () => app.close() };
  },
  async hono(guard, called) {
    const app = new Hono();
    app.use('/a2a', guard.hono);
    app.post('/a2a', (context) => {
      called();
      return context.json(guard.callerOf(context));
    });
    return listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
  },
  async fetch(guard, called) {
    const handler = guard.fetch((_request, caller) => {
      called();
      return Response.json(caller);
    });
    return listening(createServer(getRequestListener(handler)).listen(0, '127.0.0.1'));
  },
} satisfies Record<string, Start>;

export const frameworks = Object.keys(starts) as (keyof typeof starts)[];

/** Starts an agent in one framework; `POST {url}` calls it. */
export async function startProtected(framework: keyof typeof starts, options: ProtectOptions): Promise<ProtectedAgent> {
  const guard = protect(options);
  let count = 0;
  const { port, stop } = await starts[framework](guard, () => {
    count += 1;
  });
  return { url: `http://127.0.0.1:${port}/a2a`, guard, calls: () => count, stop };
}

async function listening(server: Server): Promise<{ port: number; stop: () => Promise<void> }> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
