export type { ActorClaim, AgentTokenClaims, Caller } from './caller.js';
export { type AgentCard, type CardFacts, createAgentCard, type Skill } from './card.js';
export { type Client, type ClientOptions, createClient, type NewMessage } from './client.js';
export { ParleyError } from './errors.js';
export type { AgentToken } from './exchange.js';
export { type Guard, type ProtectOptions, protect } from './protect.js';
export { type Fetch, originOf, requestJson } from './request.js';
export type * from './wire.js';
