import { z } from 'zod';
import { time } from '../platform/schema';
import { cleanText } from '../protocol/a2a/cards/clean-text';
import { MAX_EXAMPLE_TEXT_LENGTH, MAX_EXAMPLE_TURNS } from './limits';

export const exampleTurnSchema = z.object({ role: z.enum(['user', 'agent']), text: z.string() });
export type ExampleTurn = z.infer<typeof exampleTurnSchema>;

/** The public view of an example conversation. */
export const exampleViewSchema = z.object({
  id: z.string(),
  turns: z.array(exampleTurnSchema),
  publishedAt: time,
});
export type ExampleView = z.infer<typeof exampleViewSchema>;

/** Response of `GET /api/agents/{slug}/example`. */
export const exampleSchema = z.object({
  example: exampleViewSchema.nullable().describe('Null if the publisher shows none'),
  mayChoose: z.boolean().describe('True for the developers of the agent'),
  isRemoved: z.boolean().describe('Moderation removed it; shown to its team only'),
});
export type AgentExample = z.infer<typeof exampleSchema>;

/** A finished task that can become the example. */
export const exampleTaskSchema = z.object({
  id: z.string(),
  text: z.string().describe('The start of its first message'),
  at: time,
});
export type ExampleTask = z.infer<typeof exampleTaskSchema>;

/** Response of `GET /api/agents/{slug}/example/tasks/{id}`: the redacted turns of the task, to review and edit. */
export const exampleDraftSchema = z.object({ taskId: z.string(), turns: z.array(exampleTurnSchema) });
export type ExampleDraft = z.infer<typeof exampleDraftSchema>;

const turnText = z
  .string()
  .transform(cleanText)
  .pipe(
    z
      .string()
      .min(1, 'expected text')
      .max(MAX_EXAMPLE_TEXT_LENGTH, `expected at most ${MAX_EXAMPLE_TEXT_LENGTH} characters`),
  );

/** Body of `PUT /api/agents/{slug}/example`: turns of the draft by their position, in order, each with its text. */
export const exampleInputSchema = z
  .strictObject({
    taskId: z.uuid(),
    turns: z
      .array(
        z.strictObject({
          at: z
            .int()
            .min(0)
            .max(MAX_EXAMPLE_TURNS - 1),
          text: turnText,
        }),
      )
      .min(1, 'expected at least one message')
      .max(MAX_EXAMPLE_TURNS),
  })
  .refine(({ turns }) => turns.every(({ at }, index) => index === 0 || at > (turns[index - 1]?.at ?? -1)), {
    path: ['turns'],
    message: 'expected each message once, in the original order',
  });
export type ExampleInput = z.infer<typeof exampleInputSchema>;
