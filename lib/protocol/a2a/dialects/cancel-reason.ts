import type { JsonObject } from '../../json';
import { ProtocolError } from '../../protocol-error';
import { reasonSchema } from './shared-schema';

/**
 * Why a caller cancels: the `reason` parameter, else `metadata.reason`.
 * @throws {ProtocolError} `invalid_params` when the latter is too long
 */
export function cancelReasonOf(
  given: string | null | undefined,
  metadata: JsonObject | null | undefined,
): string | undefined {
  if (given) return given;
  if (typeof metadata?.reason !== 'string' || metadata.reason === '') return undefined;
  const parsed = reasonSchema.safeParse(metadata.reason);
  if (parsed.success) return parsed.data;
  const description = parsed.error.issues[0]?.message ?? '';
  throw new ProtocolError('invalid_params', `metadata.reason: ${description}`, [
    { field: 'metadata.reason', description },
  ]);
}
