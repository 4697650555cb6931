import type { TurnToken } from './marker';

// A task has one turn per answer of the caller, and each is a response: the ids of a response and of its message end
// with the token of the turn, so that clients that return an id identify it.

export function responseIdOf({ taskId, token }: { taskId: string; token: TurnToken }): string {
  return `resp_${taskId}_${token}`;
}

export function messageIdOf({ token }: { token: TurnToken }): string {
  return `msg_${token}`;
}

/** The token in an id of ours; null for any other text. */
export function tokenOfId(id: string): TurnToken | null {
  return /^(?:resp_[\da-f-]{36}_|msg_)([\da-f]{32})$/.exec(id)?.[1] ?? null;
}
