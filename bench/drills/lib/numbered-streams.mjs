import { randomUUID } from 'node:crypto';
import { eventsIn } from './sse-frames.mjs';
import { wait } from './wait.mjs';

const RECONNECT_MS = 50;
const MAX_RECONNECTS = 600;

/**
 * Streams numbered pieces from the agent `numbered-agent`. If the stream breaks, reconnects with `Last-Event-ID` until
 * the task ends.
 *
 * @param {{ pick: () => string, path: string, token: string, pieces: number, onPiece?: () => void, leaves?: boolean }}
 *   target
 *   `pick` selects the node of each connection; with `leaves`, the first connection is closed after the first piece
 * @returns {Promise<{ isExact: boolean, isInOrder: boolean, gapMs: number, state: string | undefined }>} `isExact` is
 *   true if each piece arrived once and in order and the task completed, `isInOrder` if this holds for the pieces that
 *   arrived; `gapMs` is the longest time without an event
 */
export async function followStream({ pick, path, token, pieces, onPiece = () => undefined, leaves = false }) {
  const client = { token, path, onPiece, leaves, text: '', gap: 0 };
  const parts = [{ kind: 'text', text: `count ${pieces}` }];
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts };
  const connect = async (call) => read(client, pick(), call);
  // A busy node may refuse the message; it is sent again with the same id until there is a task.
  const next = () =>
    client.id
      ? { method: 'tasks/resubscribe', params: { id: client.id } }
      : { method: 'message/stream', params: { message } };
  for (let attempt = 0; !client.state && attempt < MAX_RECONNECTS; attempt++) {
    if (attempt > 0) await wait(RECONNECT_MS);
    await connect(next()).catch(() => undefined);
  }
  const expected = Array.from({ length: pieces }, (_, at) => `${at};`).join('');
  const isExact = client.text === expected && client.state === 'completed';
  return { isExact, isInOrder: expected.startsWith(client.text), gapMs: client.gap, state: client.state };
}

/** Reads a stream into `client` until it ends or breaks. */
async function read(client, origin, call) {
  const response = await fetch(`${origin}${client.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.token}`,
      'content-type': 'application/json',
      ...(client.last && { 'last-event-id': client.last }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
  });
  if (response.status !== 200) throw new Error(`${origin} responded ${response.status}`);
  for await (const event of eventsIn(response.body)) {
    handleEvent(client, event);
    if (!client.leaves || client.text === '') continue;
    client.leaves = false;
    return;
  }
}

function handleEvent(client, { id, data }) {
  client.last = id;
  const now = performance.now();
  if (client.receivedAt) client.gap = Math.max(client.gap, now - client.receivedAt);
  client.receivedAt = now;
  const { result } = JSON.parse(data);
  client.id ??= result.id;
  if (result.artifacts?.length > 0) client.text = result.artifacts.map((artifact) => textOf({ artifact })).join('');
  if (result.kind === 'artifact-update') {
    client.text = result.append ? client.text + textOf(result) : textOf(result);
    client.onPiece();
  }
  if (result.final || result.status?.state === 'failed') client.state = result.status.state;
}

const textOf = ({ artifact }) => artifact.parts.map((part) => part.text).join('');
