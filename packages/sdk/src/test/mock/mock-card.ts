import { REST_PATH, RPC_PATH } from '../agent/calls.js';
import type { JsonObject } from '../json-value.js';

/** Returns a card with all interfaces of an agent in memory. */
export function agentCard(origin: string): JsonObject {
  const rpc = `${origin}${RPC_PATH}`;
  return {
    name: 'Mock agent',
    description: 'Answers what a test tells it to.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: rpc, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${origin}${REST_PATH}`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: rpc, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'mock', name: 'Mock', description: 'Sends the message back.', tags: ['test'], examples: ['Hello'] }],
  };
}
