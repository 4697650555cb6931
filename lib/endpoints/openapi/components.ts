import { z } from 'zod';
import type { JsonSchema, OpenApi } from '../../docs/schema';
import { receiptSchema } from '../../moderation/schema';
import { reviewViewSchema } from '../../reviews/schema';
import {
  agentSummary,
  agentView,
  cardChange,
  cardDiagnostic,
  cardState,
  listedAgent,
  notice,
  ownershipView,
  rankingSummary,
  signature,
  skillPrice,
} from '../responses/agents';
import { cardDifference, fixableDiagnostic, previewedCard, skill } from '../responses/cards';
import { artifact, conversationSummary, feedbackView, message, part } from '../responses/chat';
import { callDetail, invitation, loggedCall, undelivered } from '../responses/console';
import { passkeyView } from '../responses/identity';
import {
  check,
  mandateVerdict,
  merchantView,
  money,
  offer,
  orderView,
  payment,
  refund,
  saleView,
} from '../responses/payments';
import { collectionSummary, loggedExchange } from '../responses/rankings';
import { actorClaim, grantView, newClientSecret, secretView } from '../responses/tokens';

/** Schemas used by several responses or by themselves; each becomes a named component. */
const componentSchemas: Record<string, z.ZodType> = {
  Actor: actorClaim,
  Agent: agentView,
  AgentSummary: agentSummary,
  AppSecret: secretView,
  Artifact: artifact,
  Call: loggedCall,
  CallWithWire: callDetail,
  CardChange: cardChange,
  CardDifference: cardDifference,
  CardFault: fixableDiagnostic,
  CardFlaw: cardDiagnostic,
  CardState: cardState,
  Check: check,
  Collection: collectionSummary,
  Conversation: conversationSummary,
  Feedback: feedbackView,
  Grant: grantView,
  Invitation: invitation,
  ListedAgent: listedAgent,
  MandateVerdict: mandateVerdict,
  Merchant: merchantView,
  Message: message,
  Money: money,
  NewClientSecret: newClientSecret,
  Notice: notice,
  Offer: offer,
  Order: orderView,
  Ownership: ownershipView,
  Part: part,
  Passkey: passkeyView,
  Payment: payment,
  PreviewedCard: previewedCard,
  Refund: refund,
  Report: receiptSchema,
  Review: reviewViewSchema,
  Sale: saleView,
  Signature: signature,
  Skill: skill,
  SkillPrice: skillPrice,
  Standing: rankingSummary,
  UndeliveredPush: undelivered,
  Wire: loggedExchange,
};

for (const [id, schema] of Object.entries(componentSchemas))
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

/** The JSON Schema of a schema, with named components below `$defs`. Results of transformations accept any value. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

/** Moves the named schemas of operations to shared components. */
export function extractComponents(
  paths: OpenApi['paths'],
): Pick<OpenApi, 'paths'> & { schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {};
  const rewritten = JSON.parse(JSON.stringify(paths), (key, value) => {
    if (key === '$ref') return value.replace('#/$defs/', '#/components/schemas/');
    if (key !== '$defs') return value;
    Object.assign(schemas, value);
    return undefined;
  });
  return { paths: rewritten, schemas };
}
