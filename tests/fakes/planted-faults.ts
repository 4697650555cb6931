import type { Merchant } from '@parley/agent';
import type { AgentCall, Alterations, MockAgentOptions } from '@parley/agent/test';
import { cartContents, goodCard, type Json, type PlantedFault } from './faulty-agents';

const objectOf = (value: unknown): Json => ({ ...(value as Json) });
const sends = ({ operation }: AgentCall): boolean => operation === 'send';
const streams = ({ operation }: AgentCall): boolean => operation === 'stream';

/** The card with other members. */
const withCard = (card: Json) => (): MockAgentOptions => ({ card });
const withAlter = (alter: Alterations) => (): MockAgentOptions => ({ alter });

/** Changes the interfaces of the card, of which the first is JSON-RPC 1.0. */
function withInterfaces(change: (all: Json[]) => Json[]): () => MockAgentOptions {
  return withAlter({ card: (card) => ({ ...card, supportedInterfaces: change(card.supportedInterfaces as Json[]) }) });
}

/** Changes the tasks of responses that are not streams. */
function withTask(change: (task: Json) => Json, applies = sends): () => MockAgentOptions {
  return withAlter({
    result: (result, call) =>
      applies(call) && call.version === '1.0' && 'task' in result ? { task: change(objectOf(result.task)) } : result,
  });
}

/** Changes the events of streams. */
function withEvents(event: NonNullable<Alterations['event']>): () => MockAgentOptions {
  return withAlter({ event: (given, call) => (streams(call) && call.text === 'Hello' ? event(given, call) : given) });
}

const isFinal = (event: Json): boolean =>
  'statusUpdate' in event && JSON.stringify(event.statusUpdate).includes('TASK_STATE_COMPLETED');

/** Sends another body with another type for each send. */
const withResponse = (change: (response: Response) => Response | Promise<Response>, applies = sends) =>
  withAlter({ response: (response, call) => (applies(call) ? change(response) : response) });

/** Answers a call with an error of JSON-RPC. */
const rpcError = ({ id }: AgentCall, code: number): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message: 'planted' } });

const rpcResult = ({ id }: AgentCall, result: Json): Response => Response.json({ jsonrpc: '2.0', id, result });

const cardFaults: PlantedFault[] = [
  {
    fault: 'no card',
    check: 'card.readable',
    plant: withAlter({
      call: ({ operation }) => (operation === 'card' ? new Response('?', { status: 404 }) : undefined),
    }),
  },
  { fault: 'a card without a name', check: 'card.members', plant: withCard({ name: '' }) },
  {
    fault: 'an interface without a URL',
    check: 'card.interfaces',
    plant: withInterfaces(([first, ...others]) => [...[first ?? {}], ...others, { ...first, url: '/a2a' }]),
  },
  {
    fault: 'a version that does not exist',
    check: 'card.versions',
    plant: withInterfaces((all) => [...all, { ...all[0], protocolVersion: 'latest' }]),
  },
  {
    fault: 'two skills with one id',
    check: 'card.skills',
    plant: withCard({ skills: goodCard.skills.map((skill) => ({ ...skill, id: 'same' })) }),
  },
  {
    fault: 'a mode that is no media type',
    check: 'card.modes',
    plant: withCard({ defaultInputModes: [...goodCard.defaultInputModes, 'pdf'] }),
  },
];

const messageFaults: PlantedFault[] = [
  {
    fault: 'HTTP 500',
    check: 'messages.answered',
    plant: withResponse(() => new Response('Internal Server Error', { status: 500 })),
  },
  {
    fault: 'HTTP 200 with a page',
    check: 'messages.json',
    plant: withResponse(() => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })),
  },
  {
    fault: 'JSON as text/plain',
    check: 'messages.content-type',
    plant: withResponse(
      async (response) => new Response(await response.text(), { headers: { 'content-type': 'text/plain' } }),
    ),
  },
  {
    fault: 'bytes that are not UTF-8',
    check: 'messages.utf8',
    plant: () => ({ turns: [{ when: 'Hello', reply: ['Hello'], fault: 'invalid-utf8' }] }),
  },
  {
    fault: 'the id of another request',
    check: 'messages.rpc',
    plant: withAlter({ body: (body, call) => (sends(call) && 'id' in body ? { ...body, id: 'other' } : body) }),
  },
  {
    fault: 'a task without a context',
    check: 'messages.shape',
    plant: withTask(({ contextId: _none, ...task }) => task),
  },
  {
    fault: 'a state of another version',
    check: 'messages.states',
    plant: withTask((task) => ({ ...task, status: { state: 'completed' } })),
  },
  {
    fault: 'an artifact without parts',
    check: 'messages.parts',
    plant: withTask((task) => ({ ...task, artifacts: [{ artifactId: 'empty', parts: [] }] })),
  },
  {
    fault: 'a part with two contents',
    check: 'messages.parts',
    plant: withTask((task) => ({
      ...task,
      artifacts: [{ artifactId: 'two', parts: [{ text: 'a', url: 'https://b.example' }] }],
    })),
  },
  {
    fault: 'events with the id of another task',
    check: 'messages.ids',
    plant: withEvents((event) =>
      'artifactUpdate' in event ? { artifactUpdate: { ...objectOf(event.artifactUpdate), taskId: 'other' } } : event,
    ),
  },
  {
    fault: 'no answer to one of the examples',
    check: 'examples.answered',
    plant: () => ({ turns: [{ when: 'Second', reply: [''] }] }),
  },
  {
    fault: 'an example that fails',
    check: 'examples.answered',
    plant: () => ({ turns: [{ when: 'Second', reply: [{ fail: 'No.' }] }] }),
  },
  {
    fault: 'a type that the card does not declare',
    check: 'examples.modes',
    plant: () => ({ turns: [{ when: 'Second', reply: [{ text: '# Title', mediaType: 'text/markdown' }] }] }),
  },
];

