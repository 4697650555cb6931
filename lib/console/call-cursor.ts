import { z } from 'zod';
import type { CallPosition } from '../observability';
import { ParleyError } from '../platform/errors';

const cursorSchema = z.tuple([z.iso.datetime(), z.string().regex(/^[a-z]+_[0-9a-z]{1,40}$/)]);

export function encodeCallCursor({ at, id }: CallPosition): string {
  return Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');
}

/** @throws {ParleyError} `invalid_request` for a cursor that is not ours */
export function decodeCallCursor(text: string | undefined): CallPosition | null {
  if (!text) return null;
  const parsed = cursorSchema.safeParse(decodeJson(text));
  if (parsed.success) return { at: new Date(parsed.data[0]), id: parsed.data[1] };
  const message = 'The cursor was not answered here. Leave it out to begin anew.';
  throw new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/cursor', message }] } });
}

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
