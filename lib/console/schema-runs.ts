import { z } from 'zod';
import { time } from '../platform/schema';
import { callDetailSchema } from './schema';

/** Body of `POST /api/agents/{slug}/runs`. */
export const runInputSchema = z.strictObject({
  /** The call to replay; absent for a test. */
  replayOf: z
    .string()
    .regex(/^call_[0-9a-z]{1,40}$/, 'expected the ID of a call')
    .optional(),
});
export type RunInput = z.infer<typeof runInputSchema>;

/** A prepared call from the console. */
export const testRunViewSchema = z.object({
  requestId: z.string().describe('Send it as `X-Request-Id`'),
  parts: z
    .array(z.object({ text: z.string() }))
    .nullable()
    .describe('The message to send again'),
  /** The `sub` of the caller's token for this agent. */
  caller: z.string(),
});
export type TestRunView = z.infer<typeof testRunViewSchema>;

/** The results of a call from the console. */
export const runResultSchema = z.object({
  calls: z.array(callDetailSchema),
  introspections: z.array(z.object({ at: time, active: z.boolean() })),
  hasApp: z.boolean().describe('False if the agent has no developer app, so it cannot introspect tokens'),
});
export type RunResult = z.infer<typeof runResultSchema>;
