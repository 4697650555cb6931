import { z } from 'zod';
import { cursorText, cursorTime, defineCursor, invalidCursor } from '../../platform/db/cursor';
import type { ParleyError } from '../../platform/errors';
import { sha256 } from '../../platform/secrets/crypto';
import { MAX_CURSOR_ID_LENGTH, MAX_CURSOR_NAME_LENGTH } from '../limits';
import type { AgentSearch } from '../schema';

const position = z.object({
  /** First sort key; 0 if ordered by time or name. */
  sortKey: z.int().min(-1e9).max(1e9),
  /** Empty unless ordered by name. */
  nameKey: cursorText(MAX_CURSOR_NAME_LENGTH),
  createdAt: cursorTime,
  agentId: cursorText(MAX_CURSOR_ID_LENGTH),
});

/** The sort keys of the last row of a page. The next page starts after it. */
export type Position = z.infer<typeof position>;

const refuse = (): ParleyError =>
  invalidCursor('The cursor does not belong to this search. Repeat the request without it.');

const searchCursor = defineCursor({
  list: 'agents',
  position: z.object({
    query: z.string(),
    relaxed: z.boolean(),
    model: z.int().min(0).max(32_767).nullable(),
    ...position.shape,
  }),
  refuse,
});

/** A position in the results of one query. */
export interface Cursor extends Position {
  /** True if the first page was found by the tolerant search. */
  relaxed: boolean;
  /** The model by which the first page was ranked; null if only words were compared. */
  model: number | null;
}

/** Encodes a cursor that is valid only for the same query. */
export function encodeCursor(cursor: Cursor, query: AgentSearch): string {
  const nameKey = query.sort === 'name' ? cursor.nameKey : '';
  return searchCursor.encode({ ...cursor, nameKey, query: queryHash(query) });
}

/**
 * Decodes a cursor.
 * @throws {ParleyError} `invalid_request` for an invalid cursor or one of another query
 */
export function decodeCursor(text: string, query: AgentSearch): Cursor {
  const { query: hash, ...cursor } = searchCursor.decode(text);
  if (hash !== queryHash(query)) throw refuse();
  return cursor;
}

function queryHash({ cursor: _cursor, limit: _limit, typing: _typing, ...query }: AgentSearch): string {
  return sha256(JSON.stringify(query)).slice(0, 12);
}
