import { z } from 'zod';
import type { JsonSchema, OpenApi } from '../../docs/schema';
import { receiptSchema } from '../../moderation/schema';
import { reviewViewSchema } from '../../reviews/schema';
import {
  agentSummary,
  agentView,
  cardChange,
  cardFlaw,
  cardState,
  listedAgent,
  notice,
  ownershipView,
  signature,
  skillPrice,
  standingSummary,
} from '../answers/agents';
import { cardDifference, cardFault, previewedCard, skill } from '../answers/cards';
import { conversationAnswer, feedbackView } from '../answers/chat';
import { callDetail, invitation, loggedCall } from '../answers/console';
import { passkeyView } from '../answers/identity';
import { check, money, offer, orderView, payment, refund } from '../answers/orders';
import { mandateVerdict, merchantView, saleView } from '../answers/payments';
import { undelivered } from '../answers/pushes';
import { collectionSummary, wire } from '../answers/standing';
import { artifact, message, part } from '../answers/thread';
import { actorClaim, grantView, newClientSecret, secretView } from '../answers/tokens';

/** What several answers have in common, and what refers to itself, by the name under which it is told once. */
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
  CardFault: cardFault,
  CardFlaw: cardFlaw,
  CardState: cardState,
  Check: check,
  Collection: collectionSummary,
  Conversation: conversationAnswer,
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
  Standing: standingSummary,
  UndeliveredPush: undelivered,
  Wire: wire,
};

for (const [id, schema] of Object.entries(componentSchemas))
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

/** A schema as JSON Schema; what has a name in it stands below `$defs`. What a transformation makes of a value is told as anything. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

/** Operations that refer to the shapes named in them, and those shapes, each once. */
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
