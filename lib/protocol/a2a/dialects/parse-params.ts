import type { z } from 'zod';
import type { JsonObject } from '../../json';
import { ProtocolError } from '../../protocol-error';

/**
 * Holds params against a dialect's frozen schema.
 * @throws {ProtocolError} `invalid_params` naming every member that is wrong
 */
export function parseParams<Output>(schema: z.ZodType<Output>, params: JsonObject): Output {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.map(({ path, message }) => ({ field: fieldOf(path), description: message }));
  const first = violations[0];
  throw new ProtocolError('invalid_params', `${first?.field || 'params'}: ${first?.description}`, violations);
}

function fieldOf(path: PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
