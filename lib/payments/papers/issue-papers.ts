import { inTransaction, type Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { PAPER_BATCH_SIZE, PAPER_OVERLAP_MS, PAPER_RECHECK_MS } from '../limits';
import type { PaperRecord } from '../record';
import {
  findDocumented,
  findPapersOfSales,
  insertPapers,
  type PaperSeries,
  takeNumbers,
} from '../store/papers/paper-rows';
import { findPaperSources, lockEarnings, type PaperSource } from '../store/papers/paper-sources';
import { keepTax } from './keep-tax';
import { type Draft, draftCorrection, draftInvoice, numberText } from './paper-content';
import { PaperParties, PLATFORM } from './paper-parties';

/** What this node has searched: the ledger before `until`, and all of it at `fullAt`. */
const searched = { until: new Date(0), fullAt: new Date(0) };

/**
 * Issues the invoice of each captured sale, and the credit note of each refund, on any number of nodes at once: each
 * movement in the ledger gets one paper, and each series of numbers has no gap. A killed job leaves nothing half done.
 * Where the platform owes the tax, keeps it from the seller's part in the same transaction.
 */
export async function issuePapers(now: Date): Promise<void> {
  if (now.getTime() - searched.fullAt.getTime() >= PAPER_RECHECK_MS) {
    searched.until = new Date(0);
    searched.fullAt = now;
  }
  let after = { at: searched.until, id: '' };
  for (;;) {
    const sources = await findPaperSources(after, PAPER_BATCH_SIZE);
    const last = sources.at(-1);
    if (!last) break;
    await issueAll(sources, now);
    after = { at: last.at, id: last.transactionId };
    if (sources.length < PAPER_BATCH_SIZE) break;
  }
  const until = Math.min(Math.max(after.at.getTime(), searched.until.getTime()), now.getTime()) - PAPER_OVERLAP_MS;
  searched.until = new Date(Math.max(searched.until.getTime(), until));
}

/** Issues the papers of a batch. A movement whose paper fails is left to the next search, and stops no other. */
async function issueAll(sources: PaperSource[], now: Date): Promise<void> {
  try {
    const parties = await PaperParties.read(sources);
    await inTransaction((tx) => issueBatch(tx, sources, { parties, now }));
  } catch (error) {
    if (sources.length === 1) {
      log.error('payments.paper_failed', { transactionId: sources[0]?.transactionId, ...errorFields(error) });
      return;
    }
    log.warn('payments.papers_repeated', { count: sources.length, ...errorFields(error) });
    for (const source of sources) await issueAll([source], now);
  }
}

interface IssuedDraft {
  source: PaperSource;
  draft: Draft;
  /** The issuer of the paper: the seller, or the platform. */
  issuer: string;
}

interface Issue {
  parties: PaperParties;
  now: Date;
}

async function issueBatch(tx: Tx, sources: PaperSource[], issue: Issue): Promise<void> {
  // Refunds lock the earning of their sale too, so that no other paper of these sales is issued at the same time.
  const earnings = await lockEarnings(tx, [...new Set(sources.map(({ earningId }) => earningId))]);
  const documented = await findDocumented(
    tx,
    sources.map(({ transactionId }) => transactionId),
  );
  const open = sources.filter(({ transactionId }) => !documented.has(transactionId));
  const drafts = await draftAll(tx, open, issue);
  if (drafts.length === 0) return;
  failpoint('papers.drafted');
  const papers = await number(tx, drafts, issue.now);
  failpoint('papers.numbered');
  await insertPapers(tx, papers);
  failpoint('papers.inserted');
  await keepTax(tx, { papers, earnings, at: issue.now });
  failpoint('papers.taxed');
}

/** Drafts the papers, invoices before the papers that correct them. A correction without invoice is left out. */
async function draftAll(tx: Tx, sources: PaperSource[], { parties, now }: Issue): Promise<IssuedDraft[]> {
  const issued = await findPapersOfSales(
    tx,
    sources.map(({ saleId }) => saleId),
  );
  const ofSale = new Map<string, { issuer: string; drafts: [PaperRecord['content'], ...PaperRecord['content'][]] }>();
  for (const { saleId, issuer, content } of issued) {
    const known = ofSale.get(saleId);
    if (known) known.drafts.push(content);
    else if (content.kind === 'invoice') ofSale.set(saleId, { issuer, drafts: [content] });
  }
  const invoices: IssuedDraft[] = [];
  for (const source of sources.filter(({ kind }) => kind === 'capture')) {
    const terms = parties.termsOf(source);
    const issuer = terms.seller === null ? source.sellerId : PLATFORM;
    invoices.push({ source, draft: draftInvoice(source, terms, now), issuer });
  }
  const corrections: IssuedDraft[] = [];
  for (const source of sources.filter(({ kind }) => kind !== 'capture')) {
    const sale = ofSale.get(source.saleId);
    if (!sale) continue;
    const draft = draftCorrection(source, { sale: sale.drafts, now });
    sale.drafts.push({ ...draft, number: '' });
    corrections.push({ source, draft, issuer: sale.issuer });
  }
  return [...invoices, ...corrections];
}

/** Gives each draft the next number of its series. The series are locked in one order on all nodes. */
async function number(tx: Tx, drafts: IssuedDraft[], now: Date): Promise<PaperRecord[]> {
  const year = now.getUTCFullYear();
  const seriesOf = ({ issuer, draft: { kind, test } }: IssuedDraft): PaperSeries => ({ issuer, year, test, kind });
  const nameOf = (draft: IssuedDraft): string => JSON.stringify(Object.values(seriesOf(draft)));
  const papers: PaperRecord[] = [];
  for (const name of [...new Set(drafts.map(nameOf))].sort()) {
    const some = drafts.filter((draft) => nameOf(draft) === name);
    const [first] = some;
    if (!first) continue;
    const series = seriesOf(first);
    const start = await takeNumbers(tx, series, some.length);
    some.forEach(
      (draft, index) => void papers.push(toRecord(draft, { ...series, number: start + index, issuedAt: now })),
    );
  }
  return papers;
}

function toRecord(
  { source, draft }: IssuedDraft,
  position: PaperSeries & Pick<PaperRecord, 'number' | 'issuedAt'>,
): PaperRecord {
  const { transactionId, saleKind, saleId, sellerId, buyerId, agentId, currency } = source;
  const content = { ...draft, number: numberText(position) };
  return {
    id: newId('ppr'),
    ...position,
    transactionId,
    ...{ saleKind, saleId, sellerId, agentId, currency },
    buyerId: buyerId ?? '',
    gross: draft.gross,
    tax: draft.tax,
    content,
  };
}
