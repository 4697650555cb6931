import { ParleyError } from '../platform/errors';
import type { HttpRequest } from './http-message';

/**
 * The caller's `Idempotency-Key`.
 * @throws {ParleyError} `invalid_params` for one that is empty, long or not printable
 */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ParleyError('invalid_params', 'Idempotency-Key: expected 1 to 255 printable characters.');
}
