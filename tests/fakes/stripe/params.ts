/** Request parameters as Stripe parses them: text, lists and objects. */
export interface Params {
  [name: string]: Value | undefined;
}
type Value = string | Params;

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: { type: string; code?: string; message: string; [member: string]: unknown },
    /** True if the call was executed, so that its idempotency key keeps the error. */
    readonly isExecuted = status !== 400,
  ) {
    super(error.message);
  }
}

export function invalid(message: string, code = 'parameter_invalid', param?: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', code, message, ...(param && { param }) });
}

/** `a[b][0]=c` as nested objects. */
export function readForm(text: string): Params {
  const params: Params = {};
  for (const [path, value] of new URLSearchParams(text)) {
    const steps = path.replaceAll(']', '').split('[');
    let at = params;
    for (const step of steps.slice(0, -1)) {
      const next = at[step];
      const inner: Params = typeof next === 'object' ? next : {};
      at[step] = inner;
      at = inner;
    }
    const last = steps.at(-1) || String(Object.keys(at).length);
    at[last] = value;
  }
  return params;
}

/** Rejects parameters the route does not know; `*` matches any name. */
export function refuseUnknown(params: Params, known: string[]): void {
  for (const path of paths(params)) {
    const isKnown = known.some((pattern) => {
      const steps = pattern.split('.');
      const given = path.split('.');
      return steps.length === given.length && steps.every((step, at) => step === '*' || step === given[at]);
    });
    if (!isKnown) throw invalid(`Received unknown parameter: ${path}`, 'parameter_unknown', path);
  }
}

function paths(params: Params, prefix = ''): string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'object' ? paths(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}

export function textOf(params: Params, name: string): string | null {
  const value = params[name];
  return typeof value === 'string' ? value : null;
}

export function objectOf(params: Params, name: string): Params {
  const value = params[name];
  return typeof value === 'object' ? value : {};
}

/** A whole number of minor units. */
export function amountOf(params: Params, name: string, fallback?: number): number {
  const text = textOf(params, name);
  if (text === null) {
    if (fallback !== undefined) return fallback;
    throw invalid(`Missing required param: ${name}.`, 'parameter_missing', name);
  }
  if (!/^\d{1,8}$/.test(text) || Number(text) === 0)
    throw invalid(`Invalid positive integer`, 'parameter_invalid_integer', name);
  return Number(text);
}

export function metadataOf(params: Params): Record<string, string> {
  const entries = Object.entries(objectOf(params, 'metadata'));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
