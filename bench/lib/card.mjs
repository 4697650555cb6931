/**
 * The card of an agent in A2A 0.3 that is called at `/a2a`.
 *
 * @param {{ name: string, port: number, streaming: boolean }} agent
 * @returns {object}
 */
export function cardOf({ name, port, streaming }) {
  return {
    protocolVersion: '0.3.0',
    name,
    description: 'An agent to measure with.',
    url: `http://127.0.0.1:${port}/a2a`,
    preferredTransport: 'JSONRPC',
    version: '1.0.0',
    capabilities: { streaming },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'answer', name: 'Answer', description: 'Answers as it is told.', tags: ['bench'] }],
  };
}

/** What an agent answers who is asked for a task that it does not have: Parley asks so once, to see whether it speaks A2A. */
export const taskNotFound = (id) => ({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Task not found' } });
