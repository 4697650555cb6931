import type { Fetch } from '../../request.js';
import type { Message } from '../../wire.js';
import type { AgentCall } from '../agent/calls.js';
import { type Listening, listenOn } from '../agent/listen.js';
import { type Alterations, LocalAgent } from '../agent/local-agent.js';
import type { JsonObject } from '../json-value.js';
import { agentCard } from './mock-card.js';
import { breakResponse } from './mock-faults.js';
import { findTurn, handlerOf, type MockTurn } from './mock-turns.js';

export interface MockAgentOptions {
  /** Scripted answers; the first that matches a message is used. Without one, the message is sent back. */
  turns?: MockTurn[];
  /** Members that replace those of the card. */
  card?: JsonObject;
  /** Changes of what the agent sends. */
  alter?: Alterations;
}

/** An agent for tests of callers. */
export interface MockAgent {
  /** Origin of the agent for `fetch`; it is never resolved. */
  url: string;
  /** Answers requests in this process: pass it to a client instead of the global `fetch`. */
  fetch: Fetch;
  /** Answers a request; for a server of your own. */
  handle: (request: Request) => Promise<Response>;
  /** All calls so far. */
  calls: readonly AgentCall[];
  /** The messages so far, in the form of A2A 1.0. */
  readonly messages: Message[];
  /** Serves the agent on a port of this machine; a free one by default. Requires Node 20.16 or newer. */
  listen: (port?: number) => Promise<Listening>;
}

/** Origin of agents in this process (RFC 2606). */
const MOCK_ORIGIN = 'https://agent.example';

/**
 * Creates an A2A agent with scripted answers, delays and faults. It speaks JSON-RPC of 1.0 and 0.3 and HTTP+JSON of
 * 1.0, with streams, questions and cancellation.
 */
export function mockAgent({ turns = [], card = {}, alter = {} }: MockAgentOptions = {}): MockAgent {
  const agent = new LocalAgent({
    card: (origin) => ({ ...agentCard(origin), ...card }),
    handle: handlerOf(turns),
    alter: {
      ...alter,
      async response(response, call) {
        const fault = call.message ? findTurn(turns, call.message)?.fault : undefined;
        const broken = fault ? await breakResponse(fault, response, call) : response;
        return alter.response ? alter.response(broken, call) : broken;
      },
    },
  });
  return {
    url: MOCK_ORIGIN,
    fetch: (url, init) => agent.fetch(new Request(url, init)),
    handle: agent.fetch,
    calls: agent.calls,
    get messages() {
      return agent.calls.flatMap(({ message }) => message ?? []);
    },
    listen: (port) => listenOn(agent.fetch, port),
  };
}
