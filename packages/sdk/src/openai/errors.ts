import { TurnError } from '../serve/turn.js';

const MAX_MESSAGE = 500;
const UNAVAILABLE = 'The model behind this agent is not available. Try again later.';

/**
 * Returns the error of a response other than 2xx. Details of the agent's own access are only reported to the operator.
 */
export async function refusalOf(response: Response): Promise<Error> {
  const { status } = response;
  const message = messageOf(parse(await response.text().catch(() => '')));
  const detail = new Error(`The model’s server responded with HTTP ${status}: ${message}`);
  if (status === 429 || status >= 500) return new TurnError(UNAVAILABLE, { cause: detail });
  const concernsMessage = status === 400 || status === 413 || status === 422;
  return concernsMessage ? new TurnError(`The model refused the message: ${message}`, { cause: detail }) : detail;
}

/** Returns the error that a stream ends with. */
export function errorOf(error: unknown): TurnError {
  return new TurnError(`The model stopped: ${messageOf({ error })}`);
}

export function unreachable(cause: unknown): TurnError {
  return new TurnError(UNAVAILABLE, { cause });
}

export function cutOff(cause?: unknown): TurnError {
  return new TurnError('The model’s answer was cut off.', { cause });
}

/** Reads the message of `{"error": {"message"}}` as written by OpenAI, or of `error`, `message` or `detail` as text. */
function messageOf(body: Record<string, unknown>): string {
  const { error, message, detail } = body;
  const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
  const text = [inner, message, detail].find((value) => typeof value === 'string' && value !== '');
  return String(text ?? 'no reason was given').slice(0, MAX_MESSAGE);
}

function parse(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}
