import { vi } from 'vitest';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { type Parley, startParley } from '../support/parley';
import { createPerson, listAgent, tokenFor } from '../support/world';

/** A Parley with an echoing agent of each A2A version, and what a client needs to call one. */
export interface Line {
  parley: Parley;
  /** Where Parley answers for the agent of that version. */
  agentUrl(version: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the Parley and the agents. These clients take no header and no `fetch` of the caller's: as programs that use them
 * do, the global one is replaced by one that carries the token.
 */
export async function startLine(): Promise<Line> {
  const parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const person = await createPerson(parley.url);
  const agents = new Map(
    await Promise.all(
      Object.entries({ '0.3': startSdk03Agent, '1.0': startSdk10Agent }).map(async ([version, start]) => {
        const agent = await start();
        const slug = await listAgent(parley.url, person, { url: agent.url });
        return [version, { ...agent, slug, token: await tokenFor(parley.url, person, slug) }] as const;
      }),
    ),
  );
  const plain = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
    const { pathname } = new URL(input);
    const called = [...agents.values()].find(({ slug }) => pathname.startsWith(`/agents/${slug}/`));
    const headers = new Headers(init?.headers);
    if (called && !headers.has('authorization')) headers.set('authorization', `Bearer ${called.token}`);
    return plain(input, { ...init, headers });
  });
  return {
    parley,
    agentUrl: (version) => `${parley.url}/agents/${agents.get(version)?.slug}`,
    async stop() {
      vi.unstubAllGlobals();
      await parley.stop();
      await Promise.all([...agents.values()].map(({ stop }) => stop()));
    },
  };
}
