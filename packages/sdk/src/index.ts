export type { ActorClaim, AgentTokenClaims, Caller } from './caller.js';
export {
  type AgentCard,
  type CardFacts,
  createAgentCard,
  type Skill,
  type TypedSkill,
} from './card.js';
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type NewMessage,
  type SendOptions,
} from './client.js';
export { ParleyError } from './errors.js';
export type { AgentToken } from './exchange.js';
export {
  createManagedMerchant,
  type ManagedMerchant,
  type ManagedMerchantOptions,
  type MandateState,
} from './managed-merchant.js';
export { isMandateData } from './mandate-data.js';
export {
  createMerchant,
  type MandateVerdict,
  type Merchant,
  type MerchantOptions,
  type ReceiptOutcome,
  type SignedCart,
  type SignedCheckout,
} from './merchant.js';
export { type Guard, type ProtectOptions, protect } from './protect.js';
export { type Fetch, originOf, requestJson } from './request.js';
export { MAX_RETRIES, type Retry, retryWhenBusy } from './retry.js';
export { callSkill, SKILLS_EXTENSION, type SkillCall, type SkillResult, type SkillSchemas } from './skills.js';
export type * from './wire.js';
