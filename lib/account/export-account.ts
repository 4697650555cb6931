import { findAgentById, getAgent, getOwnPublisher, listMemberships, readOwnAgents } from '../catalog';
import { listConversations, listOwnExamples, listOwnFeedback, listOwnShares } from '../chat';
import { listSavedSearches, readOwnCollections } from '../discovery';
import {
  authorize,
  findRecovery,
  getProfile,
  listNotificationPreferences,
  listPasskeys,
  listSessions,
  proveChange,
  selectChanges,
} from '../identity';
import type { PasskeyResponse } from '../identity/schema-views';
import { consume, type TokenBucketRule } from '../limits';
import { listOwnAppeals, listOwnReports } from '../moderation';
import { getWebPush } from '../notifications';
import { accountExported, listAudit, recordAudit } from '../observability';
import {
  getBilling,
  getIncome,
  getPaymentSettings,
  getWallet,
  listPriceApprovals,
  listSpendingAlerts,
  listSpendingLimits,
  listStandingApprovals,
  readDisputes,
  readEarnings,
  readOrders,
  readPapers,
  readSales,
  readTaskCharges,
} from '../payments';
import type { Call, Ctx } from '../platform/context';
import { readOwnReviews } from '../reviews';
import { findPushConfigsOfPrincipals, listAllDeadLetters, listTasksOfPrincipals, streamTaskEvents } from '../tasks';
import { exportConnections, exportTokens, listApps, streamGrants } from '../tokens';
import { toActivityView } from './activity';
import { AUDIT_BATCH_SIZE } from './limits';

/** Maximum exports per user. Each reads all data stored about them. */
const EXPORT_LIMIT: TokenBucketRule = {
  name: 'exports of this account',
  burst: 5,
  perMinute: 0.2,
  onDatabaseDown: 'refuse',
};

/** A member of the export: a value, a list that is streamed, or a list of items that are chunks of JSON text. */
type Member =
  | { name: string; value: object }
  | { name: string; items: AsyncIterable<object> }
  | { name: string; chunks: AsyncIterable<AsyncIterable<string>> };

/**
 * Streams all data stored about the user as one JSON object, in chunks of text: account, agents, conversations, tasks
 * with their events, payments, reviews and the audit log. Secrets and their hashes are omitted.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `passkey_required`, `passkey_refused`, `rate_limited`
 */
export async function exportAccount({
  ctx,
  input,
}: Call<{ assertion?: PasskeyResponse }>): Promise<AsyncGenerator<string>> {
  const { userId } = authorize(ctx.actor, 'session');
  await proveChange(ctx, { guard: 'account.export', detail: {} }, input.assertion);
  await consume(EXPORT_LIMIT, userId, ctx.now);
  const apps = await listApps({ ctx });
  const principals = [userId, ...apps.map(({ id }) => id)];
  const members: Member[] = [
    { name: 'exportedAt', value: ctx.now },
    { name: 'profile', value: await getProfile({ ctx }) },
    { name: 'sessions', value: await listSessions({ ctx }) },
    { name: 'accessTokens', value: await exportTokens({ ctx }) },
    { name: 'connectedApps', value: await exportConnections({ ctx }) },
    { name: 'connectedAgents', items: streamGrants({ ctx }) },
    { name: 'apps', value: apps },
    { name: 'agents', items: readAgents(ctx) },
    { name: 'teams', value: await listMemberships({ ctx }) },
    { name: 'collections', items: readOwnCollections({ ctx }) },
    { name: 'savedSearches', value: await listSavedSearches({ ctx }) },
    { name: 'conversations', items: readConversations(ctx) },
    { name: 'feedback', value: await listOwnFeedback({ ctx }) },
    { name: 'shares', value: await listOwnShares({ ctx }) },
    { name: 'examples', value: await listOwnExamples({ ctx }) },
    { name: 'tasks', chunks: readTasks(principals) },
    { name: 'pushes', value: await findPushConfigsOfPrincipals(principals) },
    { name: 'undeliveredPushes', value: await listAllDeadLetters({ ctx }) },
    { name: 'notifications', value: await listNotificationPreferences({ ctx }) },
    { name: 'webPush', value: await getWebPush({ ctx }) },
    { name: 'passkeys', value: await listPasskeys({ ctx }) },
    { name: 'recovery', value: (await findRecovery(userId)) ?? {} },
    { name: 'guardedChanges', value: await selectChanges(userId) },
    { name: 'paymentSettings', value: await getPaymentSettings({ ctx }) },
    { name: 'spending', value: await listSpendingLimits({ ctx }) },
    { name: 'standingApprovals', value: await listStandingApprovals({ ctx }) },
    { name: 'priceApprovals', value: await listPriceApprovals({ ctx }) },
    { name: 'taskCharges', items: readTaskCharges({ ctx }) },
    { name: 'spendingAlerts', value: await listSpendingAlerts({ ctx }) },
    { name: 'orders', items: readOrders({ ctx, input: {} }) },
    { name: 'sales', items: readSales({ ctx, input: {} }) },
    { name: 'earnings', items: readEarnings({ ctx, input: {} }) },
    { name: 'disputes', items: readDisputes({ ctx, input: { role: 'buyer' } }) },
    { name: 'disputesOfSales', items: readDisputes({ ctx, input: { role: 'seller' } }) },
    { name: 'income', value: await getIncome({ ctx }) },
    { name: 'wallet', value: await getWallet({ ctx }) },
    { name: 'billing', value: await getBilling({ ctx }) },
    { name: 'papers', items: readPapers({ ctx, input: { as: 'buyer' } }) },
    { name: 'issuedPapers', items: readPapers({ ctx, input: { as: 'seller' } }) },
    { name: 'publisher', value: (await getOwnPublisher({ ctx })) ?? {} },
    { name: 'reviews', value: await readOwnReviews({ ctx }) },
    { name: 'reports', value: await listOwnReports({ ctx }) },
    { name: 'appeals', value: await listOwnAppeals({ ctx }) },
    { name: 'activity', items: readActivity(userId) },
  ];
  await recordAudit(accountExported(ctx, { userId }));
  return streamJsonObject(members);
}

