import { z } from 'zod';
import { ParleyError } from '../errors';
import { MAX_CURSOR_LENGTH } from '../limits';

/** The cursors of one list. A cursor is opaque text that identifies the last row of a page. */
export interface CursorCodec<Position> {
  /** Returns the cursor of the page after this row. */
  encode(last: Position): string;
  /** Returns the position in a cursor of this list; null for any other text. */
  find(text: string): Position | null;
  /**
   * Returns the position in a cursor of this list.
   * @throws {ParleyError} the error that the list's `refuse` returns, for any other text
   */
  decode(text: string): Position;
  /**
   * Returns a page of at most `limit` rows from a query for `limit + 1` rows. The extra row shows that there is a next
   * page.
   */
  pageOf<Row extends Position>(found: Row[], limit: number): { rows: Row[]; nextCursor: string | null };
}

interface CursorOptions<Shape extends z.ZodRawShape> {
  /** Unique name, so that no other list accepts the cursor. */
  list: string;
  /** The columns by which the list is ordered. The order of the members is part of the encoding. */
  position: z.ZodObject<Shape>;
  /** The error for text that is not a cursor of this list. */
  refuse?: (text: string) => ParleyError;
}

/** A time in a position, to the millisecond. */
export const cursorTime = z.iso.datetime().transform((text) => new Date(text));

/** Returns the schema of text in a position. PostgreSQL does not accept NUL. */
export function cursorText(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\0]*$/);
}

/** Defines the cursors of a list. A cursor is not signed: the query must still be limited to what its caller may see. */
export function defineCursor<Shape extends z.ZodRawShape>({
  list,
  position,
  refuse = () => invalidCursor(),
}: CursorOptions<Shape>): CursorCodec<z.output<z.ZodObject<Shape>>> {
  type Position = z.output<z.ZodObject<Shape>>;
  const members = Object.keys(position.shape);

  function encode(last: Position): string {
    const values = members.map((member) => last[member as keyof Position]);
    return Buffer.from(JSON.stringify([list, ...values])).toString('base64url');
  }

  function find(text: string): Position | null {
    const [name, ...values] = parseArray(text);
    if (name !== list || values.length !== members.length) return null;
    const parsed = position.safeParse(Object.fromEntries(members.map((member, at) => [member, values[at]])));
    return parsed.success ? parsed.data : null;
  }

  return {
    encode,
    find,
    decode(text) {
      const found = find(text);
      if (found === null) throw refuse(text);
      return found;
    },
    pageOf(found, limit) {
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      return { rows, nextCursor: found.length > limit && last ? encode(last) : null };
    },
  };
}

function parseArray(text: string): unknown[] {
  if (text.length > MAX_CURSOR_LENGTH) return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Returns an `invalid_request` error that points to the parameter `cursor`. */
export function invalidCursor(
  message = 'The cursor is not from an earlier response. Omit it to start from the beginning.',
): ParleyError {
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/cursor', message }] } });
}

/** Returns an `invalid_request` error that quotes the text. */
export function unknownCursor(text: string): ParleyError {
  const message = `cursor: found "${text.slice(0, 40)}"; expected a cursor from an earlier response. Omit it to start from the beginning.`;
  return new ParleyError('invalid_request', message);
}

/**
 * Yields the items of all pages. They are read page by page, so that memory use stays bounded. `limit` is the size
 * of a page.
 */
export async function* readPages<Item>(
  readPage: (page: { cursor: string | undefined; limit: number }) => Promise<{
    items: Item[];
    nextCursor: string | null;
  }>,
  limit: number,
): AsyncGenerator<Item> {
  for (let cursor: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage({ cursor, limit });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
