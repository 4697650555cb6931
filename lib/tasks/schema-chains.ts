import { z } from 'zod';
import { agentMarkSchema } from '../catalog/schema';
import { time } from '../platform/schema';
import { moneySchema } from '../protocol/ap2/schema-offer';
import { taskStateSchema } from './schema';

/** Reasons why a call requires approval: the agent must ask before it hires others, or the chain is at a limit. */
export const APPROVAL_REASONS = ['hire', 'calls', 'open', 'time'] as const;
export type ApprovalReason = (typeof APPROVAL_REASONS)[number];

export const agentRefSchema = z.object({ slug: z.string(), name: z.string() });
export type AgentRef = z.infer<typeof agentRefSchema>;

/** A part of a message that an agent intends to send, or its metadata. */
export const sentPartSchema = z.object({
  kind: z.enum(['text', 'file', 'link', 'data', 'metadata']),
  text: z.string().describe('The whole text, the address of a link, or JSON; empty for a file'),
  name: z.string().nullable().describe('File name'),
  mediaType: z.string().nullable(),
  bytes: z.int().nullable().describe('Size in bytes; null for a link'),
});
export type SentPart = z.infer<typeof sentPartSchema>;

/** A part as it is stored. `base64` contains the bytes of a file, exactly as they would be sent. */
export type StoredSentPart = SentPart & { base64?: string };

/** A file that an agent intends to send. */
export const sentFileSchema = z.object({
  name: z.string().nullable(),
  mediaType: z.string().nullable(),
  bytes: z.string().describe('The content in base64, as it would be sent'),
});
export type SentFile = z.infer<typeof sentFileSchema>;

export const chainApprovalSchema = z.object({
  id: z.string(),
  reasons: z.array(z.enum(APPROVAL_REASONS)),
  from: agentRefSchema,
  to: agentRefSchema,
  parts: z.array(sentPartSchema).describe('Everything that would be sent, in the order of the message'),
  contentHash: z.string().describe('Identifies what would be sent; name it to allow the call'),
  createdAt: time,
});
export type ChainApprovalView = z.infer<typeof chainApprovalSchema>;

/** The input that a delegated task requires from the user. */
export const chainInterruptSchema = z.object({
  kind: z.enum(['question', 'sign-in', 'cart']),
  text: z.string(),
  orderId: z.string().nullable(),
});
export type ChainInterrupt = z.infer<typeof chainInterruptSchema>;

export const chainTaskSchema = z.object({
  taskId: z.string(),
  parentTaskId: z.string(),
  depth: z.int().describe('1 for a task of the root agent'),
  from: agentRefSchema,
  agent: agentMarkSchema,
  state: taskStateSchema,
  text: z.string().describe('The beginning of the request'),
  cost: z.array(moneySchema),
  interrupt: chainInterruptSchema.nullable(),
  createdAt: time,
  updatedAt: time,
});
export type ChainTaskView = z.infer<typeof chainTaskSchema>;

/** The calls that agents made on behalf of the caller of a root task. */
export const chainViewSchema = z.object({
  readAt: time.describe('When this view was read: of two views, the later one applies'),
  rootTaskId: z.string(),
  state: z
    .enum(['running', 'waiting', 'stopped', 'over'])
    .describe('`waiting`: an approval is pending; `over`: the root task has ended'),
  calls: z.int(),
  maxCalls: z.int(),
  maxOpen: z.int(),
  endsAt: time,
  cost: z.array(moneySchema).describe('Paid orders minus refunds, by currency'),
  approvals: z.array(chainApprovalSchema).describe('Pending approvals, oldest first'),
  tasks: z.array(chainTaskSchema).describe('Oldest first'),
});
export type ChainView = z.infer<typeof chainViewSchema>;

export const decideApprovalSchema = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('allow'),
    contentHash: z.string().describe('Of the approval that was shown. Nothing else is allowed'),
    always: z.boolean().default(false).describe('Do not ask again before this agent calls other agents'),
  }),
  z.object({ decision: z.literal('deny') }),
]);
export type DecideApproval = z.infer<typeof decideApprovalSchema>;

export const answerChainTaskSchema = z.object({
  messageId: z.uuid(),
  text: z.string().trim().min(1).max(100_000),
});
export type AnswerChainTask = z.infer<typeof answerChainTaskSchema>;