async function* readAgents(ctx: Ctx): AsyncGenerator<object> {
  for await (const agent of readOwnAgents({ ctx })) {
    const { slug } = agent;
    yield agent.status === 'withdrawn' ? agent : { ...agent, ...(await getAgent({ ctx, input: { slug } })) };
  }
}

async function* readConversations(ctx: Ctx): AsyncGenerator<object> {
  for (const archived of [false, true]) {
    for (let cursor: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof listConversations>> = await listConversations({
        ctx,
        input: { archived, cursor },
      });
      yield* page.items;
      if (!page.nextCursor) break;
      cursor = page.nextCursor;
    }
  }
}

async function* readTasks(principals: string[]): AsyncGenerator<AsyncGenerator<string>> {
  for await (const task of listTasksOfPrincipals(principals)) yield streamTaskJson(task);
}

type OwnTask = ReturnType<typeof listTasksOfPrincipals> extends AsyncGenerator<infer Task> ? Task : never;

async function* streamTaskJson(task: OwnTask): AsyncGenerator<string> {
  const { id, principal, contextId, state, stateAt, createdAt, clientId } = task;
  const agent = await findAgentById(task.agentId);
  const head = { id, principal, agent: agent?.slug ?? task.agentId, contextId, clientId, state, stateAt, createdAt };
  yield `${JSON.stringify(head).slice(0, -1)},"events":`;
  yield* streamJsonArray(streamTaskEvents(task), (event) => [JSON.stringify(event)]);
  yield '}';
}

async function* readActivity(userId: string): AsyncGenerator<object> {
  for (let before: number | null = null; ; ) {
    const page: Awaited<ReturnType<typeof listAudit>> = await listAudit(userId, { before, limit: AUDIT_BATCH_SIZE });
    for (const entry of page) yield await toActivityView(entry);
    const last = page.at(-1);
    if (!last || page.length < AUDIT_BATCH_SIZE) return;
    before = last.seq;
  }
}

/** Streams one JSON object as chunks of text, one list item at a time. */
async function* streamJsonObject(members: Member[]): AsyncGenerator<string> {
  for (const [index, member] of members.entries()) {
    yield `${index === 0 ? '{' : ',\n'}${JSON.stringify(member.name)}:`;
    if ('value' in member) yield JSON.stringify(member.value);
    else if ('items' in member) yield* streamJsonArray(member.items, (item) => [JSON.stringify(item)]);
    else yield* streamJsonArray(member.chunks, (chunks) => chunks);
  }
  yield '}\n';
}

/** Streams a JSON array whose items `write` serializes. */
async function* streamJsonArray<Item>(
  items: AsyncIterable<Item>,
  write: (item: Item) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let separator = '[';
  for await (const item of items) {
    yield separator;
    separator = ',\n';
    yield* write(item);
  }
  yield separator === '[' ? '[]' : ']';
}
