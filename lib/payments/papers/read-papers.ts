import { z } from 'zod';
import { authorize, hasScope } from '../../identity';
import type { Call, UserActor } from '../../platform/context';
import { cursorText, cursorTime, defineCursor, readPages } from '../../platform/db/cursor';
import { ParleyError } from '../../platform/errors';
import { toPaperPdf } from '../documents/paper-pdf';
import { toUbl } from '../documents/ubl';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../limits';
import type { PaperRecord } from '../record';
import type { BillingRole, PaperContent, PaperFilter, PaperPage, PaperView } from '../schema-income';
import { toAgentName } from '../sellers/agent-names';
import { findPaper, findPapers } from '../store/papers/paper-rows';

const paperCursor = defineCursor({
  list: 'papers',
  position: z.object({ issuedAt: cursorTime, id: cursorText(40) }),
});

/** The scope that a token needs for the papers of each part. */
const scopes = { buyer: 'pay', seller: 'agents:read' } as const satisfies Record<BillingRole, string>;

/**
 * Lists the invoices and credit notes of what the user bought or sold, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for an invalid cursor
 */
export async function listPapers({ ctx, input }: Call<PaperFilter>): Promise<PaperPage> {
  const { as: role, sale: saleId, cursor, limit = DEFAULT_PAGE_SIZE } = input;
  const { userId } = authorize(ctx.actor, { scope: scopes[role] });
  const before = cursor ? paperCursor.decode(cursor) : null;
  const found = await findPapers(userId, { role, saleId, before, limit: limit + 1 });
  const { rows, nextCursor } = paperCursor.pageOf(found, limit);
  return { items: await Promise.all(rows.map(toPaperView)), nextCursor };
}

/**
 * Streams all papers of what the user bought or sold.
 * @throws {ParleyError} as {@link listPapers}
 */
export function readPapers({ ctx, input }: Call<Pick<PaperFilter, 'as'>>): AsyncGenerator<PaperView> {
  return readPages((page) => listPapers({ ctx, input: { ...input, ...page } }), MAX_PAGE_SIZE);
}

/**
 * Returns the content of a paper, for its buyer and its seller.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found`, also for papers of others
 */
export async function getPaper({ ctx, input }: Call<{ id: string }>): Promise<PaperContent> {
  const actor = authorize(ctx.actor, 'user');
  const found = await findPaper(actor.userId, rolesOf(actor), input.id);
  if (!found) throw new ParleyError('not_found', 'Paper not found.');
  return found.content;
}

/** A file of a paper. */
interface PaperFile {
  name: string;
  mediaType: string;
  body: string | Uint8Array;
}

/**
 * Renders a paper for its buyer and its seller. Two files of one paper and format are equal.
 * @throws {ParleyError} as {@link getPaper}
 */
export async function paperFile({ ctx, input }: Call<{ id: string; format: 'pdf' | 'xml' }>): Promise<PaperFile> {
  const paper = await getPaper({ ctx, input });
  const name = `parley-${paper.number}.${input.format}`;
  if (input.format === 'xml') return { name, mediaType: 'application/xml; charset=utf-8', body: toUbl(paper) };
  return { name, mediaType: 'application/pdf', body: await toPaperPdf(paper) };
}

/** Returns the parts in which the credential may read papers. */
function rolesOf(actor: UserActor): BillingRole[] {
  const roles = (['buyer', 'seller'] as const).filter((role) => hasScope(actor, scopes[role]));
  if (roles.length > 0) return roles;
  const text = 'The access token lacks the scope "pay" or "agents:read".';
  throw new ParleyError('insufficient_scope', text, { data: { scope: scopes.buyer } });
}

async function toPaperView(paper: PaperRecord): Promise<PaperView> {
  const { id, kind, content, issuedAt, agentId, saleKind, saleId, currency, test, gross, tax } = paper;
  return {
    ...{ id, kind, saleKind, saleId, currency, test, gross, tax },
    number: content.number,
    issuedAt: issuedAt.toISOString(),
    issuer: content.issuer.name,
    agent: await toAgentName(agentId),
  };
}
