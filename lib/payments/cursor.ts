import { z } from 'zod';
import { findAgent } from '../catalog';
import { ParleyError } from '../platform/errors';
import { MAX_PAGE_SIZE } from './limits';

/** The last row of a page, newest first. */
export interface Position {
  createdAt: Date;
  id: string;
}

const cursorSchema = z.tuple([z.iso.datetime(), z.string().regex(/^ord_[0-9a-z]{1,30}$/)]);

function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString('base64url');
}

/** @throws {ParleyError} `invalid_request` for a cursor that Parley did not issue */
export function decodeCursor(text: string | undefined): Position | null {
  if (text === undefined || text === '') return null;
  const parsed = cursorSchema.safeParse(decodeJson(text));
  if (parsed.success) return { createdAt: new Date(parsed.data[0]), id: parsed.data[1] };
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

/** A page of at most `limit` rows of a query for `limit + 1`: the extra row shows that there is a next page. */
export function pageOf<Row extends Position>(found: Row[], limit: number): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last ? encodeCursor(last) : null };
}

/** Items of all pages, read page by page so that memory stays bounded. */
export async function* readPages<Item>(
  readPage: (page: { cursor: string | undefined; limit: number }) => Promise<{
    items: Item[];
    nextCursor: string | null;
  }>,
): AsyncGenerator<Item> {
  for (let cursor: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage({ cursor, limit: MAX_PAGE_SIZE });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The id for a filter's `agent`. An unknown agent gets an id that matches no order. */
export async function agentIdOfFilter(agent: string | undefined): Promise<string | undefined> {
  return agent === undefined ? undefined : ((await findAgent(agent))?.id ?? 'agt_unknown');
}
