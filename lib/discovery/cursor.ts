import { z } from 'zod';
import { sha256 } from '../platform/crypto';
import { ParleyError } from '../platform/errors';
import { MAX_CURSOR_ID_LENGTH, MAX_CURSOR_NAME_LENGTH } from './limits';
import type { SearchQuery } from './schema';

/** The sort keys of the last row of a page. The next page starts after it. */
export interface Position {
  /** First sort key; 0 in the orders by time and by name. */
  place: number;
  nameKey: string;
  createdAt: Date;
  agentId: string;
}

/** A position in the results of one query. */
export interface Cursor extends Position {
  /** True when the first page was found by the tolerant search. */
  relaxed: boolean;
}

const cursorSchema = z.tuple([
  z.string(),
  z.boolean(),
  z.number().int().min(-1e9).max(1e9),
  z.string().max(MAX_CURSOR_NAME_LENGTH),
  z.iso.datetime(),
  z.string().max(MAX_CURSOR_ID_LENGTH),
]);

/** Encodes a cursor that is valid for the same query only. */
export function encodeCursor(cursor: Cursor, query: SearchQuery): string {
  const nameKey = query.sort === 'name' ? cursor.nameKey : '';
  const value: z.infer<typeof cursorSchema> = [
    queryHash(query),
    cursor.relaxed,
    cursor.place,
    nameKey,
    cursor.createdAt.toISOString(),
    cursor.agentId,
  ];
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** @throws {ParleyError} `invalid_request` for an invalid cursor or one of another query */
export function decodeCursor(text: string, query: SearchQuery): Cursor {
  const parsed = cursorSchema.safeParse(decodeJson(text));
  if (!parsed.success || parsed.data[0] !== queryHash(query)) {
    const message = 'The cursor does not belong to this search. Start again without it.';
    throw new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/cursor', message }] } });
  }
  const [, relaxed, place, nameKey, createdAt, agentId] = parsed.data;
  return { relaxed, place, nameKey, createdAt: new Date(createdAt), agentId };
}

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function queryHash({ cursor: _cursor, limit: _limit, ...query }: SearchQuery): string {
  return sha256(JSON.stringify(query)).slice(0, 12);
}
