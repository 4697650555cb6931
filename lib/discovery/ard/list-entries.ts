import { z } from 'zod';
import { foldText } from '../../catalog';
import { cursorText, cursorTime, defineCursor } from '../../platform/db/cursor';
import { ParleyError } from '../../platform/errors';
import type { ArdList, ArdListQuery } from '../../protocol/ard/entries';
import { readListFilter } from '../../protocol/ard/filters';
import { MAX_CURSOR_ID_LENGTH, MAX_CURSOR_NAME_LENGTH } from '../limits';
import { ardOrders, selectArdList } from '../store/ard';
import { mayMatch, ownPublisher, toArdEntry } from './ard-entries';

const listCursor = defineCursor({
  list: 'ard',
  position: z.object({
    order: z.enum(ardOrders),
    filter: z.string(),
    nameKey: cursorText(MAX_CURSOR_NAME_LENGTH),
    createdAt: cursorTime,
    agentId: cursorText(MAX_CURSOR_ID_LENGTH),
  }),
  refuse: () =>
    new ParleyError('invalid_request', 'The page token does not belong to this list. Repeat the request without it.'),
});

/**
 * The public agents, newest first or by name.
 * @throws {ParleyError} `invalid_request` for another order or filter, or a page token of another list
 */
export async function listArdEntries({ input }: { input: ArdListQuery }): Promise<ArdList> {
  const { orderBy = 'createdAt DESC', filter: expression = '', pageSize, pageToken } = input;
  const read = readListFilter(expression);
  if ('refusal' in read) throw new ParleyError('invalid_request', read.refusal);
  const order = ardOrders.find((known) => known === orderBy.trim().replace(/^(displayName) asc$/i, '$1'));
  if (!order) {
    const found = orderBy.slice(0, 60);
    throw new ParleyError(
      'invalid_request',
      `Found orderBy "${found}"; expected ${ardOrders.map((known) => `"${known}"`).join(' or ')}.`,
    );
  }
  const after = pageToken === undefined ? undefined : listCursor.decode(pageToken);
  if (after && (after.order !== order || after.filter !== expression)) listCursor.decode('');
  const { displayName, type, publisherId, createdAfter, updatedAfter } = read.filter;
  const publisher = ownPublisher();
  if (publisher === null || !mayMatch({ type, publisher: publisherId }, publisher)) return { items: [] };
  const namePrefix = displayName === undefined ? undefined : foldText(displayName);
  const found = await selectArdList({ order, after, namePrefix, createdAfter, updatedAfter, limit: pageSize + 1 });
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  return {
    items: rows.map((row) => toArdEntry(row, publisher)),
    ...(last && { pageToken: listCursor.encode({ ...last, order, filter: expression }) }),
  };
}