const streamFaults: PlantedFault[] = [
  {
    fault: 'a stream as text/plain',
    check: 'streaming.content-type',
    plant: withResponse(
      (response) => new Response(response.body, { headers: { 'content-type': 'text/plain' } }),
      streams,
    ),
  },
  {
    fault: 'a stream that begins with an artifact',
    check: 'streaming.events',
    plant: withEvents((event) => ('task' in event ? [] : event)),
  },
  {
    fault: 'a stream without a final state',
    check: 'streaming.end',
    plant: withEvents((event) => (isFinal(event) ? [] : event)),
  },
  {
    fault: 'an event after the final state',
    check: 'streaming.after-end',
    plant: withEvents((event) => (isFinal(event) ? [event, event] : event)),
  },
  {
    fault: 'a first event that never comes',
    check: 'limits.first-byte',
    isSlow: true,
    plant: withResponse(
      () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
      streams,
    ),
  },
  {
    fault: 'a task that never ends',
    check: 'limits.end',
    isSlow: true,
    plant: () => ({ turns: [{ when: 'Hello', reply: [{ delayMs: 600_000 }] }] }),
  },
  {
    fault: 'an event of 2 MB',
    check: 'limits.size',
    plant: withEvents((event) =>
      'artifactUpdate' in event
        ? { artifactUpdate: { ...objectOf(event.artifactUpdate), metadata: { large: 'x'.repeat(2_000_000) } } }
        : event,
    ),
  },
];

const turnFaults: PlantedFault[] = [
  {
    fault: 'a cancellation without effect',
    check: 'cancel.stops',
    isSlow: true,
    plant: withAlter({ ignoresCancel: true }),
  },
  {
    fault: 'success for the cancellation of an unknown task',
    check: 'cancel.unknown',
    plant: withAlter({
      body: (body, { operation, params }) =>
        operation === 'cancel' && 'error' in body
          ? {
              jsonrpc: '2.0',
              id: body.id,
              result: { id: params.id, contextId: 'c', status: { state: 'TASK_STATE_CANCELED' } },
            }
          : body,
    }),
  },
  {
    fault: 'a question without a message',
    check: 'question.message',
    plant: withTask((task) =>
      JSON.stringify(task.status).includes('INPUT_REQUIRED')
        ? { ...task, status: { state: 'TASK_STATE_INPUT_REQUIRED' } }
        : task,
    ),
  },
  {
    fault: 'a question whose answer is refused',
    check: 'question.continues',
    plant: withAlter({ call: (call) => (call.message?.taskId ? rpcError(call, -32001) : undefined) }),
  },
  {
    fault: 'a question that is repeated whatever the answer is',
    check: 'question.continues',
    plant: withAlter({
      call(call) {
        const { taskId: id, contextId } = call.message ?? {};
        const message = { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which city?' }] };
        const status = { state: 'TASK_STATE_INPUT_REQUIRED', message };
        return id ? rpcResult(call, { task: { id, contextId, status } }) : undefined;
      },
      result(result, { text }) {
        if (text !== 'ask') return result;
        const message = { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which city?' }] };
        return { task: { ...objectOf(result.task), status: { state: 'TASK_STATE_INPUT_REQUIRED', message } } };
      },
    }),
  },
  {
    fault: 'a file with other bytes',
    check: 'files.bytes',
    plant: () => ({
      turns: [
        {
          when: ({ message }) => message.parts.some(({ raw }) => raw),
          reply: ({ files }) => files.map((file) => ({ ...file, raw: btoa('damaged') })),
        },
      ],
    }),
  },
  {
    fault: 'a file whose content is not base64',
    check: 'files.bytes',
    plant: () => ({ turns: [{ when: 'Second', reply: [{ raw: '%PDF-1.7', filename: 'a.bin' }] }] }),
  },
  {
    fault: 'a refusal of a declared type',
    check: 'files.accepted',
    plant: () => ({
      alter: { call: (call) => (call.message?.parts.some(({ raw }) => raw) ? rpcError(call, -32005) : undefined) },
    }),
  },
  {
    fault: 'a file whose type is an extension',
    check: 'files.media-types',
    plant: () => ({
      turns: [{ when: 'Second', reply: [{ url: 'https://files.example/a.pdf', filename: 'a.pdf', mediaType: 'pdf' }] }],
    }),
  },
];

const errorFaults: PlantedFault[] = [
  {
    fault: 'an empty result for an unknown task',
    check: 'errors.unknown-task',
    plant: withAlter({
      body: (body, { operation }) =>
        operation === 'get' && 'error' in body ? { jsonrpc: '2.0', id: body.id, result: {} } : body,
    }),
  },
  {
    fault: 'another error for an unknown method',
    check: 'errors.unknown-method',
    plant: withAlter({
      call: (call) => (call.operation === 'unknown' && call.binding === 'JSONRPC' ? rpcError(call, -32603) : undefined),
    }),
  },
  {
    fault: 'HTTP 500 for invalid JSON',
    check: 'errors.invalid-json',
    plant: withAlter({
      call: ({ fault }) => (fault?.code === -32700 ? new Response('oops', { status: 500 }) : undefined),
    }),
  },
  {
    fault: 'an answer to a request without a message',
    check: 'errors.invalid-params',
    plant: withAlter({
      call: (call) =>
        call.fault?.code === -32602
          ? rpcResult(call, { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] } })
          : undefined,
    }),
  },
];

