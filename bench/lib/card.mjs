/**
 * Returns the card of an A2A 0.3 agent with the endpoint `/a2a`.
 *
 * @param {{ name: string, port: number, streaming: boolean }} agent
 * @returns {object}
 */
export function cardOf({ name, port, streaming }) {
  return {
    protocolVersion: '0.3.0',
    name,
    description: 'A benchmark agent.',
    url: `http://127.0.0.1:${port}/a2a`,
    preferredTransport: 'JSONRPC',
    version: '1.0.0',
    capabilities: { streaming },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'answer', name: 'Answer', description: 'Answers as requested.', tags: ['bench'] }],
  };
}

/** Returns the response for an unknown task. Parley requests it once to detect whether the agent supports A2A. */
export const taskNotFound = (id) => ({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Task not found' } });
