import { FakeAgent, failWith, type Serve, sendEvent } from './fake-agent';

interface Params42 {
  message: { messageId: string; contextId: string; taskId?: string; parts: { kind: string; text?: string }[] };
}

/**
 * An agent as Web42 documents it: a card without address, only `message/send`, bare events in response. Echoes every
 * part, asks on `ask`, and never finishes `slow`.
 */
export function startWeb42(): Promise<FakeAgent> {
  let named = 0;
  const serve: Serve = (call, response) => {
    if (call.path !== '/a2a/jsonrpc') return void response.writeHead(404).end();
    if (call.method !== 'message/send') return failWith(response, call, { code: -32601, message: 'no such method' });
    const { message } = call.params as Params42;
    const text = message.parts.map((part) => part.text ?? '').join('');
    const ids = { taskId: message.taskId ?? `web42-${named++}`, contextId: message.contextId };
    const say = (event: object): void => sendEvent(response, { ...event, ...ids }, 'message');
    say({ kind: 'status-update', status: { state: 'working' } });
    if (text === 'slow') return;
    const parts = text === 'ask' ? [{ kind: 'text', text: 'What?' }] : message.parts;
    const reply = { kind: 'message', messageId: `re-${message.messageId}`, role: 'agent', parts };
    if (text === 'ask')
      say({ kind: 'status-update', status: { state: 'input-required', message: { ...reply, ...ids } } });
    else say(reply);
    response.end();
  };
  const card = (): object => ({
    name: 'Pizza Corner',
    description: 'Takes pizza orders for delivery',
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false },
    skills: [{ id: 'order', name: 'Order a pizza', description: 'Takes the order', tags: ['food'] }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    securitySchemes: { web42_bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    security: [{ web42_bearer: [] }],
  });
  return FakeAgent.start(card, serve);
}
