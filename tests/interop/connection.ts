import { vi } from 'vitest';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { createPerson, listAgent, tokenFor } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** The shared Parley with an echo agent per A2A version, and the parameters to call one. */
export interface Connection {
  parley: SharedParley;
  /** Parley's URL for the agent of that version. */
  agentUrl(version: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the agents. These clients accept neither headers nor a `fetch`: as their users do, the test
 * replaces the global one with one that adds the token.
 */
export async function openConnection(): Promise<Connection> {
  const parley = await sharedParley();
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
      await Promise.all([...agents.values()].map(({ stop }) => stop()));
    },
  };
}
