import { z } from 'zod';
import { sha256 } from '../platform/crypto';
import { ParleyError } from '../platform/errors';
import type { SearchQuery } from './schema';

/** The last row of a page, by which the next one begins. */
export interface Position {
  /** What the order compares first; 0 where it is time or name alone. */
  place: number;
  nameKey: string;
  createdAt: Date;
  agentId: string;
}

export interface Cursor extends Position {
  /** The first page found nothing by all words, so the next ones are looked for the same tolerant way. */
  relaxed: boolean;
}

const cursorSchema = z.tuple([
  z.string(),
  z.boolean(),
  z.number().int().min(-1e9).max(1e9),
  z.string().max(1500),
  z.iso.datetime(),
  z.string().max(60),
]);

/** Writes a cursor that is good for the same query alone. */
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

/** @throws {ParleyError} `invalid_request` for a cursor that was not written for this query */
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
