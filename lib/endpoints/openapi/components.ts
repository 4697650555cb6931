import { z } from 'zod';
import {
  agentMarkSchema,
  agentSummarySchema,
  agentViewSchema,
  noticeSchema,
  presenceSchema,
  skillSchema,
} from '../../catalog/schema';
import {
  cardChangeSchema,
  cardDiagnosticSchema,
  cardDifferenceSchema,
  cardStateSchema,
  fixableFaultSchema,
  signatureSchema,
} from '../../catalog/schema-cards';
import { pricePlanSchema, priceSummarySchema, skillPriceSchema } from '../../catalog/schema-prices';
import { previewedCardSchema } from '../../catalog/schema-registration';
import { invitationViewSchema, ownershipSchema } from '../../catalog/schema-team';
import { conversationViewSchema } from '../../chat/schema';
import { exampleTurnSchema, exampleViewSchema } from '../../chat/schema-shares';
import { artifactSchema, feedbackViewSchema, messageSchema, partSchema } from '../../chat/schema-thread';
import {
  agentOsCardSchema,
  agentOsMessageSchema,
  agentOsPartSchema,
  agentOsTaskSchema,
} from '../../compat/schema-agentos';
import { callDetailSchema, loggedCallSchema, undeliveredPushSchema } from '../../console/schema';
import { figuresSchema, salesSumSchema } from '../../console/schema-agents';
import { collectionSummarySchema } from '../../discovery/schema-collections';
import { listedAgentSchema, rankingSummarySchema } from '../../discovery/schema-rankings';
import { savedQuerySchema, savedSearchSchema } from '../../discovery/schema-saved-searches';
import type { JsonSchema, OpenApi } from '../../docs/schema';
import { modelSchema } from '../../hosts/schema-openai';
import { passkeyViewSchema } from '../../identity/schema-views';
import { receiptSchema } from '../../moderation/schema';
import { webPushDeviceSchema } from '../../notifications/schema';
import { loggedExchangeSchema } from '../../observability/schema';
import { orderSchema, paymentSchema, refundSchema, saleSchema } from '../../payments/schema';
import { acceptanceSchema, disputeSchema } from '../../payments/schema-disputes';
import { billingSchema, earningSchema, partyDetailsSchema, partySchema } from '../../payments/schema-income';
import { mandateVerdictSchema, merchantSchema } from '../../payments/schema-merchants';
import { payoutAccountSchema, payoutSchema } from '../../payments/schema-payouts';
import { priceApprovalSchema, priceTermsSchema } from '../../payments/schema-plans';
import { limitReviewSchema, spendingLimitSchema, spendingSchema } from '../../payments/schema-spending';
import { standingApprovalSchema, standingListSchema, standingTermsSchema } from '../../payments/schema-standing';
import { acceptanceTermsSchema, checkSchema, moneySchema, offerSchema } from '../../protocol/ap2/schema-offer';
import { ardEntrySchema } from '../../protocol/ard/entries';
import { actorClaimSchema } from '../../protocol/oauth/jwt-access-tokens';
import { reviewViewSchema } from '../../reviews/schema';
import {
  agentRefSchema,
  chainApprovalSchema,
  chainInterruptSchema,
  chainTaskSchema,
  chainViewSchema,
} from '../../tasks/schema-chains';
import { agentGrantViewSchema, appSecretViewSchema, appViewSchema, newClientSecretSchema } from '../../tokens/schema';
import { blockedClientViewSchema } from '../../tokens/schema-connections';

