/** What our API says when it refuses (RFC 9457). */
export interface ApiProblem {
  title: string;
  code: string;
  /** One entry per faulty member of the body. */
  faults: { pointer: string; message: string }[];
}

export type ApiAnswer = { ok: true; body: unknown } | { ok: false; problem: ApiProblem };

let unreachable: ApiProblem = {
  title: '',
  code: 'unreachable',
  faults: [],
};

/** What a person reads when nothing of ours answers; calls are made outside of React, so its language is told once. */
export function tellUnreachable(title: string): void {
  unreachable = { ...unreachable, title };
}

/** Calls our own API with the person's session. Never throws: a lost connection is a problem like others. */
export function callApi(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<ApiAnswer> {
  return request(path, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
}

/** Posts what must happen once: with the same key it may be sent again, whether or not it arrived before. */
export function callApiOnce(key: string, path: string, body: object): Promise<ApiAnswer> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/**
 * Reads from our own API, for swr.
 * @throws {Error} with what the API says, for the person to read
 */
export async function readApi<Answer>(path: string): Promise<Answer> {
  const answer = await request(path, { method: 'GET' });
  if (!answer.ok) throw new Error(answer.problem.title);
  return answer.body as Answer;
}

async function request(path: string, init: RequestInit): Promise<ApiAnswer> {
  try {
    const response = await fetch(path, init);
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    return response.ok ? { ok: true, body: parsed } : { ok: false, problem: toProblem(parsed) };
  } catch {
    // A refused connection and an answer that is not ours (a proxy's page) are the same to the person.
    return { ok: false, problem: unreachable };
  }
}

function toProblem(body: unknown): ApiProblem {
  const { title, code, faults = [] } = body as Partial<ApiProblem>;
  return title && code ? { title, code, faults } : unreachable;
}
