import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { admit } from '../http/admission/admission';
import { overloadError } from '../http/admission/reject';
import { problemOf } from '../http/errors/render-error';
import { guardUpgrade, rejectUpgrade } from '../http/guard/guard-request';
import { acceptWorker, HUB_PATH, namesSubprotocol } from '../hub';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';

/** Handles a request to upgrade to WebSocket, which is the connection of an agent's worker. */
export function acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const rejection = guardUpgrade(request) ?? (isHubPath(request) ? null : notFound());
  const finish = rejection ? null : admit('calls');
  if (rejection) rejectUpgrade(socket, rejection);
  else if (!finish) rejectUpgrade(socket, overloadError());
  else {
    // Only the handshake counts as load, not the open connection.
    finish();
    const inUrl = takeUrlToken(request);
    acceptWorker(request, { socket, head, token: bearerTokenOf(request.headers.authorization) ?? inUrl });
  }
}

/**
 * Removes the query from the URL, so that a token in it is never logged. Returns the token if it is a 15-minute token,
 * which some Society AI clients send in the query. Long-lived tokens are rejected there.
 */
function takeUrlToken(request: IncomingMessage): string | null {
  const [path, query] = (request.url ?? '').split('?', 2);
  request.url = path;
  if (namesSubprotocol(request)) return null;
  const token = new URLSearchParams(query).get('token');
  return token?.startsWith('ey') ? token : null;
}

/** Responds to a request for the hub's path that requests no upgrade. Returns false for any other path. */
export function rejectWithoutUpgrade(request: IncomingMessage, response: ServerResponse): boolean {
  if (!isHubPath(request)) return false;
  const error = new ParleyError('invalid_request', 'Agents connect here with WebSocket. Send an upgrade request.');
  const { headers, body } = problemOf(error, newId('req'));
  response.writeHead(426, { ...headers, upgrade: 'websocket', connection: 'upgrade' }).end(body);
  return true;
}

function isHubPath({ url = '/' }: IncomingMessage): boolean {
  return url.split('?', 1)[0] === HUB_PATH;
}

function bearerTokenOf(header: string | undefined): string | null {
  return /^Bearer ([\w\-.~+/]+=*)$/i.exec(header ?? '')?.[1] ?? null;
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'Nothing found at this URL. Check the path.');
}