/** Schemas that several responses use; each becomes a named component. */
const componentSchemas: Record<string, z.ZodType> = {
  Acceptance: acceptanceSchema,
  AcceptanceTerms: acceptanceTermsSchema,
  Actor: actorClaimSchema,
  Agent: agentViewSchema,
  AgentMark: agentMarkSchema,
  AgentOsCard: agentOsCardSchema,
  AgentOsMessage: agentOsMessageSchema,
  AgentOsPart: agentOsPartSchema,
  AgentOsTask: agentOsTaskSchema,
  AgentRef: agentRefSchema,
  AgentSummary: agentSummarySchema,
  App: appViewSchema,
  AppSecret: appSecretViewSchema,
  ArdEntry: ardEntrySchema,
  Artifact: artifactSchema,
  Billing: billingSchema,
  BlockedClient: blockedClientViewSchema,
  Call: loggedCallSchema,
  CallWithWire: callDetailSchema,
  CardChange: cardChangeSchema,
  CardDifference: cardDifferenceSchema,
  CardFault: fixableFaultSchema,
  CardFlaw: cardDiagnosticSchema,
  CardState: cardStateSchema,
  Chain: chainViewSchema,
  ChainApproval: chainApprovalSchema,
  ChainInterrupt: chainInterruptSchema,
  ChainTask: chainTaskSchema,
  Check: checkSchema,
  Collection: collectionSummarySchema,
  ConsoleFigures: figuresSchema,
  Conversation: conversationViewSchema,
  Dispute: disputeSchema,
  Earning: earningSchema,
  Example: exampleViewSchema,
  ExampleTurn: exampleTurnSchema,
  Feedback: feedbackViewSchema,
  Grant: agentGrantViewSchema,
  Invitation: invitationViewSchema,
  InvoiceParty: partySchema,
  LimitReview: limitReviewSchema,
  ListedAgent: listedAgentSchema,
  MandateVerdict: mandateVerdictSchema,
  Merchant: merchantSchema,
  Message: messageSchema,
  Model: modelSchema,
  Money: moneySchema,
  NewClientSecret: newClientSecretSchema,
  Notice: noticeSchema,
  Offer: offerSchema,
  Order: orderSchema,
  Ownership: ownershipSchema,
  Part: partSchema,
  PartyDetails: partyDetailsSchema,
  Passkey: passkeyViewSchema,
  Payment: paymentSchema,
  Payout: payoutSchema,
  PayoutAccount: payoutAccountSchema,
  Presence: presenceSchema,
  PreviewedCard: previewedCardSchema,
  PriceApproval: priceApprovalSchema,
  PricePlan: pricePlanSchema,
  PriceSummary: priceSummarySchema,
  PriceTerms: priceTermsSchema,
  Refund: refundSchema,
  Report: receiptSchema,
  Review: reviewViewSchema,
  Sale: saleSchema,
  SalesSum: salesSumSchema,
  SavedQuery: savedQuerySchema,
  SavedSearch: savedSearchSchema,
  Signature: signatureSchema,
  Skill: skillSchema,
  SkillPrice: skillPriceSchema,
  Spending: spendingSchema,
  SpendingLimit: spendingLimitSchema,
  Standing: rankingSummarySchema,
  StandingApproval: standingApprovalSchema,
  StandingApprovals: standingListSchema,
  StandingTerms: standingTermsSchema,
  UndeliveredPush: undeliveredPushSchema,
  WebPushDevice: webPushDeviceSchema,
  Wire: loggedExchangeSchema,
};

for (const [id, schema] of Object.entries(componentSchemas))
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

/** Formats that many schemas use. Their patterns are long, so each is written once, as a named component. */
const formats: Record<string, { name: string; description: string }> = {
  'date-time': { name: 'Timestamp', description: 'RFC 3339, in UTC.' },
  date: { name: 'CalendarDate', description: 'RFC 3339 full-date.' },
  uuid: { name: 'Uuid', description: 'RFC 9562.' },
};

/**
 * Returns the JSON Schema of a schema, with named components under `$defs`. Results of transformations accept any
 * value.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const override = ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
    describeTuple(jsonSchema);
    nameMembers(jsonSchema);
  };
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override });
  return rest;
}

/** Describes a tuple of equal members as an array of that length, for generators that ignore `prefixItems`. */
function describeTuple(schema: JsonSchema): void {
  const { prefixItems } = schema;
  if (!Array.isArray(prefixItems) || new Set(prefixItems.map((item) => JSON.stringify(item))).size !== 1) return;
  const length = prefixItems.length;
  Object.assign(schema, { items: prefixItems[0], minItems: length, maxItems: length });
  delete schema.prefixItems;
}

/** Lists the members of an object by the names that it requires, for generators that ignore `propertyNames`. */
function nameMembers(schema: JsonSchema): void {
  const { required, additionalProperties, properties } = schema;
  if (!Array.isArray(required) || properties || typeof additionalProperties !== 'object') return;
  schema.properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/** Moves the named schemas of operations, and the formats that they use, to shared components. */
export function extractComponents(
  paths: OpenApi['paths'],
): Pick<OpenApi, 'paths'> & { schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {};
  const rewritten = JSON.parse(JSON.stringify(paths), (key, value) => {
    if (key === '$ref') return value.replace('#/$defs/', '#/components/schemas/');
    if (key !== '$defs') return nameFormat(value, schemas);
    Object.assign(schemas, value);
    return undefined;
  });
  return { paths: rewritten, schemas };
}

function nameFormat(value: JsonSchema | null, schemas: Record<string, JsonSchema>): JsonSchema | null {
  const format = typeof value?.format === 'string' ? formats[value.format] : undefined;
  if (!value || !format || value.type !== 'string') return value;
  const { type, pattern, format: of, ...rest } = value;
  schemas[format.name] = { type, format: of, pattern, description: format.description };
  return { $ref: `#/components/schemas/${format.name}`, ...rest };
}