const claimFaults: PlantedFault[] = [
  {
    fault: '1.0 declared, 0.3 spoken',
    check: 'versions.spoken',
    plant: withAlter({
      body: (body, call) =>
        sends(call) && 'result' in body
          ? { ...body, result: { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } } }
          : body,
    }),
  },
  {
    fault: '0.3 declared, but not spoken',
    check: 'versions.spoken',
    plant: withAlter({ call: (call) => (call.version === '0.3' ? rpcError(call, -32601) : undefined) }),
  },
  {
    fault: 'HTTP+JSON declared, without its paths',
    check: 'versions.paths',
    plant: withAlter({
      call: ({ binding, operation }) =>
        binding === 'HTTP+JSON' && operation !== 'card' ? new Response('', { status: 404 }) : undefined,
    }),
  },
  {
    fault: 'push notifications declared, but absent',
    check: 'capabilities.push',
    plant: withAlter({ call: (call) => (call.operation === 'set-push' ? rpcError(call, -32003) : undefined) }),
  },
  {
    fault: 'an extended card declared, but absent',
    check: 'capabilities.extended-card',
    plant: withAlter({ call: (call) => (call.operation === 'extended-card' ? rpcError(call, -32007) : undefined) }),
  },
];

/** Sells with this cart instead of the good one. */
function withCart(cart: (merchant: Merchant) => Promise<Json> | Json): PlantedFault['plant'] {
  return async (merchant) => ({
    turns: [{ when: 'buy', reply: [{ data: { 'ap2.mandates.CartMandate': await cart(merchant) } }] }],
  });
}

const cartFaults: PlantedFault[] = [
  {
    fault: 'a total that is not the sum',
    check: 'cart.total',
    plant: withCart(async (merchant) => ({ ...(await merchant.signCart(cartContents({ total: 9 }))) })),
  },
  {
    fault: 'a cart without a signature',
    check: 'cart.signature',
    plant: withCart(() => ({ contents: cartContents() })),
  },
  {
    fault: 'a cart that was changed after it was signed',
    check: 'cart.signature',
    plant: withCart(async (merchant) => ({
      ...(await merchant.signCart(cartContents())),
      contents: { ...cartContents(), id: 'cart_2' },
    })),
  },
  {
    fault: 'a cart that has expired',
    check: 'cart.expiry',
    plant: withCart(async (merchant) => ({ ...(await merchant.signCart(cartContents({ expiresInMs: -60_000 }))) })),
  },
];

/** The faults that the harness must find, each by exactly one check. */
export const plantedFaults: PlantedFault[] = [
  ...cardFaults,
  ...messageFaults,
  ...streamFaults,
  ...turnFaults,
  ...errorFaults,
  ...claimFaults,
  ...cartFaults,
];
