import type { IncomingMessage, ServerResponse } from 'node:http';
import { admit } from '../http/admission/admission';
import { rejectOverloaded } from '../http/admission/reject';
import type { Match } from '../http/match';
import { priorityOf } from './priorities';

/** Accepts a request until the end of its response, or rejects it because of overload. */
export function admitRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { path, match }: { path: string; match: Match },
): boolean {
  const isEndpoint = match.kind === 'endpoint';
  const finish = admit(priorityOf(isEndpoint ? match.path : undefined));
  if (finish) response.once('close', finish);
  else rejectOverloaded(request, response, isEndpoint ? { path, serve: match.serve } : { path });
  return finish !== null;
}
