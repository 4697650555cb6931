import { z } from 'zod';
import type { JsonSchema, OpenApi } from '../../docs/schema';
import { receiptSchema } from '../../moderation/schema';
import { reviewViewSchema } from '../../reviews/schema';
import { agentAnswer, ownershipView } from '../answers/agents';
import { conversationAnswer } from '../answers/chat';
import { passkeyView } from '../answers/identity';
import { check, money, offer, orderView, payment, refund } from '../answers/orders';
import { mandateVerdict, merchantView, saleView } from '../answers/payments';
import { actorClaim, grantView, newClientSecret, secretView } from '../answers/tokens';

/** What several answers have in common, and what refers to itself, by the name under which it is told once. */
const shapes: Record<string, z.ZodType> = {
  Actor: actorClaim,
  Agent: agentAnswer,
  AppSecret: secretView,
  Check: check,
  Conversation: conversationAnswer,
  Grant: grantView,
  MandateVerdict: mandateVerdict,
  Merchant: merchantView,
  Money: money,
  NewClientSecret: newClientSecret,
  Offer: offer,
  Order: orderView,
  Ownership: ownershipView,
  Passkey: passkeyView,
  Payment: payment,
  Refund: refund,
  Report: receiptSchema,
  Review: reviewViewSchema,
  Sale: saleView,
};

for (const [id, schema] of Object.entries(shapes))
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

/** A schema as JSON Schema; what has a name in it stands below `$defs`. What a transformation makes of a value is told as anything. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

/** Operations that refer to the shapes named in them, and those shapes, each once. */
export function hoistShapes(paths: OpenApi['paths']): Pick<OpenApi, 'paths'> & { schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {};
  const hoisted = JSON.parse(JSON.stringify(paths), (key, value) => {
    if (key === '$ref') return value.replace('#/$defs/', '#/components/schemas/');
    if (key !== '$defs') return value;
    Object.assign(schemas, value);
    return undefined;
  });
  return { paths: hoisted, schemas };
}
